/** What every journal says about runs it does not have, or has already. */
import { JournalError } from './journal.ts';
import type { Base } from './lineage.ts';

export function noSuchRun(run: string): JournalError {
  return new JournalError('PV5003', `the journal has no run ${run}`);
}

export function runExists(run: string): JournalError {
  const message = `the journal already has a run ${run}; resume it, or take another id`;
  return new JournalError('PV5004', message);
}

/** A deleted run has its id until nothing is left of it. */
export function runWasRemoved(run: string): JournalError {
  const until = 'restore it, or sweep the journal, which drops what no fork reads';
  return new JournalError('PV5004', `run ${run} was deleted, and its id is still taken; ${until}`);
}

export function notRemoved(run: string): JournalError {
  const until = 'what was deleted can be restored until the journal is swept';
  return new JournalError('PV5003', `there is no deleted run ${run}; ${until}`);
}

/** Nobody could read such a file whole, nor take it in. */
export function tooLong(run: string, tree: boolean): JournalError {
  const size = `run ${run}${tree ? ' with its forks' : ''} is too long for one file`;
  const hint =
    (tree ? 'export its runs one by one, or ' : '') +
    'copy the file of the journal, which has all runs, while no process has one of them';
  return new JournalError('PV5023', `${size}, which holds 512 MiB of text; ${hint}`);
}

/** Throws unless a history of this many events has the one behind which a fork begins. */
export function requireForkPoint({ run, seq }: Base, events: number): void {
  if (Number.isInteger(seq) && seq >= 0 && seq <= events) return;
  const numbers = `got event ${seq} of run ${run}, want a number from 0 to ${events}`;
  throw new JournalError('PV5006', `a fork cannot begin there: ${numbers}`);
}

export function journalClosed(): JournalError {
  return new JournalError('PV5019', 'the journal is closed; open it again to use it');
}
