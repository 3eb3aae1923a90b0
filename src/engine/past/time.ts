/**
 * The state of a run at any place of its past. It is not recorded: the machine is pure, so running
 * the program again with the recorded outcomes leads there.
 */
import type { Inspection } from '../../machine/inspection.ts';
import { RunError } from '../codes.ts';
import type { Journal, RunEvent } from '../journal/journal.ts';
import { type Load, type Loaded, loadProgram } from '../load.ts';
import { nearestMark } from './checkpoint.ts';
import { stepsNamed } from './named-steps.ts';
import { walkNear } from './near.ts';
import { effectForm, noPlace } from './no-place.ts';
import type { Past } from './past.ts';
import { readPast } from './read-past.ts';
import { type Moment, Walk, type WalkParts } from './walk.ts';

export interface StateAtOptions {
  readonly journal: Journal;
  readonly run: string;
  readonly load: Load;
  /**
   * A step, `4@2`, as people name it: as it was entered. An effect, `0#7`: as the step was entered
   * that issued it.
   * `event:12`: after that event of the journal. `start`, `end`.
   */
  readonly at: string;
}

export interface StateAt {
  readonly run: string;
  /** The step that was entered last, where `at` names a step or an effect. */
  readonly moment: Moment;
  readonly inspection: Inspection;
  /** Messages and answers released before. */
  readonly emitted: number;
  /** How many of the outcomes in `order` of the past came before. */
  readonly position: number;
  /** Stands there; whoever asked may go on with it. */
  readonly walk: Walk;
  readonly loaded: Loaded;
  /** All that the journal has, what came later included; read when it is asked for. */
  readonly past: () => Past;
}

type Place =
  | { readonly kind: 'step'; readonly name: string }
  | { readonly kind: 'effect'; readonly id: string }
  | { readonly kind: 'event'; readonly seq: number }
  | { readonly kind: 'start' }
  | { readonly kind: 'end' };

/** Throws `RunError` where there is no such run, or no such place in it. */
export function stateAt({ journal, run, load, at }: StateAtOptions): StateAt {
  const place = placeOf(at);
  const near = place.kind === 'step' ? walkNear({ journal, run, load }, place.name) : undefined;
  if (near) {
    const { moment, walk, loaded, position } = near;
    const { machine, emitted } = walk;
    const inspection = machine.inspect();
    let past: Past | undefined;
    return {
      ...{ run, moment, inspection, emitted, position, walk, loaded },
      past() {
        past ??= readPast(journal.events(run));
        return past;
      },
    };
  }
  return stateByAll({ journal, run, load, at }, place);
}

/** Reads the whole history. */
function stateByAll({ journal, run, load, at }: StateAtOptions, place: Place): StateAt {
  const events = eventsOf(journal, run);
  const seen = place.kind === 'event' ? upTo(events, place.seq, run) : events;
  const past = readPast(events);
  const { status } = journal.find(run) ?? { status: 'running' };
  const known = seen === events ? past : readPast(seen);
  // Its first events come before its program.
  const { record, program } = past;
  const loaded = loadProgram(run, known.program ? known : { ...known, record, program }, load);
  const parts = { loaded, past: known, status };
  const walk = new Walk(parts);
  const moment = walkTo(walk, place, parts, (step) => {
    const from = nearestMark({ journal, run, past: known, loaded }, step);
    try {
      if (from) walk.goTo(from);
    } catch {
      // It is damaged inside; the start does as well.
      walk.goTo();
    }
  });
  if (!moment) throw noPlace(run, at, loaded, new Walk(parts));
  const { machine, emitted, position } = walk;
  const inspection = machine.inspect();
  return { run, moment, inspection, emitted, position, walk, loaded, past: () => past };
}

/** The events of a run; throws where there is none. */
function eventsOf(journal: Journal, run: string): readonly RunEvent[] {
  const events = journal.events(run);
  if (events.length > 0) return events;
  throw new RunError('PV5105', `there is no run ${run}`, { run });
}

function placeOf(at: string): Place {
  if (at === 'start' || at === 'end') return { kind: at };
  const [, seq] = /^event:(\d+)$/.exec(at) ?? [];
  if (seq !== undefined) return { kind: 'event', seq: Number(seq) };
  if (effectForm.test(at)) return { kind: 'effect', id: at };
  return { kind: 'step', name: at };
}

function upTo(events: readonly RunEvent[], seq: number, run: string): readonly RunEvent[] {
  const last = events.at(-1)?.seq ?? 0;
  if (seq >= 1 && seq <= last) return events.filter((event) => event.seq <= seq);
  throw new RunError('PV5110', `run ${run} has no event ${seq}`, {
    hint: `its events are numbered from 1 to ${last}`,
  });
}

/**
 * Goes there from the start; undefined where the walk never comes to the place. `approach` brings
 * it as near to a step as can be, or to the end.
 */
function walkTo(
  walk: Walk,
  place: Place,
  { loaded, past }: Pick<WalkParts, 'loaded' | 'past'>,
  approach: (step?: string) => void,
): Moment | undefined {
  if (place.kind === 'start') return { kind: 'start' };
  if (place.kind === 'step') {
    const ids = stepsNamed(loaded.program, place.name);
    if (ids.length === 1) approach(ids[0]);
    return walk.nextStep(...ids);
  }
  let step: string | undefined;
  if (place.kind === 'effect') {
    step = past.effects.get(place.id)?.step ?? stepIssuing(walk, place.id);
    if (step === undefined) return undefined;
    walk.goTo();
    if (step === '') return { kind: 'start' };
  }
  approach(step);
  return step === undefined ? walkToEnd(walk) : walk.nextStep(step);
}

function walkToEnd(walk: Walk): Moment {
  let moment = walk.next(() => false);
  while (moment.kind !== 'end') moment = walk.next(() => false);
  return moment;
}

/** The step of an effect that the journal knows nothing of, as it was never started. */
function stepIssuing(walk: Walk, effect: string): string | undefined {
  walkToEnd(walk);
  const open = walk.machine.inspect().lines.flatMap((line) => line.open);
  return open.find(({ id, kind }) => kind === 'effect' && id === effect)?.step;
}
