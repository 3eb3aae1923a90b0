/**
 * What no longer counts: entries behind one that has failed, streams whose loop is left, the fibers
 * of a group above the one that has failed, everything that is open when a failure is handled or
 * ends the program.
 */
import type { EffectError } from '../../program/effect.ts';
import { settled, type Value } from '../../program/value.ts';
import type { Change, Entry, Fiber, FibersWork, State, Undo } from '../state.ts';
import { endStream } from '../stream.ts';
import { Wait } from '../values/fault.ts';
import { endIteration } from '../values/sequence.ts';
import { callOff } from './call-off.ts';
import { cancelElements } from './fan.ts';
import { reachOf } from './hand-over.ts';
import { dropOut, leave } from './race.ts';

/** The caller lets entries retire: what stood before the failure may have been streams alone. */
export function fail(state: State, entry: Entry, error: EffectError): void {
  if (dropOut(state, entry, error)) return;
  entry.state = 'failed';
  entry.error = error;
  if (state.failed !== undefined && state.failed < entry.seq) return;
  state.failed = entry.seq;
  for (const other of state.entries.values()) {
    if (other.seq > entry.seq) cancel(state, other);
  }
  leaveStreams(state, entry.seq);
}

/** The line fails at the entry `until`, or where it stands: no stream before is read on (W5). */
export function leaveStreams(state: State, until: number = Infinity): void {
  for (const entry of state.entries.values()) if (entry.seq < until) leaveStream(state, entry);
}

/** Nobody will ask a stream for more: what was to come of it, a failure too, never counts. */
export function leaveStream(state: State, entry: Entry): void {
  const { work } = entry;
  if (work.kind !== 'effect' || !work.stream) return;
  if (entry.state === 'done' || entry.state === 'failed') return;
  cancel(state, entry);
  leave(entry);
  state.effects.delete(work.id);
  endStream(work.stream, 'gone');
}

export function cancel(state: State, entry: Entry): void {
  if (entry.state !== 'open') return;
  entry.state = 'ready';
  const { work } = entry;
  if (work.kind === 'fibers') giveUpFibers(state, entry, work, 0);
  if (work.kind !== 'effect') return;
  if (work.task?.fan) {
    cancelElements(state, entry, work, work.task.fan);
    return;
  }
  const asked = state.outbox.requests.findIndex((one) => one.entry === entry);
  if (asked >= 0) state.outbox.requests.splice(asked, 1);
  else callOff(state, work.id);
  state.effects.delete(work.id);
}

/** Ends the fibers of a group from `from` on, wherever they are; there will be no more of it. */
export function giveUpFibers({ hub }: State, entry: Entry, work: FibersWork, from: number): void {
  hub.starved.delete(entry);
  for (const [index, child] of work.alive) {
    if (index < from) continue;
    work.alive.delete(index);
    hub.alive--;
    if (child) removeFiber(child);
    else work.idle--;
  }
}

/** Nothing of a fiber is left but what it has changed. */
export function removeFiber(child: State): void {
  clear(child);
  unlock(child.stack, 0);
  if (child.fiber) child.fiber.parent.instructions += child.instructions;
  child.hub.byPath.delete(child.fiber?.path ?? '');
  child.hub.ready.delete(child);
  child.hub.broken.delete(child);
}

/** Voids every open entry: a failure before them has been handled or has ended the run. */
export function clear(state: State): void {
  for (const entry of state.entries.values()) {
    cancel(state, entry);
    if (entry.work.kind === 'effect' && entry.work.stream) endStream(entry.work.stream, 'gone');
  }
  state.entries.clear();
  state.effects.clear();
  state.awaited = undefined;
  state.writes.length = 0;
  state.gated = [];
  state.failed = undefined;
  state.hub.broken.delete(state);
  state.lifts = 0;
  state.held = 0;
}

// Cutting an operand stack.

/** Cuts the stack; the iterations that were under way above the cut are over. */
export function unlock(stack: (Value | undefined)[], height: number): void {
  for (const value of stack.splice(height)) {
    if (value !== null && typeof value === 'object' && value.kind === 'iterator') {
      endIteration(value);
    }
  }
}

/**
 * What global variables were before they were set while entries were open. The main line runs ahead
 * of the effects it has asked for; when one of them fails, what was set behind it has never
 * happened: variables are those of execution one at a time (design rule 4).
 *
 * Containers that were changed in place keep their changes.
 *
 * - U1 One change per variable and entry: a loop that asks for nothing does not make the list grow.
 * - U2 A change is kept no longer than an entry is open that was issued before it.
 */
export const undoOf = (changes: Change[]): Undo => ({
  changes,
  noted: new Map(changes.map(({ slot, next }) => [slot, next])),
});

/** Before a global variable is set; only while entries are open. */
export function note({ undo, globals, next }: State, slot: number): void {
  if (undo.noted.get(slot) === next) return;
  undo.noted.set(slot, next);
  undo.changes.push({ slot, before: globals[slot], next });
}

/** Entries have retired; `oldest` is the first that is still open (U2). */
export function settleChanges({ undo }: State, oldest: number | undefined): void {
  const { changes, noted } = undo;
  if (oldest === undefined) {
    changes.length = 0;
    noted.clear();
    return;
  }
  let gone = 0;
  while (gone < changes.length && (changes[gone] as Change).next <= oldest) gone++;
  if (gone > 0) changes.splice(0, gone);
}

/** Takes back what was set behind an entry. */
export function takeBack({ undo, globals }: State, entry: number): void {
  const { changes, noted } = undo;
  for (let change = changes.pop(); change; change = changes.pop()) {
    if (change.next <= entry) break;
    globals[change.slot] = change.before;
  }
  changes.length = 0;
  noted.clear();
}

// What outlives an attempt. An attempt runs ahead of its effects like any code, but its parent goes
// on when one of them fails: what the parent can reach must not show what came behind the failure.
// So such a container changes only once everything before the change has succeeded.

/** Before `target` changes and holds `stored`; waits where that is too early. */
export function needSettled(state: State, target: Value, stored: readonly Value[]): void {
  const { fiber } = state;
  const seen = settled(target);
  if (fiber?.work.mode !== 'attempt' || seen === null || typeof seen !== 'object') return;
  if (isAhead(state, seen)) throw new Wait({ on: 'outer', target: seen });
  keepOuter(state, seen, stored);
}

/** Whether anything that may still fail stands before a change of `target`. */
export function isAhead(state: State, target: object, until?: number): boolean {
  const { fiber } = state;
  if (fiber?.work.mode !== 'attempt' || !outerOf(fiber).has(target)) return false;
  const [oldest = until] = state.entries.keys();
  return oldest !== until || isAhead(fiber.parent, target, fiber.entry.seq);
}

/** What an outer container holds is outer as well. */
function keepOuter({ fiber }: State, target: object, stored: readonly Value[]): void {
  if (fiber?.work.mode !== 'attempt' || !outerOf(fiber).has(target)) return;
  const { seen } = reachOf(fiber.parent, stored);
  for (const value of seen) outerOf(fiber).add(value);
  keepOuter(fiber.parent, target, stored);
}

/** The parent stands before the call: what it holds there, and can name, was there before. */
function outerOf(fiber: Fiber): Set<object> {
  fiber.outer ??= reachOf(fiber.parent, [
    ...fiber.parent.stack.filter((value) => value !== undefined),
  ]).seen;
  return fiber.outer;
}
