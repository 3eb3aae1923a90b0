/**
 * Calls, for the analysis of origins: of tools, of functions of the program, of library functions
 * with what they call, and of whatever else can be called.
 */

import type { Chunk } from '../program/program.ts';
import { isNode, readNode } from '../program/task.ts';
import { bindingTool, findTool, parameterName, readHelperCall } from '../program/tool-names.ts';
import type { Value } from '../program/value.ts';
import { choosing, decidedAt, mayFail } from './origin-decisions.ts';
import {
  anything,
  type Callable,
  type FoundCall,
  type Held,
  methodOf,
  nothing,
  type Things,
  type Walk,
} from './origin-world.ts';

interface Given {
  readonly positional: readonly Held[];
  readonly named: ReadonlyMap<string, Held>;
  /** What may be in any argument. */
  readonly others: Things;
}

/** A value to call, with what has chosen it among others. */
interface Callee extends Held {
  readonly target: Things;
}

/** CALL: the callee, then arguments by position and by name. */
export function callFunction(
  walk: Walk,
  at: number,
  packed: number,
  taken: readonly Held[],
): Things {
  const [callee = none, ...rest] = taken;
  const count = packed & 255;
  const named = new Map<string, Held>();
  const unnamed: Held[] = [];
  for (let i = count; i < rest.length; i += 2) {
    const name = rest[i]?.exact?.value;
    const value = rest[i + 1] ?? none;
    if (typeof name === 'string') named.set(name, value);
    else unnamed.push(value);
  }
  const others = union(walk, unnamed);
  return call(walk, at, callee, { positional: rest.slice(0, count), named, others });
}

/** SPREAD: nobody knows which argument is which. */
export function spreadCall(walk: Walk, at: number, taken: readonly Held[]): Things {
  const [callee = none, ...rest] = taken;
  const others = walk.world.heap.within(union(walk, rest));
  return call(walk, at, callee, { positional: [], named: new Map(), others });
}

/** METHOD: changes its receiver, or gives a part of it, or calls a function that it holds. */
export function callMethod(walk: Walk, at: number, taken: readonly Held[]): Things {
  const { heap } = walk.world;
  const [receiver = none, , ...args] = taken;
  const given = union(walk, args);
  heap.put(receiver.things, heap.union([given, decidedAt(walk, at)]));
  const held = heap.within(receiver.things);
  const parts = [resultAt(walk, at, heap.union([receiver.things, given])), held, given];
  const everything = { positional: [], named: new Map(), others: heap.within(given) };
  const callee = { things: held, target: choosing(walk.world, held) };
  for (const callable of callablesIn(walk, held)) {
    parts.push(callOne(walk, at, callable, callee, everything));
  }
  return heap.union(parts);
}

const none: Held = { things: nothing };

function call(walk: Walk, at: number, callee: Held, given: Given): Things {
  const { heap } = walk.world;
  const target = choosing(walk.world, callee.things);
  const parts = callablesIn(walk, callee.things).map((callable) =>
    callOne(walk, at, callable, { ...callee, target }, given),
  );
  // Nothing that could be called has come here yet; or what has is beyond the code.
  if (parts.length === 0) parts.push(callBound(walk, at, callee.things, given, target));
  return heap.union(parts);
}

function callOne(walk: Walk, at: number, one: Callable, callee: Callee, given: Given): Things {
  switch (one.kind) {
    case 'tool':
      return callTool(walk, at, one.name, callee, given, false);
    case 'function':
      return enter(walk, at, one.chunk, given, callee);
    case 'builtin':
      return callBuiltin(walk, at, one.name, callee, given);
    case 'method':
      return callBound(walk, at, one.receivers, given, callee.target);
  }
}

/** A method may put what it is given into its receiver, and gives anything of both. */
function callBound(
  walk: Walk,
  at: number,
  receivers: Things,
  given: Given,
  target: Things,
): Things {
  const { heap } = walk.world;
  const all = heap.union([everyArgument(walk, given), target]);
  heap.put(receivers, heap.union([all, decidedAt(walk, at)]));
  const held = heap.within(receivers);
  return heap.union([resultAt(walk, at, heap.union([receivers, all])), held, all]);
}

/** `tries`: its failure is a value. */
function callTool(
  walk: Walk,
  at: number,
  tool: string | undefined,
  callee: Held,
  given: Given,
  tries: boolean,
): Things {
  const found = foundCall(walk, at, tool, tries);
  const names = Object.keys(walk.world.tools.get(tool ?? '')?.parameters.properties ?? {});
  given.positional.forEach(({ things }, i) => {
    const name = names[i];
    if (name === undefined) note(walk, found.others, things);
    else argument(walk, found, name, things);
  });
  for (const [name, { things }] of given.named) argument(walk, found, name, things);
  note(walk, found.others, given.others);
  choice(walk, found, callee);
  return new Set([found.thing]);
}

/** Which of several tools it is, is decided by whatever picked it. */
function choice(walk: Walk, { others }: FoundCall, callee: Held): void {
  if (callee.exact !== undefined) return;
  const picked = [...callee.things].filter((thing) => !walk.world.callables.has(thing));
  note(walk, others, new Set(picked));
}

/** A function of the program: whoever calls it, with whatever, it is one function. */
function enter(walk: Walk, at: number, index: number, given: Given, callee: Callee): Things {
  const { world } = walk;
  const { heap } = world;
  const chunk = world.program.chunks[index];
  const slots = world.locals[index];
  if (!chunk || !slots) return callee.things;
  const { target } = callee;
  const decided = heap.union([decidedAt(walk, at), target]);
  heap.add(world.callers[index] ?? new Set(), decided);
  heap.add(
    world.targets[index] ?? new Set(),
    heap.union([world.targets[walk.index] ?? nothing, target]),
  );
  mayFail(walk, at, world.failures[index] ?? nothing);
  const { positional, named, rest, keywords } = chunk.parameters;
  const known = positional + named;
  const spare = surplus(walk, index, chunk);
  const unset = new Set(slots.slice(0, known));
  const pass = (slot: Set<number> | undefined, held: Held): void => {
    if (slot && unset.delete(slot)) setParameter(walk, slot, held, decided);
    else heap.put(spare, heap.union([held.things, decided]));
  };
  given.positional.forEach((held, i) => {
    pass(i < positional ? slots[i] : undefined, held);
  });
  for (const [name, held] of given.named) {
    pass(slots[chunk.locals.slice(0, known).indexOf(name)], held);
  }
  // What stands for them by default is among what they may hold.
  for (const slot of unset) setParameter(walk, slot, { things: given.others }, decided);
  if (given.others.size > 0 && (rest || keywords)) heap.put(spare, given.others);
  return heap.union([world.returns[index] ?? nothing, target]);
}

/** Which value a parameter is, is decided by what decides which of several calls is made. */
function setParameter(
  { world: { heap, passed } }: Walk,
  slot: Set<number>,
  { things, exact }: Held,
  decided: Things,
): void {
  heap.add(slot, things);
  const known = passed.get(slot) ?? { constant: exact, decided: new Set() };
  passed.set(slot, known);
  heap.add(known.decided, decided);
  if (known.constant?.value !== exact?.value) known.constant = undefined;
  if (!known.constant) heap.add(slot, known.decided);
}

/** The containers in which a function finds the arguments that have no parameter. */
function surplus({ world }: Walk, index: number, { parameters }: Chunk): Things {
  const first = parameters.positional + parameters.named;
  const count = (parameters.rest ? 1 : 0) + (parameters.keywords ? 1 : 0);
  if (count === 0) return nothing;
  const things = new Set([world.heap.at(`surplus ${index}`)]);
  for (let i = 0; i < count; i++)
    world.heap.add(world.locals[index]?.[first + i] ?? new Set(), things);
  return things;
}

function callBuiltin(walk: Walk, at: number, name: string, callee: Callee, given: Given): Things {
  const { heap, program } = walk.world;
  const [first = none, ...positional] = given.positional;
  if (name === 'task') return callTask(walk, at, given);
  if (name === 'try_call' || name === 'stream') {
    const rest = { ...given, positional };
    const tools = toolsIn(walk, first);
    return heap.union(tools.map((tool) => callTool(walk, at, tool, first, rest, true)));
  }
  if (name === 'llm_bind') return callBinding(walk, at, given);
  const all = everyArgument(walk, given);
  const held = heap.within(all);
  const parts = [resultAt(walk, at, all), held];
  // Written in guest code: it does what its code does.
  program.chunks.forEach((chunk, index) => {
    if (chunk.role === 'builtin' && chunk.name === name) {
      parts.push(enter(walk, at, index, given, callee));
    }
  });
  // What it is given it may call, with whatever it is given.
  parts.push(callPassed(walk, at, name, given));
  if (name === 'getattr') parts.push(methodOf(walk, at, held));
  // The failure of what it called may quote any value; and variables hold whatever there is.
  if (name === 'attempt' || name === 'locals') parts.push(new Set([anything]));
  return heap.union(parts);
}

/** What a library function is given it may call, with whatever it is given. */
function callPassed(walk: Walk, at: number, name: string, given: Given): Things {
  const { heap, callers, failures } = walk.world;
  const held = heap.within(everyArgument(walk, given));
  const everything = { positional: [], named: new Map(), others: held };
  const catches = [{ kind: 'builtin', name } as const, ...callablesIn(walk, held)].some(
    (one) => one.kind === 'builtin' && one.name === 'attempt',
  );
  const args = [...given.positional, ...given.named.values(), { things: given.others }];
  const parts = args.flatMap((arg) => {
    const things = heap.within(arg.things);
    const callee = { things, target: choosing(walk.world, things) };
    return callablesIn(walk, things).map((callable) => {
      // A library function changes nothing, and the rest of what it does is noted by its caller.
      if (callable.kind === 'builtin') return nothing;
      if (catches && callable.kind === 'function') {
        const { chunk } = callable;
        heap.add(callers[chunk] ?? new Set(), failures[chunk] ?? nothing);
      }
      return callOne(walk, at, callable, callee, everything);
    });
  });
  return heap.union(parts);
}

/** `llm_bind(expr, helper)`: what a model makes of the one goes to the other. */
function callBinding(walk: Walk, at: number, given: Given): Things {
  const { heap, tools } = walk.world;
  const written = (given.positional[1] ?? given.named.get('helper'))?.exact?.value;
  const helper = typeof written === 'string' ? readHelperCall(written)?.name : undefined;
  const binding = foundCall(walk, at, bindingTool, false);
  note(walk, binding.others, everyArgument(walk, given));
  const called = foundCall(walk, at, helper && (findTool(tools, helper)?.name ?? helper), false);
  note(walk, called.others, new Set([binding.thing]));
  // What the program gives itself goes to the call past the model.
  for (const [key, value] of given.named.get('given')?.pairs ?? []) {
    if (typeof key.exact?.value === 'string') argument(walk, called, key.exact.value, value.things);
    else note(walk, called.others, value.things);
  }
  return heap.union([new Set([called.thing]), new Set([binding.thing])]);
}

/** `task(tool, args, *results)`: nodes in its arguments name results. */
function callTask(walk: Walk, at: number, given: Given): Things {
  const { heap } = walk.world;
  const [callee = none, args = none, ...results] = given.positional;
  const found = toolsIn(walk, callee).map((tool) => {
    const call = foundCall(walk, at, tool, true);
    const isPlain = args.pairs?.every(([key]) => typeof key.exact?.value === 'string') ?? false;
    const all = union(walk, results);
    if (!isPlain) note(walk, call.others, heap.union([args.things, all]));
    else {
      for (const [key, value] of args.pairs ?? []) {
        const named = resultsNamed(value, results);
        const from = named ? union(walk, named) : heap.union([value.things, all]);
        argument(walk, call, String(key.exact?.value), heap.union([value.things, from]));
      }
    }
    note(walk, call.others, given.others);
    choice(walk, call, callee);
    // It may say itself which step it counts as.
    if (given.named.has('step') || given.others.size > 0) call.steps = undefined;
    return call.thing;
  });
  return new Set(found);
}

/** The results that an argument names; undefined where nobody can say. */
function resultsNamed({ exact }: Held, results: readonly Held[]): readonly Held[] | undefined {
  if (!exact) return undefined;
  const indices = new Set<number>();
  if (!collect(exact.value, indices)) return undefined;
  return [...indices].map((i) => results[i] ?? none);
}

function collect(value: Value, found: Set<number>): boolean {
  if (value === null || typeof value !== 'object') return true;
  if (value.kind === 'float') return true;
  if (!isNode(value)) return false;
  const node = readNode(value);
  if (node?.kind === 'ref') found.add(node.index);
  if (node?.kind === 'text') {
    for (const piece of node.pieces) if (typeof piece !== 'string') found.add(piece.index);
  }
  return node?.kind === 'ref' || node?.kind === 'text';
}

/** The tools that a value may be; one that nobody knows where it may be any. */
function toolsIn(walk: Walk, { things, exact }: Held): readonly (string | undefined)[] {
  const name = exact?.value;
  const { tools } = walk.world;
  if (typeof name === 'string') return [findTool(tools, name)?.name ?? name];
  const callables = callablesIn(walk, things);
  const named = callables.flatMap((one) => (one.kind === 'tool' ? [one.name] : []));
  return named.length > 0 && named.length === things.size ? named : [...named, undefined];
}

function foundCall(walk: Walk, at: number, tool: string | undefined, tries: boolean): FoundCall {
  const { world, index: chunk, steps } = walk;
  const place = `call ${chunk} ${at} ${tool ?? ''}`;
  const known = world.calls.get(place);
  const found: FoundCall = known ?? {
    ...{ thing: world.heap.at(place), tool, chunk, at, tries, steps: steps[at] },
    ...{ named: new Map(), others: new Set() },
  };
  if (!known) {
    world.calls.set(place, found);
    const decider = world.heap.at(`chosen by ${place}`);
    world.deciders.set(found.thing, decider).set(decider, decider);
  }
  found.steps = steps[at];
  world.heap.add(found.others, world.targets[chunk] ?? nothing);
  if (!tries) mayFail(walk, at, new Set([found.thing]));
  return found;
}

function argument(walk: Walk, { named, tool }: FoundCall, written: string, things: Things): void {
  const parameters = walk.world.tools.get(tool ?? '')?.parameters;
  const name = parameters ? parameterName(parameters, written) : written;
  const known = named.get(name) ?? new Set<number>();
  named.set(name, known);
  note(walk, known, things);
}

/** What is sent is a copy of all that a value holds. */
const note = ({ world: { heap } }: Walk, to: Set<number>, things: Things): void =>
  heap.add(to, heap.within(things));

/** A new value made of these. */
function resultAt({ world: { heap }, index }: Walk, at: number, of: Things): Things {
  const things = new Set([heap.at(`result ${index} ${at}`)]);
  heap.put(things, of);
  return things;
}

const everyArgument = (walk: Walk, { positional, named, others }: Given): Things =>
  walk.world.heap.union([union(walk, [...positional, ...named.values()]), others]);

const union = (walk: Walk, held: readonly Held[]): Things =>
  walk.world.heap.union(held.map(({ things }) => things));

const callablesIn = ({ world }: Walk, things: Things): readonly Callable[] =>
  [...things].flatMap((thing) => world.callables.get(thing) ?? []);
