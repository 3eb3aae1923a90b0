/** Going through a run: in its past, or while it happens, which then waits for a person. */
import { join } from 'node:path';
import type { HeldRun } from '../../agent/port/host.ts';
import { RunAhead } from '../../agent/travel/run-ahead.ts';
import { walkPartsOf } from '../../agent/travel/travel.ts';
import type { Journal } from '../../engine/journal/journal.ts';
import type { RunResult } from '../../engine/result.ts';
import { oneLine } from '../../text/words.ts';
import { observe } from '../process/telemetry.ts';
import { say, styleOf } from '../view/output.ts';
import { Debugger } from './debugger.ts';
import { guardDebugged } from './guard.ts';
import { prompt } from './prompt.ts';

export interface Going {
  /** Absolute path of `.planvm`. */
  readonly home: string;
  readonly at: string;
  /** Whether each stop shows the variables that differ from those of the stop before. */
  readonly tracks?: boolean;
  /** Where to stop; it goes on to the first of them that it comes to. */
  readonly breaks?: readonly string[] | undefined;
}

interface Past extends Going {
  readonly journal: Journal;
  readonly run: string;
  readonly ahead?: RunAhead;
}

/** Gives whether all that was said could be done. */
export async function goThrough(past: Past): Promise<boolean> {
  const { home, journal, run, at, ahead, tracks, breaks = [] } = past;
  const parts = walkPartsOf(journal, run);
  const style = styleOf(process.stdout);
  const debugging = new Debugger({ run, parts, ahead, style, tracks });
  let began = await debugging.obey(`go ${at}`);
  for (const one of breaks) began = (await debugging.obey(`break ${one}`)) && began;
  if (breaks.length > 0 && began) await debugging.obey('continue');
  const isFine = await prompt({ debug: debugging, historyFile: join(home, 'debug-history') });
  return isFine && began;
}

export interface Through {
  /** Whether all that was said could be done. */
  readonly isFine: boolean;
  readonly result: RunResult;
}

/** Who leaves before its end suspends the run. */
export async function goThroughNew(held: HeldRun, going: Going): Promise<Through> {
  const { journal, title, dialect, callsFunctions } = held;
  const ahead = new RunAhead(held);
  const { handle } = ahead;
  const unguard = callsFunctions ? guardDebugged(handle) : () => {};
  observe(handle, { title, dialect, resumed: false });
  const name = styleOf(process.stderr).strong(`run ${handle.id}`);
  say(`${name}  ${oneLine(title)} (${dialect}), begun: what it asks for waits for you`);
  let isFine = false;
  let result: RunResult;
  try {
    isFine = await goThrough({ ...going, journal, run: handle.id, ahead });
  } finally {
    unguard();
    result = await ahead.end();
  }
  return { result, isFine };
}
