/** Figures of benchmarks. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareMethods, spreadOf, summaryOf } from '../../src/bench/summary.ts';
import { line, wrong } from './line.ts';

describe('spread', () => {
  test.each([
    [[], { mean: 0, p50: 0, p95: 0, max: 0 }],
    [[5], { mean: 5, p50: 5, p95: 5, max: 5 }],
    [[4, 1, 3, 2], { mean: 2.5, p50: 2, p95: 4, max: 4 }],
    [Array.from({ length: 100 }, (_, i) => 100 - i), { mean: 50.5, p50: 50, p95: 95, max: 100 }],
  ])('of %j', (values, expected) => expect(spreadOf(values)).toEqual(expected));

  test('half are no larger than p50, 95 of 100 no larger than p95', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1 }), (values) => {
        const { p50, p95, max, mean } = spreadOf(values);
        const below = (most: number): number => values.filter((value) => value <= most).length;
        expect(below(p50)).toBeGreaterThanOrEqual(values.length / 2);
        expect(below(p95)).toBeGreaterThanOrEqual(0.95 * values.length);
        expect(values).toContain(p50);
        expect(max).toBe(Math.max(...values));
        expect(mean).toBeLessThanOrEqual(max);
      }),
    );
  });
});

test('a summary counts, and an unknown price makes the sum unknown', () => {
  const lines = [
    line('a'),
    line('b', { ...wrong, right: { published: false, corrected: true } }),
    line('c', { ...wrong, answer: null, firstTry: false, ms: 4000 }),
  ];
  expect(summaryOf('starlark', lines)).toEqual({
    ...{ name: 'starlark', items: 3, unanswered: 1 },
    right: { published: 1 / 3, corrected: 2 / 3 },
    firstTry: 2 / 3,
    latencyMs: { mean: 2000, p50: 1000, p95: 4000, max: 4000 },
    usage: { modelCalls: 6, inputTokens: 300, outputTokens: 30, cost: 0.75 },
  });
  const unpriced = { modelCalls: 1, inputTokens: 1, outputTokens: 1, cost: null };
  expect(summaryOf('x', [line('a'), line('b', { usage: unpriced })]).usage.cost).toBe(null);
  const { firstTry: _, ...unknown } = line('a');
  expect(summaryOf('x', [unknown]).firstTry).toBe(null);
  expect(summaryOf('x', [unknown, line('b')]).firstTry).toBe(1);
});

test('only questions that all have are compared', () => {
  const lines = [
    ...[line('a', { method: 'one' }), line('b', { method: 'one', ...wrong })],
    ...[line('a', { method: 'two' }), line('c', { method: 'two' })],
  ];
  const { rows, leftOut } = compareMethods(lines, ['one', 'two']);
  expect(leftOut).toBe(2);
  expect(rows.map(({ items, right }) => [items, right.corrected])).toEqual([
    [1, 1],
    [1, 1],
  ]);
});
