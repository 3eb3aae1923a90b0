/** Runs a checked program and reports it: what `run` and the planner's commands share. */
import { resolve } from 'node:path';
import type { Asked } from '../../agent/record/kept.ts';
import { warningsOf } from '../../agent/record/load.ts';
import type { Journal } from '../../engine/journal/journal.ts';
import type { RunResult } from '../../engine/result.ts';
import { type RunHandle, type StartOptions, startRun } from '../../engine/run.ts';
import type { Earlier } from '../../engine/settings.ts';
import type { Diagnostic } from '../../program/diagnostic.ts';
import { encode } from '../../program/json.ts';
import type { Program } from '../../program/program.ts';
import type { Value } from '../../program/value.ts';
import { flagged } from '../advice.ts';
import type { ExitCode } from '../exit.ts';
import { personHere } from '../process/terminal-person.ts';
import { estimateLine } from '../program/estimate.ts';
import type { Source } from '../program/source.ts';
import { settingsOf } from '../settings/run-settings.ts';
import { approvalsIn, limitsIn } from '../settings/settings.ts';
import type { Workspace } from '../settings/workspace.ts';
import { refuseSecrets, type Toolbox } from '../tools/toolbox.ts';
import { sourced } from '../view/answer-sources.ts';
import { say, styleOf } from '../view/output.ts';
import { reportResult } from '../view/result.ts';
import { drive } from './drive.ts';
import { namesIn } from './run-names.ts';
import type { RunFlags } from './run-options.ts';

export interface ProgramRun {
  readonly workspace: Workspace;
  readonly toolbox: Toolbox;
  readonly source: Source;
  readonly program: Program;
  readonly dialect: string;
  /** What checking had to say; its warnings go into the result. */
  readonly diagnostics: readonly Diagnostic[];
  readonly inputs: ReadonlyMap<string, Value>;
  readonly flags: RunFlags;
  readonly sequential: boolean;
  readonly journal: Journal;
  /** Whether the run can be named to other commands. */
  readonly kept: boolean;
  /** What the run is for, for whoever goes on behind it. */
  readonly asked?: Asked | undefined;
  /** What earlier runs have left to it; of a goal in a conversation that is known without. */
  readonly earlier?: Earlier;
}

/** Runs it, shows it, prints its result; gives the exit code. */
export async function runProgram(run: ProgramRun): Promise<ExitCode> {
  const report = reporter(run);
  return report(await driveProgram(run, report));
}

/** Prints results, with the time since now; gives the exit code. */
export function reporter({
  source,
  kept,
  flags,
  journal,
}: Pick<ProgramRun, 'source' | 'kept' | 'flags' | 'journal'>): (result: RunResult) => ExitCode {
  const startedAt = Date.now();
  return (result) => {
    const tookMs = Date.now() - startedAt;
    const ran = { text: source.text, file: source.file, tookMs, kept };
    return reportResult(sourced(result, journal, flags), ran, flags);
  };
}

/** Lets it go; `gate` holds back what it asks for. */
export function startProgram(
  run: Omit<ProgramRun, 'kept'>,
  more: Pick<StartOptions, 'gate' | 'person'>,
): RunHandle {
  const { workspace, toolbox, source, program, dialect, diagnostics, inputs, asked } = run;
  const ours = toolbox.prepare(program);
  refuseSecrets(workspace, 'the program', source.text);
  for (const [name, value] of inputs) refuseSecrets(workspace, `the input ${name}`, encode(value));
  sayEstimate(run);
  return startRun({
    ...more,
    journal: run.journal,
    handlers: toolbox.handlers,
    limits: limitsIn(workspace.settings),
    approvals: approvalsIn(workspace.settings),
    program,
    text: source.text,
    dialect,
    title: source.title,
    ...namesIn(workspace, run.flags, asked?.from),
    inputs,
    settings: {
      ...settingsOf(workspace.settings, resolve(source.file)),
      ...toolbox.kept,
      ...(asked && { asked }),
      ...earlierOf(run),
    },
    sequential: run.sequential,
    warnings: [...warningsOf(diagnostics), ...ours],
  });
}

/** A model that writes in a conversation has read it, and the inputs are what it has left. */
function earlierOf({
  asked,
  inputs,
  earlier,
}: Omit<ProgramRun, 'kept'>): { readonly earlier: Earlier } | undefined {
  const background = asked?.goal.background;
  if (earlier || !background) return earlier && { earlier };
  const program = asked.route !== 'direct' && background.messages.length > 0;
  if (!program && inputs.size === 0) return undefined;
  const left = [...inputs.keys()].filter((name) => !background.own?.includes(name));
  return { earlier: { inputs: left, program } };
}

/**
 * Runs it and shows it while it goes on; the result is the caller's to report, by `report` where
 * the process has to end in the midst of the run.
 */
export async function driveProgram(
  run: ProgramRun,
  report: (result: RunResult) => ExitCode,
): Promise<RunResult> {
  const { toolbox, source, program, flags } = run;
  const person = personHere(flags);
  const handle = startProgram(run, { person });
  const functions = toolbox.callsFunctions(program) ? { kept: run.kept, report } : undefined;
  return await drive(handle, { program, title: source.title, functions, person }, flags);
}

/** Where the price is known: nobody wants to learn of it afterwards alone. */
function sayEstimate(run: Omit<ProgramRun, 'kept'>): void {
  const { program, toolbox, inputs, workspace, flags } = run;
  if (flags.quiet) return;
  const line = estimateLine(program, toolbox.specs, inputs, workspace);
  if (line !== undefined) say(styleOf(process.stderr).dim(line));
}

/** The result of a program that was not run because something is wrong with it. */
export function invalidResult(found: readonly Diagnostic[]): Record<string, unknown> {
  const diagnostics = found.map(flagged);
  const first = diagnostics.find(({ severity }) => severity === 'error');
  const { code, message, step = '', line, column, hint } = first ?? {};
  return {
    run: null,
    status: 'invalid',
    answer: null,
    answers: [],
    variables: {},
    error: { code, message, step, line, column, hint },
    usage: { modelCalls: 0, inputTokens: 0, outputTokens: 0, cost: 0 },
    warnings: warningsOf(diagnostics),
    diagnostics,
  };
}
