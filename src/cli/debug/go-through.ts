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
import { Debugger, type Forking } from './debugger.ts';
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
  /** How to go on from its past in another run. */
  readonly plan?: Forking['plan'];
}

export interface Through {
  /** Whether all that was said could be done. */
  readonly isFine: boolean;
  readonly result: RunResult;
}

/** `result`: how a fork ended in which somebody went on. Who leaves before suspends it. */
export async function goThrough(
  past: Past,
): Promise<Pick<Through, 'isFine'> & { readonly result: RunResult | undefined }> {
  const { home, journal, run, at, ahead, plan, tracks, breaks = [] } = past;
  let fork: Begun | undefined;
  const begin = (held: HeldRun): Begun => {
    fork = begun(held, `, forked from ${run}`, true);
    return fork;
  };
  const parts = walkPartsOf(journal, run);
  const style = styleOf(process.stdout);
  const forking = plan && { plan, begin };
  const debugging = new Debugger({ journal, run, parts, ahead, forking, style, tracks });
  let isFine = false;
  let result: RunResult | undefined;
  try {
    let began = await debugging.obey(`go ${at}`);
    for (const one of breaks) began = (await debugging.obey(`break ${one}`)) && began;
    if (breaks.length > 0 && began) await debugging.obey('continue');
    isFine =
      (await prompt({ debug: debugging, historyFile: join(home, 'debug-history') })) && began;
  } finally {
    result = await fork?.end();
  }
  return { isFine, result };
}

/** Who leaves before its end suspends the run. */
export async function goThroughNew(held: HeldRun, going: Going): Promise<Through> {
  const { run, ahead, end } = begun(held, ` (${held.dialect}), begun`, false);
  let isFine = false;
  let result: RunResult;
  try {
    ({ isFine } = await goThrough({ ...going, journal: held.journal, run, ahead }));
  } finally {
    result = await end();
  }
  return { result, isFine };
}

interface Begun {
  readonly run: string;
  readonly ahead: RunAhead;
  end(): Promise<RunResult>;
}

function begun(held: HeldRun, how: string, resumed: boolean): Begun {
  const { title, dialect, callsFunctions } = held;
  const ahead = new RunAhead(held);
  const { handle } = ahead;
  const unguard = callsFunctions ? guardDebugged(handle) : () => {};
  observe(handle, { title, dialect, resumed });
  const name = styleOf(process.stderr).strong(`run ${handle.id}`);
  say(`${name}  ${oneLine(title)}${how}: what it asks for waits for you`);
  const end = (): Promise<RunResult> => {
    unguard();
    return ahead.end();
  };
  return { run: handle.id, ahead, end };
}
