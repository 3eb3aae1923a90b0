/**
 * Waiting runs for which something has come: a moment that they waited for, or a reply that was
 * left with them. No process stays for those, so somebody has to look now and then.
 */
import type { Journal, RunEvent, RunSummary } from './journal/journal.ts';
import { withReplies } from './left-replies.ts';
import type { OpenWait } from './perform/person.ts';

/** Newest first; those that a process has are its own matter. `now`: epoch milliseconds. */
export function dueRuns(journal: Journal, now: number): RunSummary[] {
  return journal
    .list({ status: 'waiting', owned: false })
    .filter((run) => isDue(journal, run, now));
}

/** Whether a run is waiting, nobody has it, and it would go on. */
export function isDue(journal: Journal, run: RunSummary, now: number): boolean {
  if (run.status !== 'waiting' || run.owned) return false;
  return (untilOf(journal, run) ?? Infinity) <= now || journal.posts(run.id).length > 0;
}

/** The first moment that a waiting run waits for, in epoch milliseconds; undefined for none. */
export function untilOf(journal: Journal, run: RunSummary): number | undefined {
  const moments = waitsOf(journal, run).flatMap((wait) =>
    wait.kind === 'approval' || wait.until === undefined ? [] : [wait.until],
  );
  return moments.length === 0 ? undefined : Math.min(...moments);
}

/**
 * What a waiting run waits for, in the order of asking, with replies that were left; empty for any
 * other one.
 */
export function waitsOf(journal: Journal, { id, status, events }: RunSummary): readonly OpenWait[] {
  if (status !== 'waiting') return [];
  // What has stopped it is the last thing that happened to it.
  const last = journal.events(id, events - 1).find(isWaiting);
  const { waits = [] }: { waits?: readonly OpenWait[] } = JSON.parse(last?.result ?? '{}');
  return withReplies(journal, id, waits);
}

type Waiting = Extract<RunEvent, { result: string }>;

const isWaiting = (event: RunEvent): event is Waiting => event.type === 'run.waiting';
