/** A machine's state as JSON-able data, and back: the main line, and in its window the fibers. */
import type { Program } from '../program/program.ts';
import type { Cell, Pending } from '../program/value.ts';
import { newFiber } from './fibers.ts';
import type { Snapshot } from './machine.ts';
import {
  type FrozenEmit,
  type FrozenEntry,
  freezeEmit,
  freezeEntry,
  thawEmit,
  thawEntry,
} from './snapshot-entry.ts';
import {
  type HeapReader,
  type HeapWriter,
  heapReader,
  heapWriter,
  type Node,
  type Slot,
} from './snapshot-heap.ts';
import {
  type Arrival,
  type EffectWork,
  type Entry,
  emptyHub,
  type Fan,
  type FibersWork,
  type Frame,
  newState,
  type Prior,
  type State,
} from './state.ts';
import type { Emit, StepVisit, TurnWarning } from './turn.ts';
import { askElementsAgain } from './window/fan.ts';
import { undoOf } from './window/give-up.ts';

interface FrozenMachine {
  readonly heap: readonly Node[];
  readonly main: FrozenState;
  /** What the next turn will report, but for the requests: those that are open are made again. */
  readonly outbox: {
    readonly cancels: readonly string[];
    readonly emits: readonly FrozenEmit[];
    readonly steps: readonly StepVisit[];
    readonly warnings: readonly TurnWarning[];
  };
  /** What has not taken hold yet; absent as a rule. */
  readonly arrived?: readonly Arrival[];
}

interface FrozenState {
  readonly stack: readonly Slot[];
  /** By slot. */
  readonly globals: readonly (readonly [number, Slot])[];
  readonly frames: readonly (readonly [number, number, number, readonly Slot[]])[];
  readonly entries: readonly FrozenEntry[];
  /** Of the groups among the entries: sequence number, index, state. */
  readonly fibers: readonly (readonly [number, number, FrozenState])[];
  /** Slot, value before, sequence number of the next entry; see `Undo`. */
  readonly changes: readonly (readonly [number, Slot, number])[];
  /** Sequence numbers. */
  readonly effects: readonly number[];
  readonly gated: readonly number[];
  /** Tool, first success, first failure, those under way. */
  readonly prior: readonly (readonly [string, number | null, Prior['failed'] | null, number[]])[];
  readonly answers: readonly FrozenEmit[];
  readonly awaited: Slot;
  readonly plain: PlainState;
}

type PlainState = { readonly label?: string; readonly broken?: boolean } & Pick<
  State,
  | 'step'
  | 'visits'
  | 'epoch'
  | 'issued'
  | 'spawned'
  | 'generation'
  | 'instructions'
  | 'next'
  | 'writes'
  | 'failed'
  | 'lifts'
  | 'held'
  | 'ending'
  | 'ended'
  | 'error'
>;

export function freeze(state: State): Snapshot {
  const writer = heapWriter();
  const main = freezeState(state, writer);
  const outbox = {
    cancels: [...state.outbox.cancels],
    emits: state.outbox.emits.map((emit) => freezeEmit(emit, writer)),
    steps: [...state.outbox.steps],
    warnings: [...state.outbox.warnings],
  };
  writer.rest();
  const { arrived } = state.hub;
  const frozen: FrozenMachine = {
    ...{ heap: writer.heap, main, outbox },
    ...(arrived.length > 0 ? { arrived: [...arrived] } : {}),
  };
  return {
    version: 1,
    chunks: state.program.chunks.map((chunk) => chunk.hash),
    globals: [...state.program.globals],
    state: frozen,
  };
}

/** Characters that an entry takes in a text, about, and a variable with its name. */
const entryChars = 300;
const variableChars = 20;

export function extentOf({ hub, globals }: State): number {
  let entries = 0;
  for (const state of hub.byPath.values()) entries += state.entries.size;
  return entries * entryChars + globals.length * variableChars;
}

function freezeState(state: State, writer: HeapWriter): FrozenState {
  const { slot } = writer;
  const sharesGlobals = state.fiber?.work.mode === 'attempt';
  return {
    stack: state.stack.map(slot),
    globals: state.globals.flatMap((value, at) =>
      value === undefined || sharesGlobals ? [] : [[at, slot(value)] as const],
    ),
    frames: state.frames.map(
      (frame) => [frame.chunk, frame.pc, frame.base, frame.captured.map(slot)] as const,
    ),
    entries: [...state.entries.values()].map((entry) => freezeEntry(entry, writer)),
    fibers: fibersIn(state).map(
      ({ seq, index, child }) => [seq, index, freezeState(child, writer)] as const,
    ),
    changes: state.undo.changes.map((one) => [one.slot, slot(one.before), one.next] as const),
    effects: [...new Set(state.effects.values())].map((entry) => entry.seq),
    gated: state.gated.map((entry) => entry.seq),
    prior: [...state.prior].map(
      ([tool, { ok = null, failed = null, open }]) => [tool, ok, failed, [...open]] as const,
    ),
    answers: state.answers.map((emit) => freezeEmit(emit, writer)),
    awaited: slot(state.awaited),
    plain: plain(state),
  };
}

function fibersIn(state: State): { seq: number; index: number; child: State }[] {
  return [...state.entries.values()].flatMap(({ seq, work }) =>
    work.kind === 'fibers'
      ? [...work.alive].flatMap(([index, child]) => (child ? [{ seq, index, child }] : []))
      : [],
  );
}

function plain(state: State): PlainState {
  const { epoch, step, visits, issued, spawned, generation, instructions, next, writes } = state;
  const { failed, hub, lifts, held, ending, ended, error, label } = state;
  const counters = {
    epoch,
    step,
    visits: [...visits],
    issued,
    spawned,
    generation,
    instructions,
    next,
  };
  const kept = { ...counters, ...(label !== '' && { label }), writes: [...writes] };
  return { ...kept, failed, broken: hub.broken.has(state), lifts, held, ending, ended, error };
}

/**
 * How often each step had been entered, by index; nothing for never. Where the main line waits for
 * an attempt, that has counted on.
 */
export function visitsIn({ state }: Snapshot): readonly (number | null | undefined)[] {
  // Only `freeze` makes snapshots.
  let { main: line } = state as FrozenMachine;
  for (;;) {
    const attempts = new Set(line.entries.filter(isAttempt).map(({ entry }) => entry.seq));
    const [, , inner] = line.fibers.find(([seq]) => attempts.has(seq)) ?? [];
    if (inner?.plain.label === undefined) return line.plain.visits;
    line = inner;
  }
}

const isAttempt = ({ work }: FrozenEntry): boolean => 'mode' in work && work.mode === 'attempt';

/** The state that `freeze` wrote. Effects that were open are requested again. */
export function thaw(
  program: Program,
  given: Pick<State, 'tools' | 'limits' | 'builtins' | 'host' | 'around' | 'meter' | 'library'>,
  snapshot: Snapshot,
): State {
  // Only `freeze` makes snapshots, and their chunk hashes have been checked.
  const { heap, main, outbox, arrived = [] } = snapshot.state as FrozenMachine;
  const read = heapReader(heap, given.host);
  const state = newState({
    program,
    ...given,
    hub: emptyHub(given.tools),
    fiber: undefined,
    globals: program.globals.map(() => undefined),
    outbox: {
      requests: [],
      cancels: [...outbox.cancels],
      won: [],
      emits: outbox.emits.map((emit): Emit => thawEmit(emit, read)),
      steps: [...outbox.steps],
      warnings: [...outbox.warnings],
    },
  });
  state.hub.byPath.set('0', state);
  thawState(state, main, read);
  state.hub.arrived.push(...arrived);
  return state;
}

/** Fills a new state. */
function thawState(state: State, frozen: FrozenState, read: HeapReader): void {
  const { hub, outbox, entries } = state;
  for (const slot of frozen.stack) state.stack.push(read(slot));
  for (const [at, slot] of frozen.globals) state.globals[at] = read(slot);
  for (const frame of frozen.frames) state.frames.push(thawFrame(frame, read));
  const { broken = false, ...plain } = frozen.plain;
  if (broken) hub.broken.add(state);
  Object.assign(state, {
    ...plain,
    label: plain.label ?? '',
    failed: plain.failed ?? undefined,
    ending: plain.ending ?? undefined,
    ended: plain.ended ?? undefined,
    error: plain.error ?? undefined,
    visits: [...plain.visits],
    writes: [...plain.writes],
    awaited: read(frozen.awaited) as Pending | undefined,
    undo: undoOf(
      frozen.changes.map(([slot, before, next]) => ({ slot, before: read(before), next })),
    ),
  });
  for (const one of frozen.entries) {
    const entry = thawEntry(one, state, read);
    entries.set(entry.seq, entry);
    if (entry.state !== 'open') continue;
    if (entry.work.kind === 'fibers') lookAgain(state, entry, entry.work);
    else if (!fanOf(entry)) outbox.requests.push({ state, entry });
    if (entry.work.kind === 'effect' && entry.work.race?.winner === undefined) {
      again(outbox, entry.work);
    }
  }
  const entriesOf = (seqs: readonly number[]): Entry[] =>
    seqs.map((seq) => entries.get(seq)).filter((entry) => entry !== undefined);
  for (const entry of entriesOf(frozen.effects)) {
    if (entry.work.kind !== 'effect') continue;
    const fan = fanOf(entry);
    if (fan) askElementsAgain(state, entry, entry.work, fan);
    else state.effects.set(entry.work.id, entry);
  }
  state.gated = entriesOf(frozen.gated);
  for (const [tool, ok, failed, open] of frozen.prior) {
    const prior = { ok: ok ?? undefined, failed: failed ?? undefined, open: new Set(open) };
    state.prior.set(tool, prior);
  }
  for (const emit of frozen.answers) state.answers.push(thawEmit(emit, read));
  for (const [seq, index, child] of frozen.fibers) thawFiber(state, seq, index, child, read);
  hub.ready.add(state);
}

/** Those that would have started more fibers wait for room from the first moment on. */
function lookAgain(state: State, entry: Entry, work: FibersWork): void {
  state.hub.look.set(entry, state);
  const end = work.failure?.index ?? work.calls.length;
  if (work.next > 0 && work.next < end) state.hub.starved.set(entry, state);
}

const fanOf = ({ work, state }: Entry): Fan | undefined =>
  work.kind === 'effect' && state === 'open' ? work.task?.fan : undefined;

/** What has been seen of a race, and was not decided yet. */
function again({ won }: State['outbox'], { id, race }: EffectWork): void {
  if (race?.proposed !== undefined) won.push({ effect: id, index: race.proposed });
}

function thawFiber(
  parent: State,
  seq: number,
  index: number,
  frozen: FrozenState,
  read: HeapReader,
): void {
  const entry = parent.entries.get(seq);
  if (entry?.work.kind !== 'fibers') return;
  const { work } = entry;
  const path = `${work.path}.${work.first + index}`;
  const child = newFiber({ parent, entry, work, index, path, outer: undefined });
  work.alive.set(index, child);
  work.idle--;
  parent.hub.byPath.set(path, child);
  thawState(child, frozen, read);
}

const thawFrame = (
  [chunk, pc, base, captured]: FrozenState['frames'][number],
  read: HeapReader,
): Frame => ({ chunk, pc, base, captured: captured.map((slot) => read(slot) as Cell) });
