/**
 * Calls in general: of guest functions, tools and library functions, with arguments in every form.
 * The dispatch switch does the plainest call itself.
 */
import { opcodeNumbers } from '../program/opcodes.ts';
import { type Func, type HostObject, isPending, settled, type Value } from '../program/value.ts';
import { attributeOf, noAttribute } from './attribute.ts';
import { methodsOf } from './builtins/builtins.ts';
import {
  argumentsAt,
  type CallArguments,
  callTool,
  layLocals,
  namedArguments,
  notCallable,
  spread,
  toolArguments,
} from './call.ts';
import { type Code, codesOf } from './code.ts';
import { siteHere } from './failure.ts';
import { callLifted, deferred, namedOnce, unheld } from './instructions.ts';
import { issuing } from './issuing.ts';
import type { MachineLimits } from './machine.ts';
import { quickFunctions, quickMethods } from './quick.ts';
import type { State } from './state.ts';
import { Fault, faults } from './values/fault.ts';
import { need, needAll, pendingsIn } from './values/pendings.ts';

/** Where the callee of a CALL stands, with `packed` arguments that end at `top`. */
export const calleeAt = (top: number, packed: number): number =>
  top - 1 - (packed & 255) - 2 * (packed >> 8);

/** CALL. Gives the result, or undefined where a guest function was entered. */
export function invoke(state: State, top: number, packed: number): Value | undefined {
  const { stack } = state;
  const at = calleeAt(top, packed);
  const callee = stack[at];
  if (typeof callee === 'object' && callee !== null) {
    if (callee.kind === 'function') {
      enter(state, callee, at, at + 1, packed & 255, packed >> 8);
      return undefined;
    }
    if (callee.kind === 'builtin' && packed < 256 && !state.host.functions.has(callee.name)) {
      const found = quickFunctions.get(callee.name)?.(stack, at + 1, packed, state.around);
      if (found !== undefined) return found;
    }
    // As most calls of tools are: a pair of lists for each argument is more than the call needs.
    if (callee.kind === 'tool' && (packed & 255) === 0) {
      const args = namedArguments(state, top, packed >> 8, callee.name);
      return callTool(state, callee.name, args, siteHere(state));
    }
  }
  return applyTo(state, need(callee as Value), { at, top }, argumentsAt(stack, top, packed));
}

/** SPREAD: the same with an iterable and a dict of further arguments on top. */
export function invokeSpread(state: State, top: number, packed: number): Value | undefined {
  const { stack } = state;
  const at = calleeAt(top - 2, packed);
  const given = argumentsAt(stack, top - 2, packed);
  const all = spread(given, stack[top - 2] as Value, stack[top - 1] as Value, state.around);
  return applyTo(state, need(stack[at] as Value), { at, top }, all);
}

/** METHOD: the receiver at the bottom, the name above it, then the arguments. */
export function invokeMethod(state: State, top: number, packed: number): Value | undefined {
  const { stack } = state;
  const at = calleeAt(top, packed) - 1;
  const name = String(stack[at + 1]);
  if (packed < 256 && state.held === 0 && state.fiber?.work.mode !== 'attempt') {
    const quick = quickMethods.get(name)?.(stack[at] as Value, stack, at + 2, packed);
    if (quick !== undefined) return quick;
    const read = callReading(state, name, at, packed);
    if (read !== undefined) return read;
  }
  const given = argumentsAt(stack, top, packed);
  const receiver = settled(stack[at] as Value);
  const textual = typeof receiver === 'string' || isPending(receiver);
  if (textual && given.named.length === 0 && state.builtins.liftingMethods.has(name)) {
    return deferred(state, opcodeNumbers.METHOD, name, [receiver, ...given.positional]);
  }
  const target = need(receiver);
  if (methodsOf(target, state.builtins.methods).has(name))
    return callOn(state, target, name, given);
  const found = attributeOf(target, name, state.builtins.methods);
  if (found === undefined) throw noAttribute(target, name, state.builtins);
  return applyTo(state, found, { at, top }, given);
}

/** A method that changes nothing, on arguments that are there; undefined for anything else. */
function callReading(state: State, name: string, at: number, count: number): Value | undefined {
  const { stack, around, builtins } = state;
  const receiver = settled(stack[at] as Value);
  const spec = methodsOf(receiver, builtins.methods).get(name);
  if (!spec || spec.mutates) return undefined;
  const args = [receiver];
  for (let i = 0; i < count; i++) {
    const arg = stack[at + 2 + i] as Value;
    if (typeof arg === 'object' && arg !== null && pendingsIn([arg]).size > 0) return undefined;
    args.push(arg);
  }
  return spec.call(args, noNames, around);
}

const noNames: ReadonlyMap<string, Value> = new Map();

function callOn(state: State, target: Value, name: string, given: CallArguments): Value {
  const spec = methodsOf(target, state.builtins.methods).get(name);
  if (!spec) throw noAttribute(target, name, state.builtins);
  if (spec.mutates) unheld(state, target, given.positional);
  const ready = spec.stores ? settled : spec.mutates ? need : needAll;
  const named = namedOnce(name, given, ready);
  const args = [target, ...given.positional.map(ready)];
  return spec.call(args, named, state.around);
}

/** Where a call lies on the stack: from `at`, which takes its result, up to `top`. */
interface Span {
  readonly at: number;
  readonly top: number;
}

/** Begins a call in a state that has no frame yet; gives a result where no frame was entered. */
export function begin(state: State, callee: Value, given: CallArguments): Value | undefined {
  state.stack.push(callee);
  const value = applyTo(state, callee, { at: 0, top: 1 }, given);
  const frame = state.frames[0];
  if (frame) {
    state.stack.length = frame.base + (codesOf(state.program).plain[frame.chunk] as Code).locals;
  }
  return value;
}

/** Calls a value that is there. */
function applyTo(state: State, callee: Value, span: Span, given: CallArguments): Value | undefined {
  if (callee === null || typeof callee !== 'object') throw notCallable(callee);
  switch (callee.kind) {
    case 'function':
      enterWith(state, callee, span, given);
      return undefined;
    case 'tool':
      return callTool(
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
      enterWith(state, guest, span, given);
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

/**
 * Enters a guest function. Its frame begins behind `at`, where the callee stood: RETURN puts the
 * result there. Where its arguments lie just as its locals should, they stay.
 */
function enter(
  state: State,
  func: Func,
  at: number,
  first: number,
  positional: number,
  named: number,
): void {
  const { stack, frames, limits } = state;
  const base = at + 1;
  const code = codesOf(state.program).plain[func.chunk] as Code;
  if (frames.length >= limits.callDepth) throw tooDeep(limits);
  if (positional === code.exact && named === 0 && first === base) {
    for (let slot = positional; slot < code.locals; slot++) stack[base + slot] = undefined;
  } else {
    layLocals(stack, code, func, base, { first, positional, named });
  }
  frames.push({ chunk: func.chunk, pc: 0, base, captured: func.cells });
}

/** The same with arguments that lie elsewhere: they are put on top of the stack first. */
function enterWith(state: State, func: Func, { at, top }: Span, given: CallArguments): void {
  const { stack } = state;
  const { positional, named } = given;
  let next = top;
  for (const value of positional) stack[next++] = value;
  for (const [name, value] of named) {
    stack[next++] = name;
    stack[next++] = value;
  }
  enter(state, func, at, top, positional.length, named.length);
}

function tooDeep({ callDepth }: MachineLimits): Fault {
  return new Fault(
    faults.callDepth,
    `Starlark stack overflow: calls nest deeper than ${callDepth} frames`,
    'look for a function that calls itself without end, or raise the limit callDepth',
  );
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
