/**
 * How a session begins and ends for people: what it is found by, what it is expected to cost, its
 * result, and what else there is to say of its runs.
 */
import type { OpenProgram } from '../../agent/open-program.ts';
import type { Workspace } from '../../agent/port/workspace.ts';
import type { RunNames } from '../../agent/run/begin.ts';
import { usageText } from '../../agent/run/usage.ts';
import type { Worked } from '../../agent/session.ts';
import { refuseSecrets } from '../../agent/tools/toolbox.ts';
import type { Journal } from '../../engine/journal/journal.ts';
import type { ExitCode } from '../exit.ts';
import { foundLines } from '../view/notice-lines.ts';
import { say, styleOf } from '../view/output.ts';
import { ourName, type ResultFlags, reportResult } from '../view/result.ts';
import type { NameFlags } from './run-options.ts';

export interface Reporting {
  readonly journal: Journal;
  /** Whether the run can be named to other commands. */
  readonly isDurable: boolean;
  readonly flags: ResultFlags;
  /** Epoch milliseconds. */
  readonly startedAt: number;
}

/** Prints it in the form that was asked for, and gives the exit code. */
export function reportEnd(
  end: Worked,
  { journal, isDurable, flags, startedAt }: Reporting,
  lastSaid?: string,
): ExitCode {
  const { result, text = '', file = '', playbooks, planning, isAsked } = end;
  const ran = {
    ...{ text, file, playbooks, kept: isDurable, lastSaid },
    tookMs: Date.now() - startedAt,
    ...(planning &&
      planning.modelCalls > 0 && {
        note: `of these for planning: ${usageText(planning)}`,
      }),
  };
  // Of a program that nobody has asked for in words, its own run says what became of it.
  if (isAsked && !flags.quiet) foundLines(result).forEach(say);
  const code = reportResult(result, ran, flags);
  const isFork = planning !== undefined && journal.find(result.run)?.base !== undefined;
  if (isFork && isDurable && !flags.quiet) {
    say(styleOf(process.stderr).dim(`  ${ourName} tree ${result.run}`));
  }
  return code;
}

/** Where the price is known: nobody wants to learn of it afterwards alone. */
export async function sayEstimate(
  { checked: { program }, toolbox: { specs }, inputs, workspace }: OpenProgram,
  { quiet }: { readonly quiet?: boolean },
): Promise<void> {
  const isPaid = [...specs.values()].some(({ price }) => price !== undefined);
  if (!program || quiet || (workspace.settings.model === undefined && !isPaid)) return;
  const { estimateLine } = await import('../program/estimate.ts');
  const line = estimateLine(program, specs, inputs, workspace);
  if (line !== undefined) say(styleOf(process.stderr).dim(line));
}

/** Throws `AgentError` PV6025 for a secret. */
export function namesIn(
  workspace: Workspace,
  { runId: id, title, meta: metadata }: NameFlags,
): RunNames {
  if (title !== undefined) refuseSecrets(workspace, 'the title', title);
  if (metadata) refuseSecrets(workspace, 'the metadata', JSON.stringify(metadata));
  return { id, title, metadata };
}
