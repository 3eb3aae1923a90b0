/** A run that somebody names. */
import { RunError } from './codes.ts';
import type { Journal, RunSummary } from './journal/journal.ts';

/** Throws `RunError` PV5105 where the journal has none of this id. */
export function findRun(journal: Journal, run: string): RunSummary {
  const found = journal.find(run);
  if (found) return found;
  throw new RunError('PV5105', `there is no run ${run}`, { run });
}
