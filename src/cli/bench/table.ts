/** Figures of a benchmark for people: a row for each method. */
import type { Summary } from '../../bench/summary.ts';
import { duration, grouped, price } from '../../text/words.ts';

const titles = [
  ...['method', 'items', 'published', 'corrected', 'first try', 'mean', 'p50', 'p95'],
  ...['calls', 'tokens in', 'out', 'cost', 'failed'],
];

/** The method that others are held against, as in the paper. */
const baseline = 'react';

/** Lines of a table; the first one holds the titles. */
export function tableOf(rows: readonly Summary[]): string[] {
  const base = rows.find(({ name }) => name === baseline);
  const faster = base === undefined || rows.length < 2 ? [] : [`vs ${baseline}`];
  const cells = rows.map((row) => [...cellsOf(row), ...faster.map(() => timesOf(row, base))]);
  return aligned([[...titles, ...faster], ...cells]);
}

function cellsOf(row: Summary): string[] {
  const { name, items, right, firstTry, latencyMs, usage, unanswered } = row;
  const { mean, p50, p95 } = latencyMs;
  const each = (total: number): string => (items === 0 ? '0' : (total / items).toFixed(1));
  return [
    ...[name, String(items), percent(right.published), percent(right.corrected)],
    firstTry === null ? '?' : percent(firstTry),
    ...[duration(mean), duration(p50), duration(p95), each(usage.modelCalls)],
    ...[each0(usage.inputTokens, items), each0(usage.outputTokens, items)],
    ...[usage.cost === null ? '?' : price(usage.cost), String(unanswered)],
  ];
}

const each0 = (total: number, items: number): string =>
  grouped(items === 0 ? 0 : Math.round(total / items));

const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;

const timesOf = (row: Summary, base: Summary | undefined): string =>
  base === undefined || row.latencyMs.mean === 0
    ? ''
    : `${(base.latencyMs.mean / row.latencyMs.mean).toFixed(2)}×`;

/** Names to the left, figures to the right. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const [first = []] = rows;
  const widths = first.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}
