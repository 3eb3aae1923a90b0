/**
 * The library functions that need the state of the machine, which a `BuiltinSpec` never sees: they
 * ask for effects, so they take entries in the window, or look at names. None calls guest code
 * (design rule 2).
 */
import { nearest } from '../program/diagnostic.ts';
import { mandatory, type ToolSpec } from '../program/effect.ts';
import { encode } from '../program/json.ts';
import {
  type Dict,
  dict,
  isPending,
  list,
  type Pending,
  settled,
  type Tool,
  typeName,
  unshared,
  type Value,
} from '../program/value.ts';
import {
  aBool,
  aCallable,
  aString,
  type Call,
  type Check,
  items,
  Mismatch,
  misused,
  parameters,
} from './builtins/arguments.ts';
import { bind, type CallArguments, callTool, toolArguments } from './call.ts';
import { siteHere } from './failure.ts';
import { capturedName } from './instructions.ts';
import { countNamed, enterNamed } from './named-step.ts';
import { type FiberCall, type FibersWork, type IssueSite, pathOf, type State } from './state.ts';
import { belongTo, isOpenStream, newStream } from './stream.ts';
import { task } from './task.ts';
import { Fault, faults } from './values/fault.ts';
import { need, needAll } from './values/pendings.ts';
import { isVoid, voidFault } from './window/call-off.ts';
import { needSettled } from './window/give-up.ts';
import {
  copyClosures,
  freezeAll,
  missingFor,
  type Reach,
  reachOf,
  valuesOf,
} from './window/hand-over.ts';
import { issueRace } from './window/issue.ts';
import { enterFibers, needRoom } from './window/window.ts';

type Issue = (state: State, given: CallArguments) => Value;

export const issuing: ReadonlyMap<string, Issue> = new Map<string, Issue>([
  ['at_step', atStep],
  ['attempt', attempt],
  ['first', first],
  ['llm_bind', bind],
  ['locals', locals],
  ['messages', notCalled],
  ['parallel', parallel],
  ['stream', stream],
  ['task', task],
  ['try_call', tryCall],
]);

/** `messages()` is compiled into what it gives: it is no function to hand around. */
function notCalled(): never {
  const hint = 'write messages()';
  throw new Fault(faults.callArguments, 'messages takes no arguments and is called as it is', hint);
}

/**
 * `at_step(label, within="", enter=False, by="", ahead=False)`: what this line asks for and says
 * from here on is shown at a step so called. A step of the program may be entered by it; its id
 * with the visit is given, as a label to come back by. A visit may be counted ahead, and entered
 * later.
 */
function atStep(state: State, whole: CallArguments): Value {
  const given = parameters(callOf(state, 'at_step', whole), {
    label: aString,
    'within?': aString,
    'enter?': aBool,
    'by?': aString,
    'ahead?': aBool,
  });
  const { label, within = '', enter = false, by = '', ahead = false } = given;
  if (ahead && !enter) return countNamed(state, label);
  if (enter) enterNamed(state, { label, within, by, isCounted: ahead });
  else state.label = label;
  return state.label;
}

/** Functions that a frame has to stand around: they wait, or say what has names in it. */
const waiting: ReadonlySet<string> = new Set(['attempt', 'first', 'locals']);

/**
 * `parallel(f, xs)`: calls f with each element, all at the same time; a pending list of what they
 * return. `xs` itself has to be there, what it holds need not.
 */
function parallel(state: State, given: CallArguments): Value {
  const { f, xs } = parameters(callOf(state, 'parallel', given), { f: aGuestCallable, xs: items });
  if (xs.length === 0) return list([]);
  const calls = xs.map((x) => ({ positional: [x], named: [] }));
  return spawn(state, 'parallel', f, calls, siteHere(state));
}

/**
 * `attempt(f, *args, **kwargs)`: calls f and gives a struct of how it went, whatever it did. Waits
 * for that call: executed again once it is over, it has its result (M2).
 */
function attempt(state: State, { positional, named }: CallArguments): Value {
  return awaiting(state, () => {
    const [callee, ...args] = positional;
    if (callee === undefined) throw misused({ name: 'attempt' }, 'missing argument for f');
    const own = { positional: [callee], named: [] };
    const { f } = parameters(callOf(state, 'attempt', own), { f: aGuestCallable });
    return spawn(state, 'attempt', f, [{ positional: args, named }], siteHere(state));
  });
}

/**
 * `first(pendings, timeout=None)`: waits for the first of some calls to succeed: a struct of its
 * index and value, or None where none has within so many seconds.
 */
function first(state: State, whole: CallArguments): Value {
  return awaiting(state, () => {
    const call = callOf(state, 'first', whole);
    const given = parameters(call, { pendings: pendingItems, 'timeout?': aTimeout });
    const candidates = given.pendings;
    if (candidates.length === 0) throw misused(call, 'got no calls to wait for, want at least one');
    for (const candidate of candidates) checkCandidate(state, candidate);
    const { timeout = null } = given;
    const race = { candidates, timeoutMs: timeout, errors: new Map() };
    const text = encode(
      dict([
        ['candidates', candidates.length],
        ['timeoutMs', timeout],
      ]),
    );
    return issueRace(
      state,
      { ...race, proposed: undefined, winner: undefined },
      text,
      siteHere(state),
    );
  });
}

/** Seconds, as milliseconds. */
const aTimeout: Check<number | null> = (value) => {
  if (value === null) return null;
  const seconds = typeof value === 'object' && value.kind === 'float' ? value.value : value;
  if (typeof seconds === 'number' && seconds >= 0)
    return Math.min(Math.round(seconds * 1000), 2 ** 50);
  throw new Mismatch(`got ${typeName(value)}, want a number of seconds, not negative, or None`);
};

/** A list or tuple as it is: its items may be pending. */
const pendingItems: Check<readonly Value[]> = (value) => {
  const isSequence =
    typeof value === 'object' && (value?.kind === 'list' || value?.kind === 'tuple');
  if (!isSequence) throw new Mismatch(`got ${typeName(value)}, want a list of results of calls`);
  return [...value.items];
};

function checkCandidate(state: State, candidate: Value): void {
  const seen = settled(candidate);
  if (!isPending(seen)) return;
  if (isVoid(state, seen)) throw voidFault();
  const work = state.entries.get(seen.entry)?.work;
  if (work?.kind === 'effect' && work.class === 'write') {
    const what = state.tools.get(work.tool)?.ordered ? 'keeps its order as writes do' : 'writes';
    throw new Fault(
      faults.callArguments,
      `first: ${work.tool} ${what}, and what writes is not raced`,
      'race the reads, and write once the winner is known',
    );
  }
  if (work?.kind === 'effect' || work?.kind === 'fibers') return;
  throw new Fault(
    faults.callArguments,
    'first: got a value computed from a call, want the result of the call itself',
    'compute with the value of the winner: first([a, b]).value',
  );
}

/**
 * A call whose arguments are there themselves, whatever is inside them. What it asks for may have
 * to wait and is then tried again: it is charged when it is spawned, not here.
 */
const callOf = (state: State, name: string, { positional, named }: CallArguments): Call => ({
  name,
  args: positional.map(need),
  named: new Map(named.map(([key, value]) => [key, need(value)])),
  around: { valueBytes: state.around.valueBytes },
});

/** Asks once, and waits for the answer with nothing moved. */
function awaiting(state: State, ask: () => Pending): Value {
  const pending = state.awaited ?? ask();
  state.awaited = pending;
  const value = need(pending);
  state.awaited = undefined;
  return value;
}

const aGuestCallable: Check<Value> = (value, around) => {
  const seen = aCallable(value, around);
  if (typeof seen === 'object' && seen?.kind === 'builtin' && waiting.has(seen.name)) {
    throw new Mismatch(`got ${seen.name}, want a function of the program or a tool`);
  }
  return seen;
};

/**
 * `try_call(tool, **args)`: a call whose outcome, good or bad, is a value. Only the outcome: a call
 * that is wrong in itself is an error like any other.
 */
function tryCall(state: State, given: CallArguments): Value {
  const [tool, args] = callOfTool(state, 'try_call', given);
  return callTool(state, tool.name, args, siteHere(state), { tries: true });
}

/** `stream(tool, **args)`: a call whose result is iterated part by part, as the parts come. */
function stream(state: State, given: CallArguments): Value {
  const [tool, args] = callOfTool(state, 'stream', given);
  if (state.tools.get(tool.name)?.effect === 'write') {
    throw new Fault(
      faults.callArguments,
      `stream: ${tool.name} writes, and leaving the loop would give it up half way`,
      `call it: ${tool.name}(…)`,
    );
  }
  const made = newStream();
  const { entry } = callTool(state, tool.name, args, siteHere(state), { stream: made });
  belongTo(made, entry);
  return made;
}

/** The tool that comes first, and the arguments for it; refuses those that no call can have. */
function callOfTool(state: State, name: string, given: CallArguments): [Tool, Dict] {
  const [callee, ...positional] = given.positional;
  if (callee === undefined) throw misused({ name }, 'missing argument for tool');
  const tool = settled(callee);
  if (tool === null || typeof tool !== 'object' || tool.kind !== 'tool') {
    const got = isPending(tool) ? 'the result of a call' : typeName(tool);
    throw new Fault(
      'PV3101',
      `${name}: for parameter tool: got ${got}, want a tool`,
      `write ${name}(search, query=…) with the tool's name, not ${name}(search(query=…))`,
    );
  }
  const args = toolArguments(state, tool.name, { ...given, positional });
  const spec = state.tools.get(tool.name);
  if (spec) checkNames(spec, args);
  return [tool, args];
}

function checkNames(spec: ToolSpec, args: Dict): void {
  const { name, parameters } = spec;
  const known = Object.keys(parameters.properties ?? {});
  const missing = mandatory(spec).find((key) => !args.index.has(key));
  if (missing !== undefined) {
    throw new Fault(faults.callArguments, `tool ${name} missing argument ${missing}`);
  }
  if (parameters.additionalProperties !== false) return;
  for (const key of args.index.keys()) {
    if (known.includes(String(key))) continue;
    const near = nearest(String(key), known);
    const meant = near === undefined ? '' : ` (did you mean ${near}?)`;
    throw new Fault(
      faults.callArguments,
      `tool ${name} has no parameter ${JSON.stringify(key)}${meant}`,
      `its parameters are ${known.join(', ')}`,
    );
  }
}

/**
 * `locals()`: the values that have names where it stands, those of the function, or outside of
 * functions the global ones, as a dict. It waits until all of them are there, so that it says the
 * same whenever results come. Functions are left out: what has names as data is meant.
 */
function locals(state: State, { positional, named }: CallArguments): Value {
  const { around } = state;
  parameters({ name: 'locals', args: positional, named: new Map(named), around }, {});
  const found: [string, Value][] = [];
  for (const [name, held] of namesHere(state)) {
    const value = isData(held) ? needAll(held) : undefined;
    if (value !== undefined && isData(value)) found.push([name, value]);
  }
  around.charge?.(found.length);
  return dict(found);
}

/** With what each name holds; pending values as they are. */
function* namesHere(state: State): Generator<[string, Value]> {
  const { program, frames, stack, globals } = state;
  const frame = frames.at(-1);
  const chunk = program.chunks[frame?.chunk ?? -1];
  if (!frame || chunk?.role !== 'function') {
    for (const [slot, name] of program.globals.entries()) yield* held(name, globals[slot]);
    return;
  }
  for (const [slot, name] of chunk.locals.entries()) yield* held(name, stack[frame.base + slot]);
  for (const [index, cell] of frame.captured.entries()) {
    yield* held(capturedName(program, frame.chunk, index), cell);
  }
}

/** What the compiler or a file that is loaded calls its own has a name that nobody can write. */
function* held(name: string, value: Value | undefined): Generator<[string, Value]> {
  const found = unshared(value);
  if (found !== undefined && /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name)) yield [name, found];
}

const callables: ReadonlySet<string> = new Set(['function', 'builtin', 'tool', 'method', 'object']);

function isData(value: Value): boolean {
  const seen = settled(value);
  if (seen === null || typeof seen !== 'object' || isPending(seen)) return true;
  return !callables.has(seen.kind);
}

// Asking for fibers: fixes what they are given. When they start is seen to in fibers.ts.

/** Units that a fiber costs to make and to end. */
const fiberCost = 2_000;

/** Asks for one fiber per call and gives their pending result. Waits while the window is full. */
function spawn(
  state: State,
  mode: FibersWork['mode'],
  callee: Value,
  calls: readonly FiberCall[],
  site: IssueSite,
): Pending {
  needRoom(state, 'call');
  if (site.trace.length / 2 >= state.limits.callDepth) {
    throw new Fault(
      faults.callDepth,
      `calls nest deeper than ${state.limits.callDepth} frames`,
      'look for a function that runs itself in parallel without end, or raise the limit callDepth',
    );
  }
  const reach = reachOf(state, [callee, ...calls.flatMap(valuesOf)]);
  for (const value of reach.seen) if (isOpenStream(value)) throw streamInFiber();
  if (mode === 'parallel') for (const value of reach.seen) willFreeze(state, value as Value);
  const result: Pending = { kind: 'pending', entry: state.next, value: undefined };
  const given =
    mode === 'parallel'
      ? handOver(state, reach, callee, calls)
      : { callee, calls: [...calls], globals: [] };
  const work: FibersWork = {
    kind: 'fibers',
    mode,
    ...given,
    path: pathOf(state),
    first: state.spawned + 1,
    missing: missingFor(state, { mode, ...given }),
    next: 0,
    alive: new Map(),
    idle: 0,
    results: [],
    emits: new Map(),
    failure: undefined,
    result,
  };
  enterFibers(state, work, reach.pendings, site);
  state.spawned += calls.length;
  state.around.charge?.(fiberCost * calls.length + reach.seen.size);
  return result;
}

const streamInFiber = (): Fault =>
  new Fault(
    faults.operandTypes,
    'a stream is read where it was opened, got one in what another function is to run with',
    'hand over its parts, or open the stream inside of the function',
  );

/** To be frozen is a change: where it outlives an attempt, it comes when a change may come. */
function willFreeze(state: State, value: Value): void {
  const isOpen = typeof value === 'object' && value !== null && 'frozen' in value && !value.frozen;
  if (isOpen) needSettled(state, value, []);
}

/** Calls that nothing can change any more, and the variables that they can see. */
function handOver(
  state: State,
  reach: Reach,
  callee: Value,
  calls: readonly FiberCall[],
): Pick<FibersWork, 'callee' | 'calls' | 'globals'> {
  freezeAll(reach);
  const copies = new Map<object, Value>();
  const copy = (value: Value): Value => copyClosures(value, copies);
  return {
    callee: copy(callee),
    calls: calls.map(({ positional, named }) => ({
      positional: positional.map(copy),
      named: named.map(([name, value]) => [name, copy(value)] as const),
    })),
    globals: [...reach.globals].flatMap((slot) => {
      const value = state.globals[slot];
      return value === undefined ? [] : [[slot, copy(value)] as const];
    }),
  };
}
