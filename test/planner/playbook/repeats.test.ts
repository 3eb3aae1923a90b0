/**
 * A model that does something twice: in the same reply or in the next, at its line or as if another
 * line said so. It is told once, and nothing of it is done again.
 */
import { describe, expect, test } from 'vitest';
import { quickTool } from '../../engine/support.ts';
import { ops, orders, played } from './played.ts';
import { at, desk, order, wait } from './shop.ts';

const say = (text: string) => ({ say: text });

async function play(program: string, replies: readonly string[], answers: readonly string[] = []) {
  const calls: unknown[] = [];
  const tool = quickTool('order', ({ n }) => calls.push(n), { ...orders, idempotent: false });
  const { result, said, prompts } = await played(program, { replies, answers, tools: [tool] });
  return { result, said, prompts, calls };
}

const two = desk('- $a = order(1)', '- $b = order(2)', '- Return $b');
const last = ops(at('02'), order(2, 'b'), wait);
const end = ops(at('03'), { return: '$b' });

describe('a call', () => {
  test.each<readonly [string, readonly object[], string]>([
    ['twice, before the next line', [at('01'), order(1, 'a'), order(1, 'a')], 'at 01'],
    ['twice, without a word of its result', [at('01'), order(1), order(1)], 'at 01'],
    ['twice, without lines', [order(1), order(1)], 'at 01'],
    ['as that of the next line', [at('01'), order(1), at('02'), order(1)], 'at 01; line 02 says:'],
  ])('%s', async (_, first, told) => {
    const { result, calls, prompts } = await play(two, [ops(...first), last, end]);
    expect(prompts[1]).toContain(`order was called with these arguments already, ${told}`);
    expect(result).toMatchObject({ status: 'done', answer: 2 });
    expect(calls).toEqual([1, 2]);
  });

  const spoken = desk('- $a = order(1)', '- Say("{$a}")', '- $b = order(2)', '- Return $b');

  test.each<readonly [string, readonly object[]]>([
    ['where another line comes', [order(1, 'a')]],
    ['as that of a line further on', [at('03'), say('{$a}'), at('04'), order(1)]],
  ])('of the reply before, %s', async (_, second) => {
    const { result, calls, prompts } = await play(spoken, [
      ops(at('01'), order(1, 'a'), at('02'), wait),
      ops(...second),
      ops(...(second.length > 1 ? [] : [at('03'), say('{$a}')]), at('04'), order(2, 'b'), wait),
      ops(at('05'), { return: '$b' }),
    ]);
    expect(prompts[2]).toContain('order was called with these arguments already, at 01');
    expect(result).toMatchObject({ status: 'done', answer: 2 });
    expect(calls).toEqual([1, 2]);
  });

  test('with something else, where the line says it once', async () => {
    const program = desk('- $n = 5', '- order($n)', '- Return 1');
    const { result, calls, prompts } = await play(program, [
      ops(at('01'), { set: { $n: 5 } }, at('02'), order('$n'), order(6)),
      ops(at('03'), { return: 1 }),
    ]);
    expect(prompts[1]).toContain('line 02 calls order once, and it was called before');
    expect(result).toMatchObject({ status: 'done', answer: 1 });
    expect(calls).toEqual([5]);
  });

  test('of a function that nobody notices, as of a tool that reads', async () => {
    const code = '\n```tools\ndef Half(n):\n    return n // 2\n```\n';
    const program = desk('- $n = 5', '- $h = Half(the number)', '- Return $h').replace('\n', code);
    const half = (n: unknown) => ({ call: 'Half', args: { n }, into: 'h' });
    const { result, prompts } = await play(program, [
      ops(at('01'), { set: { $n: 5 } }, at('02'), half(5), half(6), wait),
      ops(at('03'), { return: '$h' }),
    ]);
    expect(prompts).toHaveLength(2);
    expect(result).toMatchObject({ status: 'done', answer: 3 });
    expect(JSON.stringify(result.warnings)).toContain('line 02 calls Half once');
  });

  test('with another number than its line has', async () => {
    const { result, calls, prompts } = await play(two, [ops(at('01'), order(7)), ops(order(8))]);
    expect(prompts[1]).toContain('line 01 calls order with n = 1, got 7');
    expect(result.error).toMatchObject({ code: 'PV7306' });
    expect(calls).toEqual([]);
  });

  test('twice, as two lines say', async () => {
    const program = desk('- order(7)', '- order(7)', '- Return 1');
    const { result, calls } = await play(program, [
      ops(order(7), order(7), wait),
      ops({ return: 1 }),
    ]);
    expect(result).toMatchObject({ status: 'done', answer: 1 });
    expect(calls).toEqual([7, 7]);
  });

  test('that is for the line of another branch, with what that one says', async () => {
    const program = desk(
      '- If the customer is new',
      '  - order(1)',
      '- Otherwise',
      '  - order(2)',
      '- Return 1',
    );
    const { calls, result } = await play(program, [ops(order(2), wait), ops({ return: 1 })]);
    expect(result).toMatchObject({ status: 'done', answer: 1 });
    expect(calls).toEqual([2]);
  });

  test('of another round is one where its lines are named', async () => {
    const thrice = desk('- Three times', '  - order(1)', '- Return 1');
    const round = [at('01'), at('01.01'), order(1)];
    const rest = [at('01.02'), ...round, ...round, at('02'), { return: 1 }];
    const slip = ops(...round, order(1), order(1));
    const { result, calls, prompts } = await play(thrice, [slip, ops(...rest)]);
    expect(prompts[1]).toContain('already, at 01.01; for another round, name its lines');
    expect([result.status, calls]).toEqual(['done', [1, 1, 1]]);
  });

  test('told twice, ends the run', async () => {
    const twice = ops(at('01'), order(1), at('02'), order(1));
    const { result, calls } = await play(two, [twice, ops(at('02'), order(1))]);
    expect(result.error).toMatchObject({ code: 'PV7305' });
    expect(calls).toEqual([1]);
  });
});

describe('a message', () => {
  const both = desk('- Say("One.")', '- Say("Two.")', '- Return 1');

  test.each<readonly [string, readonly object[]]>([
    ['twice, without lines', [say('One.'), say('One.')]],
    ['twice at its line', [at('01'), say('One.'), say('One.')]],
    ['as that of the next line', [at('01'), say('One.'), at('02'), say('One.')]],
  ])('%s', async (_, first) => {
    const { result, said, prompts } = await play(both, [
      ops(...first),
      ops(at('02'), say('Two.'), { return: 1 }),
    ]);
    expect(prompts[1]).toContain('this was said already, at 01');
    expect(said).toEqual(['One.', 'Two.']);
    expect(result).toMatchObject({ status: 'done', answer: 1 });
  });

  test('of the reply before, that stands in quotes there', async () => {
    const program = desk('- Say("Welcome.")', '- Ask user for $n', '- Say("So {$n}.")');
    const { said, prompts } = await play(
      program,
      [
        ops(at('01'), say('Welcome.'), at('02'), say('Which n?'), { yield: 'user' }),
        ops(say('Welcome.')),
        ops({ set: { $n: 3 } }, at('04'), say('So {$n}.'), { return: null }),
      ],
      ['3'],
    );
    expect(prompts[2]).toContain(
      'this was said already, at 01; line 04 says: Say(user, "So {$n}.")',
    );
    expect(said).toEqual(['Welcome.', 'Which n?', 'So 3.']);
  });

  test('that asks may be put again', async () => {
    const program = desk('- Ask user for $n', '- Return $n');
    const { said, result } = await play(
      program,
      [
        ops(at('01'), say('Which n?'), { yield: 'user' }),
        ops(say('Which n?'), { yield: 'user' }),
        ops({ set: { $n: 3 } }, at('03'), { return: '$n' }),
      ],
      ['what?', '3'],
    );
    expect(result.error).toBeUndefined();
    expect(said).toEqual(['Which n?', 'Which n?']);
  });

  test('is said in each round of a loop', async () => {
    const program = desk('- For each $k in [1, 2]', '  - Say("Next.")', '- Return 1');
    const { said } = await play(program, [
      ops({ set: { $k: 1 } }, say('Next.'), { set: { $k: 2 } }, say('Next.'), { return: 1 }),
    ]);
    expect(said).toEqual(['Next.', 'Next.']);
  });
});

test('a sum that is written twice at its line counts once', async () => {
  const program = desk('- $x = 1', '- $x = $x + 1', '- Return $x');
  const sum = { set: { $x: '$x + 1' } };
  const { result, prompts } = await play(program, [
    ops(at('01'), { set: { $x: 1 } }, at('02'), sum, sum),
    ops(at('03'), { return: '$x' }),
  ]);
  expect(prompts[1]).toContain('$x was set to this already, at 02');
  expect(result).toMatchObject({ status: 'done', answer: 2 });
});

describe('by its value, however it is written', () => {
  const asked = desk(
    '- Ask user for $n',
    '- $a = order($n)',
    '- Say("It is {$a}.")',
    '- Return $a',
  );
  const first = ops(at('01'), say('How many?'), at('02'), { yield: 'user' });
  const told = 'order was called with these arguments already, at 03';

  test.each<readonly [string, object, object]>([
    ['first as a variable, then as what it is', order('$n', 'a'), order(5)],
    ['first as what it is, then as a variable', order(5, 'a'), order('$n')],
  ])('%s', async (_, one, again) => {
    const set = { set: { n: 5 } };
    const { result, calls, prompts, said } = await play(
      asked,
      [
        first,
        ops(set, at('03'), one, at('04'), wait),
        ops(at('05'), say('It is {$a}.'), again, at('06'), { return: '$a' }),
        ops(at('06'), { return: '$a' }),
      ],
      ['5'],
    );
    expect(prompts[3]).toContain(told);
    expect([result.status, calls, said]).toEqual(['done', [5], ['How many?', 'It is 1.']]);
  });

  test('of a result that had not come when it was used', async () => {
    const program = desk(
      '- Order seven, and as many as come of it',
      '- Say("Good.")',
      '- Return $b',
    );
    const { result, calls, prompts } = await play(program, [
      ops(at('01'), order(7, '$a'), order('$a', '$b'), wait),
      ops(at('02'), say('Good.'), order(1)),
      ops(at('03'), { return: '$b' }),
    ]);
    expect(prompts[2]).toContain('order was called with these arguments already, at 01');
    expect([result.answer, calls]).toEqual([2, [7, 1]]);
  });

  test('a variable that is set anew is another value, also without lines', async () => {
    const program = desk('- For each $n in [4, 5]', '  - order($n)', '- Return $n');
    const rounds = [{ set: { $n: 4 } }, order('$n'), { set: { $n: 5 } }, order('$n')];
    const { result, calls, prompts } = await play(program, [ops(...rounds, { return: '$n' })]);
    expect([result.answer, calls, prompts.length]).toEqual([5, [4, 5], 1]);
  });

  test('as words put it: each round does what its variable has come to', async () => {
    const program = desk(
      '- While there is something to order',
      '  - Order the next $n',
      '- Return 1',
    );
    const round = (n: number) => [{ set: { $n: n } }, order('$n')];
    const { result, calls } = await play(program, [ops(...round(4), ...round(5), { return: 1 })]);
    expect([result.answer, calls]).toEqual([1, [4, 5]]);
  });
});

test('a line of a loop that is done again for the next one is told to go on behind that', async () => {
  const program = desk('- For $i from 1 to 2', '  - order(5)', '  - order(5)', '- Return 7');
  const next = [at('01.01'), order(5), at('01.02'), order(5), at('01.03'), at('01')];
  const again = [at('01.01'), order(5), ...next, at('02')];
  const { result, calls, prompts } = await play(program, [
    ops(at('01'), ...next, ...again, { return: 7 }),
    ops(at('01.03'), at('01'), at('02'), { return: 7 }),
  ]);
  expect(prompts[1]).toContain('Go on at line 01.03. At line 01: item 2 of 2, which is 2.');
  expect([result.answer, calls]).toEqual([7, [5, 5, 5, 5]]);
});

test('a wait of a round that there is not is over at the head of the loop', async () => {
  const program = desk('- $a = order(1)', '- Two times:', '  - $a = order($a)', '- Return $a');
  const round = [at('02.02'), order('$a', 'a'), at('02.03'), at('02')];
  const { result, calls, prompts } = await play(program, [
    ops(at('01'), order(1, 'a'), at('02'), at('02.01'), wait),
    ops(...round, at('02.01'), wait),
    ops(...round, at('02'), wait),
    ops(at('02'), at('03'), { return: '$a' }),
  ]);
  expect(prompts[3]).toContain('Go on at line 02. At line 02: all its rounds are done.');
  expect([result.answer, calls]).toEqual([3, [1, 1, 2]]);
});
