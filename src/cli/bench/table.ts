/** Figures of a benchmark for people: a row for each method. */
import type { Difference } from '../../bench/compare.ts';
import type { Summary } from '../../bench/summary.ts';
import { clip, columns, duration, grouped, oneLine, price } from '../../text/words.ts';
import { styleOf } from '../view/output.ts';

const titles = [
  ...['method', 'items', 'published', 'corrected', 'first try', 'mean', 'p50', 'p95'],
  ...['calls', 'tokens in', 'out', 'cost', 'failed'],
];

/** The method that others are held against, as in the paper. */
const baseline = 'react';

/** Lines of a table; the first one holds the titles. */
export function tableOf(rows: readonly Summary[]): string[] {
  const base = rows.find(({ name }) => name.split(' ')[0] === baseline);
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

/** Accuracy by group, where the dataset has groups: `branch 2  85.7%`. */
export function groupLines(rows: readonly Summary[]): string[] {
  const names = [...new Set(rows.flatMap(({ groups }) => Object.keys(groups)))].sort();
  if (names.length < 2) return [];
  const cells = rows.map(({ name, groups }) => [
    name,
    ...names.map((group) => {
      const own = groups[group];
      return own === undefined ? '' : `${percent(own.right.corrected)} of ${own.items}`;
    }),
  ]);
  return columns([['corrected', ...names], ...cells]);
}

/** A question that some have right and others wrong, and what each has said. */
export function differenceLines({ id, question, label, answers }: Difference): string[] {
  const style = styleOf(process.stdout);
  const width = Math.max(...answers.map(({ name }) => name.length));
  const rows = answers.map(({ name, answer, right, run }) => {
    const mark = right ? style.good('✔') : style.error('✖');
    const words = answer === null ? 'no answer' : clip(oneLine(answer), wordsMost);
    return `  ${mark} ${name.padEnd(width)}  ${words}${run === null ? '' : style.dim(`  ${run}`)}`;
  });
  const asked = clip(oneLine(question), wordsMost);
  return [`${id}: ${asked} ${style.dim(`(${clip(oneLine(label), wordsMost)})`)}`, ...rows];
}

const wordsMost = 70;
