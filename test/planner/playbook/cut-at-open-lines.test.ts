/**
 * A reply that stops anywhere at lines whose meaning is the model's to say: whoever goes on at the
 * line that is named, and does all of it again with what there is by then, does nothing twice.
 */
import { describe, expect, test } from 'vitest';
import { link } from '../../../src/dialects/playbook/link/link.ts';
import type { Strictness } from '../../../src/dialects/playbook/source/manner.ts';
import { compiledOf, readTree } from '../../../src/dialects/playbook/tree-of.ts';
import type { Handler } from '../../../src/engine/handler.ts';
import type { Part } from '../../../src/planner/playbook/parts.ts';
import { toolSpec } from '../../../src/program/effect.ts';
import { forms, type Op } from '../../playbooks/forms.ts';
import { ops, played } from './played.ts';
import { partsOf } from './sample.ts';

const program = `# Desk
## Main
### Triggers
- At the beginning
### Steps
- While $count < 2
  - Add the word of the round to $words
  - $count += 1
- Find the $city and the $land of the shop
- Look for what is free, and name it
- Think of a $name
- Return $words
`;

const file = link(compiledOf(readTree(program).tree, ['FreeBikes']), {
  inlineSteps: 0,
  isWrite: () => true,
});
const [playbook] = file.agents[0]?.playbooks ?? [];
if (!playbook) throw new Error('there is no playbook');

const begun = { count: 0, words: [] as readonly string[] };

/** All that is done from a line on, with what variables have by then. */
function opsFrom(line: string, { count, words }: typeof begun): readonly Op[] {
  const there = { count, words };
  const rounds = (first: string): Op[] => {
    const done: Op[] = [];
    for (let at = first; ; at = '01') {
      if (at === '01') {
        done.push({ step: '01' });
        if (there.count >= 2) return done;
      }
      if (at <= '01.01') {
        there.words = [...there.words, `word ${there.count}`];
        done.push({ step: '01.01' }, { set: { $words: there.words } });
      }
      if (at <= '01.02') done.push({ step: '01.02' }, { set: { $count: ++there.count } });
      done.push({ step: '01.03' });
    }
  };
  const rest: readonly (readonly Op[])[] = [
    [{ step: '02' }, { set: { $city: `city ${line}` } }, { set: { $land: 'Italy' } }],
    [{ step: '03' }, { call: 'FreeBikes', args: { day: 'Sunday' } }, { say: 'All is free.' }],
    [{ step: '04' }, { set: { $name: 'Ann' } }],
    [{ step: '05' }, { return: '$words' }],
  ];
  const behind = rest.filter(([first]) => line <= (first?.step ?? ''));
  return [...(line.startsWith('01') ? rounds(line) : []), ...behind.flat()];
}

/** What is done in the world and to variables, without what is only reported. */
const acts = (parts: readonly Part[]): readonly string[] =>
  parts.flatMap((part) => {
    if (part.op === 'call' || part.op === 'say') return [`${part.line} ${part.key}`];
    const value = part.op === 'set' && part.value.is === 'value' ? part.value.value : undefined;
    const words = JSON.stringify(value)?.replace(/city [\d.]+/, 'a city');
    return part.op === 'set' ? [`${part.line} ${part.name} = ${words}`] : [];
  });

/** Variables as the loop gives them. */
function known(done: readonly Part[]) {
  const values = new Map<string, unknown>(Object.entries(begun));
  for (const part of done)
    if (part.op === 'set' && part.value.is === 'value') values.set(part.name, part.value.value);
  return [...values].map(([name, value]) => ({ name, scope: 'state' as const, value }));
}

const valuesOf = (done: readonly Part[]): typeof begun => ({
  ...begun,
  ...Object.fromEntries(known(done).map(({ name, value }) => [name, value])),
});

const lineOf = (parts: readonly Part[]): string =>
  parts.flatMap((part) => (part.op === 'end' ? [part.line] : [])).join('');

describe.each(Object.entries(forms))('in the form of %s', (_, form) => {
  const whole = opsFrom('01', begun);
  const take = (ops: readonly Op[], line: string, done: readonly Part[]) => {
    const reply = form({ of: 'Main', ops }, program);
    return partsOf(reply, { playbook, line, done, variables: known(done) }).parts;
  };
  const parts = take(whole, '01', []);
  const all = acts(parts);

  /** What is left of the whole behind so many acts. */
  const rest = (acted: number): readonly Op[] => {
    const isAct = (op: Op): boolean => !op.step && !('return' in op);
    const numbers = whole.map((_op, index) => whole.slice(0, index).filter(isAct).length);
    const from = numbers.indexOf(acted);
    const line = whole.slice(0, from).findLastIndex(({ step }) => step !== undefined);
    return [...whole.slice(line, line + 1), ...whole.slice(from)];
  };

  test('the whole does nine things', () => expect(all).toHaveLength(9));

  test('the line that is named is done once, whoever does it again', () => {
    for (const [at] of parts.entries()) {
      const stood = parts.slice(0, at);
      const first = partsOf('', { playbook, variables: known([]), stood }).parts;
      const done = first.filter(({ op }) => op !== 'end');
      const line = lineOf(first);
      if (line === '') continue;
      const second = take(opsFrom(line, valuesOf(done)), line, done);
      const then = [...done, ...second.filter(({ op }) => op !== 'end')];
      const isTold = second.some(({ op }) => op === 'problem');
      const third = isTold ? take(rest(acts(then).length), lineOf(second), then) : [];
      expect([at, line, ...acts(then), ...acts(third)]).toEqual([at, line, ...all]);
      expect([at, ...third.filter(({ op }) => op === 'problem')]).toEqual([at]);
    }
  });
});

const shop = `# Shop
## Main
### Triggers
- At the beginning
### Steps
- Choose a $size
- Add the letter of the size to $all
- Return $all

## Big
### Triggers
- When $all == "ab"
### Steps
- Say("Big.")
`;
const set = (name: string, value: unknown) => ({ set: { [name]: value } });
const big = ops({ step: '01' }, { say: 'Big.' });
const chosen = [{ step: '01' }, set('$size', 9)];
const asked = 'line 02 had set $all to "ab" when the reply was cut off';

test('what a trigger has cut off is told with the line behind it, and not set again', async () => {
  const { result, said, prompts } = await played(shop, {
    given: { all: 'a' },
    replies: [
      ops(...chosen, { step: '02' }, set('$all', 'ab')),
      big,
      ops({ step: '02' }, set('$all', 'abb')),
      ops({ step: '03' }, { return: '$all' }),
    ],
  });
  expect(prompts[2]).toContain('- at line 02: set $all to "ab"');
  expect(prompts[2]).toContain(
    'Go on at line 03, or at line 02 where something of it is left to do.',
  );
  expect(prompts[3]).toContain(asked);
  expect([result.answer, said]).toEqual(['ab', ['Big.']]);
});

test('what is set again where that is asked is meant, and is no slip', async () => {
  const again = ops({ step: '02' }, set('$all', 'abb'), { step: '03' }, { return: '$all' });
  const { result, prompts } = await played(shop, {
    given: { all: 'a' },
    replies: [
      ops(...chosen, { step: '07' }),
      ops({ step: '02' }, set('$all', 'ab')),
      ...[big, again, again],
    ],
  });
  expect(prompts[4]).toContain(asked);
  expect(result.answer).toBe('abb');
  const warned = result.warnings.filter(({ message }) => message.includes('PV7330'));
  expect(warned).toHaveLength(1);
});

describe('a call in other words, behind what was cut off', () => {
  const mails = `# Desk
\`\`\`tools
sent = []

def Greet(name):
    return "Dear " + name

def Keep(name):
    sent.append(name)
\`\`\`

## Main
### Triggers
- At the beginning
### Steps
- For each $who in ["Ann", "Ben"]
  - Do for $who what is to be done, and note it in $state
- Return $state

## Noted
### Triggers
- When $state == "begun"
### Steps
- Say("Begun.")
`;
  const lookUp = scriptedTool('LookUp', 'read');
  const mail = scriptedTool('Mail', 'write');
  const isAsked = async (
    callee: string,
    first: string,
    then: string,
    strictness: Strictness = 'repair',
  ) => {
    const call = (name: string) => ({ call: callee, args: { name } });
    const round = (who: string, ...done: readonly object[]) => [
      ...[{ step: '01' }, set('$who', who), { step: '01.01' }],
      ...done,
    ];
    const rest = [...round('Ben', call('ben'), set('$state', 'done')), { step: '02' }];
    const end = [...rest, { return: '$state' }];
    const last = ops({ step: '01.01' }, call(then), set('$state', 'begun'), ...end);
    const { result, prompts } = await played(mails, {
      strictness,
      tools: [lookUp, mail],
      replies: [
        ops(...round('Ann', call(first), set('$state', 'begun'), call('never'))),
        ops({ step: '01' }, { say: 'Begun.' }),
        ...[last, last],
      ],
    });
    expect(result.status, result.error?.message).toBe('done');
    return prompts.length > 3 ? prompts[3]?.includes(`had called ${callee}(`) : false;
  };

  test.each<Strictness>(['advise', 'repair', 'enforce'])('is asked about: %s', async (how) => {
    expect(await isAsked('Mail', 'ann', 'Ann Lee', how)).toBe(true);
  });

  test('is asked about where a function keeps what it is called with', async () =>
    expect(await isAsked('Keep', 'ann', 'Ann Lee')).toBe(true));

  test('is not where the tool only reads, nor where a function only computes', async () => {
    expect(await isAsked('LookUp', 'ann', 'Ann Lee')).toBe(false);
    expect(await isAsked('Greet', 'ann', 'Ann Lee')).toBe(false);
  });
});

describe('what is said in other words, where the process has ended amid the reply', () => {
  const said = (text: string): Part => {
    const value = { is: 'value', value: text } as const;
    return { op: 'say', text: value, line: '03', key: `Say [["text",${JSON.stringify(text)}]]` };
  };
  const stood: readonly Part[] = [{ op: 'step', line: '03' }, said('Two are free.')];
  const killed = partsOf('', { playbook, variables: known([]), line: '03', stood }).parts;
  const done = killed.filter(({ op }) => op !== 'end');
  const take = (before: readonly Part[], text: string) => {
    const reply = ops({ step: '03' }, { say: text }, { step: '04' });
    const given = { playbook, variables: known([]), line: '03', done: before };
    return partsOf(reply, given).parts;
  };

  const acts = (parts: readonly Part[]): readonly string[] =>
    parts.flatMap((part) => {
      if (part.op === 'problem') return part.code === 'PV7330' ? [part.text] : [];
      return part.op === 'say' && part.text.is === 'value' ? [String(part.text.value)] : [];
    });

  test('is asked about once: said again, it is said', () => {
    const asked = take(done, 'There are two.');
    const words = 'line 03 had said "Two are free." when the reply was cut off: leave out';
    expect(acts(asked)).toEqual([expect.stringContaining(words)]);
    const again = take([...done, ...asked.filter(({ op }) => op !== 'end')], 'There are two.');
    expect(acts(again)).toEqual(['There are two.']);
  });

  test('is not where it is told again, where it is the first, nor behind a trigger', () => {
    expect(acts(take(done, 'Two are free.'))).toEqual([]);
    const first: readonly Part[] = [{ op: 'step', line: '03' }];
    for (const before of [first, stood])
      expect(acts(take(before, 'There are two.'))).toEqual(['There are two.']);
  });
});

test('what is set anew makes what was set before it nothing that stands', () => {
  const sets = ops({ step: '02' }, ...['Ann', 'Ben'].map((one) => ({ set: { $city: one } })));
  const given = { playbook, line: '02' };
  const { parts } = partsOf(sets, { ...given, variables: known([]), isCut: true });
  const asked = {
    op: 'problem',
    code: 'PV7330',
    text: '',
    line: '02',
    isFromOutside: true,
  } as const;
  const done = [...parts.filter(({ op }) => op !== 'end' && op !== 'problem'), asked];
  const again = partsOf(sets, { ...given, variables: known(done), done }).parts;
  expect(acts(again).map((one) => one.replace('02 city = ', ''))).toEqual(['"Ann"', '"Ben"']);
});

/** A tool that does nothing with the name that it takes. */
function scriptedTool(name: string, effect: 'read' | 'write'): Handler {
  const parameters = { type: 'object', properties: { name: { type: 'string' } } } as const;
  const spec = toolSpec({ name, description: name, effect, parameters });
  return { spec, perform: async () => 'done' };
}
