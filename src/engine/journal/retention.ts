/** Which runs have been kept long enough. Pure: the journal is swept by those who ask. */
import type { RunSummary } from './journal.ts';
import type { RunStatus } from './run-state.ts';
import type { Sizes } from './sweep.ts';

export interface Retention {
  /** Milliseconds since anything happened to a run. */
  readonly olderThanMs?: number | undefined;
  /** How many of the newest are left in any case. */
  readonly keep?: number | undefined;
  /** The size that the journal may have; the oldest runs go until it has. */
  readonly bytesMax?: number | undefined;
  /** Which runs may go; default: those that have ended. */
  readonly statuses?: readonly RunStatus[] | undefined;
}

/** A run that has ended goes on only when somebody wants it to. */
const endedStatuses: readonly RunStatus[] = ['done', 'failed', 'invalid', 'cancelled'];

/**
 * The ids of the runs that go, of a list of all, newest first. Each rule that is given holds: with
 * both, what is older than `olderThanMs` goes unless it is among the newest `keep`. Where that is
 * not enough for `bytesMax`, older ones go beyond it. A run that a process has stays.
 */
export function expired(
  runs: readonly RunSummary[],
  sizes: Sizes,
  rules: Retention,
  now: number,
): string[] {
  const { olderThanMs, keep = 0, bytesMax, statuses = endedStatuses } = rules;
  const may = runs
    .filter(({ status, owned }) => !owned && statuses.includes(status))
    .slice(keep)
    .reverse();
  const gone = new Set<string>();
  if (olderThanMs !== undefined || (rules.keep !== undefined && bytesMax === undefined)) {
    const limit = now - (olderThanMs ?? 0);
    for (const { id, updatedAt } of may) if (updatedAt <= limit) gone.add(id);
  }
  if (bytesMax === undefined) return [...gone];
  const sizeOf = (id: string): number => sizes.runs.get(id) ?? 0;
  let left = sizes.total;
  for (const id of gone) left -= sizeOf(id);
  for (const { id } of may) {
    if (left <= bytesMax) break;
    if (gone.has(id)) continue;
    gone.add(id);
    left -= sizeOf(id);
  }
  return [...gone];
}
