/**
 * The state of a run at any place of its past. It is not recorded: the machine is pure, so running
 * the program again with the recorded outcomes leads there, from a checkpoint where that is
 * shorter.
 */
import type { Inspection } from '../../machine/inspection.ts';
import type { Step } from '../../program/program.ts';
import { RunError } from '../codes.ts';
import type { Journal, RunEvent } from '../journal/journal.ts';
import { type Loaded, loadProgram, type RecordedRun } from '../load.ts';
import { readLimits } from '../settings.ts';
import { latestBefore, nearestMark, usable } from './checkpoint.ts';
import { nearSteps, stepsNamed } from './named-steps.ts';
import type { Past } from './past.ts';
import { readPast } from './read-past.ts';
import { type Moment, Walk, type WalkParts } from './walk.ts';

export interface StateAtOptions extends RecordedRun {
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
  const near = place.kind === 'step' ? stateNear({ journal, run, load }, place.name) : undefined;
  return near ?? stateByAll({ journal, run, load, at }, place);
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

// A walk to a step that reads of the journal no more than what lies between two checkpoints: what a
// run of many thousand effects needs to show a state at once. Where anything about that is not
// plain, there is none, and whoever asks reads all.

/** A run begins with its record and its program. */
const headEvents = 2;

function stateNear({ journal, run, load }: RecordedRun, named: string): StateAt | undefined {
  const summary = journal.find(run);
  const seqs = journal.snapshots(run);
  // What a fork shares is cut and changed at its point: its past is read as a whole.
  if (!summary || summary.base || seqs.length === 0) return undefined;
  const head = journal.events(run, 0, headEvents);
  const first = readPast(head);
  if (!first.program) return undefined;
  const loaded = loadProgram(run, first, load);
  const [step, other] = stepsNamed(loaded.program, named);
  if (step === undefined || other !== undefined) return undefined;
  const options = { journal, run, past: first, loaded };
  const from = latestBefore(options, seqs, step);
  const upTo = seqs.find((seq) => seq > (from?.seq ?? 0));
  // One that was emptied has seen outcomes that no longer count, which is said behind it.
  if (upTo !== undefined && !usable(options, upTo)) return undefined;
  const past = readPast([...head, ...journal.events(run, from?.seq ?? headEvents, upTo)]);
  const raised = { ...readLimits(from?.limits ?? {}), ...past.raised };
  const parts = { loaded, past: { ...past, raised }, status: summary.status };
  const mark = from && { snapshot: from.machine, position: 0, emitted: from.emitted };
  const walk = new Walk(parts, mark);
  const moment = walk.nextStep(step);
  if (!moment) return undefined;
  const position = (from?.position ?? 0) + walk.position;
  let whole: Past | undefined;
  return {
    ...{ run, moment, inspection: walk.machine.inspect(), emitted: walk.emitted, position, walk },
    loaded,
    past() {
      whole ??= readPast(journal.events(run));
      return whole;
    },
  };
}

// What is wrong with a place that a run does not have, and which may have been meant.

/** `0#7`; `0#7.1` is one of several requests of an entry. */
const effectForm: RegExp = /^\d+(?:~\d+)?(?:\.\d+(?:~\d+)?)*#\d+(?:\.\d+)?$/;

/** `walk` stands at the start, and walks to the end. */
export function noPlace(
  run: string,
  at: string,
  loaded: Pick<Loaded, 'program' | 'source'>,
  walk: Walk,
): RunError {
  if (effectForm.test(at)) {
    return new RunError('PV5110', `run ${run} has no effect ${at}`, { run });
  }
  const label = labelOf(stepsNamed(loaded.program, at)[0] ?? at);
  const visits = new Map<string, number>();
  for (let moment = walk.next(); moment.kind !== 'end'; moment = walk.next()) {
    if (moment.kind !== 'step') continue;
    const entered = labelOf(moment.step.id);
    // A visit may come before one that was counted ahead.
    visits.set(entered, Math.max(moment.step.visit, visits.get(entered) ?? 0));
  }
  const times = visits.get(label);
  const message =
    times === undefined
      ? `run ${run} has not entered a step ${at}`
      : `run ${run} has entered step ${label} ${times === 1 ? 'once' : `${times} times`}`;
  const some = [...visits.keys()].slice(0, 12).join(', ') + (visits.size > 12 ? ', …' : '');
  const near =
    times === undefined ? nearSteps(loaded.program, at, (one) => visits.has(one)) : undefined;
  if (near !== undefined) return new RunError('PV5110', message, { run, hint: near });
  const inside = times === undefined ? insideOf(label, loaded, visits) : '';
  const hint = `${inside}its steps: ${some || 'none'}; an event is event:12, an effect 0#7`;
  return new RunError('PV5110', message, { run, hint });
}

/** Without the visit. */
const labelOf = (id: string): string => id.replace(/@\d+$/, '');

/**
 * A line within a statement is no place of its own: several calls of a function, also side by side,
 * may be at it. The nearest place is the statement, or the one that has called the function.
 */
function insideOf(
  label: string,
  { program: { steps }, source: { text } }: Pick<Loaded, 'program' | 'source'>,
  entered: ReadonlyMap<string, unknown>,
): string {
  const blocks = blocksOf(steps, text.split('\n'));
  const line = Number(label);
  const around = blocks.find((one) => one.first < line && line <= one.last);
  if (!around) return '';
  if (around.defines === undefined) return `line ${label} is a part of step ${around.first}; `;
  const names = new Set([around.defines]);
  for (const { defines, words } of blocks) {
    if (defines !== undefined && words.some((word) => names.has(word))) names.add(defines);
  }
  const callers = blocks.filter(
    ({ first, defines, words }) =>
      defines === undefined && entered.has(String(first)) && words.some((word) => names.has(word)),
  );
  const where = callers.map(({ first }) => first).slice(0, 3);
  const part = `line ${label} is a part of the function ${around.defines}`;
  return where.length === 0
    ? `${part}; `
    : `${part}: take step ${where.join(' or ')}, which goes there; `;
}

/** A statement outside of functions, with the lines that belong to it. */
interface Block {
  readonly first: number;
  readonly last: number;
  /** The function that it defines. */
  readonly defines: string | undefined;
  readonly words: readonly string[];
}

/** None where steps are not named by their lines. */
function blocksOf(steps: readonly Step[], lines: readonly string[]): Block[] {
  if (steps.some(({ label, line }) => label !== String(line))) return [];
  const starts = steps.map(({ line }) => line).toSorted((a, b) => a - b);
  return starts.map((first, i) => {
    const text = lines
      .slice(first - 1, (starts[i + 1] ?? lines.length + 1) - 1)
      .join('\n')
      .trimEnd();
    const words = text.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? [];
    const defines = words[0] === 'def' ? words[1] : undefined;
    return { first, last: first + text.split('\n').length - 1, defines, words };
  });
}
