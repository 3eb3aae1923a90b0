/** Runs that come from one another: a run that is nobody's fork, its forks, and theirs. */

import type { ForkEdit } from '../journal/fork-edit.ts';
import type { Journal, RunEvent, RunSummary } from '../journal/journal.ts';
import type { Verdict } from '../journal/verdict.ts';
import { findRun } from '../run-name.ts';

export interface Member {
  readonly run: RunSummary;
  /** Of a fork: what it changes about its base. */
  readonly edit: ForkEdit | undefined;
  /** Its result as JSON text; undefined while it goes on. */
  readonly result: string | undefined;
  /** The last word on its last answer. */
  readonly verdict: Verdict | undefined;
  /** Oldest first. */
  readonly forks: readonly Member[];
}

/** The whole family of a run. Throws `RunError` PV5105 where there is no such run. */
export function familyOf(journal: Journal, run: string): Member {
  let root = findRun(journal, run);
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
    ...endOf(journal, run),
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

function endOf(
  journal: Journal,
  { id, base, events }: RunSummary,
): Pick<Member, 'result' | 'verdict'> {
  const since = Math.max(base?.seq ?? 0, events - laterMost);
  const tail = journal.events(id, since);
  const last = tail.findLast(isTurn);
  const result = last && 'result' in last ? last.result : undefined;
  const judged = tail.findLast((event) => event.type === 'answer.judged');
  if (!result || !judged) return { result, verdict: undefined };
  const { accept, reason, suggestion, by } = judged;
  return { result, verdict: { accept, reason, suggestion, by } };
}

const isTurn = ({ type }: RunEvent): boolean => type.startsWith('run.');
