/** What calls cost, and that an unknown price is not a price of nothing. */
import { expect, test } from 'vitest';
import { costOf, priceOf, prices } from '../../../src/effects/model/prices.ts';

const million = { inputTokens: 1_000_000, outputTokens: 1_000_000 };

test.each([
  ['openai/gpt-4o-mini', 0.75],
  ['openai/gpt-4o-mini-2024-07-18', 0.75],
  ['anthropic/claude-haiku-4-5-20251001', 6],
  ['google/gemini-2.5-flash', 2.8],
  ['ollama/anything', 0],
  ['openai/my-own-model', undefined],
  ['openai/toString', undefined],
])('a million tokens in and out of %s: %d USD', (model, cost) => {
  if (cost === undefined) expect(costOf(model, million)).toBeUndefined();
  else expect(costOf(model, million)).toBeCloseTo(cost, 10);
});

test('another table can be used', () => {
  const table = { 'openai/my-own-model': { input: 1, output: 2 } };
  expect(costOf('openai/my-own-model', million, table)).toBe(3);
});

test('every price is a positive number of USD, and output costs no less than input', () => {
  for (const { input, output } of Object.values(prices)) {
    expect(input).toBeGreaterThan(0);
    expect(output).toBeGreaterThanOrEqual(input);
  }
  expect(priceOf('ollama/any')).toEqual({ input: 0, output: 0 });
  expect(priceOf('ollama/any', { 'ollama/any': { input: 1, output: 1 } })?.input).toBe(1);
});
