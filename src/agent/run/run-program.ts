/** Runs a program that has passed its check. */
import { resolve } from 'node:path';
import type { Gate } from '../../engine/perform/gate.ts';
import type { RunResult } from '../../engine/result.ts';
import type { RunHandle } from '../../engine/run.ts';
import type { Earlier } from '../../engine/settings.ts';
import type { Diagnostic } from '../../program/diagnostic.ts';
import { encode } from '../../program/json.ts';
import type { Program } from '../../program/program.ts';
import type { Value } from '../../program/value.ts';
import type { HeldRun, RunEnd } from '../port/host.ts';
import type { Source } from '../program/source.ts';
import type { Asked } from '../record/kept.ts';
import { warningsOf } from '../record/warnings.ts';
import { settingsOf } from '../settings/kept-settings.ts';
import { refuseSecrets } from '../tools/toolbox.ts';
import { begin } from './begin.ts';
import { drive } from './drive.ts';
import type { Work } from './work.ts';

export interface ProgramRun extends Work {
  readonly source: Source;
  readonly program: Program;
  readonly dialect: string;
  /** What checking had to say; its warnings go into the result. */
  readonly diagnostics: readonly Diagnostic[];
  readonly inputs: ReadonlyMap<string, Value>;
  readonly sequential: boolean;
  /** What the run is for, for whoever continues after it. */
  readonly asked?: Asked | undefined;
  /** What earlier runs have left to it; of a goal in a conversation that is known without. */
  readonly earlier?: Earlier;
  /** What the session ends with where this is its last run. */
  endWith?(result: RunResult): RunEnd;
}

/** Throws as `begin` and `drive` do, and `AgentError` PV6025 for a secret in what it is given. */
export async function runProgram(run: ProgramRun): Promise<RunResult> {
  const { host, program, source, isDurable } = run;
  if (host.goThrough) return await host.goThrough(heldProgram(run));
  const handle = startProgram(run);
  return await drive(host, {
    ...{ handle, program, title: source.title, isDurable },
    callsFunctions: run.toolbox.callsFunctions(program),
    endWith: (result) => run.endWith?.(result) ?? { result, ...source },
  });
}

/** The same for somebody who holds its gate. */
const heldProgram = (run: ProgramRun): HeldRun => ({
  ...{ journal: run.journal, title: run.source.title, dialect: run.dialect },
  program: run.program,
  callsFunctions: run.toolbox.callsFunctions(run.program),
  start: (more) => startProgram(run, more),
});

function startProgram(run: ProgramRun, more: { readonly gate?: Gate } = {}): RunHandle {
  const { workspace, toolbox, source, program, dialect, inputs, asked } = run;
  const warnings = toolbox.prepare(program);
  refuseSecrets(workspace, 'the program', source.text);
  for (const [name, value] of inputs) refuseSecrets(workspace, `the input ${name}`, encode(value));
  return begin(run, {
    ...more,
    ...{ handlers: toolbox.handlers, program, text: source.text, dialect },
    ...{ title: source.title, inputs, sequential: run.sequential },
    settings: {
      ...settingsOf(workspace.settings, resolve(source.file)),
      ...toolbox.kept,
      ...(asked && { asked }),
      ...earlierOf(run),
    },
    warnings: [...warningsOf(run.diagnostics), ...warnings],
  });
}

/** A model that writes in a conversation has read it, and the inputs are what it has left. */
function earlierOf({
  asked,
  inputs,
  earlier,
}: ProgramRun): { readonly earlier: Earlier } | undefined {
  const background = asked?.goal.background;
  if (earlier || !background) return earlier && { earlier };
  const program = asked.route !== 'direct' && background.messages.length > 0;
  if (!program && inputs.size === 0) return undefined;
  const left = [...inputs.keys()].filter((name) => !background.own?.includes(name));
  return { earlier: { inputs: left, program } };
}
