/**
 * The window: effects are issued out of order and retired in order, like the reorder buffer of a
 * processor (design rule 4). Every effect, lifted operation and emit takes an entry in program
 * order; the oldest entry retires once it has succeeded.
 *
 * - W1 A write starts only when it is the oldest entry: everything before it has succeeded. A call
 *   that looks further starts once all before its group has (issue.ts).
 * - W2 While a write is in the window, only effects behind it start that are `pure`, or see nothing
 *   of the world (`ToolSpec.blind`).
 * - W3 An emit is released when it retires, or when only open streams keep it from that; one of an
 *   attempt as soon as the attempt is the oldest entry, which waits for nothing but itself.
 * - W4 Once an entry has failed, nothing younger starts, and younger effects are cancelled.
 * - W5 A stream that fails has failed where the part is missing that is wanted: see settle.ts.
 */
import type { EffectClass, EffectError } from '../../program/effect.ts';
import { isPending, list, type Pending, settled, type Value } from '../../program/value.ts';
import { onEntry } from '../meter.ts';
import { resultStruct, taskResult, taskValue, tellMended } from '../result-struct.ts';
import type {
  EffectWork,
  EmitWork,
  Entry,
  FibersWork,
  IssueSite,
  LiftWork,
  Race,
  State,
  TaskWork,
  Work,
} from '../state.ts';
import { endStream } from '../stream.ts';
import { fill } from '../task-arguments.ts';
import { bareError, faultOf, faults, type Room, Wait } from '../values/fault.ts';
import { copyAround, isMutable, writeDown } from '../values/pendings.ts';
import type { Surroundings } from '../values/surroundings.ts';
import { boundTo, certain, openQuestion, single } from '../values/uncertain.ts';
import { isVoid, voidFault } from './call-off.ts';
import { askElements, newFan } from './fan.ts';
import { cancel, fail, settleChanges } from './give-up.ts';
import { arrive } from './hand-over.ts';
import { apply } from './lift.ts';
import {
  hasRoomBehind,
  hindrance,
  isStreaming,
  noteEnd,
  releaseBehindStreams,
} from './prerequisites.ts';
import { conclude, leave, losersOf, propose } from './race.ts';
import { releaseAttempt, releaseFibers, releaseText } from './release.ts';

/** For a value that was within bounds when it was made. */
const unbounded: Surroundings = { valueBytes: Infinity };

/** Lifted operations that may be open per open effect or emit of a full window. */
const liftsPerEntry = 4;

/**
 * Takes a group of fibers into the window. `open` are the pending values that any of them needs.
 * The caller has looked for room.
 */
export function enterFibers(
  state: State,
  work: FibersWork,
  open: ReadonlySet<Pending>,
  site: IssueSite,
): void {
  const entry = enter(state, work, open, site);
  // Each fiber waits for values of its own; an attempt never waits as a whole.
  if (work.mode === 'parallel') ready(state, entry, 'read');
  else openFibers(state, entry);
}

function openFibers(state: State, entry: Entry): void {
  entry.state = 'open';
  state.hub.look.set(entry, state);
}

/** The oldest entry, if it is the one that failed (M3). */
export function failedHead(state: State): Entry | undefined {
  if (state.failed === undefined) return undefined;
  for (const entry of state.entries.values()) return entry.state === 'failed' ? entry : undefined;
  return undefined;
}

/**
 * Whether one more entry may open. Lifted operations are counted apart: they cost the world
 * nothing, and what a plan does with results must not take the room of the calls that overlap.
 */
export function hasRoom(state: State, room: Room): boolean {
  const { entries, lifts, limits } = state;
  const { windowEntries } = limits;
  if (room === 'lift' && lifts < liftsPerEntry * (windowEntries - 1)) return true;
  const taken = entries.size - (room === 'lift' ? 0 : lifts);
  return taken < windowEntries || hasRoomBehind(state, room, taken);
}

export function needRoom(state: State, room: Room): void {
  if (!hasRoom(state, room)) throw new Wait({ on: 'room', room });
}

/** Takes a place in program order; `open` are the pending values that it waits for. */
export function enter(
  state: State,
  work: Work,
  open: ReadonlySet<Pending>,
  site: IssueSite,
): Entry {
  for (const pending of open) if (isVoid(state, pending)) throw voidFault();
  const seq = state.next++;
  const entry: Entry = {
    seq,
    site,
    missing: open.size,
    state: 'waiting',
    dependents: [],
    error: undefined,
    charge: 0,
    work,
  };
  for (const pending of open) state.entries.get(pending.entry)?.dependents.push(seq);
  state.entries.set(seq, entry);
  return entry;
}

/** Arguments are there: the effect starts, or waits behind a write. */
export function ready(state: State, entry: Entry, effect: EffectClass): void {
  entry.state = 'ready';
  const { work } = entry;
  const isLate = work.kind === 'effect' && state.hub.watched.size > 0;
  const hindered = isLate && hindrance(state, work.tool, entry.seq);
  if (hindered && hindered !== 'open') refuse(state, entry, work, hindered);
  else if (hindered || !mayStart(state, entry.seq, effect, startOf(entry))) {
    state.gated.push(entry);
  } else if (entry.work.kind === 'fibers') openFibers(state, entry);
  else {
    entry.state = 'open';
    const fan = work.kind === 'effect' ? work.task?.fan : undefined;
    if (work.kind === 'effect' && fan) askElements(state, entry, work, fan);
    else state.outbox.requests.push({ state, entry });
  }
}

/** A call that must not start fails, without having been made. */
function refuse(state: State, entry: Entry, work: EffectWork, error: EffectError): void {
  state.effects.delete(work.id);
  if (work.stream) endStream(work.stream, 'gone');
  ended(state, entry, work.tool, error);
  if (work.task) deliver(state, entry, work.result, taskResult(null, error));
  else if (work.tries) deliver(state, entry, work.result, resultStruct(null, error));
  else fail(state, entry, error);
  retire(state);
  wake(state);
}

/** Calls that come after this one may start, or never will: those of fibers, too. */
export function ended(state: State, entry: Entry, tool: string, error?: EffectError): void {
  if (state.prior.size === 0 || !noteEnd(state, tool, entry.seq, error)) return;
  for (const other of state.hub.byPath.values()) if (other.gated.length > 0) startGated(other);
}

/** The entry before which all must have succeeded where an effect goes out in order. */
const startOf = ({ seq, work }: Entry): number =>
  (work.kind === 'effect' ? work.rounds?.after : undefined) ?? seq;

/** An attempt is a part of its parent's main line: what stands before it counts for both. */
function mayStart(state: State, seq: number, effect: EffectClass, start = seq): boolean {
  const { failed, writes, fiber } = state;
  if (failed !== undefined && seq > failed) return false;
  const write = writes[0];
  if (effect === 'write' && (oldest(state) ?? seq) < start) return false;
  if (effect !== 'pure' && write !== undefined && seq > write) return false;
  return fiber?.work.mode !== 'attempt' || mayStart(fiber.parent, fiber.entry.seq, effect);
}

function oldest(state: State): number | undefined {
  for (const seq of state.entries.keys()) return seq;
  return undefined;
}

/**
 * Hands a value to everything that waits for it, at once and before the guest goes on. A dependent
 * that still waits for something else keeps the value as it is now: an effect as text; a lifted
 * operation by making mutation wait (`held`), so that results that alias parts of it stay right.
 */
export function deliver(state: State, entry: Entry, result: Pending, value: Value): void {
  const queue: Made[] = [];
  give(state, entry, result, value, queue);
  for (let item = queue.shift(); item; item = queue.shift()) give(state, ...item, queue);
}

/** The same to those that wait for one value; what comes of them at once is queued. */
function give(state: State, from: Entry, pending: Pending, given: Value, queue: Made[]): void {
  if (isPending(given)) {
    follow(state, from, pending, given);
    return;
  }
  pending.value = settled(given);
  from.state = 'done';
  for (const seq of from.dependents) {
    const dependent = state.entries.get(seq);
    if (!dependent) continue;
    dependent.missing--;
    const made = advance(state, dependent, pending);
    if (made) queue.push(made);
  }
}

/** The result of a lifted operation turned out to be another pending value: wait for that one. */
function follow(state: State, entry: Entry, result: Pending, target: Pending): void {
  entry.missing = 1;
  const work: Work = { kind: 'lift', op: 0, operand: null, operands: [target], held: 0, result };
  state.entries.set(entry.seq, { ...entry, work });
  state.entries.get(target.entry)?.dependents.push(entry.seq);
}

/** One operand has arrived. Gives a lifted operation's entry, pending and value when it is done. */
function advance(state: State, entry: Entry, pending: Pending): Made | undefined {
  const { work } = entry;
  const value = pending.value ?? null;
  if (work.kind === 'effect' && work.race) return arriveFirst(state, entry, work, work.race);
  if (work.kind !== 'fibers' && entry.state !== 'waiting') return undefined;
  switch (work.kind) {
    case 'fibers':
      arrive(work, pending);
      if (entry.state === 'open') state.hub.look.set(entry, state);
      return undefined;
    case 'effect':
    case 'emit':
      if (entry.missing > 0) {
        // An outcome is data and was within bounds; what fibers give may be anything.
        if (!isMutable(value)) return undefined;
        return attempt(state, entry, work, () => {
          work.arrived ??= new Map();
          work.arrived.set(pending, writeDown(value, unbounded));
          return undefined;
        });
      }
      return attempt(state, entry, work, finishArguments);
    case 'lift':
      if (entry.missing > 0) {
        if (isMutable(value)) {
          work.held++;
          state.held++;
        }
        return undefined;
      }
      state.held -= work.held;
      work.held = 0;
      return attempt(state, entry, work, finishLift);
  }
}

type Made = [Entry, Pending, Value];

const finishLift = (state: State, entry: Entry, work: LiftWork): Made => [
  entry,
  work.result,
  apply(state, work.op, work.operand, work.operands),
];

/** A candidate has come; gives the result of the race where it was decided before. */
function arriveFirst(state: State, entry: Entry, work: EffectWork, race: Race): Made | undefined {
  if (race.winner === undefined) propose(state, entry);
  const made = conclude(race);
  if (made === undefined || 'error' in made) return undefined;
  endRace(state, entry, work, race);
  return [entry, work.result, made.value];
}

export function endRace(state: State, entry: Entry, work: EffectWork, race: Race): void {
  state.effects.delete(work.id);
  for (const loser of losersOf(state, race, entry.seq)) {
    cancel(state, loser);
    leave(loser);
    if (loser.work.kind === 'effect') state.effects.delete(loser.work.id);
  }
}

/** The arguments of a task are there, which may be its end. */
export function argumentsThere(state: State, entry: Entry, work: EffectWork): void {
  const made = attempt(state, entry, work, finishArguments);
  if (made) deliver(state, ...made);
  retire(state);
}

/** Gives entry, pending and value where that is the end of a task: nothing of it goes out. */
function finishArguments(
  state: State,
  entry: Entry,
  work: EffectWork | EmitWork,
): Made | undefined {
  if (work.kind === 'effect' && work.task) return finishTask(state, entry, work, work.task);
  if (work.kind === 'effect' && work.bound) {
    const bound = boundTo(work.args ?? null);
    if ('uncertain' in bound) {
      work.args = undefined;
      state.effects.delete(work.id);
      ended(state, entry, work.tool, openQuestion(work.tool, bound.uncertain));
      return [entry, work.result, bound.uncertain];
    }
    work.args = bound.args;
  }
  if (work.kind === 'effect') single(work.tool, work.args ?? null);
  const text = writeDown(work.args ?? null, state.around, work.arrived);
  work.text = work.kind === 'effect' ? certain(text) : text;
  work.args = undefined;
  work.arrived = undefined;
  if (work.kind === 'effect') ready(state, entry, work.class);
  else entry.state = 'done';
  return undefined;
}

function finishTask(
  state: State,
  entry: Entry,
  work: EffectWork,
  task: TaskWork,
): Made | undefined {
  const given = work.args ?? null;
  const args = work.arrived ? copyAround(given, work.arrived) : given;
  const made = fill(args, task, state.around);
  work.args = undefined;
  work.arrived = undefined;
  task.results = [];
  if ('text' in made) work.text = made.text;
  else if ('texts' in made && made.texts.length > 0) task.fan = newFan(made.texts);
  else {
    state.effects.delete(work.id);
    if ('texts' in made) return [entry, work.result, taskValue(task, list([]))];
    const { code, message } = made.error;
    ended(state, entry, work.tool, made.error);
    if (code === faults.taskSkipped) state.around.warn?.(`${work.tool} was ${message}`);
    return [entry, work.result, taskResult(null, made.error)];
  }
  ready(state, entry, work.class);
  return undefined;
}

/** Runs what may fail with a guest error; then the entry has failed. */
function attempt<W extends Work, T>(
  state: State,
  entry: Entry,
  work: W,
  action: (state: State, entry: Entry, work: W) => T,
): T | undefined {
  try {
    return onEntry(state, entry, work, action);
  } catch (error) {
    const fault = faultOf(error);
    if (!fault) throw error;
    fail(state, entry, bareError(fault));
    return undefined;
  } finally {
    tellMended(state, entry);
  }
}

/** Retires the oldest entries that have succeeded and starts what that lets go. */
export function retire(state: State): void {
  let moved = false;
  let head: Entry | undefined;
  for (const entry of state.entries.values()) {
    if (entry.state !== 'done') {
      head = entry;
      break;
    }
    moved = true;
    state.entries.delete(entry.seq);
    state.instructions += entry.charge;
    if (state.writes[0] === entry.seq) state.writes.shift();
    if (entry.work.kind === 'emit') releaseText(state, entry, entry.work);
    else if (entry.work.kind === 'fibers') releaseFibers(state, entry, entry.work);
    else if (entry.work.kind === 'lift') state.lifts--;
  }
  if (moved && head?.work.kind === 'fibers' && head.work.mode === 'attempt')
    releaseAttempt(state, head, head.work);
  if (moved && state.undo.changes.length > 0) settleChanges(state, head?.seq);
  if (moved && (state.gated.length > 0 || state.awaited)) startGated(state);
  // To find the oldest takes as long as many have been before it, and most are no streams.
  const isNews = !head || state.entries.get(head.seq) !== head || head.state === 'done';
  if (isNews || (head && isStreaming(head))) releaseBehindStreams(state);
}

/** Starts what waited behind an entry that has retired, also in the attempt that is being made. */
function startGated(state: State): void {
  const waiting = state.gated;
  if (waiting.length > 0) state.gated = [];
  for (const entry of waiting) {
    const { work } = entry;
    if (entry.state !== 'ready') continue;
    if (work.kind === 'effect') ready(state, entry, work.class);
    else if (work.kind === 'fibers') ready(state, entry, 'read');
  }
  if (state.awaited) for (const child of attemptsOf(state)) startGated(child);
}

const noStates: readonly State[] = [];

/** The fiber that the running call waits for, if it is an attempt. */
function attemptsOf({ awaited, entries }: State): readonly State[] {
  const work = awaited && entries.get(awaited.entry)?.work;
  if (work?.kind !== 'fibers' || work.mode !== 'attempt') return noStates;
  return [...work.alive.values()].filter((child) => child !== undefined);
}

/** A state has something to look at: so may the attempt that goes on in its place. */
export function wake(state: State): void {
  state.hub.ready.add(state);
  if (state.awaited) for (const child of attemptsOf(state)) wake(child);
}
