/** Runs as people name them: by the beginning of an id, or as `last`. */

import type { Journal, RunSummary } from '../../engine/journal/journal.ts';
import { withinAny } from '../../engine/journal/run-identity.ts';
import { clip, oneLine } from '../../text/words.ts';
import { AgentError } from '../port/errors.ts';
import { loopOf } from './asked.ts';

const shownMax = 5;

/** Throws `AgentError` PV6012 unless exactly one run is meant. */
export function findRun(journal: Journal, name: string): RunSummary {
  if (name === 'last') {
    const latest = journal.list({ limit: verdictsMost });
    const [found = latest[0]] = latest.filter((run) => !isVerdict(run));
    if (found) return found;
    throw new AgentError('PV6012', 'there is no run yet', { facts: { isMissing: true } });
  }
  const exact = journal.find(name);
  if (exact) return exact;
  // Runs within effects are meant by who writes the point behind the run around them.
  const within = name.includes('.') ? withinAny : undefined;
  const limit = shownMax + 1;
  return onlyOne(name === '' ? [] : journal.list({ prefix: name, within, limit }), name);
}

/** Runs in a row that have judged one. */
const verdictsMost = 20;

/** A run that has judged says something of the one before it, which is the one that is meant. */
const isVerdict = (run: RunSummary): boolean => run.status === 'done' && loopOf(run) === 'judge';

/** The same among runs that are in no list; `last` is the first of them. */
export function findAmong<T extends RunSummary>(runs: readonly T[], name: string, what: string): T {
  const fitting = runs.filter(({ id }) => name !== '' && id.startsWith(name));
  const exact = name === 'last' ? runs[0] : fitting.find(({ id }) => id === name);
  return exact ?? onlyOne(fitting, name, what);
}

function onlyOne<T extends RunSummary>(found: readonly T[], name: string, what = 'run'): T {
  const [only, ...others] = found;
  if (only && others.length === 0) return only;
  if (!only) {
    throw new AgentError('PV6012', `there is no ${what} ${name}`, {
      facts: { isDeleted: what !== 'run' },
    });
  }
  const list = found
    .slice(0, shownMax)
    .map(({ id, title }) => `${id} (${clip(oneLine(title), 30)})`);
  const more = found.length > shownMax ? ', …' : '';
  throw new AgentError('PV6012', `${name} stands for several runs: ${list.join(', ')}${more}`, {
    hint: 'give more letters of the id',
  });
}

const latestMost = 1000;

/**
 * The same for commands about programs and their answers: `last` is the latest run that fits, which
 * no run of a control loop has to. Throws `AgentError` PV6043 for a named run that does not.
 */
export function findProgramRun(
  journal: Journal,
  name: string,
  fits: (run: RunSummary) => boolean = (run) => loopOf(run) === undefined,
): RunSummary {
  const latest = name === 'last' ? journal.list({ limit: latestMost }).find(fits) : undefined;
  const found = latest ?? findRun(journal, name);
  if (fits(found)) return found;
  throw new AgentError('PV6043', `run ${found.id} is one of the control loop ${loopOf(found)}`, {
    hint: 'name the run of a program',
  });
}
