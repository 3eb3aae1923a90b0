/** `resume`, and what goes on after `answer` and `approve`: a run goes on at this terminal. */

import type { Reply } from '../../agent/port/reply.ts';
import { isTalk } from '../../agent/record/asked.ts';
import type { Going } from '../../agent/resume/go-on.ts';
import { refuseInner } from '../../agent/resume/inner.ts';
import { type ResumeWork, resumeSession } from '../../agent/resume-session.ts';
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
import type { RunFlags } from './run-options.ts';
import { workHere } from './work-here.ts';

export interface ResumeFlags extends RunFlags, Allowed {
  readonly explain?: true;
  /** Lines that are piped in are messages, where the run is a talk. */
  readonly hears?: true;
}

export interface Resuming extends Pick<ResumeWork, 'left'> {
  readonly assume?: Assume | undefined;
  /** Left with the run, once it is known that it can go on. */
  readonly reply?: Reply;
}

/** Throws where a tool, a model, a loop or the configuration is missing; nothing changes then. */
export async function resumeHere(
  journal: Journal,
  summary: RunSummary,
  flags: ResumeFlags,
  { assume, reply, left }: Resuming = {},
): Promise<ExitCode> {
  refuseInner(summary);
  const workspace = await openWorkspace({ flags });
  const explaining = flags.explain ? await import('../playbook/explain.ts') : undefined;
  const opening = async (open: () => Promise<Going>): Promise<Going> => {
    const going = await open().catch((error: unknown) => {
      const { id } = summary;
      if (reply)
        say(`nothing is left with run ${id}: it cannot go on; --no-run leaves it for later`);
      throw error;
    });
    if (going.isSure && assume !== undefined) say('nothing is in doubt: --assume decides nothing');
    // People learn it before anything is done, programs with the result.
    if (!flags.quiet) for (const warning of going.changed) tellWarning(warning, say);
    const specs = going.loaded?.specs ?? new Map();
    for (const line of explaining?.runLines(summary, specs) ?? []) say(line);
    return going;
  };
  const { person, close } = talker(flags, flags.hears === true && isTalk(summary));
  const shown = { flags, person, aloud: aloudFor(flags), review: reviewer(flags) };
  return await workHere({ ...shown, workspace, journal }, async ({ report, ...work }) => {
    const allowed = { ...flags, agentModels: flags.agentModel };
    const options = { assume, limits: givenLimits(flags), allowed };
    const replies = reply ? [reply] : [];
    const resumed = { ...work, names: {}, summary, options, replies, opening };
    const end = await resumeSession({ ...resumed, ...(left && { left }) }, work.host);
    const code = report({ ...end, result: sourced(end.result, journal, flags) });
    for (const line of explaining?.promptLines(journal, summary.id) ?? []) say(line);
    return code;
  }).finally(close);
}
