/** What every journal says about runs it does not have, or has already. */
import { JournalError } from './journal.ts';

export function noSuchRun(run: string): JournalError {
  const hint = 'planvm runs lists those there are';
  return new JournalError('PV5003', `the journal has no run ${run}; ${hint}`);
}

export function runExists(run: string): JournalError {
  return new JournalError(
    'PV5004',
    `the journal already has a run ${run}; resume it, or take another id`,
  );
}

export function journalClosed(): JournalError {
  return new JournalError('PV5019', 'the journal is closed; open it again to use it');
}
