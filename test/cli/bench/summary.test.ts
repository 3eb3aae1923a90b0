/** Figures and tables of benchmarks, and what a person sees meanwhile. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rowsOf } from '../../../src/bench/compare.ts';
import type { Line } from '../../../src/bench/log.ts';
import { spreadOf, summaryOf } from '../../../src/bench/summary.ts';
import { bar, itemLine, Tally } from '../../../src/cli/bench/progress.ts';
import { differenceLines, groupLines, tableOf } from '../../../src/cli/bench/table.ts';

const line = (id: string, given: Partial<Line> = {}): Line => ({
  ...{ type: 'item', method: 'starlark', id, question: `${id}?`, label: 'x', answer: 'x' },
  right: { published: true, corrected: true },
  ...{ status: 'done', ms: 1000, run: `r-${id}`, runs: [`r-${id}`], at: 0 },
  usage: { modelCalls: 2, inputTokens: 100, outputTokens: 10, cost: 0.25 },
  ...given,
});

const wrong = { right: { published: false, corrected: false } };

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
    line('a', { group: 'branch 2' }),
    line('b', { group: 'branch 3', ...wrong, right: { published: false, corrected: true } }),
    line('c', { group: 'branch 3', ...wrong, answer: null, status: 'failed', ms: 4000 }),
  ];
  expect(summaryOf('starlark', lines)).toEqual({
    ...{ name: 'starlark', items: 3, unanswered: 1 },
    right: { published: 1 / 3, corrected: 2 / 3 },
    latencyMs: { mean: 2000, p50: 1000, p95: 4000, max: 4000 },
    usage: { modelCalls: 6, inputTokens: 300, outputTokens: 30, cost: 0.75 },
    groups: {
      'branch 2': { items: 1, right: { published: 1, corrected: 1 } },
      'branch 3': { items: 2, right: { published: 0, corrected: 0.5 } },
    },
  });
  const unpriced = { modelCalls: 1, inputTokens: 1, outputTokens: 1, cost: null };
  expect(summaryOf('x', [line('a'), line('b', { usage: unpriced })]).usage.cost).toBe(null);
});

test('the table: a row each, and how much faster than ReAct', () => {
  const slow = summaryOf('react', [line('a', { ms: 3000 }), line('b', { ms: 5000, ...wrong })]);
  const fast = summaryOf('llmcompiler', [line('a'), line('b', { answer: null, ...wrong })]);
  expect(`\n${tableOf([fast, slow]).join('\n')}`).toMatchInlineSnapshot(`
    "
    method       items  published  corrected  mean   p50   p95  calls  tokens in  out   cost  failed  vs react
    llmcompiler      2      50.0%      50.0%  1.0s  1.0s  1.0s    2.0        100   10  $0.50       1     4.00×
    react            2      50.0%      50.0%  4.0s  3.0s  5.0s    2.0        100   10  $0.50       0     1.00×"
  `);
  expect(tableOf([fast])[0]).not.toContain('vs');
});

test('groups have rows of their own where there are several', () => {
  const lines = [line('a', { group: 'branch 2' }), line('b', { group: 'branch 3', ...wrong })];
  expect(groupLines([summaryOf('starlark', lines)])).toEqual([
    'corrected  branch 2     branch 3',
    'starlark   100.0% of 1  0.0% of 1',
  ]);
  expect(groupLines([summaryOf('starlark', lines.slice(1))])).toEqual([]);
});

test('only questions that all have are compared', () => {
  const { rows, leftOut, differences } = rowsOf([
    { name: 'one', lines: [line('a'), line('b', wrong)] },
    { name: 'two', lines: [line('a'), line('c')] },
  ]);
  expect({ leftOut, differences }).toEqual({ leftOut: 2, differences: [] });
  expect(rows.map(({ items, right }) => [items, right.corrected])).toEqual([
    [1, 1],
    [1, 1],
  ]);
});

test('a question that some have right and others wrong', () => {
  const { differences } = rowsOf([
    { name: 'one', lines: [line('a'), line('b', { ...wrong, answer: 'y' }), line('c', wrong)] },
    { name: 'two', lines: [line('c', wrong), line('b'), line('a')] },
  ]);
  expect(differences.flatMap(differenceLines)).toEqual([
    'b: b? (x)',
    '  ✖ one  y  r-b',
    '  ✔ two  x  r-b',
  ]);
});

describe('progress', () => {
  test('the bar is as long as the part', () => {
    expect([0, 0.5, 1, 2].map((part) => bar(part).replaceAll('─', ''))).toEqual([
      '',
      '━'.repeat(12),
      '━'.repeat(24),
      '━'.repeat(24),
    ]);
  });

  test('counts what an earlier process has found, and guesses the rest from its own pace', () => {
    const tally = new Tally({ total: 5, known: [line('a'), line('b', wrong)] });
    expect(tally.facts(Date.now())[0]).toBe('2/5');
    tally.running = 2;
    tally.add(line('c'));
    const facts = tally.facts(Date.now() + 10_000);
    expect(facts.slice(0, 5)).toEqual(['3/5', '67% right', '2 running', '110 tokens', '$0.25']);
    expect(facts[5]).toMatch(/^10\.\ds, about 20\.\ds left$/);
    expect(tally.part).toBe(0.6);
  });

  test('a line says what came, and what was wanted instead', () => {
    expect(itemLine(line('q7', { answer: 'Mont\nBlanc' }), '3/9')).toBe(
      '✔ 3/9 starlark q7  1.0s  Mont Blanc',
    );
    const failed = { code: 'PV7001', message: 'no plan' };
    expect(itemLine(line('q7', { answer: null, ...wrong, error: failed }), '3/9')).toBe(
      '✖ 3/9 starlark q7  1.0s  no plan, want x',
    );
  });
});
