/** Figures of a benchmark: what each method got right, how long it took, what it used. */
import type { ResultUsage } from '../engine/result.ts';
import { type BenchLine, keyOf } from './log.ts';

export interface Summary {
  /** The method. */
  readonly name: string;
  readonly items: number;
  readonly right: Shares;
  /** The part of all plans that needed no correction; null where nothing is known of any. */
  readonly firstTry: number | null;
  /** Questions without an answer: the run failed, waits or has met a budget. */
  readonly unanswered: number;
  readonly latencyMs: Spread;
  /** Of all items together; `cost` in USD, null where the price of a call is not known. */
  readonly usage: ResultUsage;
}

/** Parts of all items, from 0 to 1, by each rule of `score.ts`. */
export interface Shares {
  readonly published: number;
  readonly corrected: number;
}

export interface Spread {
  readonly mean: number;
  /** The smallest that half of the items, or 95 of 100, do not exceed. */
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

export function summaryOf(name: string, lines: readonly BenchLine[]): Summary {
  return {
    ...{ name, items: lines.length, right: sharesOf(lines) },
    firstTry: firstTryOf(lines),
    unanswered: lines.filter(({ answer }) => answer === null).length,
    latencyMs: spreadOf(lines.map(({ ms }) => ms)),
    usage: lines.map(({ usage }) => usage).reduce(sum, nothing),
  };
}

function firstTryOf(lines: readonly BenchLine[]): number | null {
  const known = lines.flatMap(({ firstTry }) => firstTry ?? []);
  return known.length === 0 ? null : known.filter(Boolean).length / known.length;
}

function sharesOf(lines: readonly BenchLine[]): Shares {
  const share = (rule: keyof Shares): number =>
    lines.length === 0 ? 0 : lines.filter(({ right }) => right[rule]).length / lines.length;
  return { published: share('published'), corrected: share('corrected') };
}

/** Zeros where there is nothing. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = (part: number): number => sorted[Math.ceil(part * sorted.length) - 1] ?? 0;
  const total = sorted.reduce((all, value) => all + value, 0);
  return {
    mean: sorted.length === 0 ? 0 : total / sorted.length,
    ...{ p50: rank(0.5), p95: rank(0.95), max: rank(1) },
  };
}

export const nothing: ResultUsage = { modelCalls: 0, inputTokens: 0, outputTokens: 0, cost: 0 };

export const sum = (a: ResultUsage, b: ResultUsage): ResultUsage => ({
  modelCalls: a.modelCalls + b.modelCalls,
  inputTokens: a.inputTokens + b.inputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
  cost: a.cost === null || b.cost === null ? null : a.cost + b.cost,
});

/** What a benchmark has come to: a row for each method. */
export interface Comparison {
  readonly rows: readonly Summary[];
  /** Questions that some methods have been asked and others have not. */
  readonly leftOut: number;
}

/** Over the questions that all methods have been asked, so that figures can be compared. */
export function compareMethods(
  lines: readonly BenchLine[],
  methods: readonly string[],
): Comparison {
  const columns = byMethod(lines, methods);
  const idsByMethod = columns.map((column) => new Set(column.map(({ id }) => id)));
  const asked = new Set(lines.map(({ id }) => id));
  const common = [...asked].filter((id) => idsByMethod.every((ids) => ids.has(id)));
  const isCommon = new Set(common);
  const rows = columns.map((column, i) =>
    summaryOf(
      methods[i] ?? '',
      column.filter(({ id }) => isCommon.has(id)),
    ),
  );
  return { rows, leftOut: asked.size - common.length };
}

/** By method, in the order of the names. */
function byMethod(lines: readonly BenchLine[], methods: readonly string[]): readonly BenchLine[][] {
  const last = new Map(lines.map((line) => [keyOf(line), line]));
  return methods.map((name) => [...last.values()].filter(({ method }) => method === name));
}
