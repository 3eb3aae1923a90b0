/**
 * What no longer counts: entries behind one that has failed, streams whose loop is left, the fibers
 * of a group above the one that has failed, everything that is open when a failure is handled or
 * ends the program.
 */
import type { EffectError } from '../../program/effect.ts';
import type { Entry, FibersWork, State } from '../state.ts';
import { endStream } from '../stream.ts';
import { callOff } from './call-off.ts';
import { cancelElements } from './fan.ts';
import { dropOut, leave } from './race.ts';
import { unlock } from './unlock.ts';

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
