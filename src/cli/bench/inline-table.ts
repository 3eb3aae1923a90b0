/** What limits of inlining come to: a row for each, and which of them is best. */
import { duration, grouped, price } from '../view/text.ts';
import type { Line } from './log.ts';
import { type Summary, summaryOf } from './summary.ts';
import { aligned, percent } from './table.ts';

export interface LimitRow extends Summary {
  /** The most steps of a playbook that stands in the place of its calls. */
  readonly inline: number;
  /** Replies that were asked for once more. */
  readonly repairs: number;
}

export const limitRow = (inline: number, lines: readonly Line[]): LimitRow => ({
  ...summaryOf(String(inline), lines),
  inline,
  repairs: lines.reduce((total, { repairs = 0 }) => total + repairs, 0),
});

const titles = [
  ...['inline', 'items', 'right', 'calls', 'tokens in', 'out', 'cost', 'vs first', 'mean', 'p95'],
  ...['repairs', 'failed'],
];

/** Lines of a table; all but `right` and times are sums over the items. */
export function limitTable(rows: readonly LimitRow[]): string[] {
  const [first] = rows;
  const cells = rows.map((row) => [
    ...[row.name, String(row.items), percent(row.right.corrected), grouped(row.usage.modelCalls)],
    ...[grouped(row.usage.inputTokens), grouped(row.usage.outputTokens)],
    ...[row.usage.cost === null ? '?' : price(row.usage.cost)],
    first === undefined || weightOf(first) === 0 ? '' : percent(weightOf(row) / weightOf(first)),
    ...[duration(row.latencyMs.mean), duration(row.latencyMs.p95)],
    ...[String(row.repairs), String(row.unanswered)],
  ]);
  return aligned([titles, ...cells]);
}

export interface Best {
  readonly inline: number;
  /** In words. */
  readonly why: string;
}

/**
 * Of the limits with the most right answers the one that costs least; where that is equal the one
 * with the fewest calls, then the smallest. Undefined where nothing is right.
 */
export function bestOf(rows: readonly LimitRow[]): Best | undefined {
  const most = Math.max(0, ...rows.map(({ right }) => right.corrected));
  if (most === 0) return undefined;
  const [best] = rows
    .filter(({ right }) => right.corrected === most)
    .toSorted(
      (a, b) =>
        weightOf(a) - weightOf(b) || a.usage.modelCalls - b.usage.modelCalls || a.inline - b.inline,
    );
  if (!best) return undefined;
  const measure = isPriced(best) ? 'cost' : 'tokens, written ones counted four times';
  const right = Math.round(best.right.corrected * best.items);
  return { inline: best.inline, why: `${right} of ${best.items} right, and the least ${measure}` };
}

/** USD where it is known, else tokens as most providers' prices weigh them. */
const weightOf = (row: LimitRow): number =>
  isPriced(row) ? (row.usage.cost ?? 0) : row.usage.inputTokens + 4 * row.usage.outputTokens;

const isPriced = ({ usage }: LimitRow): boolean => usage.cost !== null && usage.cost > 0;
