/** Runs that come from one another: a run that is nobody's fork, its forks, and theirs. */
import { RunError } from './codes.ts';
import type { ForkEdit } from './fork-edit.ts';
import type { Journal, RunEvent, RunSummary } from './journal.ts';

export interface Member {
  readonly run: RunSummary;
  /** Of a fork: what it changes about its base. */
  readonly edit: ForkEdit | undefined;
  /** Its result as JSON text; undefined while it goes on. */
  readonly result: string | undefined;
  /** Oldest first. */
  readonly forks: readonly Member[];
}

/** The whole family of a run. Throws `RunError` PV5105 where there is no such run. */
export function familyOf(journal: Journal, run: string): Member {
  let root = journal.find(run);
  if (!root) throw new RunError('PV5105', `there is no run ${run}`, { hint: 'see planvm runs' });
  // A base that was deleted is nobody's to see.
  for (let up = root.base; up; up = root.base) {
    const found = journal.find(up.run);
    if (!found) break;
    root = found;
  }
  return memberOf(journal, root);
}

function memberOf(journal: Journal, run: RunSummary): Member {
  return {
    run,
    edit: editOf(journal, run),
    result: resultOf(journal, run),
    forks: journal.children(run.id).map((fork) => memberOf(journal, fork)),
  };
}

function editOf(journal: Journal, { id, base }: RunSummary): ForkEdit | undefined {
  if (!base) return undefined;
  const [first] = journal.events(id, base.seq);
  return first?.type === 'run.forked' ? first.edit : undefined;
}

/** How many events may come behind a result: what was said of it later. */
const laterMost = 16;

function resultOf(journal: Journal, { id, base, events }: RunSummary): string | undefined {
  const since = Math.max(base?.seq ?? 0, events - laterMost);
  const last = journal.events(id, since).findLast(isTurn);
  return last && 'result' in last ? last.result : undefined;
}

const isTurn = ({ type }: RunEvent): boolean => type.startsWith('run.');
