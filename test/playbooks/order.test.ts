/** The order of lines as properties: any way through a playbook passes, any other one is told. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RunResult } from '../../src/engine/result.ts';
import { ops, played } from '../planner/playbook/played.ts';
import { propertyRuns } from '../support/depth.ts';
import { desk } from './desk.ts';

interface Step {
  readonly is: 'do' | 'if' | 'while';
  readonly under: readonly Step[];
}

const { block } = fc.letrec<{ block: readonly Step[]; step: Step }>((tie) => ({
  block: fc.array(tie('step'), { minLength: 1, maxLength: 3 }),
  step: fc.oneof(
    { maxDepth: 2, depthIdentifier: 'steps' },
    fc.constant<Step>({ is: 'do', under: [] }),
    fc.record<Step>({
      is: fc.constantFrom<Step['is']>('if', 'while'),
      under: fc.array(tie('step'), {
        ...{ minLength: 1, maxLength: 2, depthIdentifier: 'steps' },
      }),
    }),
  ),
}));

const words = { do: 'Do what they wish', if: 'If they like it', while: 'While they want more' };

const written = (steps: readonly Step[], indent = ''): string =>
  steps
    .map(({ is, under }) => `${indent}- ${words[is]}\n${written(under, `${indent}  `)}`)
    .join('');

interface Named {
  readonly at: string;
  readonly holds?: boolean;
}

/** A way through lines, as a model names it; `choose` decides conditions. */
function wayThrough(steps: readonly Step[], choose: () => boolean, before = ''): Named[] {
  return steps.flatMap(({ is, under }, index) => {
    const at = `${before}${String(index + 1).padStart(2, '0')}`;
    if (is === 'do') return [{ at }];
    const round = (): Named[] => [{ at, holds: true }, ...wayThrough(under, choose, `${at}.`)];
    const no = { at, holds: false };
    if (is === 'if') return choose() ? round() : [no];
    return [...(choose() ? round() : []), ...(choose() ? round() : []), no];
  });
}

const told = ({ warnings }: RunResult): string[] =>
  warnings.map(({ message }) => message.split(' ', 1)[0] ?? '');

const choices = fc.infiniteStream(fc.boolean());

const nextOf = (all: fc.Stream<boolean>) => (): boolean => all.next().value === true;

test('any way through the lines passes', async () => {
  await fc.assert(
    fc.asyncProperty(block, choices, async (steps, all) => {
      const ran = await played(desk(written(steps)), {
        replies: [ops(...wayThrough(steps, nextOf(all)))],
      });
      expect([ran.result.status, ran.result.warnings]).toEqual(['done', []]);
    }),
    propertyRuns(25),
  );
});

test('a way that leaves a line out is told so, once', async () => {
  await fc.assert(
    fc.asyncProperty(block, choices, fc.nat(), async (steps, all, pick) => {
      const way = wayThrough(steps, nextOf(all));
      const plain = way.flatMap(({ holds }, at) => (holds === undefined ? [at] : []));
      const left = plain[pick % plain.length] ?? way.length;
      // What nothing is named after is asked for; a head that is named twice is decided anew.
      fc.pre(left < way.length - 1 && way[left - 1]?.at !== way[left + 1]?.at);
      const ran = await played(desk(written(steps)), {
        replies: [ops(...way.filter((_, at) => at !== left)), ops(...way.slice(left))],
      });
      expect(ran.result.status).toBe('done');
      expect(told(ran.result)).toEqual(['PV7303']);
      expect(ran.prompts[1]).toContain(`line ${way[left]?.at} comes before line`);
    }),
    propertyRuns(25),
  );
});

test('a way that goes back is told so, once', async () => {
  const straight = block.filter((steps) => !written(steps).includes(words.while));
  await fc.assert(
    fc.asyncProperty(straight, choices, fc.nat(), async (steps, all, pick) => {
      const way = wayThrough(steps, nextOf(all));
      fc.pre(way.length > 1);
      const here = 1 + (pick % (way.length - 1));
      const [back] = way;
      const ran = await played(desk(written(steps)), {
        replies: [ops(...way.slice(0, here + 1), { at: back?.at }), ops(...way.slice(here))],
      });
      expect(ran.result.status).toBe('done');
      expect(told(ran.result)).toEqual(['PV7302']);
      expect(ran.prompts[1]).toContain(`line ${back?.at} does not come after line`);
    }),
    propertyRuns(25),
  );
});
