/** `resume`, and what goes on after `answer` and `approve`: a run goes on at this terminal. */

import type { Host } from '../../agent/port/host.ts';
import { isTalk } from '../../agent/record/asked.ts';
import { openAsRun } from '../../agent/resume/as-run.ts';
import { endedAlready, type Going, readyToGoOn } from '../../agent/resume/go-on.ts';
import { refuseInner } from '../../agent/resume/inner.ts';
import type { Journal, RunSummary } from '../../engine/journal/journal.ts';
import type { Assume } from '../../engine/past/past-effect.ts';
import type { Allowed } from '../../planner/playbook/ends.ts';
import type { ExitCode } from '../exit.ts';
import { reviewer } from '../planning/review.ts';
import { talker } from '../playbook/talker.ts';
import { givenLimits } from '../settings/limit-options.ts';
import { earlierSettings, limitsFor, openWorkspace } from '../settings/workspace.ts';
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

interface Resuming {
  readonly journal: Journal;
  readonly summary: RunSummary;
  readonly flags: ResumeFlags;
  readonly assume?: Assume | undefined;
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

/** A run with its tools, for whichever host. */
async function openGoing(
  { journal, summary, flags, assume }: Resuming,
  host: Host,
): Promise<{ readonly going: Going; close(): void }> {
  refuseInner(summary);
  const over = endedAlready(journal, summary);
  if (over) return { going: over, close() {} };
  const earlier = earlierSettings(summary);
  const own = await openWorkspace({ flags, earlier, limits: givenLimits(flags) });
  const limits = limitsFor(summary, own, flags);
  const opened = { journal, workspace: own, record: flags.record };
  const { workspace, toolbox } = await openAsRun(summary, opened);
  try {
    const { agentModel: agentModels } = flags;
    const options = { assume, limits, allowed: { ...flags, agentModels } };
    const work = { workspace, toolbox, journal, isDurable: true, host, summary, options };
    return { going: await readyToGoOn(work), close: () => toolbox.close() };
  } catch (error) {
    toolbox.close();
    throw error;
  }
}

export async function openResumable(
  journal: Journal,
  summary: RunSummary,
  flags: ResumeFlags,
  assume?: Assume,
): Promise<Resumable> {
  const { person, close: leave } = talker(flags, flags.hears === true && isTalk(summary));
  const reporting = { journal, isDurable: true, flags, startedAt: Date.now() };
  const host = terminalHost({
    ...{ flags, person, aloud: aloudFor(flags) },
    ...{ review: reviewer(flags) },
    report: (end) => reportEnd(end, reporting, host.lastSaid()),
  });
  let isOpen = true;
  let closeTools = (): void => {};
  const close = (): void => {
    if (!isOpen) return;
    isOpen = false;
    leave();
    closeTools();
  };
  try {
    const { going, close: ended } = await openGoing({ journal, summary, flags, assume }, host);
    closeTools = ended;
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
    return { close, go: () => go().finally(close) };
  } catch (error) {
    close();
    throw error;
  }
}
