/** One turn of a conversation at the prompt, shown as `ask` and `run` show what they do. */

import { answerGoal } from '../../agent/goal/ask.ts';
import type { Host } from '../../agent/port/host.ts';
import { journalPath } from '../../agent/port/workspace.ts';
import { runProgram } from '../../agent/run/run-program.ts';
import {
  checkWritten,
  type Defined,
  directTurn,
  endTurn,
  failureSaid,
  type Turning as TurnParts,
  type Written,
  type WrittenRun,
} from '../../agent/thread/turn.ts';
import type { Journal } from '../../engine/journal/journal.ts';
import { openJournal } from '../../engine/journal/open-journal.ts';
import type { ThreadMode } from '../../engine/journal/threads.ts';
import { readPast } from '../../engine/past/read-past.ts';
import type { RunResult } from '../../engine/result.ts';
import type { ExitCode } from '../exit.ts';
import { reportFailure } from '../failure.ts';
import { type AskFlags, pursuitOptions, requestOf } from '../planning/ask-here.ts';
import { sayDiagnostics } from '../program/read-program.ts';
import { terminalHost } from '../run/terminal-host.ts';
import { sourced } from '../view/answer-sources.ts';
import { say, styleOf } from '../view/output.ts';
import { reportResult } from '../view/result.ts';
import { sayWarnings } from '../view/warnings.ts';

export interface Turning extends TurnParts {
  readonly flags: AskFlags;
}

/** Gives whether there is an answer. What fails is said, and is part of the conversation. */
export async function takeTurn(
  turning: Turning,
  text: string,
  as: Exclude<ThreadMode, 'code'>,
): Promise<boolean> {
  const { conversation, entries, flags, workspace, toolbox } = turning;
  const background = { ...conversation.background(), own: [...entries.own] };
  const inputs = conversation.inputs(entries.data);
  const isDirect = as === 'direct';
  const direct = isDirect && (await checkWritten(turning, directTurn(turning, text), text));
  conversation.keep();
  conversation.say({ role: 'user', content: text, at: Date.now(), as });
  if (direct) return (await runChecked(turning, direct, false))?.status === 'done';
  const goal = { text, background };
  const asked = requestOf({ workspace, goal, inputs, flags: { ...flags, route: as } });
  const ended = await counted(turning, async (journal, host) => {
    const work = { workspace, toolbox, journal, isDurable: true, host };
    return (await answerGoal({ ...work, ...asked })).result;
  });
  return ended?.status === 'done';
}

/**
 * Runs a program that is there already; undefined where it does not pass the check. `steps`:
 * whether it is gone through step by step where that is wanted of programs.
 */
export async function runWritten(
  turning: Turning,
  written: Written,
  title: string,
  steps = false,
): Promise<RunResult | undefined> {
  return await runChecked(turning, await checkWritten(turning, written, title), steps);
}

async function runChecked(
  turning: Turning,
  { run, source, diagnostics }: WrittenRun,
  steps: boolean,
): Promise<RunResult | undefined> {
  sayDiagnostics(diagnostics, source);
  const { workspace, toolbox } = turning;
  if (!run) return undefined;
  return await counted(turning, (journal, { goThrough, ...watching }) => {
    const host = { ...watching, ...(steps && goThrough && { goThrough }) };
    const work = { workspace, toolbox, journal, isDurable: true, host };
    return runProgram({ ...work, ...run, sequential: false });
  });
}

/** Reports what comes of a run, and says it in the thread; undefined where there is no run. */
async function counted(
  turning: Turning,
  act: (journal: Journal, host: Host) => Promise<RunResult>,
): Promise<RunResult | undefined> {
  const { conversation, workspace, flags } = turning;
  const journal = openJournal(journalPath(workspace));
  const startedAt = Date.now();
  const report = (result: RunResult): ExitCode => {
    const text = readPast(journal.events(result.run)).program?.text ?? '';
    const ran = { text, file: 'program', kept: true, tookMs: Date.now() - startedAt };
    return reportResult(sourced(result, journal, flags), ran, flags);
  };
  try {
    const options = pursuitOptions(flags, workspace);
    const host = terminalHost({ ...options, report: ({ result }) => report(result) });
    const result = await act(journal, host);
    report(result);
    sayDefined(await endTurn(turning, journal, result), flags);
    return result;
  } catch (error) {
    conversation.say(failureSaid(error));
    reportFailure(error, flags);
    return undefined;
  } finally {
    journal.close();
  }
}

/** What has become of the functions of a program. */
export function sayDefined({ changed, replaced, bound }: Defined, flags: AskFlags): void {
  const { dim } = styleOf(process.stderr);
  const tell = (text: string): void => {
    if (!flags.quiet) say(dim(text));
  };
  for (const { name, needs } of bound) {
    tell(`${name} stays with its program: it needs ${needs.join(', ')}`);
  }
  for (const name of replaced) {
    const message = `${name} is defined anew, and the earlier ${name} is gone`;
    sayWarnings([{ code: 'PV6703', message }]);
  }
  const signatures = changed.map(({ signature }) => signature);
  if (signatures.length > 0) tell(`later programs may call ${signatures.join(', ')}`);
}
