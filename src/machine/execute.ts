/** Drives the dispatch loop: failures that take hold, waits that are over, the end. */
import { failEntry, finish, siteHere } from './failure.ts';
import { nextMain } from './instructions.ts';
import { dispatch } from './run.ts';
import type { State } from './state.ts';
import { clear, failedHead, hasRoom } from './window.ts';

/** Runs until the program ends, waits, or `fuel` instructions are done; gives the fuel left. */
export function execute(state: State, fuel: number): number {
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
    left = dispatch(state, left);
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
      return !hasRoom(state, blocked.lift);
    case 'barrier':
      return state.entries.size > 0;
    case 'held':
      return state.held > 0;
    case 'text':
      return state.program.open && nextMain(state) === undefined;
    case undefined:
      return false;
  }
}
