/** Tables of benchmarks, and what a person sees meanwhile. */
import { expect, test } from 'vitest';
import { summaryOf } from '../../../src/bench/summary.ts';
import { itemLine } from '../../../src/cli/bench/progress.ts';
import { tableOf } from '../../../src/cli/bench/table.ts';
import { line, wrong } from '../../bench/line.ts';

test('the table: a row each, and how much faster than ReAct', () => {
  const slow = summaryOf('react', [line('a', { ms: 3000 }), line('b', { ms: 5000, ...wrong })]);
  const fast = summaryOf('llmcompiler', [line('a'), line('b', { answer: null, ...wrong })]);
  expect(`\n${tableOf([fast, slow]).join('\n')}`).toMatchInlineSnapshot(`
    "
    method       items  published  corrected  first try  mean   p50   p95  calls  tokens in  out   cost  failed  vs react
    llmcompiler      2      50.0%      50.0%     100.0%  1.0s  1.0s  1.0s    2.0        100   10  $0.50       1     4.00×
    react            2      50.0%      50.0%     100.0%  4.0s  3.0s  5.0s    2.0        100   10  $0.50       0     1.00×"
  `);
  expect(tableOf([fast])[0]).not.toContain('vs');
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
