/**
 * Calls in general: of guest functions, tools and library functions, with arguments in every form.
 * The dispatch switch does the plainest call itself.
 */
import type { Chunk } from '../program/program.ts';
import type { Func, Value } from '../program/value.ts';
import {
  argumentsAt,
  bind,
  type CallArguments,
  notCallable,
  spread,
  toolArguments,
} from './call.ts';
import { faults } from './codes.ts';
import { siteHere } from './failure.ts';
import { Fault } from './fault.ts';
import { callLifted, enterFunction } from './instructions.ts';
import { need } from './pendings.ts';
import type { State } from './state.ts';
import { issueEffect } from './window.ts';

/** Where the callee of a CALL stands, with `packed` arguments that end at `top`. */
export const calleeAt = (top: number, packed: number): number =>
  top - 1 - (packed & 255) - 2 * (packed >> 8);

/** CALL. Gives the result, or undefined where a guest function was entered. */
export function invoke(state: State, top: number, packed: number): Value | undefined {
  const at = calleeAt(top, packed);
  return apply(state, at, argumentsAt(state.stack, top, packed));
}

/** SPREAD: the same with an iterable and a dict of further arguments on top. */
export function invokeSpread(state: State, top: number, packed: number): Value | undefined {
  const { stack } = state;
  const at = calleeAt(top - 2, packed);
  const given = argumentsAt(stack, top - 2, packed);
  return apply(state, at, spread(given, stack[top - 2] as Value, stack[top - 1] as Value));
}

function apply(state: State, at: number, given: CallArguments): Value | undefined {
  const callee = need(state.stack[at] as Value);
  if (callee === null || typeof callee !== 'object') throw notCallable(callee);
  switch (callee.kind) {
    case 'function':
      enter(state, callee, at, given);
      return undefined;
    case 'tool':
      return issueEffect(
        state,
        callee.name,
        toolArguments(state, callee.name, given),
        siteHere(state),
      );
    case 'builtin':
      return callLifted(state, callee.name, given);
    default:
      throw notCallable(callee);
  }
}

/** Lays the locals of a guest function out from `at` on, where the callee stood. */
function enter(state: State, func: Func, at: number, given: CallArguments): void {
  const { stack, program } = state;
  const locals = bind(program.chunks[func.chunk] as Chunk, func, given);
  enterFunction(state, func, at);
  for (let i = 0; i < locals.length; i++) stack[at + i] = locals[i];
}

/** ONCE: refuses recursion, where a program's rules have none. */
export function refuseRecursion({ frames, program }: State): void {
  const running = frames.at(-1)?.chunk;
  for (let depth = 0; depth < frames.length - 1; depth++) {
    if (frames[depth]?.chunk !== running) continue;
    const name = program.chunks[running ?? 0]?.name;
    throw new Fault(faults.recursion, `function ${name} called recursively`);
  }
}
