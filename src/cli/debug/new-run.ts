/** A run that is started and gone through while it happens: what it asks for waits for a person. */
import { join } from 'node:path';
import type { HeldRun } from '../../agent/port/host.ts';
import { load } from '../../agent/record/load.ts';
import { RunAhead } from '../../agent/travel/run-ahead.ts';
import type { Journal } from '../../engine/journal/journal.ts';
import { loadProgram } from '../../engine/load.ts';
import { readPast } from '../../engine/past/read-past.ts';
import { Turnstile } from '../../engine/perform/gate.ts';
import type { RunResult } from '../../engine/result.ts';
import { oneLine } from '../../text/words.ts';
import { observe } from '../process/telemetry.ts';
import { say, styleOf } from '../view/output.ts';
import { Debugger } from './debugger.ts';
import type { ForkOn } from './fork-on.ts';
import { guardDebugged } from './guard.ts';
import { prompt } from './prompt.ts';

export interface Place {
  /** Absolute path of `.planvm`. */
  readonly home: string;
  readonly journal: Journal;
  readonly run: string;
  readonly ahead?: RunAhead;
  /** How to go on from its past in another run. */
  readonly forking?: ForkOn;
  /** Whether each stop shows the variables that differ from those of the stop before. */
  readonly tracks?: boolean;
  /** Where to stop; it goes on to the first of them that it comes to. */
  readonly breaks?: readonly string[] | undefined;
}

/** Gives whether all that was said could be done. */
export async function goThrough(place: Place, at: string): Promise<boolean> {
  const { home, journal, run, ahead, forking, tracks, breaks = [] } = place;
  const past = readPast(journal.events(run));
  const { status = 'running' } = journal.find(run) ?? {};
  const parts = { loaded: loadProgram(run, past, load), past, status };
  const style = styleOf(process.stdout);
  const debugging = new Debugger({ journal, run, parts, ahead, forking, style, tracks });
  let began = await debugging.obey(`go ${at}`);
  for (const one of breaks) began = (await debugging.obey(`break ${one}`)) && began;
  if (breaks.length > 0 && began) await debugging.obey('continue');
  const historyFile = join(home, 'debug-history');
  const isFine = await prompt({ debug: debugging, historyFile });
  return began && isFine;
}

export interface Through {
  readonly result: RunResult;
  readonly isFine: boolean;
}

export interface Going {
  /** Absolute path of `.planvm`. */
  readonly home: string;
  readonly isResumed?: boolean;
  readonly at: string;
  readonly tracks: boolean;
  /** Where to stop; it goes on to the first of them that it comes to. */
  readonly breaks?: readonly string[] | undefined;
}

/** Who leaves before its end suspends the run. */
export async function goThroughNew(run: HeldRun, going: Going): Promise<Through> {
  const { title, dialect, journal } = run;
  const { home, at, tracks, breaks, isResumed = false } = going;
  const gate = new Turnstile();
  const handle = run.start({ gate });
  const unguard = run.callsFunctions ? guardDebugged(handle) : () => {};
  observe(handle, { title, dialect, resumed: isResumed });
  const name = styleOf(process.stderr).strong(`run ${handle.id}`);
  const how = isResumed ? 'goes on' : 'begun';
  say(`${name}  ${oneLine(title)} (${dialect}), ${how}: what it asks for waits for you`);
  const ahead = new RunAhead({ handle, journal, gate });
  let isFine = false;
  try {
    const place = { home, journal, run: handle.id, ahead, tracks, breaks };
    isFine = await goThrough(place, at);
  } finally {
    unguard();
    if (!ahead.isOver) handle.cancel('interrupted');
    await handle.result;
  }
  const result = await handle.result;
  return { result, isFine };
}
