/** `Return the total`: what that is only the model can say, so a reply that does not is told. */
import { expect, test } from 'vitest';
import { ops, played } from './played.ts';
import { desk } from './shop.ts';

const program = desk('- $n = 4', '- Return twice as much as $n');
const set = [{ step: '01' }, { set: { $n: 4 } }, { step: '02' }];
const text = 'line 02 returns something, and nothing was returned';

test.each([
  ['operations', ops(...set, { yield: 'return' })],
  ['a log', '`Step["Main:01:EXE"]`\n`Var[$n, 4]`\n`Step["Main:02:RET"]`\nyld return'],
])('a yield alone is told: %s', async (_, reply) => {
  const { result, prompts } = await played(program, {
    replies: [reply, ops({ step: '02' }, { return: 8 })],
  });
  expect(prompts[1]).toContain(text);
  expect([result.answer, prompts.length]).toEqual([8, 2]);
  expect(result.error).toBeUndefined();
});

test('nothing may be what is returned', async () => {
  const { result, prompts } = await played(program, {
    replies: [ops(...set, { return: null })],
  });
  expect([result.answer, prompts.length, result.warnings]).toEqual([null, 1, []]);
});

test('who takes what comes is warned once', async () => {
  const { result } = await played(program, {
    ...{ strictness: 'advise', replies: [ops(...set, { yield: 'return' })] },
  });
  expect(result.answer).toBeNull();
  expect(result.warnings.filter((one) => one.message.includes(text))).toHaveLength(1);
});

test('what a line has itself needs no value', async () => {
  const { result, prompts } = await played(desk('- $n = 4', '- Return $n'), {
    replies: [ops(...set, { yield: 'return' })],
  });
  expect([result.answer, prompts.length]).toEqual([4, 1]);
});
