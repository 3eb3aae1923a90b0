/** What `answer`, `approve` and `deny` share: the reply is left with the run, then it goes on. */
import type { Reply } from '../../agent/port/reply.ts';
import { refuseInner } from '../../agent/resume/inner.ts';
import { leaveReply } from '../../agent/resume/leave-reply.ts';
import { allowedNames } from '../../dialects/playbook/manner.ts';
import { type Journal, RunOwned, type RunSummary } from '../../engine/journal/journal.ts';
import type { Allowed } from '../../planner/playbook/ends.ts';
import { stringify } from '../../program/json.ts';
import type { OptionRow } from '../command.ts';
import { type ExitCode, exit } from '../exit.ts';
import { playbookOptions } from '../playbook/playbook-options.ts';
import type { Workspace } from '../settings/workspace.ts';
import { print, say } from '../view/output.ts';
import { withRun } from './journal.ts';
import { resumeHere } from './resume-run.ts';
import { type RunFlags, runOptions, toolOptions } from './run-options.ts';

export interface ReplyFlags extends RunFlags, Allowed {
  /** False: the reply is left with the run, and that is all. */
  readonly run?: boolean;
  /** Of a run of playbooks: whether to say what became of them, and of prompts. */
  readonly explain?: true;
}

export const replyOptions = (): OptionRow[] => [
  ['--no-run', 'Only leave it with the run: planvm resume goes on later.'],
  ...toolOptions(),
  ...runOptions(),
  ...playbookOptions(['explain', 'agentModel', ...allowedNames]),
];

/** Throws `AgentError` PV6012, and as `leaveReply` does. */
export async function replyTo(name: string, flags: ReplyFlags, reply: Reply): Promise<ExitCode> {
  const act = async (found: RunSummary, journal: Journal, workspace: Workspace) => {
    refuseInner(found);
    const { id: run, owned } = found;
    if (owned || flags.run === false) {
      const effects = await leaveReply({ journal, workspace }, run, reply);
      return leftWith(journal.find(run)?.owned === true, run, effects, flags);
    }
    let about: readonly string[] = [];
    const left = (effects: readonly string[]): void => {
      about = effects;
    };
    return await resumeHere(journal, found, flags, { reply, left }).catch((error: unknown) => {
      if (!(error instanceof RunOwned)) throw error;
      // Another process was quicker to take the run up: that one has the reply now.
      return leftWith(true, run, about, flags);
    });
  };
  return await withRun(name, act, { flags });
}

function leftWith(
  isOwned: boolean,
  run: string,
  effects: readonly string[],
  flags: ReplyFlags,
): ExitCode {
  if (flags.json) print(stringify({ run, effects, resumed: false }, 2));
  else if (isOwned) say(`the process that has run ${run} takes it in a moment`);
  else say(`it is left with run ${run}, which goes on with planvm resume ${run}`);
  return exit.done;
}
