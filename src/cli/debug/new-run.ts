/** A run that is started and gone through while it happens: what it asks for waits for a person. */
import { join } from 'node:path';
import type { Journal } from '../../engine/journal/journal.ts';
import { loadProgram } from '../../engine/load.ts';
import { readPast } from '../../engine/past/past.ts';
import { Turnstile } from '../../engine/perform/gate.ts';
import type { RunResult } from '../../engine/result.ts';
import { load } from '../program.ts';
import { type ProgramRun, startProgram } from '../run-program.ts';
import type { Workspace } from '../settings/workspace.ts';
import { observe } from '../telemetry.ts';
import { say, styleOf } from '../view/output.ts';
import { oneLine } from '../view/text.ts';
import { Debugger } from './debugger.ts';
import { guardDebugged } from './guard.ts';
import { prompt } from './prompt.ts';
import { RunAhead } from './run-ahead.ts';

export interface Place {
  readonly workspace: Workspace;
  readonly journal: Journal;
  readonly run: string;
  readonly ahead?: RunAhead;
  /** Whether each stop shows the variables that differ from those of the stop before. */
  readonly tracks?: boolean;
}

/** Gives whether all that was said could be done. */
export async function goThrough(place: Place, at: string): Promise<boolean> {
  const { workspace, journal, run, ahead, tracks } = place;
  const past = readPast(journal.events(run));
  const { status = 'running' } = journal.find(run) ?? {};
  const parts = { loaded: loadProgram(run, past, load), past, status };
  const style = styleOf(process.stdout);
  const debugging = new Debugger({ journal, run, parts, ahead, style, tracks });
  const began = await debugging.obey(`go ${at}`);
  const historyFile = join(workspace.home, 'debug-history');
  const isFine = await prompt({ debug: debugging, historyFile });
  return began && isFine;
}

export interface Through {
  readonly result: RunResult;
  readonly isFine: boolean;
}

/** Who leaves before its end suspends the run. */
export async function goThroughNew(
  run: Omit<ProgramRun, 'kept'>,
  { at, tracks }: { readonly at: string; readonly tracks: boolean },
): Promise<Through> {
  const { workspace, toolbox, source, program, dialect, journal } = run;
  const gate = new Turnstile();
  const handle = startProgram(run, { gate });
  const unguard = toolbox.callsFunctions(program) ? guardDebugged(handle) : () => {};
  observe(handle, { title: source.title, dialect, resumed: false });
  const name = styleOf(process.stderr).strong(`run ${handle.id}`);
  say(`${name}  ${oneLine(source.title)} (${dialect}), begun: what it asks for waits for you`);
  const ahead = new RunAhead({ handle, journal, gate });
  let isFine = false;
  try {
    isFine = await goThrough({ workspace, journal, run: handle.id, ahead, tracks }, at);
  } finally {
    unguard();
    if (!ahead.isOver) handle.cancel('interrupted');
    await handle.result;
  }
  const result = await handle.result;
  return { result, isFine };
}
