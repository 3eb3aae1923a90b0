/** Cancels runs, whichever process has them. */
import { stringify } from '../program/json.ts';
import { RunError } from './codes.ts';
import type { Journal } from './journal/journal.ts';
import { processOwner } from './journal/owner.ts';
import type { RunStatus } from './journal/run-state.ts';
import { readPast } from './past/read-past.ts';
import { resultOf } from './result.ts';
import { findRun } from './run-name.ts';
import { cancelStop } from './stop.ts';

/**
 * Cancels a run from outside. A process that has it is asked to stop, which it does within a
 * second or two (`asked`); a run that nobody has is cancelled at once. Throws `RunError` when there
 * is nothing to cancel.
 */
export function cancelRun(journal: Journal, run: string, owner?: string): 'asked' | 'cancelled' {
  const summary = findRun(journal, run);
  if (ended.has(summary.status)) {
    throw new RunError('PV5106', `run ${run} has ended: ${summary.status}`, { run });
  }
  if (summary.owned) {
    journal.post(run, { kind: 'cancel' });
    return 'asked';
  }
  const lease = journal.claim(run, owner ?? processOwner());
  const { spent, warnings } = readPast(journal.events(run));
  const { error } = cancelStop('cancelled');
  const view = { answers: [], variables: new Map() };
  const result = resultOf({ run, status: 'cancelled', view, error, spent, warnings });
  journal.append(lease, [{ type: 'run.cancelled', result: stringify(result) }]);
  journal.release(lease);
  return 'cancelled';
}

const ended: ReadonlySet<RunStatus> = new Set(['done', 'invalid', 'failed', 'cancelled']);
