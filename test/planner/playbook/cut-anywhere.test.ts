/**
 * A reply that stops anywhere, in any form: what stands of it is a beginning of what it would have
 * done, and whoever goes on, telling all of it again or only what is left, does the rest once.
 */
import { describe, expect, test } from 'vitest';
import { link } from '../../../src/dialects/playbook/link/link.ts';
import { compiledOf, readTree } from '../../../src/dialects/playbook/tree-of.ts';
import type { Part } from '../../../src/planner/playbook/parts.ts';
import { forms, type Op } from '../../playbooks/forms.ts';
import { points } from '../../support/depth.ts';
import { partsOf } from './sample.ts';

const program = `# Desk
## Main
### Triggers
- At the beginning
### Steps
- $day = "Sunday"
- FreeBikes($day)
- Say("We have some.")
- FreeBikes("Monday")
- Say("On Monday too.")
- Return $day
`;

const file = link(compiledOf(readTree(program).tree, ['FreeBikes']), {
  inlineSteps: 0,
  isWrite: () => true,
});
const [playbook] = file.agents[0]?.playbooks ?? [];
if (!playbook) throw new Error('there is no playbook');

/** A line each, with what is done there. */
const lines: readonly (readonly Op[])[] = [
  [{ step: '01' }, { set: { $day: 'Sunday' } }],
  [{ step: '02' }, { call: 'FreeBikes', args: { day: '$day' } }],
  [{ step: '03' }, { say: 'We have some.' }],
  [{ step: '04' }, { call: 'FreeBikes', args: { day: 'Monday' } }],
  [{ step: '05' }, { say: 'On Monday too.' }],
  [{ step: '06' }, { return: '$day' }],
];

/** What is done in the world and to variables, without what is only reported. */
const acts = (parts: readonly Part[]): readonly string[] =>
  parts.flatMap((part) => {
    if (part.op === 'call') return [`${part.line} ${part.key}`];
    if (part.op === 'set') return [`${part.line} set ${JSON.stringify(part.value)}`];
    return part.op === 'say' ? [`${part.line} ${part.key}`] : [];
  });

const all = acts(
  partsOf(
    lines
      .flat()
      .map((op) => JSON.stringify(op))
      .join('\n'),
    { playbook, variables: [] },
  ).parts,
);

/** As the loop gives them: with their values. */
const known = (done: readonly Part[]) =>
  done.flatMap((part) => {
    if (part.op !== 'set' || part.value.is !== 'value') return [];
    return [{ name: part.name, scope: part.scope, value: part.value.value }];
  });

test('the whole does five things', () => {
  expect(all).toHaveLength(5);
});

describe.each(Object.entries(forms))('in the form of %s', (_, form) => {
  const write = (of: readonly (readonly Op[])[]): string =>
    form({ of: 'Main', ops: of.flat() }, program);
  const reply = write(lines);

  /** What stands of a reply that was cut there, and the line to go on with. */
  const beginning = (at: number, isCut: boolean) => {
    const { parts } = partsOf(reply.slice(0, at), { playbook, variables: [], isCut });
    const end = parts.at(-1);
    const done = parts.filter(({ op }) => op !== 'end');
    return { done, line: end?.op === 'end' ? end.line : '' };
  };

  test('what stands is a beginning, and told again as a whole, the rest is done once', () => {
    for (const at of points(0, 5, reply.length - 1)) {
      const { done, line } = beginning(at, true);
      const before = acts(done);
      expect(before).toEqual(all.slice(0, before.length));
      if (line === '') continue;
      const again = partsOf(reply, { playbook, line, done, variables: known(done) });
      expect([at, ...before, ...acts(again.parts)]).toEqual([at, ...all]);
    }
  });

  test('and where only the rest is written', () => {
    for (const at of points(0, 5, reply.length - 1)) {
      const { done, line } = beginning(at, true);
      if (line === '') continue;
      const before = acts(done);
      const rest = write(lines.slice(before.length));
      const after = partsOf(rest, { playbook, line, done, variables: known(done) });
      expect([at, ...before, ...acts(after.parts)]).toEqual([at, ...all]);
      expect(after.parts.some(({ op }) => op === 'problem')).toBe(false);
    }
  });

  test('where nobody says that it was cut, nothing that is not of it is called or said', () => {
    const calls = (of: readonly string[]) => of.filter((one) => !one.includes(' set '));
    for (const at of points(0, 5, reply.length - 1)) {
      const before = calls(acts(beginning(at, false).done));
      expect([at, ...before]).toEqual([at, ...calls(all).slice(0, before.length)]);
    }
  });
});

test('where all was done before it, a reply that tells all of it again is over', () => {
  const steps = program.replace('- Return $day\n', '');
  const { agents } = link(compiledOf(readTree(steps).tree, ['FreeBikes']), { inlineSteps: 0 });
  const own = agents[0]?.playbooks[0] ?? playbook;
  const reply =
    forms['JSON, a line each']?.({ of: 'Main', ops: lines.slice(0, -1).flat() }, steps) ?? '';
  const done = partsOf(reply, { playbook: own, variables: [] }).parts.slice(0, -2);
  expect(acts(done)).toEqual(all);
  const again = partsOf(reply, { playbook: own, line: '05', done, variables: known(done) });
  expect(again.parts.map(({ op }) => op)).toEqual(['return', 'end']);
});
