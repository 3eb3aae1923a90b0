/** `resume`, and what goes on after `answer` and `approve`: a run goes on at this terminal. */

import { isTalk } from '../../agent/record/asked.ts';
import { openAsRun } from '../../agent/resume/as-run.ts';
import { endedAlready, type Going, type GoOn, readyToGoOn } from '../../agent/resume/go-on.ts';
import { refuseInner } from '../../agent/resume/inner.ts';
import type { Journal, RunSummary } from '../../engine/journal/journal.ts';
import type { Assume } from '../../engine/past/past-effect.ts';
import type { Allowed } from '../../planner/playbook/ends.ts';
import type { ExitCode } from '../exit.ts';
import { reviewer } from '../planning/review.ts';
import { talker } from '../playbook/talker.ts';
import { givenLimits } from '../settings/limit-options.ts';
import { openWorkspace } from '../settings/workspace.ts';
import { aloudFor } from '../view/aloud.ts';
import { sourced } from '../view/answer-sources.ts';
import { say } from '../view/output.ts';
import { tellWarning } from '../view/warnings.ts';
import { reportEnd } from './report-end.ts';
import type { RunFlags } from './run-options.ts';
import { terminalHost } from './terminal-host.ts';

export interface ResumeFlags extends RunFlags, Allowed {
  readonly explain?: true;
  /** Lines that are piped in are messages, where the run is a talk. */
  readonly hears?: true;
}

/** A run that can go on: all that this needs was found. Nothing of it is in the journal. */
export interface Resumable {
  /** Once; closes what was opened for it. */
  go(): Promise<ExitCode>;
  /** May be called again. */
  close(): void;
}

/** Throws where a tool, a model, a loop or the configuration is missing; nothing changes then. */
export async function resumeHere(
  journal: Journal,
  summary: RunSummary,
  flags: ResumeFlags,
  assume?: Assume,
): Promise<ExitCode> {
  const resumable = await openResumable(journal, summary, flags, assume);
  return await resumable.go();
}

export async function openResumable(
  journal: Journal,
  summary: RunSummary,
  flags: ResumeFlags,
  assume?: Assume,
): Promise<Resumable> {
  using opening = new DisposableStack();
  const { person, close: leave } = talker(flags, flags.hears === true && isTalk(summary));
  opening.defer(leave);
  const reporting = { journal, isDurable: true, flags, startedAt: Date.now() };
  const host = terminalHost({
    ...{ flags, person, aloud: aloudFor(flags), review: reviewer(flags) },
    report: (end) => reportEnd(end, reporting, host.lastSaid()),
  });
  refuseInner(summary);
  const going =
    endedAlready(journal, summary) ??
    (await openGoing({ journal, summary, flags, assume, host }, (close) => opening.defer(close)));
  const opened = opening.move();
  const go = async (): Promise<ExitCode> => {
    const { loaded, changed, isSure } = going;
    if (isSure && assume !== undefined) say('nothing is in doubt: --assume decides nothing');
    // People learn it before anything is done, programs with the result.
    if (!flags.quiet) for (const warning of changed) tellWarning(warning, say);
    const explaining = flags.explain ? await import('../playbook/explain.ts') : undefined;
    const specs = loaded?.specs ?? new Map();
    for (const line of explaining?.explainedRun(summary, specs) ?? []) say(line);
    const end = await going.go();
    const result = sourced(end.result, journal, flags);
    const code = reportEnd({ ...end, result }, reporting, host.lastSaid());
    for (const line of explaining?.promptLines(journal, summary.id) ?? []) say(line);
    return code;
  };
  const close = (): void => opened.dispose();
  return { close, go: () => go().finally(close) };
}

interface Resuming extends Pick<GoOn, 'journal' | 'summary' | 'host'> {
  readonly flags: ResumeFlags;
  readonly assume: Assume | undefined;
}

/** A run with its tools, which are closed by `later`. */
async function openGoing(
  { journal, summary, flags, assume, host }: Resuming,
  later: (close: () => void) => void,
): Promise<Going> {
  const tools = await openAsRun(summary, { journal, workspace: await openWorkspace({ flags }) });
  later(() => tools.toolbox.close());
  const allowed = { ...flags, agentModels: flags.agentModel };
  const options = { assume, limits: givenLimits(flags), allowed };
  return await readyToGoOn({ ...tools, journal, isDurable: true, host, summary, options });
}
