/**
 * Fibers: calls of functions that run beside their parent (`parallel`) or in its place (`attempt`).
 * A fiber is a state of its own, with frames, window and counters; its parent's window holds one
 * entry for the whole group, so order and failures are those of any entry.
 *
 * - F1 A fiber's path is its parent's and its ordinal in program order, so that the ids of its
 *   effects never depend on time; no more are alive than a window has room for, but one per group.
 * - F2 The fibers of a `parallel` change nothing that another can see; results and what they
 *   released come in order, up to the failure of the lowest.
 * - F3 What a fiber holds is there when it starts: it never sees a pending value of its parent.
 * - F4 Who lives depends on the order of outcomes, never on how many came in one go.
 */
import type { GuestError } from '../program/effect.ts';
import { list, settled, type Value } from '../program/value.ts';
import { guestError } from './failure.ts';
import { begin } from './invoke.ts';
import { onEntry } from './meter.ts';
import { countAlong, takeCounted } from './named-step.ts';
import { resultStruct } from './result-struct.ts';
import { type Entry, type Fiber, type FibersWork, newState, type State } from './state.ts';
import { bareError, faultOf } from './values/fault.ts';
import { fail, giveUpFibers, removeFiber } from './window/give-up.ts';
import { takeOver } from './window/prerequisites.ts';
import { deliver, retire, wake } from './window/window.ts';

/**
 * Starts what may start of the groups that have something new. Room goes to the group that comes
 * first in the program, whichever asked first: who is alive must not depend on when that was.
 */
export function startFibers({ hub, limits }: State): void {
  for (const [entry, parent] of hub.look) {
    hub.look.delete(entry);
    const work = openWork(entry, parent);
    if (work) startSome(parent, entry, work, work.alive.size === 0 ? 1 : 0);
  }
  while (hub.alive < limits.windowEntries) {
    const entry = firstStarved(hub.starved);
    const parent = entry && hub.starved.get(entry);
    if (!parent) return;
    hub.starved.delete(entry);
    const work = openWork(entry, parent);
    if (work) startSome(parent, entry, work, limits.windowEntries - hub.alive);
  }
}

/** Undefined for a group that is over or was given up. */
function openWork(entry: Entry, parent: State): FibersWork | undefined {
  const isOpen = entry.state === 'open' && parent.entries.get(entry.seq) === entry;
  return isOpen && entry.work.kind === 'fibers' ? entry.work : undefined;
}

function firstStarved(starved: State['hub']['starved']): Entry | undefined {
  if (starved.size <= 1) return starved.keys().next().value;
  let first: { readonly entry: Entry; readonly key: readonly number[] } | undefined;
  for (const entry of starved.keys()) {
    if (entry.work.kind !== 'fibers') continue;
    const key = keyOfPath(`${entry.work.path}.${entry.work.first}`);
    if (!first || compareKeys(key, first.key) < 0) first = { entry, key };
  }
  return first?.entry;
}

/** Lets up to `most` further fibers live, and begins those that have all they hold. */
function startSome(parent: State, entry: Entry, work: FibersWork, most: number): void {
  const { hub } = parent;
  const end = work.failure?.index ?? work.calls.length;
  const from = work.next;
  for (; work.next < end && work.next < from + most; work.next++) {
    work.alive.set(work.next, undefined);
    work.idle++;
    hub.alive++;
  }
  if (work.next < end) hub.starved.set(entry, parent);
  const { common, counts } = work.missing;
  if (common.size > 0) return;
  for (let index = from; index < work.next; index++) {
    if (!counts.has(index)) start(parent, entry, work, index);
  }
  // Most groups never wait for anything.
  if (work.idle === 0) return;
  for (const [index, child] of work.alive) {
    if (!child && !counts.has(index)) start(parent, entry, work, index);
  }
}

/** Puts a fiber at the beginning of its call. What is wrong with the call is its failure. */
function start(parent: State, entry: Entry, work: FibersWork, index: number): void {
  const call = work.calls[index];
  if (!call) return;
  work.calls[index] = undefined;
  const path = `${work.path}.${work.first + index}`;
  const child = newFiber({ parent, entry, work, index, path, outer: undefined });
  work.alive.set(index, child);
  work.idle--;
  parent.hub.byPath.set(path, child);
  parent.hub.ready.add(child);
  try {
    const callee = settled(work.callee);
    const value = onEntry(parent, entry, call, (_state, _entry, given) =>
      begin(child, callee, given),
    );
    if (value === undefined) return;
    child.stack.push(value);
    child.ending = {};
  } catch (thrown) {
    const fault = faultOf(thrown);
    if (!fault) throw thrown;
    const site = { ...entry.site, trace: [] };
    child.ending = { error: guestError(child, bareError(fault), site) };
  }
}

/** A state for a fiber, before its first frame. */
export function newFiber(fiber: Fiber): State {
  const { parent, entry, work } = fiber;
  const { program, tools, limits, builtins, host, around, meter, library, hub, outbox } = parent;
  const depth = entry.site.trace.length / 2;
  const child = newState({
    program,
    tools,
    limits: { ...limits, callDepth: limits.callDepth - depth },
    builtins,
    host,
    around,
    meter,
    library,
    hub,
    outbox,
    fiber,
    globals: work.mode === 'attempt' ? parent.globals : globalsOf(parent, work),
  });
  child.epoch = fiber.path;
  child.step = entry.site.step;
  child.label = entry.site.label ?? '';
  if (child.step >= 0) child.visits[child.step] = entry.site.visit;
  if (work.mode === 'attempt') countAlong(child, parent);
  return child;
}

function globalsOf({ program }: State, { globals }: FibersWork): (Value | undefined)[] {
  const values: (Value | undefined)[] = new Array(program.globals.length).fill(undefined);
  for (const [slot, value] of globals) values[slot] = value;
  return values;
}

/** A fiber has ended: its group has a result more, or is over. */
export function finishFiber(child: State, fiber: Fiber): void {
  const { parent, entry, work, index } = fiber;
  const { hub } = parent;
  const value = settled(child.stack.at(-1) ?? null);
  const { error, answers } = child;
  if (answers.length > 0) work.emits.set(index, answers);
  work.alive.delete(index);
  hub.alive--;
  removeFiber(child);
  if (work.mode === 'attempt') takeOver(parent, child, entry.seq);
  if (work.mode === 'attempt' && !error) takeCounted(parent, child);
  if (work.mode === 'attempt' && child.epoch !== fiber.path) parent.epoch = child.epoch;
  if (work.mode === 'attempt' && !error?.final)
    conclude(parent, entry, work, resultStruct(error ? null : value, error && located(error)));
  else {
    if (error) lowest(parent, entry, work, { index, error });
    else work.results[index] = value;
    join(parent, entry, work);
  }
  hub.look.set(entry, parent);
}

/** Code of another text is told with its place: who goes on with the failure cannot see that. */
const located = (error: GuestError): GuestError =>
  error.file === undefined
    ? error
    : { ...error, message: `${error.message} (${error.file}:${error.line}:${error.column})` };

/** The fibers above one that has failed no longer count. */
function lowest(
  parent: State,
  entry: Entry,
  work: FibersWork,
  failure: { readonly index: number; readonly error: GuestError },
): void {
  work.failure = failure;
  giveUpFibers(parent, entry, work, failure.index);
}

/** Ends a group once all of it, or all before its failure, has ended. */
function join(parent: State, entry: Entry, work: FibersWork): void {
  const { failure, calls, results, alive } = work;
  const end = failure?.index ?? calls.length;
  if (work.next < end || alive.size > 0) return;
  if (!failure) {
    conclude(parent, entry, work, list(results.map((value) => value ?? null)));
    return;
  }
  fail(parent, entry, bareError(failure.error));
  retire(parent);
  wake(parent);
}

function conclude(parent: State, entry: Entry, work: FibersWork, value: Value): void {
  deliver(parent, entry, work.result, value);
  retire(parent);
  wake(parent);
}

/** Order of paths: a parent before its fibers, those by their ordinals. */
export function inPathOrder(states: Iterable<State>): State[] {
  const keyed = [...states].map((state) => ({ state, key: keyOfPath(state.fiber?.path ?? '') }));
  return keyed.sort((a, b) => compareKeys(a.key, b.key)).map(({ state }) => state);
}

const keyOfPath = (path: string): number[] =>
  path === ''
    ? []
    : path.split('.').flatMap((part) => {
        const [ordinal = 0, generation = 0] = part.split('~').map(Number);
        return [generation, ordinal];
      });

function compareKeys(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
