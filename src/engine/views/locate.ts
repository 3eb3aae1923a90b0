/**
 * Finds the place in a run's history at which a fork begins to differ: from the start, which also
 * says what came before; or from a checkpoint, reading no more of a long history than lies behind
 * that.
 */
import type { LineView } from '../../machine/inspection.ts';
import type { Machine } from '../../machine/machine.ts';
import type { StepVisit } from '../../machine/turn.ts';
import type { Program } from '../../program/program.ts';
import { RunError } from '../codes.ts';
import type { Journal, RunEvent } from '../journal/journal.ts';
import { type ForkPoint, isBefore } from '../journal/lineage.ts';
import type { Loaded } from '../load.ts';
import { latestBefore } from '../past/checkpoint.ts';
import { stepsNamed } from '../past/named-steps.ts';
import type { Past } from '../past/past.ts';
import { readPast } from '../past/read-past.ts';
import { noPlace } from '../past/time.ts';
import { Walk } from '../past/walk.ts';

export interface Place extends Found {
  /** The steps that the main line has entered before, in order. */
  readonly steps: readonly StepVisit[];
  readonly program: Program;
}

/** A point, and the variables that can be set there. */
export interface Found {
  readonly point: ForkPoint;
  readonly names: readonly string[];
}

/**
 * The place of a step, or of the step that has issued an effect. Throws `RunError` PV5110 where the
 * run has not come there.
 */
export function locate(loaded: Loaded, events: readonly RunEvent[], at: string): Place {
  const past = readPast(events);
  const parts = { loaded, past, status: 'done' } as const;
  const isEffect = at.includes('#');
  const named = isEffect ? [stepOf(new Walk(parts), parts, at)] : stepsNamed(loaded.program, at);
  const ids = named.filter((id) => id !== undefined);
  const walk = new Walk(parts);
  const steps: StepVisit[] = [];
  while (ids.length > 0) {
    const moment = walk.next();
    if (moment.kind === 'end') break;
    if (moment.kind !== 'step') continue;
    if (moment.step.path !== undefined) {
      if (ids.includes(moment.step.id)) throw within(moment.step);
      continue;
    }
    if (ids.includes(moment.step.id)) {
      return { ...foundAt(walk, moment.step.id, past.emits), steps, program: loaded.program };
    }
    steps.push(moment.step);
  }
  throw noPlace(past.record?.id ?? '', at, loaded, new Walk(parts));
}

/**
 * The point of a step, from the latest checkpoint before it. `head` is what the first events of the
 * run say. Undefined where there is none that will do, or the run has not come there.
 */
export function pointBehind(
  { journal, run, head }: { readonly journal: Journal; readonly run: string; readonly head: Past },
  loaded: Loaded,
  at: string,
): Found | undefined {
  const [step, other] = stepsNamed(loaded.program, at);
  if (step === undefined || other !== undefined) return undefined;
  const since = head.record?.base?.seq ?? 0;
  const seqs = journal.snapshots(run).filter((seq) => seq > since);
  const found = latestBefore({ journal, run, past: head, loaded }, seqs, step);
  const events = found && journal.events(run, found.seq);
  // Whether the checkpoint knows of what was taken back there, only the whole history says.
  if (!events || events.some((event) => event.type === 'run.resumed' && event.again)) return;
  const { assignments } = head;
  const past = { ...readPast(events), assignments };
  const mark = { snapshot: found.machine, position: 0, emitted: found.emitted };
  try {
    const walk = new Walk({ loaded, past, status: 'done' }, mark);
    for (;;) {
      const moment = walk.next(({ id, path }) => id === step && path === undefined);
      if (moment.kind === 'step') return foundAt(walk, step, found.emitted + past.emits);
      if (moment.kind === 'end') return undefined;
    }
  } catch {
    // It is damaged inside; the start does as well.
    return undefined;
  }
}

/** What a call that is waited for has asked for is all before the point, or all behind it. */
const within = ({ id, within: around = '' }: StepVisit): RunError =>
  new RunError('PV5110', `step ${id} is within a call that is done as a whole, or not at all`, {
    hint: around === '' ? 'take a step before it' : `take the step that makes the call: ${around}`,
  });

/** Where a walk stands that has just come to a step; `released`: messages of the whole run. */
function foundAt(walk: Walk, step: string, released: number): Found {
  const names = walk.machine.names();
  const { generation, issued, spawned, open } = mainLine(walk.machine);
  const before = walk.emitted;
  const messages = Math.min(before + stillToCome(walk, released, open), released);
  return { point: { step, generation, issued, spawned, messages }, names };
}

/** Messages that were to be released when the step was entered, and were. */
function stillToCome(walk: Walk, released: number, open: LineView['open']): number {
  const entries = new Set(
    open.filter(({ kind }) => kind === 'emit' || kind === 'fibers').map(({ seq }) => seq),
  );
  if (entries.size === 0 || walk.emitted >= released) return 0;
  walk.takeEmits();
  while (walk.next(() => false).kind !== 'end');
  return walk.takeEmits().filter(({ entry }) => entry !== undefined && entries.has(entry)).length;
}

/** The step that the main line was in when it issued the effect, or asked for its fiber. */
function stepOf(
  walk: Walk,
  { loaded, past }: { readonly loaded: Loaded; readonly past: Past },
  effect: string,
): string | undefined {
  const step = past.effects.get(effect)?.step;
  // A task may be called after its place in a plan, where the program has no step.
  const isStep = loaded.program.steps.some(({ label }) => label === step?.replace(/@\d+$/, ''));
  if (step && isStep && /^\d+(~\d+)?#/.test(effect)) return step;
  let last: string | undefined;
  for (;;) {
    const moment = walk.next();
    if (moment.kind === 'outcome') continue;
    const { generation, issued, spawned } = mainLine(walk.machine);
    if (isBefore(effect, { step: '', generation, issued, spawned, messages: 0 })) return last;
    if (moment.kind !== 'step') return undefined;
    if (moment.step.path === undefined) last = moment.step.id;
  }
}

export function mainLine(machine: Machine): LineView {
  const [main] = machine.inspect().lines;
  if (!main) throw new Error('a machine has a main line');
  return main;
}
