/**
 * A model that knows what it cannot know: what a call gives that it has just made, what a variable
 * is that a line returns. And one that names a line for ever, begins in one form of reply and goes
 * on in another one, or writes arguments as a text.
 */
import { describe, expect, test } from 'vitest';
import type { Strictness } from '../../../src/dialects/playbook/source/manner.ts';
import { quickTool } from '../../engine/support.ts';
import { ops, orders, played } from './played.ts';

const desk = (...lines: readonly string[]) =>
  `# Shop\n## Main\n### Triggers\n- At the beginning\n### Steps\n${lines.join('\n')}\n`;

const at = (step: string) => ({ step });
const order = { call: 'order', args: { n: 1 }, into: '$slip' };
const wait = { yield: 'call' };

async function play(program: string, replies: readonly string[], strictness?: Strictness) {
  const calls: unknown[] = [];
  const tool = quickTool('order', ({ n }) => `slip ${calls.push(n)}`, orders);
  const { result, said, prompts } = await played(program, {
    ...{ replies, tools: [tool], turns: 9 },
    ...(strictness && { strictness }),
  });
  const warnings = result.warnings.map(({ message }) => message).join('\n');
  return { result, said, prompts, calls, warnings };
}

const spoken = desk('- $slip = order(1)', '- Say("It is {$slip}.")', '- Return $slip');
const rest = ops(at('03'), { say: 'It is {$slip}.' }, at('04'), { return: '$slip' });
const told = '$slip takes what order gives, which is told once the reply is over';

test.each(['repair', 'enforce'] as const)('a made up result is not passed on: %s', async (how) => {
  const give = '\n## Give\n### Steps\n- Return 41\n';
  const first = [at('01'), { call: 'Give', into: '$n' }, at('02')];
  const second = (n: unknown) => ({ call: 'order', args: { n } });
  const { calls, prompts, result } = await play(
    `${desk('- $n = Give()', '- Return order($n)')}${give}`,
    [
      ops(...first, second(7), wait),
      ops(at('01'), { return: 41 }),
      ops(at('02'), second('$n'), wait),
    ],
    how,
  );
  expect(prompts[2]).toContain('line 02 calls order with n = what Give gives, got 7');
  expect([result.error?.message, calls]).toEqual([undefined, [41]]);
});

describe('a result that a reply makes up behind its call', () => {
  const madeUp = [at('01'), order, { set: { $slip: 'slip 99' } }, at('02'), wait];

  test.each(['repair', 'enforce'] as const)('is told, and what came counts: %s', async (how) => {
    const replies = [ops(...madeUp), ops(at('02'), wait), rest];
    const { result, said, prompts, calls } = await play(spoken, replies, how);
    expect(prompts[1]).toContain(told);
    expect([result.answer, said, calls]).toEqual(['slip 1', ['It is slip 1.'], [1]]);
  });

  test('is left out where it is advised', async () => {
    const { result, warnings, prompts } = await play(spoken, [ops(...madeUp), rest], 'advise');
    expect(warnings).toContain(told);
    expect([result.answer, prompts.length]).toEqual(['slip 1', 2]);
  });

  test('ends the run where it is made up again, with what was written', async () => {
    const program = desk('- $a = order(1)', '- $slip = order(2)', '- Return $slip');
    const more = { call: 'order', args: { n: 2 }, into: '$slip' };
    const first = ops(at('01'), { ...order, into: '$a' }, { set: { $a: 'slip 99' } });
    const again = ops(at('02'), more, { set: { $slip: 'slip 98' } });
    const { result, calls } = await play(program, [first, again]);
    expect(result.error).toMatchObject({ code: 'PV7316' });
    expect(result.error?.message).toContain('slip 98');
    expect(calls).toEqual([1, 2]);
  });

  test('is none where a line sets that variable', async () => {
    const program = desk('- $slip = order(1)', '- $slip = "mine"', '- Return $slip');
    const { result, warnings } = await play(program, [
      ops(at('01'), order, at('02'), { set: { $slip: 'mine' } }, at('03'), { return: '$slip' }),
    ]);
    expect([result.answer, warnings]).toEqual(['mine', '']);
  });
});

describe('a line that returns a variable', () => {
  const replies = (value: unknown) => [
    ops(at('01'), order, at('02'), wait),
    ops(at('03'), { say: 'It is {$slip}.' }, at('04'), { return: value }),
    ops(at('04'), { return: '$slip' }),
  ];

  test.each(['None', 'slip 2', null, 7])('returns nothing else: %s', async (value) => {
    const { result, prompts } = await play(spoken, replies(value));
    expect(prompts[2]).toContain('line 04 returns $slip, got');
    expect(result.answer).toBe('slip 1');
  });

  test('returns nothing else where its playbook says what type that is', async () => {
    const text = spoken.replace('## Main', '## Main() -> str');
    const { result, prompts } = await play(text, replies('slip 2'));
    expect(prompts[2]).toContain('line 04 returns $slip, got');
    expect(result.answer).toBe('slip 1');
  });

  test('may be put otherwise where it is of another type than that', async () => {
    const text = spoken.replace('## Main', '## Main() -> int');
    const { result, prompts } = await play(text, replies(7));
    expect([result.answer, prompts.length]).toEqual([7, 2]);
  });

  test.each(['slip 1', 'Slip 1.'])('may be written as what it is: %s', async (value) => {
    const { result, prompts } = await play(spoken, replies(value));
    expect([result.answer, prompts.length]).toEqual([value, 2]);
  });
});

describe('a line that returns what a call gives that is not there yet', () => {
  const text = desk('- $slip = order(1)', '- Return $slip');
  const right = ops(at('01'), order, at('02'), { return: '$slip' });

  test.each([
    ['nothing', null],
    ['what it makes up', 'slip 9'],
  ])('returns that alone, and not %s', async (_, value) => {
    const first = ops(at('01'), order, at('02'), { return: value });
    const { result, prompts, calls } = await play(text, [first, ops({ return: '$slip' })]);
    expect(prompts[1]).toContain('line 02 returns what order gives, got');
    expect([result.answer, calls]).toEqual(['slip 1', [1]]);
  });

  test('is not done by naming it: that waits for what is called', async () => {
    const replies = [ops(at('01'), order, at('02')), ops({ return: '$slip' })];
    const { result, prompts, calls } = await play(text, replies);
    expect(prompts[1]).toContain('Go on at line 02.');
    expect([result.answer, calls]).toEqual(['slip 1', [1]]);
  });

  test('is done once where all is well', async () => {
    const { result, prompts } = await play(text, [right], 'enforce');
    expect([result.answer, prompts.length]).toEqual(['slip 1', 1]);
  });
});

test('a line that returns what it calls is not done by naming it behind such a call', async () => {
  const text = desk('- $slip = order(1)', '- Return order(n=2)');
  const named = ops(at('01'), order, at('02'));
  const rest = ops({ call: 'order', args: { n: 2 } }, wait);
  const { result, prompts, calls } = await play(text, [named, rest], 'enforce');
  expect(prompts[1]).toContain('line 02 returns something, and nothing was returned');
  expect([result.answer, calls]).toEqual(['slip 2', [1, 2]]);
});

describe('naming a line that returns what a model is to find', () => {
  const text = desk('- $n = 3', '- Return a number');
  const named = ops(at('01'), { set: { $n: 3 } }, at('02'));
  const lacking = 'the reply ends although line 02 returns something, and nothing was returned';

  test.each(['repair', 'enforce'] as const)('does not do it: %s', async (how) => {
    const { result, prompts } = await play(text, [named, ops({ return: 3 })], how);
    expect(prompts[1]).toContain(lacking);
    expect(result.answer).toBe(3);
  });

  test('ends it with nothing where it is advised', async () => {
    const { result, warnings } = await play(text, [named], 'advise');
    expect([result.status, result.answer]).toEqual(['done', null]);
    expect(warnings).toContain(`PV7308 ${lacking}`);
  });
});

test('a line that is named for ever, with nothing done there, is told, and then ends the run', async () => {
  const reply = ops(...Array.from({ length: 5000 }, () => at('01')));
  const good = ops(at('01'), order, at('02'), wait);
  const mended = await play(spoken, [reply, good, rest]);
  expect(mended.prompts[1]).toContain('line 01 was reported 100 times, and nothing was done there');
  expect(mended.result.answer).toBe('slip 1');
  const ended = await play(spoken, [reply, reply]);
  expect(ended.result.error).toMatchObject({ code: 'PV7305' });
  expect(ended.calls).toEqual([]);
});

test('what stands in the form of today behind a statement of old is done, too', async () => {
  const reply = (...of: readonly object[]) => `await self.Step("Main:01:QUE")\n${ops(...of)}`;
  const { result, prompts, calls } = await play(spoken, [reply(order, at('02'), wait), rest]);
  expect([result.answer, prompts.length, calls]).toEqual(['slip 1', 2, [1]]);
});

test('arguments that are a text, as providers write them, are arguments', async () => {
  const call = { name: 'order', arguments: '{"n": 1}' };
  const native = { tool_calls: [{ id: 'c1', type: 'function', function: call }] };
  const first = ops(at('01'), native, at('02'), wait);
  const { result, calls, prompts } = await play(spoken, [first, rest]);
  expect([result.answer, calls, prompts.length]).toEqual(['slip 1', [1], 2]);
});
