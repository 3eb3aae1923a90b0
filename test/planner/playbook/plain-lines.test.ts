/** What lines say that leave nothing open: replies that do less there, more or something else. */
import { describe, expect, test } from 'vitest';
import { quickTool } from '../../engine/support.ts';
import { ops, type PlayOptions, played } from './played.ts';

const desk = (...steps: string[]): string =>
  `# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n${steps.join('\n')}\n`;

const at = (step: string) => ({ step });
const set = (name: string, value: unknown) => ({ set: { [name]: value } });
const done = { return: '$a' };

async function play(program: string, options: Pick<PlayOptions, 'replies' | 'strictness'>) {
  const calls: unknown[] = [];
  const tools = ['take', 'send'].map((name) =>
    quickTool(name, ({ n }) => calls.push([name, n]), {
      ...{ effect: 'write', idempotent: true },
      parameters: { type: 'object', properties: { n: {} }, required: ['n'] },
    }),
  );
  return { ...(await played(program, { ...options, tools })), calls };
}

type Case = readonly [
  what: string,
  lines: readonly string[],
  reply: readonly object[],
  told: RegExp,
];

const wrongAnywhere: readonly Case[] = [
  [
    'a variable that has a value is not set anew',
    ['- $a = 1', '- $a = 2', '- Return $a'],
    [at('01'), set('$a', 1), at('02'), at('03'), done],
    /line 02 sets \$a to 2, which was not reported, before line 03/,
  ],
  [
    'another one is set instead',
    ['- $a = 1', '- $b = 1', '- $a = 2', '- Return $a'],
    [at('01'), set('$a', 1), at('02'), set('$b', 1), at('03'), set('$c', 2), at('04'), done],
    /line 03 (?:sets \$a to 2, which was not reported, before line 04|does not set \$c)/,
  ],
  [
    'something is called where a variable is set',
    ['- $a = 1', '- Return $a'],
    [at('01'), { call: 'take', args: [9] }, set('$a', 1), at('02'), done],
    /take is not what line 01 calls/,
  ],
  [
    'a loop that has items is passed',
    ['- $a = 1', '- For each $x in ["p", "q"]', '  - Say("at {$x}")', '- Return $a'],
    [at('01'), set('$a', 1), at('03'), done],
    /line 02 says For each \$x in \["p", "q"\], and it has 2 items: line 03 does not come next/,
  ],
  [
    'a call is not made whose result is returned',
    ['- $a = 1', '- Return take($a)'],
    [at('01'), set('$a', 1), at('02'), { return: 1 }],
    /line 02 returns what take gives, and no call was reported/,
  ],
  [
    'nothing is said for what is in quotes',
    ['- $a = 1', '- Say("a is {$a}")', '- Return $a'],
    [at('01'), set('$a', 1), at('02'), { say: '' }, at('03'), done],
    /line 02 says "a is 1", got ""/,
  ],
];

describe.each(['repair', 'enforce'] as const)('told at %s', (strictness) => {
  test.each(wrongAnywhere)('%s', async (_, lines, reply, told) => {
    const replies = [ops(...reply), ops(...reply)];
    const { calls, prompts, result, said } = await play(desk(...lines), { replies, strictness });
    expect(prompts[1]).toMatch(told);
    expect(result.error?.message).toMatch(told);
    expect([calls, said]).toEqual([[], []]);
  });
});

const odd: readonly Case[] = [
  [
    'what is known is set to something else',
    ['- $a = 1', '- $b = 2', '- Return $a'],
    [at('01'), set('$a', 1), at('02'), set('$b', 2), set('$a', 42), at('03'), { return: 1 }],
    /line 02 does not set \$a/,
  ],
  [
    'what no line knows is set',
    ['- $a = 1', '- $b = 2', '- Return $a'],
    [at('01'), set('$a', 1), at('02'), set('$b', 2), set('$m', 42), at('03'), { return: 1 }],
    /line 02 does not set \$m/,
  ],
  [
    'something is returned where nothing is',
    ['- $a = 1', '- Return'],
    [at('01'), set('$a', 1), at('02'), { return: 5 }],
    /line 02 returns nothing/,
  ],
  [
    'something is said where a variable is set',
    ['- $a = 1', '- Return $a'],
    [at('01'), set('$a', 1), { say: 'aside' }, at('02'), done],
    /line 01 says nothing/,
  ],
];

test.each(odd)('told where everything is enforced: %s', async (_, lines, reply, told) => {
  const replies = [ops(...reply), ops(...reply)];
  const { result, said } = await play(desk(...lines), { replies, strictness: 'enforce' });
  expect(result.error?.message).toMatch(told);
  expect(said).toEqual([]);
});

test.each(odd)('a warning where it is repaired: %s', async (_, lines, reply, told) => {
  const replies = [ops(...reply)];
  const { result } = await play(desk(...lines), { replies, strictness: 'repair' });
  expect(result.warnings.map(({ message }) => message)).toContainEqual(expect.stringMatching(told));
});

test('a line that is named twice in a row is no further round', async () => {
  const program = desk('- $a = 1', '- Three times:', '  - $b = 1', '  - take($a)', '- Return $a');
  const begin = [at('02'), at('02.01'), set('$b', 1)];
  const round = [...begin, at('02.02'), { call: 'take', args: ['$a'] }];
  const first = [...begin, at('02.01'), set('$b', 1), at('02.02'), { call: 'take', args: ['$a'] }];
  const reply = ops(at('01'), set('$a', 1), ...first, ...round, ...round, at('02'), at('03'), done);
  const { calls, result } = await play(program, { replies: [reply], strictness: 'repair' });
  expect(result).toMatchObject({ status: 'done', answer: 1 });
  expect(calls).toHaveLength(3);
});

test('a text is that, though another argument of the line is the variable of its name', async () => {
  const program =
    `${desk('- $a = Both("x")', '- Return $a')}\n` +
    '## Both(x)\n### Steps\n- Pair("x", x)\n- Return x\n\n' +
    '## Pair(one, two)\n### Steps\n- Say("{one} and {two}")\n';
  const { said } = await play(program.replace('Both("x")', 'Both("y")'), {
    replies: [
      ops(at('01'), { call: 'Both', args: ['y'], into: '$a' }, at('02'), { yield: 'call' }),
      ops(at('01'), { call: 'Pair', args: ['x', '$x'] }, at('02'), { return: '$x' }),
      ops(at('01'), { say: '{$one} and {$two}' }),
      ops(at('03'), done),
    ],
  });
  expect(said).toEqual(['x and y']);
});
