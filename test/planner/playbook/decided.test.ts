/** Lines that say themselves what comes of them: a reply that says otherwise is told so once. */
import { describe, expect, test } from 'vitest';
import type { Strictness } from '../../../src/dialects/playbook/source/manner.ts';
import { quickTool } from '../../engine/support.ts';
import { ops, orders, played } from './played.ts';

const at = (step: string) => ({ step });
const set = (name: string, value: unknown) => ({ set: { [name]: value } });

async function play(
  lines: readonly string[],
  replies: readonly (readonly object[])[],
  strictness: Strictness = 'repair',
) {
  const head = ['# Shop', '```tools', 'def Bump():', '    state["n"] = 7', '```', '## Main'];
  const program = [...head, '### Triggers', '- At the beginning', '### Steps', ...lines, ''];
  const calls: unknown[] = [];
  const tool = quickTool('order', ({ n }) => `slip ${calls.push(n)}: ${n}`, orders);
  const { result, said, prompts } = await played(program.join('\n'), {
    ...{ replies: replies.map((one) => ops(...one)), tools: [tool], turns: 9, strictness },
  });
  const warnings = result.warnings.map(({ message }) => message).join('\n');
  return { result, said, prompts, calls, warnings };
}

test('a text that another line has for the name of a variable is that text', async () => {
  const lines = ['- y = 1', '- $a = "y"', '- $b = y', '- Return "y"'];
  const { result } = await play(lines, [
    [at('01'), set('y', 1), at('02'), set('a', 'y'), at('03'), set('b', 'y'), { return: 'y' }],
  ]);
  expect(result).toMatchObject({ answer: 'y', variables: { $a: 'y', $b: 1 } });
});

test('and so is one that another line has for the name of what it passes', async () => {
  const word = quickTool('note', ({ word }) => word, {
    parameters: { type: 'object', properties: { word: {} }, required: ['word'] },
  });
  const text =
    '# Desk\n## Main\n### Triggers\n- At the beginning\n### Steps\n' +
    '- y = 1\n- $a = note(y)\n- $b = note("y")\n';
  const noted = (word: unknown, into: string) => ({ call: 'note', args: { word }, into });
  const { result } = await played(text, {
    replies: [
      ops(at('01'), set('y', 1), at('02'), noted('y', 'a'), at('03'), noted('y', 'b'), {
        return: null,
      }),
    ],
    tools: [word],
  });
  expect(result.variables).toEqual({ $a: 1, $b: 'y' });
});

test('a number that is written as a text is one to a tool that takes no text', async () => {
  const { result, calls, warnings } = await play(
    ['- order("2")', '- Return 1'],
    [[at('01'), { call: 'order', args: { n: '2' } }, at('02'), { return: 1 }]],
  );
  expect(result.error).toBeUndefined();
  expect(calls).toEqual([2]);
  expect(warnings).toContain('n of order was written as a text, and is none');
});

describe('a line that sets a variable to what it says', () => {
  const lines = ['- $price = 12', '- $half = $price / 2', '- $state = "open"', '- Return $half'];
  const rest = [at('03'), set('$state', 'open'), at('04'), { return: '$half' }];
  const from = (half: unknown) => [at('02'), set('$half', half), ...rest];
  const whole = (price: unknown, half: unknown) => [at('01'), set('$price', price), ...from(half)];

  test.each(['repair', 'enforce'] as const)('sets it to nothing else: %s', async (how) => {
    const { result, prompts } = await play(lines, [whole(21, 6), whole(12, 6)], how);
    expect(prompts[1]).toContain('line 01 sets $price to 12, got 21');
    expect(result.answer).toBe(6);
  });

  test('may be let pass', async () => {
    const { result, warnings } = await play(lines, [whole(21, 10.5)], 'advise');
    expect(warnings).toContain('PV7316 line 01 sets $price to 12, got 21');
    expect(result.answer).toBe(10.5);
  });

  test.each([
    ['cheap', '"cheap"'],
    [7, '7'],
  ])('computes it: %s', async (half, got) => {
    const { result, prompts } = await play(lines, [whole(12, half), from(6)]);
    expect(prompts[1]).toContain(`line 02 sets $half to 6, got ${got}`);
    expect(result.answer).toBe(6);
  });

  test.each([
    [12, 6],
    ['12', 6],
    ['$price', '$price / 2'],
    [12, '6.0'],
  ])('may be told in other words: %s, %s', async (price, half) => {
    const first = price === '$price' ? 12 : price;
    const { prompts } = await play(lines, [whole(first, half)]);
    expect(prompts).toHaveLength(1);
  });

  test('may be told rounded', async () => {
    const thirds = ['- $price = 10', '- $part = $price / 3', '- Return "done"'];
    const reply = (part: number) => [
      ...[at('01'), set('$price', 10), at('02'), set('$part', part)],
      ...[at('03'), { return: 'done' }],
    ];
    expect((await play(thirds, [reply(3.33)])).prompts).toHaveLength(1);
    const behind = [at('02'), set('$part', 3.33), at('03'), { return: 'done' }];
    const { prompts } = await play(thirds, [reply(3.43), behind]);
    expect(prompts[1]).toContain('line 02 sets $part to 3.33');
  });

  test('knows nothing of what a function may have set', async () => {
    const bumped = ['- $n = 1', '- Bump()', '- $m = $n + 1', '- Return $m'];
    const first = [at('01'), set('$n', 1), at('02'), { call: 'Bump', args: {} }];
    const last = [at('03'), set('$m', 8), at('04'), { return: '$m' }];
    const { result } = await play(bumped, [[...first, ...last.slice(0, 2)], last], 'advise');
    expect(result.warnings.filter(({ message }) => message.includes('PV7316'))).toEqual([]);
  });

  test('counts in its rounds', async () => {
    const rounds = ['- $n = 0', '- While $n < 3', '  - $n = $n + 1', '- Return $n'];
    const turns = [1, 2, 3].flatMap((n) => [at('02'), at('02.01'), set('$n', n)]);
    const first = [at('01'), set('$n', 0), ...turns, at('02'), at('03'), { return: '$n' }];
    const { result, prompts } = await play(rounds, [first]);
    expect([result.answer, prompts.length]).toEqual([3, 1]);
  });

  test('is told otherwise where something came up, unless replies are held to all', async () => {
    const reply = [{ unexpected: 'the price has gone up' }, ...whole(14, 7)];
    const { result, prompts, warnings } = await play(lines, [reply]);
    expect([result.answer, prompts.length]).toEqual([7, 1]);
    expect(warnings).toContain('line 01 sets $price to 12, got 14; it was said to be unexpected');
    const held = await play(lines, [reply, whole(12, 6)], 'enforce');
    expect([held.result.answer, held.prompts.length]).toEqual([6, 2]);
  });
});

describe('a line that says what it returns', () => {
  const lines = ['- $x = 3', '- Return "slip"'];
  const reply = (end: object) => [at('01'), set('$x', 3), at('02'), end];

  test.each([
    [{ return: null }, 'null'],
    [{ return: 'slap' }, '"slap"'],
  ])('returns nothing else: %o', async (end, got) => {
    const { result, prompts } = await play(lines, [reply(end), [at('02'), { return: 'slip' }]]);
    expect(prompts[1]).toContain(`line 02 returns "slip", got ${got}`);
    expect(result.answer).toBe('slip');
  });

  test.each([
    ['a yield', [{ yield: 'return' }]],
    ['its name', []],
  ])('returns it where a reply says no more than %s', async (_, end) => {
    for (const [line, want] of [
      ['- Return "slip"', 'slip'],
      ['- Return $x', 3],
      ['- Return $x * 2', 6],
    ] as const) {
      const named = [at('01'), set('$x', 3), at('02'), ...end];
      const { result, prompts } = await play(['- $x = 3', line], [named], 'enforce');
      expect([line, result.answer, prompts.length]).toEqual([line, want, 1]);
    }
  });

  test('may return what it computes', async () => {
    const sum = ['- $x = 3', '- Return $x * 2'];
    const { result, prompts } = await play(sum, [
      reply({ return: 5 }),
      [at('02'), { return: '$x * 2' }],
    ]);
    expect(prompts[1]).toContain('line 02 returns 6, got 5');
    expect(result.answer).toBe(6);
  });

  test('leaves to the model what it is to word', async () => {
    const own = ['- $x = 3', '- Return a short note about it'];
    const { result, prompts } = await play(own, [reply({ return: 'well' })]);
    expect([result.answer, prompts.length]).toEqual(['well', 1]);
  });
});

describe('an argument that is a variable', () => {
  const lines = ['- $what = 5', '- $slip = order($what)', '- Return $slip'];
  const first = (n: unknown) => [
    ...[at('01'), set('$what', 5), at('02'), { call: 'order', args: { n }, into: '$slip' }],
    { yield: 'call' },
  ];
  const last = [at('03'), { return: '$slip' }];

  test.each(['repair', 'enforce'] as const)('is what that is known to be: %s', async (how) => {
    const { result, prompts, calls } = await play(lines, [first(6), first(5).slice(2), last], how);
    expect(prompts[1]).toContain('line 02 calls order with n = $what, got 6');
    expect([result.answer, calls]).toEqual(['slip 1: 5', [5]]);
  });

  test('may be written as what it is', async () => {
    const { result, prompts } = await play(lines, [first(5), last]);
    expect([result.answer, prompts.length]).toEqual(['slip 1: 5', 2]);
  });

  test('may be anything where nobody knows it', async () => {
    const open = ['- Choose a $what', ...lines.slice(1)];
    const { prompts } = await play(open, [[at('01'), ...first(6).slice(2)], last], 'advise');
    expect(prompts).toHaveLength(2);
  });
});

test('a block of code is what its line sets, or returns; the model sees it as it is written', async () => {
  const block = ['  ```', '  Dear all,', '', '    so it is.', '  ```'];
  const lines = ['- $mail =', ...block, '- Return', ...block];
  const mail = 'Dear all,\n\n  so it is.';
  const other = [at('01'), set('mail', 'Dear Ann'), at('02'), { return: mail }];
  const right = [at('01'), set('mail', mail), at('02'), { return: mail }];
  const { result, prompts } = await play(lines, [other, right]);
  const shown = '  ```\n  Dear all,\n\n    so it is.\n  ```';
  expect(prompts[0]).toContain(`01:EXE $mail =\n${shown}\n02:RET \n${shown}\n`);
  expect(prompts[1]).toContain(
    'line 01 sets $mail to "Dear all,\\n\\n  so it is.", got "Dear Ann"',
  );
  expect(result).toMatchObject({ status: 'done', answer: mail, variables: { $mail: mail } });
  const nothing = [at('01'), set('mail', mail), at('02'), { return: null }];
  const told = await play(lines, [nothing, right]);
  expect(told.prompts[1]).toContain('line 02 returns "Dear all,\\n\\n  so it is.", got null');
});

describe('behind a playbook of the same reply', () => {
  const desk = (body: string, more = '') =>
    `# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n- $done = 1\n` +
    `- $k = Inspect("a")\n- $done = $done + 1\n- Return $done\n\n` +
    `## Inspect(what)\n### Steps\n${body}\n- Return what\n${more}`;
  const inspect = { call: 'Inspect', args: { what: 'a' }, into: '$k' };
  const reply = (done: number) =>
    ops(at('01'), set('$done', 1), at('02'), inspect, at('03'), set('$done', done));
  const says = ops(at('01'), { say: 'I look.' }, at('02'), { return: '$what' });
  const rest = ops({ return: '$done' });

  test('that leaves a variable alone, its line is held to what it computes', async () => {
    const replies = [reply(9), says, ops(at('03'), set('$done', 2), { return: '$done' })];
    const { result, prompts } = await played(desk('- Say("I look.")'), { replies });
    expect(prompts[2]).toContain('line 03 sets $done to 2, got 9');
    expect(result.answer).toBe(2);
  });

  test.each([
    ['sets it', '- $done = 8', ''],
    ['does what only a model understands', '- Look well, and count what is done', ''],
    ['calls what sets it', '- More()', '\n## More()\n### Steps\n- $done = 8\n'],
    [
      'sets off what may',
      '- $seen = 1',
      '\n## Seen\n### Triggers\n- When $seen == 2\n### Steps\n- $done = 8\n',
    ],
  ])('that %s, nobody knows what it comes to', async (_, body, more) => {
    const first = reply(9);
    let asked = 0;
    const { prompts } = await played(desk(body, more), {
      replies: () => (asked++ === 0 ? first : rest),
    });
    expect(prompts.join('\n')).not.toContain('line 03 sets $done to');
  });
});
