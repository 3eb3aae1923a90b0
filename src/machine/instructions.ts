/** The longer instructions of the dispatch switch, and what may be deferred over pendings. */
import { instruction, opcodeNumbers } from '../program/opcodes.ts';
import type { Chunk, Program } from '../program/program.ts';
import {
  type Cell,
  cell,
  type Func,
  isPending,
  type Pending,
  settled,
  type Value,
} from '../program/value.ts';
import type { CallArguments } from './call.ts';
import { siteHere } from './failure.ts';
import { copied } from './memory.ts';
import { tellMended } from './result-struct.ts';
import { type Frame, type State, stepId } from './state.ts';
import type { StepVisit } from './turn.ts';
import { Fault, faults, Wait } from './values/fault.ts';
import { binary } from './values/operators.ts';
import { copyAround, isMutable, needAll, pendingsIn } from './values/pendings.ts';
import { arithmetic } from './values/quick-arithmetic.ts';
import { index } from './values/sequence.ts';
import { needSettled } from './window/give-up.ts';
import { issueLift } from './window/issue.ts';
import { apply, callBuiltin } from './window/lift.ts';

const { CALL, FUNC, INDEX, METHOD, TEMPLATE } = opcodeNumbers;

/** A lifting opcode: at once where its operands are there, else an entry and a pending result. */
export function deferred(
  state: State,
  op: number,
  operand: Value,
  operands: readonly Value[],
): Value {
  const deep = op === TEMPLATE || op === CALL || op === METHOD;
  const open = deep ? pendingsIn(operands) : pendingAmong(operands);
  if (open.size === 0) {
    const made = apply(state, op, operand, operands);
    tellMended(state);
    return made;
  }
  const kept = operands.map((value) => keep(state, value, op, open));
  return issueLift(state, op, operand, kept, open, siteHere(state));
}

/** Those operands that are not there themselves, whatever is inside the others. */
function pendingAmong(operands: readonly Value[]): ReadonlySet<Pending> {
  let found: Set<Pending> | undefined;
  for (const operand of operands) {
    const seen = settled(operand);
    if (!isPending(seen)) continue;
    found ??= new Set();
    found.add(seen);
  }
  return found ?? none;
}

const none: ReadonlySet<Pending> = new Set();

/** A binary operator, or INDEX; at once where both operands are there. */
export function operate(state: State, op: number, x: Value, y: Value): Value {
  const quick = arithmetic(op, x, y);
  if (quick !== undefined) return quick;
  const left = settled(x);
  const right = settled(y);
  if (isPending(left) || isPending(right)) return deferred(state, op, null, [x, y]);
  return op === INDEX ? index(left, right, state.around) : binary(op, left, right, state.around);
}

/**
 * An operand of what runs later must not change until then. A template and a method that changes
 * nothing only read, so they take a copy; elsewhere the result may alias a live container, so the
 * operation waits instead.
 */
function keep(state: State, value: Value, op: number, open: ReadonlySet<Pending>): Value {
  const seen = settled(value);
  if (!isMutable(seen)) return seen;
  if (op === TEMPLATE || op === METHOD) return copied(state, copyAround(seen));
  for (const pending of open) throw new Wait({ on: 'value', pending });
  return seen;
}

/** Calls a library function, deferred where it lifts and its arguments are pending. */
export function callLifted(state: State, name: string, given: CallArguments): Value {
  const spec = state.host.functions.get(name) ?? state.builtins.functions.get(name);
  if (spec?.lifts && given.named.length === 0) {
    return deferred(state, CALL, name, given.positional);
  }
  const ready = spec?.stores ? settled : needAll;
  const named = namedOnce(name, given, ready);
  const args = given.positional.map(ready);
  if (!spec) return callBuiltin(state, name, args, named);
  const made = spec.call(args, named, state.around);
  tellMended(state);
  return made;
}

const noNames: ReadonlyMap<string, Value> = new Map();

/** The named arguments of a library function; a name may come from the call and from `**`. */
export function namedOnce(
  name: string,
  { named }: CallArguments,
  ready: (value: Value) => Value,
): ReadonlyMap<string, Value> {
  if (named.length === 0) return noNames;
  const found = new Map<string, Value>();
  for (const [key, value] of named) {
    if (found.has(key)) {
      const [shown, collects] = [JSON.stringify(key), name === 'dict' || name === 'update'];
      const what = collects ? 'duplicate keyword arg:' : 'got multiple values for keyword argument';
      throw new Fault(faults.callArguments, `${name}: ${what} ${shown}`);
    }
    found.set(key, ready(value));
  }
  return found;
}

/** `count` values from `first` on, in an array of their own. */
export function valuesAt(stack: State['stack'], first: number, count: number): Value[] {
  // As most displays are short, `slice` would take longer than the rest of the instruction.
  if (count === 0) return [];
  if (count === 1) return [stack[first] as Value];
  if (count === 2) return [stack[first] as Value, stack[first + 1] as Value];
  return stack.slice(first, first + count) as Value[];
}

/** Puts the main line at the start of a main chunk, with the chunk's own locals. */
export function enterMain(state: State, index: number): Frame {
  const chunk = state.program.chunks[index];
  state.stack.length = 0;
  for (let slot = 0; slot < (chunk?.locals.length ?? 0); slot++) {
    state.stack.push(chunk?.cells.includes(slot) ? cell(undefined) : undefined);
  }
  const frame: Frame = { chunk: index, pc: 0, base: 0, captured: [] };
  state.frames[0] = frame;
  return frame;
}

/** Makes a closure over cells of the running frame. */
export function makeFunction(state: State, frame: Frame, chunk: number, defaults: Value): Func {
  const { captures } = state.program.chunks[chunk] as Chunk;
  const cells = captures.map(({ from, index }) =>
    from === 'local' ? (state.stack[frame.base + index] as Cell) : (frame.captured[index] as Cell),
  );
  const values = typeof defaults === 'object' && defaults?.kind === 'tuple' ? defaults.items : [];
  return { kind: 'function', chunk, defaults: values, cells };
}

/** Counts the visit; true where the machine is to pause here. */
export function enterStep(state: State, index: number): boolean {
  // An error is this step's, not that of the step that leads here.
  state.step = index;
  const entered = visited(state, index);
  state.outbox.steps.push(entered);
  const { hub, fiber } = state;
  if (fiber || hub.pause === undefined) return false;
  hub.isPaused = hub.pause(entered);
  return hub.isPaused;
}

/** Counts a visit of a step; a fault where that is one too many. */
export function visited(state: State, index: number): StepVisit {
  const visit = (state.visits[index] ?? 0) + 1;
  if (visit > state.limits.stepVisits) {
    const label = state.program.steps[index]?.label ?? '';
    throw new Fault(
      faults.stepVisits,
      `step ${label} was entered ${state.limits.stepVisits} times, which is the limit`,
      'check the condition that should end the loop, or raise the limit stepVisits',
    );
  }
  state.visits[index] = visit;
  return { index, visit, id: stepId(state, index, visit) };
}

/** The chunk that continues the main line after the one that is running. */
export function nextMain(state: State): number | undefined {
  const running = state.frames[0]?.chunk ?? 0;
  const next = state.program.chunks.findIndex((chunk, i) => i > running && chunk.role === 'main');
  return next < 0 ? undefined : next;
}

/** The name of a captured variable: it is a local one of a function around. */
export function capturedName({ chunks }: Program, chunk: number, index: number): string {
  const capture = chunks[chunk]?.captures[index];
  const maker = chunks.findIndex(({ code }) => code.includes(instruction(FUNC, chunk)));
  if (!capture || maker < 0) return '';
  return capture.from === 'local'
    ? (chunks[maker]?.locals[capture.index] ?? '')
    : capturedName({ chunks } as Program, maker, capture.index);
}

/**
 * Mutation waits while a deferred operation holds a value that it has yet to read; so does that of
 * a container which outlives an attempt, while something before it may still fail.
 */
export function unheld(state: State, target?: Value, stored: readonly Value[] = []): void {
  if (isHeld(state)) throw new Wait({ on: 'held' });
  if (state.fiber && target !== undefined) needSettled(state, target, stored);
}

/** An attempt may change what operations of its parent hold; in parallel nothing is changed. */
export function isHeld({ held, fiber }: State): boolean {
  return held > 0 || (fiber?.work.mode === 'attempt' && isHeld(fiber.parent));
}

/** A variable has no value yet. The slot of a global may say its file before a colon. */
export function unset(kind: 'local' | 'global', name = ''): Fault {
  return new Fault(
    faults.undefinedVariable,
    `${kind} variable ${name.slice(name.lastIndexOf(':') + 1)} referenced before assignment`,
    'set it on every way that leads here',
  );
}
