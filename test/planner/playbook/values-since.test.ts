/** What a reply has done is done, also where its variables have other values by now. */
import { expect, test } from 'vitest';
import type { Journal } from '../../../src/engine/journal/journal.ts';
import { quickTool } from '../../engine/support.ts';
import { type Asked, atEachDeath, ops, played, saidIn, stageOf } from './played.ts';

interface Case {
  readonly steps: string;
  /** What a model does at its lines that knows the values by heart. */
  readonly acts: Readonly<Record<string, readonly object[]>>;
  /** The line that a reply leaves out. */
  readonly left: string;
  readonly calls: readonly unknown[];
  readonly said: readonly string[];
  readonly answer: unknown;
}

const look = { call: 'look', args: { n: 1 }, into: 'x' };
const put = { call: 'put', args: { v: 10 }, into: 'x' };

const cases: Readonly<Record<string, Case>> = {
  'a call': {
    steps: `- $x = look(1)
- $x = put($x)
- Say("done")
- $y = 5
- Say("one")
- Say("two")
- Return $x`,
    acts: {
      ...{ '01': [look], '02': [{ yield: 'call' }], '03': [put], '04': [{ say: 'done' }] },
      ...{ '05': [{ set: { y: 5 } }], '06': [{ say: 'one' }], '07': [{ say: 'two' }] },
      '08': [{ return: '$x' }],
    },
    left: '06',
    calls: [
      ['look', 1],
      ['put', 10],
    ],
    said: ['done', 'one', 'two'],
    answer: 'put 10',
  },
  'what a variable is set to, and said to be before': {
    steps: `- $x = 1
- Say("It is {$x}.")
- $x = $x + 1
- put($x)
- $x = $x + 5
- $y = 5
- Say("one")
- Say("two")
- Return $x`,
    acts: {
      ...{ '01': [{ set: { x: 1 } }], '02': [{ say: 'It is 1.' }], '03': [{ set: { x: 2 } }] },
      ...{ '04': [{ call: 'put', args: { v: 2 } }], '05': [{ set: { x: 7 } }] },
      ...{ '06': [{ set: { y: 5 } }], '07': [{ say: 'one' }], '08': [{ say: 'two' }] },
      '09': [{ return: '$x' }],
    },
    left: '07',
    ...{ calls: [['put', 2]], said: ['It is 1.', 'one', 'two'], answer: 7 },
  },
};

const trigger = `
## Hot
### Triggers
- When $y > 3
### Steps
- Say("Hot.")
`;

const own = ([line, acts]: readonly [string, readonly object[]]): string =>
  ops({ step: line }, ...acts);

const april = ([line, acts]: readonly [string, readonly object[]]): string =>
  [`\`Step["Main:${line}:QUE"]\``, ...acts.map((act) => `\`${statement(act)}\``)].join('\n');

function statement(act: object): string {
  const { call, args = {}, into, set, say, ...end }: Readonly<Record<string, unknown>> = { ...act };
  if (call !== undefined) {
    const called = `${call}(${Object.values(Object(args)).join(', ')})`;
    return into === undefined ? called : `$${into} = ${called}`;
  }
  if (set !== undefined) return `Var[$${Object.entries(Object(set)).flat().join(', ')}]`;
  if (say !== undefined) return `Say(${JSON.stringify(say)})`;
  return end.return === undefined ? 'yld for call' : `Return[${end.return}]`;
}

const forms = { own, april };

/** Goes on where it is told, and does each line by heart. */
function obedient({ acts }: Case, write: typeof own, slips: readonly string[] = []) {
  let left = [...slips];
  return ({ messages }: Pick<Asked, 'messages'>): string => {
    const asked = messages.at(-1)?.content ?? '';
    if (asked.includes('## Hot()')) return ops({ step: '01' }, { say: 'Hot.' });
    const told = [...asked.matchAll(/(?:Begin|Go on) at line ([\d.]+\d)/g)].at(-1)?.[1] ?? '';
    const lines = Object.entries(acts).filter(([line]) => line >= told);
    const end = lines.findIndex(([, all]) => all.some((act) => 'yield' in act));
    const reply = end < 0 ? lines : lines.slice(0, end + 1);
    const slip = reply.some(([line]) => left.includes(line)) ? left : [];
    if (slip.length > 0) left = [];
    return reply.flatMap((one) => (slip.includes(one[0]) ? [] : [write(one)])).join('\n');
  };
}

const toolsFor = (calls: unknown[]) => {
  const taking = (name: string) => ({
    parameters: { type: 'object', properties: { [name]: {} }, required: [name] },
  });
  const look = ({ n }: Readonly<Record<string, unknown>>) => {
    calls.push(['look', n]);
    return 10 * Number(n);
  };
  const put = ({ v }: Readonly<Record<string, unknown>>) => {
    calls.push(['put', v]);
    return `put ${v}`;
  };
  return [
    quickTool('look', look, taking('n')),
    quickTool('put', put, { ...taking('v'), effect: 'write' }),
  ];
};

/** What only reads may be asked once more. */
const isLook = (call: unknown): boolean => Array.isArray(call) && call[0] === 'look';

const textOf = ({ steps }: Case): string =>
  `# Desk\n## Main\n### Triggers\n- At the beginning\n### Steps\n${steps}\n`;

const all = Object.entries(cases).flatMap(([name, one]) =>
  Object.entries(forms).map(([form, write]) => [name, form, one, write] as const),
);

test.each(all)('%s, in the %s form, stands behind a slip', async (_, __, one, write) => {
  const calls: unknown[] = [];
  const { result, said, prompts } = await played(textOf(one), {
    ...{ replies: obedient(one, write, [one.left]), tools: toolsFor(calls) },
  });
  expect(result.error).toBeUndefined();
  expect([calls, said, result.answer]).toEqual([one.calls, one.said, one.answer]);
  expect(prompts.at(-1)).toContain(`Go on at line ${one.left}`);
});

test.each(all)('%s, in the %s form, stands behind a trigger', async (_, __, one, write) => {
  const calls: unknown[] = [];
  const { result, said } = await played(textOf(one) + trigger, {
    ...{ replies: obedient(one, write), tools: toolsFor(calls) },
  });
  expect(result.error).toBeUndefined();
  expect([calls, said.filter((text) => text !== 'Hot.')]).toEqual([one.calls, one.said]);
  expect([said.includes('Hot.'), result.answer]).toEqual([true, one.answer]);
});

test.each(all)(
  '%s, in the %s form, stands wherever its process ends',
  async (_, __, one, write) => {
    const make = () => {
      const calls: unknown[] = [];
      const options = { replies: obedient(one, write), tools: toolsFor(calls) };
      return { calls, stage: (journal: Journal) => stageOf(textOf(one), { ...options, journal }) };
    };
    const last = await atEachDeath(make, ({ fatal, journal, run, result }, { calls }) => {
      // Nobody knows whether a call that had begun was made.
      if (result.reason === 'unknown') return;
      const [writes, want] = [calls, one.calls].map((made) => made.filter((call) => !isLook(call)));
      const seen = [result.error, saidIn(journal, run), writes, result.answer];
      expect([fatal, ...seen]).toEqual([fatal, undefined, one.said, want, one.answer]);
    });
    expect(last).toBeGreaterThan(4);
  },
);

test('a round of a loop is done once, and the next one is told to begin', async () => {
  const calls: unknown[] = [];
  const steps = `- $n = 0
- While $n < 2
  - $x = look($n)
  - Say("S {$x}")
  - $x = put($x)
  - $n = $n + 1
- Return $x`;
  const round = (n: number) => [
    ...[{ step: '02.03' }, { say: `S ${10 * n}` }, { step: '02.04' }],
    ...[{ call: 'put', args: { v: 10 * n }, into: 'x' }, { step: '02.05' }, { set: { n: n + 1 } }],
    { step: '02' },
  ];
  const ask = [
    ...[{ step: '02.01' }, { call: 'look', args: { n: '$n' }, into: 'x' }],
    ...[{ step: '02.02' }, { yield: 'call' }],
  ];
  const { result, said, prompts } = await played(
    `# Desk\n## Main\n### Triggers\n- At the beginning\n### Steps\n${steps}\n`,
    {
      replies: [
        ops({ step: '01' }, { set: { n: 0 } }, { step: '02' }, ...ask),
        ops(...round(0), { step: '02.02' }, { yield: 'call' }),
        ops(...ask),
        ops(...round(1), { step: '03' }, { return: '$x' }),
      ],
      tools: toolsFor(calls),
    },
  );
  expect(prompts[2]).toMatch(/Go on at line 02(?:\.01)?\.?[^.]*$/);
  expect(result).toMatchObject({ status: 'done', answer: 'put 10' });
  expect(said).toEqual(['S 0', 'S 10']);
  const rounds = [0, 1].flatMap((n) => [
    ['look', n],
    ['put', 10 * n],
  ]);
  expect(calls).toEqual(rounds);
});
