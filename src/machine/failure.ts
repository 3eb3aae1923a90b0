/** From a place of issue to the error a person reads, and to the handler that takes it. */
import type { EffectError, GuestError, TraceFrame } from '../program/effect.ts';
import { type Handler, unpackPosition } from '../program/program.ts';
import { dict } from '../program/value.ts';
import { faults } from './codes.ts';
import { Fault } from './fault.ts';
import { endIteration } from './sequence.ts';
import { type Entry, type IssueSite, type State, stepId, Wait } from './state.ts';
import { takeBack } from './undo.ts';
import { clear, isVoid, voidFault } from './window.ts';

/** Where the machine stands now. The innermost frame's `pc` has been stored. */
export function siteHere(state: State): IssueSite {
  const trace: number[] = [];
  for (const frame of state.frames) trace.push(frame.chunk, frame.pc);
  return { trace, step: state.step, visit: state.visits[state.step] ?? 0 };
}

export function guestError(state: State, error: EffectError, site: IssueSite): GuestError {
  const trace: TraceFrame[] = [];
  for (let i = 0; i < site.trace.length; i += 2) {
    const chunk = state.program.chunks[site.trace[i] ?? 0];
    const place = unpackPosition(chunk?.positions[site.trace[i + 1] ?? 0] ?? 0);
    trace.push({ name: chunk?.name ?? '', ...place });
  }
  const innermost = trace.at(-1) ?? { line: 0, column: 0 };
  return {
    ...error,
    line: innermost.line,
    column: innermost.column,
    step: stepId(state, site.step, site.visit),
    trace,
  };
}

/** The oldest entry has failed: its handler takes over, or the program has failed. */
export function failEntry(state: State, entry: Entry): void {
  const error = entry.error ?? {
    code: faults.defect,
    message: 'an effect failed and did not say how',
  };
  takeBack(state, entry.seq);
  finish(state, guestError(state, error, entry.site), entry.site);
}

/**
 * Gives control to the innermost handler whose region the failing place lies in, or ends the
 * program. Everything still open was issued later, so it is void either way.
 */
export function finish(state: State, error: GuestError, site: IssueSite): void {
  clear(state);
  state.ending = undefined;
  state.blocked = undefined;
  for (let depth = state.frames.length - 1; depth >= 0; depth--) {
    const handler = handlerAt(state, depth, site);
    if (!handler) continue;
    const frame = state.frames[depth];
    if (!frame) continue;
    state.frames.length = depth + 1;
    const locals = state.program.chunks[frame.chunk]?.locals.length ?? 0;
    unlockAbove(state, frame.base + locals + handler.depth);
    state.stack.push(
      dict([
        ['code', error.code],
        ['message', error.message],
      ]),
    );
    frame.pc = handler.target;
    state.generation++;
    state.issued = 0;
    return;
  }
  state.ended = 'failed';
  state.error = error;
}

/** Cuts the stack; the iterations that were under way above the cut are over. */
function unlockAbove(state: State, height: number): void {
  for (const value of state.stack.splice(height)) {
    if (value !== null && typeof value === 'object' && value.kind === 'iterator') {
      endIteration(value);
    }
  }
}

function handlerAt(state: State, depth: number, site: IssueSite): Handler | undefined {
  const frame = state.frames[depth];
  if (!frame || site.trace[2 * depth] !== frame.chunk) return undefined;
  const failedAt = site.trace[2 * depth + 1] ?? -1;
  const covers = (handler: Handler, pc: number): boolean => pc >= handler.start && pc < handler.end;
  return state.program.chunks[frame.chunk]?.handlers.find(
    (handler) => covers(handler, failedAt) && covers(handler, frame.pc),
  );
}

const waitsForVoid = (state: State, { blocked }: Wait): boolean =>
  blocked.on === 'value' && isVoid(state, blocked.pending);

/** An instruction threw: wait, or begin to end in an error. */
export function interrupted(state: State, thrown: unknown): void {
  if (thrown instanceof Wait && !waitsForVoid(state, thrown)) {
    state.blocked = thrown.blocked;
    return;
  }
  const fault = thrown instanceof Wait ? voidFault() : thrown;
  if (!(fault instanceof Fault)) throw fault;
  const { code, message, hint } = fault;
  const error = { code, message, ...(hint === undefined ? {} : { hint }) };
  state.ending = { error: guestError(state, error, siteHere(state)) };
}
