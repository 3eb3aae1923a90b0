/** A date is a text, and no sum of numbers. */
import { expect, test } from 'vitest';
import { ops, played } from './played.ts';
import { desk } from './shop.ts';

test('a line sets a variable to a date', async () => {
  const first = ops({ step: '01' }, { set: { $due: '2026-12-24' } }, { step: '02' });
  const { result, prompts } = await played(desk('- $due = 2026-12-24', '- Return $due'), {
    replies: [`${first}\n${ops({ return: '$due' })}`],
  });
  expect(result.error).toBeUndefined();
  expect([result.answer, prompts.length]).toEqual(['2026-12-24', 1]);
});
