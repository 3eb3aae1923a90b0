/** Conditions that can be computed: a reply that takes the other way is told so once. */
import { describe, expect, test } from 'vitest';
import type { Strictness } from '../../../src/dialects/playbook/source/manner.ts';
import { ops, played } from './played.ts';
import { at, desk } from './shop.ts';

const set = (name: string, value: unknown) => ({ set: { [name]: value } });
const say = (text: string) => ({ say: text });

async function play(
  lines: readonly string[],
  replies: readonly (readonly object[])[],
  strictness: Strictness = 'repair',
) {
  const given = { replies: replies.map((one) => ops(...one)), strictness };
  const ran = await played(desk(...lines), given);
  const warnings = ran.result.warnings.map(({ message }) => message).join('\n');
  return { ...ran, warnings };
}

const branches = (condition: string) => [
  ...[condition, '  - Say("many")', '- Otherwise', '  - Say("few")', '- Return "done"'],
];
const end = [at('04'), { return: 'done' }];
const many = [at('02'), at('02.01'), say('many'), ...end];
const few = [at('03'), at('03.01'), say('few'), ...end];

describe('a branch against its condition', () => {
  const lines = (n: number) => [`- $n = ${n}`, ...branches('- If $n > 3')];
  const begun = (n: number) => [at('01'), set('$n', n)];

  test.each<readonly [string, number, readonly object[], readonly object[]]>([
    ['taken', 2, many, few],
    ['taken without a word of it', 2, many.slice(1), few],
    ['not taken', 5, few, many],
    ['not taken, behind its head', 5, [at('02'), ...few], many],
  ])('%s: is told once', async (_, n, wrong, right) => {
    const { said, prompts, result } = await play(lines(n), [[...begun(n), ...wrong], right]);
    expect(prompts[1]).toContain(`line 02 says If $n > 3, and $n = ${n}: line`);
    expect([result.status, said, prompts.length]).toEqual(['done', [n > 3 ? 'many' : 'few'], 2]);
  });

  test.each([
    [5, '02.01', many],
    [2, '03.01', few],
  ])(
    'that is left out with the other: is told with the values, $n = %s',
    async (n, line, right) => {
      const { prompts, result } = await play(lines(n), [[...begun(n), ...end], right]);
      const why = `(line 02 says If $n > 3, and $n = ${n})`;
      expect(prompts[1]).toContain(`line ${line} was not done ${why}, before line 04`);
      expect([result.status, prompts.length]).toEqual(['done', 2]);
    },
  );

  test.each(['repair', 'enforce'] as const)(
    'ends the run where it is taken again: %s',
    async (how) => {
      const { result, said } = await play(lines(2), [[...begun(2), ...many], many], how);
      expect(result).toMatchObject({ status: 'failed', error: { code: 'PV7317' } });
      expect(said).toEqual([]);
    },
  );

  test('is let pass where it is advised', async () => {
    const { result, said, warnings } = await play(lines(2), [[...begun(2), ...many]], 'advise');
    expect([result.status, said]).toEqual(['done', ['many']]);
    expect(warnings).toContain('PV7317 line 02 says If $n > 3, and $n = 2');
  });
});

describe('who goes by it hears nothing', () => {
  test.each<readonly [string, string, unknown, boolean]>([
    ['a number', '- If $n >= 3', 3, true],
    ['several', '- If $n > 1 and not $n == 4 or false', 4, false],
    ['words', '- When $n is at most 3, then', 4, false],
    ['words that hold', '- If $n is greater than 3', 4, true],
    ['the opposite', '- Unless $n > 3', 4, false],
    ['a truth', '- If $n', true, true],
    ['a text in quotes', '- If $n == "open"', 'shut', false],
    ['a text in quotes, and there is none', '- If $n == "open"', null, false],
    ['how long a list is', '- If len($n) > 1', [4, 5], true],
    ['how long a short one is', '- If len($n) > 1', [4], false],
    ['how many names a dict has', '- If not len($n) == 2', { a: 1, b: 2 }, false],
    ['how long a text is', '- If len($n) <= 3', 'open', false],
    ['a sum', '- If sum($n) + 1 > 9', [4, 5], true],
    ['the least', '- If min($n) < 4 or max($n) > 5', [4, 5], false],
    ['the least of two', '- If min($n, 7) == 7', 9, true],
  ])('%s', async (_, condition, n, holds) => {
    const value = typeof n === 'boolean' ? String(n) : JSON.stringify(n);
    const lines = [`- $n = ${value}`, ...branches(condition)];
    const begun = [at('01'), set('$n', n)];
    const [right, wrong] = holds ? [many, few] : [few, many];
    const well = await play(lines, [[...begun, ...right]], 'enforce');
    expect([well.result.status, well.prompts.length]).toEqual(['done', 1]);
    const { prompts } = await play(lines, [[...begun, ...wrong], right]);
    expect(prompts[1]).toContain('line 02 says');
  });
});

describe('what is for the model to judge', () => {
  test.each<readonly [string, string, unknown]>([
    ['a text', '- If $n is good', 'bad'],
    ['a text alone', '- If $n', 'no'],
    ['a text for a number', '- If $n > 3', '2'],
    ['a text in other letters', '- If $n == "open"', 'Open.'],
    ['a text for no value', '- If $n == "none"', null],
    ['no value, in words', '- If $n is open', null],
    ['more than it computes', '- If $n > 3 and it rains', 5],
    ['the length of what has none', '- If len($n) > 3', 5],
    ['the least of no numbers', '- If min($n) < 3', ['b', 'a']],
    ['the least of three', '- If min($n, 4, 5) > 3', 5],
    ['words', '- If there are many', 2],
  ])('%s: both ways are open', async (_, condition, n) => {
    const lines = [`- $n = ${JSON.stringify(n)}`, ...branches(condition)];
    for (const way of [many, few]) {
      const { prompts, result } = await play(lines, [[at('01'), set('$n', n), ...way]]);
      expect([result.status, prompts.length]).toEqual(['done', 1]);
    }
  });

  test.each([
    [[at('02')], '02'],
    [[at('02'), at('03')], '03'],
  ])('a wait that does not say where it is goes into no branch', async (begun, line) => {
    const first = ['- $n = "Open."', '- If $n == "shut"', '  - $a = Pick("a")'];
    const second = ['- If $n == "open"', '  - $b = Pick("b: {$a}")', '- Say("{$a}{$b}.")'];
    const text = [...first, ...second, '- Return 1', '## Pick(x)', '### Steps', '- Return x'];
    const { prompts, result, said } = await play(text, [
      [at('01'), set('$n', 'Open.'), ...begun, { yield: 'call' }],
      [at('02'), at('03'), at('04'), { yield: 'call' }],
      [at('05'), say('nothing'), at('06'), { return: 1 }],
    ]);
    expect(prompts[1]).toContain(`Go on at line ${line}.`);
    expect([result.status, said]).toEqual(['done', ['nothing']]);
  });

  test('when to leave what goes on for ever', async () => {
    const lines = ['- While true', '  - Say("again")', '- Return "done"'];
    const reply = [at('01'), at('01.01'), say('again'), at('01'), at('02'), { return: 'done' }];
    const { prompts, result } = await play(lines, [reply], 'enforce');
    expect([result.status, prompts.length]).toEqual(['done', 1]);
  });

  test('what came up', async () => {
    const lines = ['- $n = 2', ...branches('- If $n > 3')];
    const reply = [at('01'), set('$n', 2), { unexpected: 'a flood' }, ...many];
    const { prompts, warnings } = await play(lines, [reply]);
    expect(prompts).toHaveLength(1);
    expect(warnings).toContain('it was said to be unexpected');
  });
});

describe('by what it was as it was come to', () => {
  test('its branch may change that', async () => {
    const lines = ['- $n = 5', '- If $n > 3', '  - $n = 0', '  - Say("{$n}")', '- Return $n'];
    const reply = [
      ...[at('01'), set('$n', 5), at('02'), at('02.01'), set('$n', 0)],
      ...[at('02.02'), say('0'), at('03'), { return: 0 }],
    ];
    const { prompts, result } = await play(lines, [reply], 'enforce');
    expect([result.answer, prompts.length]).toEqual([0, 1]);
  });

  test('also where the reply is mended in its branch', async () => {
    const lines = ['- $n = 5', '- If $n > 3', '  - $n = 0', '  - Say("{$n}")', '- Return $n'];
    const first = [at('01'), set('$n', 5), at('02'), at('02.01'), set('$n', 0)];
    const rest = [at('02.02'), say('0'), at('03'), { return: 0 }];
    for (const second of [rest, [...first, ...rest]]) {
      const { prompts, result } = await play(lines, [[...first, at('99')], second]);
      expect([result.answer, prompts.length]).toEqual([0, 2]);
    }
  });

  test('a chain of conditions', async () => {
    const lines = [
      ...['- $n = 2', '- If $n > 3', '  - Say("many")', '- Else if $n > 1', '  - Say("some")'],
      ...['- Otherwise', '  - Say("few")', '- Return "done"'],
    ];
    const begun = [at('01'), set('$n', 2)];
    const some = [at('03'), at('03.01'), say('some'), at('05'), { return: 'done' }];
    const none = [at('04'), at('04.01'), say('few'), at('05'), { return: 'done' }];
    expect((await play(lines, [[...begun, ...some]])).prompts).toHaveLength(1);
    const { prompts, said } = await play(lines, [[...begun, ...none], some]);
    expect(prompts[1]).toContain('line 03 says Else if $n > 1, and $n = 2: line 04');
    expect(said).toEqual(['some']);
  });

  test('of what a line before it may have set, nothing is known', async () => {
    const lines = ['- $n = 2', '- Choose a $n', ...branches('- If $n > 3').slice(0, 2)];
    const reply = [at('01'), set('$n', 2), at('02'), at('03'), at('03.01'), say('many')];
    const { warnings } = await play(lines, [[...reply.slice(0, 2), ...reply.slice(4)]]);
    expect(warnings).not.toContain('PV7317');
  });
});

describe('a loop', () => {
  const lines = ['- $n = 0', '- While $n < 2', '  - $n = $n + 1', '- Return $n'];
  const round = (n: number) => [at('02'), at('02.01'), set('$n', n)];
  const over = [at('02'), at('03'), { return: '$n' }];
  const begun = [at('01'), set('$n', 0), ...round(1)];

  test('goes on as long as it says so', async () => {
    const { result, prompts } = await play(lines, [[...begun, ...round(2), ...over]], 'enforce');
    expect([result.answer, prompts.length]).toEqual([2, 1]);
  });

  test('is not left before', async () => {
    const { result, prompts } = await play(lines, [
      [...begun, ...over],
      [...round(2), ...over],
    ]);
    expect(prompts[1]).toContain('line 02 says While $n < 2, and $n = 1: line 03');
    expect(result.answer).toBe(2);
  });

  test('is over behind that', async () => {
    const more = [...begun, ...round(2), ...round(3), ...over];
    const { result, prompts } = await play(lines, [more, over]);
    expect(prompts[1]).toContain('line 02 says While $n < 2, and $n = 2: line 02.01');
    expect(result.answer).toBe(2);
  });
});
