/**
 * Calls in general: of guest functions, tools and library functions, with arguments in every form.
 * The dispatch switch does the plainest call itself.
 */
import type { Chunk } from '../program/program.ts';
import { type Func, type HostObject, isPending, settled, type Value } from '../program/value.ts';
import { attributeOf, noAttribute } from './attribute.ts';
import { methods, methodsOf } from './builtins/methods.ts';
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
import { callLifted, deferred, enterFunction, namedOnce, unheld } from './instructions.ts';
import { issuing } from './issuing.ts';
import { need, needAll } from './pendings.ts';
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

/** METHOD: the receiver at the bottom, the name above it, then the arguments. */
export function invokeMethod(state: State, top: number, packed: number): Value | undefined {
  const at = calleeAt(top, packed) - 1;
  const name = String(state.stack[at + 1]);
  const given = argumentsAt(state.stack, top, packed);
  const receiver = settled(state.stack[at] as Value);
  const textual = typeof receiver === 'string' || isPending(receiver);
  if (textual && given.named.length === 0 && lifting.has(name)) {
    return deferred(state, methodCode, name, [receiver, ...given.positional]);
  }
  const target = need(receiver);
  if (methodsOf(target).has(name)) return callOn(state, target, name, given);
  const found = attributeOf(target, name);
  if (found === undefined) throw noAttribute(target, name);
  return applyTo(state, found, at, given);
}

const methodCode = 70;

/** Methods that change nothing, whatever type they turn out to belong to. */
const lifting: ReadonlySet<string> = new Set(
  Object.values(methods)
    .flatMap((table) => [...table.values()])
    .filter(({ name, lifts }) => lifts && !changes(name))
    .map(({ name }) => name),
);

function changes(name: string): boolean {
  return Object.values(methods).some((table) => table.get(name)?.mutates === true);
}

function callOn(state: State, target: Value, name: string, given: CallArguments): Value {
  const spec = methodsOf(target).get(name);
  if (!spec) throw noAttribute(target, name);
  if (spec.mutates) unheld(state);
  const ready = spec.stores ? settled : spec.mutates ? need : needAll;
  const named = namedOnce(name, given, ready);
  const args = [target, ...given.positional.map(ready)];
  return spec.call(args, named, state.around);
}

function apply(state: State, at: number, given: CallArguments): Value | undefined {
  return applyTo(state, need(state.stack[at] as Value), at, given);
}

/** Calls a value that is there; `at` is where the frame of a guest function begins. */
function applyTo(state: State, callee: Value, at: number, given: CallArguments): Value | undefined {
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
    case 'builtin': {
      const issue = issuing.get(callee.name);
      if (issue) return issue(state, given);
      const guest = state.library.get(callee.name);
      if (!guest) return callLifted(state, callee.name, given);
      enter(state, guest, at, given);
      return undefined;
    }
    case 'object':
      return callObject(callee, given);
    case 'method':
      return callOn(state, callee.receiver, callee.name, given);
    default:
      throw notCallable(callee);
  }
}

function callObject(callee: HostObject, given: CallArguments): Value {
  const { call, name } = callee.type;
  if (!call) throw notCallable(callee);
  return call(callee, given.positional.map(needAll), namedOnce(name, given, needAll));
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
