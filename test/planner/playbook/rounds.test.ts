/**
 * Loops of so many rounds, and over numbers: the machine counts them as it counts the items of a
 * list; who does not set an item may use it all the same.
 */
import { describe, expect, test } from 'vitest';
import { quickTool } from '../../engine/support.ts';
import { ops, played } from './played.ts';

const desk = (...lines: readonly string[]) =>
  `# Shop\n## Main\n### Triggers\n- At the beginning\n### Steps\n${lines.join('\n')}\n`;

const at = (step: string) => ({ step });
const wait = { yield: 'call' };
const done = { return: 1 };

async function play(program: string, replies: readonly (readonly object[])[]) {
  const rung: unknown[] = [];
  const tool = quickTool('ring', ({ x }) => rung.push(x), {
    ...{ effect: 'write', idempotent: false },
    parameters: { type: 'object', properties: { x: {} }, required: ['x'] },
  });
  const ran = await played(program, { replies: replies.map((one) => ops(...one)), tools: [tool] });
  return { ...ran, rung };
}

const ring = (x: unknown) => [at('01'), at('01.01'), { call: 'ring', args: { x } }];
const end = [at('02'), done];
const thrice = desk('- Three times:', '  - ring("a")', '- Return 1');

describe('so many rounds', () => {
  const round = [...ring('a'), at('01.02')];

  test.each<readonly [string, readonly object[]]>([
    ['tells each line', round],
    ['tells the lines of the body', round.slice(1)],
  ])('a model that does as many, and %s, is let be', async (_, once) => {
    const { rung, result, prompts } = await play(thrice, [[...once, ...once, ...once, wait], end]);
    expect(result).toMatchObject({ status: 'done', answer: 1 });
    expect([rung.length, prompts.length]).toEqual([3, 2]);
  });

  test.each<readonly [string, readonly (readonly object[])[], string]>([
    [
      'one too few',
      [[...round, ...round, wait], end, [...round, wait], end],
      'line 01 is left early: go on there with round 3 of 3',
    ],
    [
      'one too many',
      [[...round, ...round, ...round, ...round, wait], [wait], end],
      'line 01 has no round left, of 3: go on behind it',
    ],
  ])('%s is told, and mended', async (_, replies, told) => {
    const { rung, result, prompts } = await play(thrice, replies);
    expect(prompts.join('\n')).toContain(told);
    expect(result).toMatchObject({ status: 'done', answer: 1 });
    expect(rung).toHaveLength(3);
  });

  test('where a turn begins within them, it is told which it is', async () => {
    const { prompts } = await play(thrice, [[...round, wait], [...round, ...round, wait], end]);
    expect(prompts[1]).toMatch(/At line 01: round 2 of 3\.$/);
  });

  test('each round in a reply of its own, with nothing set, is no standstill', async () => {
    const five = thrice.replace('Three', '5');
    const { result, rung } = await play(five, [
      ...[1, 2, 3, 4].map(() => [...round, at('01'), wait]),
      [...round, at('01'), wait],
      end,
    ]);
    expect(result).toMatchObject({ status: 'done', answer: 1 });
    expect(rung).toHaveLength(5);
  });

  test('a variable may say how many', async () => {
    const program = desk('- $n = 2', '- Repeat $n times', '  - ring("a")', '- Return 1');
    const { prompts, rung } = await play(program, [
      [
        at('01'),
        { set: { $n: 2 } },
        at('02'),
        at('02.01'),
        { call: 'ring', args: { x: 'a' } },
        wait,
      ],
      [at('03'), done],
      [at('02.01'), { call: 'ring', args: { x: 'a' } }, wait],
      [at('03'), done],
    ]);
    expect(prompts.join('\n')).toContain('go on there with round 2 of 2');
    expect(rung).toHaveLength(2);
  });

  test.each(['Up to three times:', 'While the bell is silent (at most 3 times)'])(
    '%s may be left, but not gone beyond',
    async (head) => {
      const program = thrice.replace('Three times:', head);
      const few = await play(program, [[...round, wait], end]);
      expect(few.result).toMatchObject({ status: 'done', answer: 1 });
      expect([few.rung.length, few.prompts.length]).toEqual([1, 2]);
      const many = [...round, ...round, ...round, ...round, wait];
      const { prompts, rung } = await play(program, [many, [wait], end]);
      expect(prompts.join('\n')).toContain('line 01 has no round left, of 3');
      expect(rung).toHaveLength(3);
    },
  );
});

describe('numbers', () => {
  const program = desk('- For $i from 2 to 4', '  - ring($i)', '- Return 1');

  test('who leaves one out is told which', async () => {
    const round = (i: number) => [at('01'), { set: { $i: i } }, ...ring('$i').slice(1)];
    const { prompts, rung, result } = await play(program, [
      [...round(2), ...round(4), wait],
      [...round(3), ...round(4), wait],
      end,
    ]);
    expect(prompts.join('\n')).toContain('got 4 for $i of line 01, want item 2 of 3, which is 3');
    expect(rung).toEqual([2, 3, 4]);
    expect(result.status).toBe('done');
  });

  test.each<readonly [string, readonly object[]]>([
    ['tells each line', [...ring('$i'), ...ring('$i'), ...ring('$i')]],
    ['tells the lines of the body', [2, 3, 4].flatMap(() => [...ring('$i').slice(1)])],
  ])('who sets no item, and %s, has it set', async (_, operations) => {
    const { rung, prompts, result } = await play(program, [[...operations, wait], end]);
    expect(rung).toEqual([2, 3, 4]);
    expect(prompts).toHaveLength(2);
    expect(result.status).toBe('done');
  });
});

describe('numbers that go down, or in steps', () => {
  test.each<readonly [string, readonly number[]]>([
    ['from 3 down to 1', [3, 2, 1]],
    ['in range($n)', [0, 1, 2]],
    ['in range($n, 0, -2)', [3, 1]],
    ['from 1 to 6 in steps of 2', [1, 3, 5]],
  ])('%s: who leaves one out is told, who sets none has them set', async (span, all) => {
    const program = desk('- $n = 3', `- For $i ${span}`, '  - ring($i)', '- Return 1');
    const set = [at('01'), { set: { $n: 3 } }];
    const body = [at('02'), at('02.01'), { call: 'ring', args: { x: '$i' } }];
    const rest = [at('03'), done];
    const rounds = all.flatMap(() => body);
    const right = await play(program, [[...set, ...rounds, wait], rest]);
    expect(right.rung).toEqual(all);
    expect(right.prompts).toHaveLength(2);
    const few = [...set, ...rounds.slice(body.length), wait];
    const wrong = await play(program, [few, rest, [...body, wait], rest]);
    expect(wrong.prompts.join('\n')).toContain(`item ${all.length} of ${all.length}, which is`);
    expect(wrong.rung).toEqual(all);
  });

  test('where there are none of them nothing is held', async () => {
    const program = desk('- $n = 0', '- For $i in range($n)', '  - ring($i)', '- Return 1');
    const { result } = await play(program, [[at('01'), { set: { $n: 0 } }, at('03'), done]]);
    expect(result).toMatchObject({ status: 'done', answer: 1 });
  });
});

test.each([
  ['$pairs', '[["a", 1], ["b", 2]]'],
  ['$pairs', '{"a": 1, "b": 2}'],
])('of parts of an item, %s as %s, the rounds are counted', async (name, pairs) => {
  const program = desk(
    ...[`- ${name} = ${pairs}`, `- For each $k, $v in ${name}`, '  - ring($k)', '- Return 1'],
  );
  const set = [at('01'), { set: { [name]: JSON.parse(pairs) } }];
  const round = (k: string, v: number) => [
    ...[at('02'), { set: { $k: k, $v: v } }, at('02.01'), { call: 'ring', args: { x: '$k' } }],
  ];
  const rest = [at('03'), done];
  const right = await play(program, [[...set, ...round('a', 1), ...round('b', 2), wait], rest]);
  expect(right.rung).toEqual(['a', 'b']);
  expect(right.prompts).toHaveLength(2);
  const few = await play(program, [
    ...[[...set, ...round('a', 1), wait], rest, [...round('b', 2), wait], rest],
  ]);
  expect(few.prompts.join('\n')).toContain('go on there with round 2 of 2');
  expect(few.rung).toEqual(['a', 'b']);
});

test.each([
  ['$i', 'range(len($all))', [{ $i: 0 }, { $i: 1 }]],
  [
    '$i, $x',
    'enumerate($all)',
    [
      { $i: 0, $x: 'a' },
      { $i: 1, $x: 'b' },
    ],
  ],
])('by the places of items, as %s in %s, the rounds are counted', async (names, over, items) => {
  const loop = [`- For ${names} in ${over}`, '  - ring($i)'];
  const program = desk('- $all = ["a", "b"]', ...loop, '- Return 1');
  const set = [at('01'), { set: { $all: ['a', 'b'] } }];
  const [first = [], second = []] = items.map((item) => [
    ...[at('02'), { set: item }, at('02.01'), { call: 'ring', args: { x: '$i' } }],
  ]);
  const rest = [at('03'), done];
  const right = await play(program, [[...set, ...first, ...second, wait], rest]);
  expect([right.rung, right.prompts.length]).toEqual([[0, 1], 2]);
  const few = await play(program, [[...set, ...first, wait], rest, [...second, wait], rest]);
  expect(few.prompts.join('\n')).toContain('go on there with round 2 of 2');
  expect(few.rung).toEqual([0, 1]);
});

test('an item that nobody has set has no value, where the list of the loop is none', async () => {
  const program = desk('- $all = 5', '- For each $x in $all', '  - ring($x)', '- Return 1');
  const set = [at('01'), { set: { $all: 5 } }];
  const { prompts, result } = await play(program, [
    [...set, at('02'), at('02.01'), { call: 'ring', args: { x: '$x' } }, wait],
    [{ set: { $x: 5 } }, at('02.01'), { call: 'ring', args: { x: '$x' } }, at('02'), wait],
    [at('03'), done],
  ]);
  expect(prompts.join('\n')).toContain('$x has no value yet');
  expect(result.status).toBe('done');
});
