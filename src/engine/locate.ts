/** Finds the place in a run's history at which a fork begins to differ. */
import type { LineView } from '../machine/inspection.ts';
import type { Machine, StepVisit } from '../machine/machine.ts';
import type { Program } from '../program/program.ts';
import { type ForkPoint, isBefore } from './fork-point.ts';
import type { RunEvent } from './journal.ts';
import type { Loaded } from './load.ts';
import { type Past, readPast } from './past.ts';
import { noPlace } from './time.ts';
import { Walk } from './walk.ts';

export interface Place {
  /** The step that is entered there. */
  readonly step: string;
  readonly point: ForkPoint;
  /** The steps that the main line has entered before, in order. */
  readonly steps: readonly StepVisit[];
  readonly program: Program;
}

/**
 * The place of a step, or of the step that has issued an effect. Throws `RunError` PV5110 where the
 * run has not come there.
 */
export function locate(loaded: Loaded, events: readonly RunEvent[], at: string): Place {
  const past = readPast(events);
  const parts = { loaded, past, status: 'done' } as const;
  const step = at.includes('#') ? stepOf(new Walk(parts), past, at) : at.replace(/@1$/, '');
  const walk = new Walk(parts);
  const steps: StepVisit[] = [];
  let here: StepVisit | undefined;
  while (here === undefined && step !== undefined) {
    const moment = walk.next();
    if (moment.kind === 'end') break;
    if (moment.kind !== 'step') continue;
    if (moment.step.id === step) here = moment.step;
    else steps.push(moment.step);
  }
  if (!here || step === undefined) throw noPlace(past.record?.id ?? '', at, new Walk(parts));
  const { generation, issued, spawned, open } = mainLine(walk.machine);
  const messages = walk.emitted + stillToCome(walk, past.emits, open);
  const point = {
    ...{ step, generation, issued, spawned },
    messages: Math.min(messages, past.emits),
  };
  return { step, point, steps, program: loaded.program };
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
function stepOf(walk: Walk, { effects }: Past, effect: string): string | undefined {
  const step = effects.get(effect)?.step;
  if (step && /^\d+(~\d+)?#/.test(effect)) return step;
  let last: string | undefined;
  for (;;) {
    const moment = walk.next();
    if (moment.kind === 'outcome') continue;
    const { generation, issued, spawned } = mainLine(walk.machine);
    const here = { step: '', generation, issued, spawned, messages: 0 };
    if (isBefore(effect, here)) return last;
    if (moment.kind !== 'step') return undefined;
    last = moment.step.id;
  }
}

export function mainLine(machine: Machine): LineView {
  const [main] = machine.inspect().lines;
  if (!main) throw new Error('a machine has a main line');
  return main;
}
