/** A run that exists already where one was to be started under its id. */

import { followersOf } from '../../agent/goal/resumed.ts';
import { loopOf } from '../../agent/record/asked.ts';
import { keptResult } from '../../agent/record/kept-result.ts';
import { fileOf } from '../../agent/settings/kept-settings.ts';
import type { Journal, RunSummary } from '../../engine/journal/journal.ts';
import { readPast } from '../../engine/past/read-past.ts';
import type { ExitCode } from '../exit.ts';
import { openWorkspace } from '../settings/workspace.ts';
import { sourced } from '../view/answer-sources.ts';
import { say } from '../view/output.ts';
import { reportResult } from '../view/result.ts';
import { withJournal } from './journal.ts';
import { resumeHere } from './resume-run.ts';
import type { RunFlags } from './run-options.ts';

/** Goes on with it where it has stopped; prints its result where it has ended. */
export async function takeUpNamed(named: RunSummary, flags: RunFlags): Promise<ExitCode> {
  return await withJournal(await openWorkspace({ flags }), async (journal) => {
    const last = lastBehind(journal, named);
    const { id, status } = last;
    if (!flags.quiet) say(`run ${id} exists already: ${status}; nothing is started twice`);
    // Whoever wants to have it tried again resumes it.
    const hasFailed = status === 'failed' || status === 'cancelled';
    const result = hasFailed ? keptResult(journal, id) : undefined;
    if (result === undefined) return await resumeHere(journal, last, flags);
    const text = readPast(journal.events(id)).program?.text ?? '';
    const ran = { text, file: fileOf(last), kept: true };
    return reportResult(sourced(result, journal, flags), ran, flags);
  });
}

/** Repairs are runs of their own: the latest of them; no loop that came to nothing. */
function lastBehind(journal: Journal, run: RunSummary): RunSummary {
  const [latest] = followersOf(journal, run.id, run.createdAt);
  if (latest === undefined) return run;
  const last = lastBehind(journal, latest);
  return loopOf(last) !== undefined && last.status === 'failed' ? run : last;
}
