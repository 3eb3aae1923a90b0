/** Drives the dispatch loop: failures that take hold, waits that are over, the end. */
import { failEntry, finish, siteHere } from './failure.ts';
import { finishFiber, inPathOrder, startFibers } from './fibers.ts';
import { isHeld, nextMain } from './instructions.ts';
import { isFull, worked } from './memory.ts';
import { dispatch } from './run.ts';
import type { State } from './state.ts';
import { isToCome } from './stream.ts';
import { takeNext } from './window/arrivals.ts';
import { breakOff } from './window/broken.ts';
import { clear } from './window/give-up.ts';
import { isAhead } from './window/outer.ts';
import { failedHead, hasRoom } from './window/window.ts';

/**
 * Instructions in one go of the dispatch loop. A host compiles a loop by what it has seen of it; of
 * one that seldom ends it has not seen the end, and gives up what it has compiled each time there.
 */
const turnMost = 2 ** 14;

/**
 * Runs the main line and its fibers, those that are ready in the order of their paths, until all
 * of them wait or have ended, or `fuel` instructions are done, or memory is full.
 */
export function execute(root: State, fuel: number): void {
  const { ready } = root.hub;
  ready.add(root);
  let left = fuel;
  for (;;) {
    if (isFull(root)) return;
    if (root.hub.look.size > 0 || root.hub.starved.size > 0) startFibers(root);
    if (ready.size === 0) {
      // What that opens gets its room before anything goes on, as with one that came alone.
      if (takeNext(root)) continue;
      if (!breakOff(root.hub)) return;
    }
    for (const state of ready.size === 1 ? [...ready] : inPathOrder(ready)) {
      // Given up meanwhile, by another's failure.
      if (!ready.has(state)) continue;
      const before = left;
      left = advance(state, left);
      if (left < before) root.hub.last = state;
      if (state.meter.isFull || root.hub.isPaused) return;
      if (state.ended === undefined && !state.ending && !state.blocked) return;
      ready.delete(state);
      if (state.ended !== undefined && state.fiber) finishFiber(state, state.fiber);
    }
  }
}

/** Runs one state until it ends, waits, or has used the fuel up; gives the fuel left. */
function advance(state: State, fuel: number): number {
  let left = fuel;
  while (state.ended === undefined) {
    const head = failedHead(state);
    if (head) {
      failEntry(state, head);
      continue;
    }
    if (state.ending) {
      if (state.entries.size > 0) return left;
      end(state, state.ending.error);
      continue;
    }
    if (state.blocked && stillBlocked(state)) return left;
    state.blocked = undefined;
    if (left <= 0) return 0;
    const turn = Math.min(left, turnMost);
    const done = turn - dispatch(state, turn);
    left -= done;
    worked(state, done);
    if (isFull(state) || state.hub.isPaused) return left;
  }
  return left;
}

function end(state: State, error: State['error']): void {
  if (error) finish(state, error, siteHere(state));
  else {
    clear(state);
    state.ended = 'done';
  }
}

function stillBlocked(state: State): boolean {
  const { blocked } = state;
  switch (blocked?.on) {
    case 'value':
      return blocked.pending.value === undefined;
    case 'room':
      return !hasRoom(state, blocked.room);
    case 'barrier':
      return state.entries.size > 0;
    case 'held':
      return isHeld(state);
    case 'part':
      return isToCome(blocked.stream, blocked.index);
    case 'outer':
      return isAhead(state, blocked.target);
    case 'text':
      return state.program.open && nextMain(state) === undefined;
    case undefined:
      return false;
  }
}
