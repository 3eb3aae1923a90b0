/**
 * Walks through the code of a program and notes what may flow where: precise about the operand
 * stack of a chunk, without regard to order about variables and containers, without regard to who
 * calls about functions. Whatever it cannot follow may be anything. Nothing is executed.
 *
 * - O1 It says at least what happens: if a value that a call gave reaches an argument in any run,
 *   the thing of that call is among those of the argument.
 * - O2 What is known only grows, so it ends.
 */

import { type Opcode, opcodeAt, operandOf } from '../program/opcodes.ts';
import { regionsOf } from './flow.ts';
import { callFunction, callMethod, spreadCall } from './origin-calls.ts';
import { decide, decidedAt, decidedWithin, joined, mayFail } from './origin-decisions.ts';
import {
  anything,
  constant,
  type Heap,
  type Held,
  methodOf,
  nothing,
  type Things,
  type Walk,
  type World,
} from './origin-world.ts';

export function follow(world: World, index: number): void {
  const chunk = world.program.chunks[index];
  if (!chunk || chunk.code.length === 0) return;
  const regions = regionsOf(chunk);
  const walk: Walk = { world, index, chunk, regions, stacks: [], steps: [], queue: [] };
  // Whoever calls a function, or goes on in a later chunk, may be in any step.
  arrive(walk, 0, [], index === 0 && chunk.role === 'main' ? noStep : undefined);
  for (let at = walk.queue.pop(); at !== undefined; at = walk.queue.pop()) visit(walk, at);
}

const noStep: ReadonlySet<number> = new Set([-1]);

function arrive(
  walk: Walk,
  at: number,
  stack: readonly Held[],
  steps: ReadonlySet<number> | undefined,
): void {
  const known = walk.stacks[at];
  if (known === undefined) {
    walk.stacks[at] = stack;
    walk.steps[at] = steps;
    walk.queue.push(at);
    return;
  }
  const both = known.map((one, i) => merged(walk.world.heap, one, stack[i] ?? one));
  const before = walk.steps[at];
  const all = before && steps && eitherStep(before, steps);
  if (all === before && both.every((one, i) => one === known[i])) return;
  walk.stacks[at] = both;
  walk.steps[at] = all;
  walk.queue.push(at);
}

/** The first of them where it has all of both. */
function eitherStep(one: ReadonlySet<number>, other: ReadonlySet<number>): ReadonlySet<number> {
  if (one === other || [...other].every((step) => one.has(step))) return one;
  return new Set([...one, ...other]);
}

function merged(heap: Heap, one: Held, other: Held): Held {
  if (one === other) return one;
  const things = heap.union([one.things, other.things]);
  const isKnown = one.exact === undefined || one.exact.value === other.exact?.value;
  const isPaired = one.pairs === undefined || one.pairs === other.pairs;
  if (things === one.things && isKnown && isPaired) return one;
  return isKnown && one.exact ? { things, exact: one.exact } : { things };
}

function visit(walk: Walk, at: number): void {
  const { chunk, world } = walk;
  const stack = joined(walk, at, walk.stacks[at] ?? []);
  const word = chunk.code[at] ?? 0;
  const row = opcodeAt(word);
  if (!row) return;
  const operand = operandOf(word);
  const steps = row.name === 'STEP' ? new Set([operand]) : walk.steps[at];
  for (const handler of walk.regions.get(at) ?? []) {
    const { depth, target } = handler;
    // A message may quote any value that something was wrong with.
    const error = world.heap.at(`error ${walk.index} ${target}`);
    arrive(walk, target, [...stack.slice(0, depth), { things: new Set([error, anything]) }], steps);
  }
  if (world.catches && !steady.has(row.name)) {
    const taken = stack.slice(Math.max(0, stack.length - row.needs(operand)));
    mayFail(walk, at, world.heap.union(taken.map(({ things }) => things)));
  }
  const next = execute(walk, at, row, operand, stack);
  if (row.name === 'RETURN' || row.name === 'FAIL' || row.name === 'MORE') return;
  if (row.name !== 'JMP') arrive(walk, at + 1, next, steps);
  if (row.operand !== 'address') return;
  if (row.name !== 'JMP') {
    const condition = world.heap.within(stack.at(-1)?.things ?? nothing);
    decide(walk, at, condition, stack.length - row.needs(operand));
  }
  const behind = row.jumpEffect(operand) - row.effect(operand);
  if (row.name === 'JMP') arrive(walk, operand, next, steps);
  else if (behind < 0) arrive(walk, operand, next.slice(0, behind), steps);
  else arrive(walk, operand, behind === 0 ? next : stack, steps);
}

/** Instructions that only move values. They never fail by what a value is. */
const steady: ReadonlySet<string> = new Set([
  ...['NOP', 'POP', 'DUP', 'DUP2', 'EXCH', 'CONST', 'LIST', 'TUPLE', 'EMIT', 'ANSWER'],
  ...['SETLOCAL', 'SETCELL', 'SETGLOBAL', 'RETURN', 'JMP', 'JF', 'JT', 'JFK', 'JTK', 'ENDITER'],
]);

/** The stack behind an instruction, where control goes on behind it. */
function execute(
  walk: Walk,
  at: number,
  row: Opcode,
  operand: number,
  stack: readonly Held[],
): readonly Held[] {
  const { heap } = walk.world;
  const needs = row.needs(operand);
  const rest = stack.slice(0, Math.max(0, stack.length - needs));
  const taken = stack.slice(rest.length);
  const top = taken.at(-1) ?? unheld;
  const made = (): Things => new Set([heap.at(`made ${walk.index} ${at}`)]);
  switch (row.name) {
    case 'CONST':
      return [...rest, constant(walk.world, walk.chunk.constants[operand] ?? null)];
    case 'DUP':
    case 'DUP2': {
      // What is there twice may be changed through either.
      const plain = taken.map(withoutPairs);
      return [...rest, ...plain, ...plain];
    }
    case 'EXCH':
      return [...rest, ...taken.toReversed()];
    case 'LIST':
    case 'TUPLE':
    case 'DICT':
      return [...rest, container(walk, row.name, made(), taken)];
    case 'APPEND':
    case 'PUT':
    case 'PUTNEW':
      return putBelow(walk, at, row, operand, stack);
    case 'SETINDEX':
    case 'SETFIELD':
      heap.put(taken[0]?.things ?? nothing, chosenHere(walk, at, taken.slice(1)));
      return rest;
    case 'IADD':
    case 'IOR': {
      const [target = unheld, more = unheld] = taken;
      const added = heap.union([heap.within(more.things), decidedAt(walk, at)]);
      heap.put(target.things, added);
      return [...rest, { things: heap.union([target.things, more.things]) }];
    }
    case 'ATTR':
      return [...rest, { things: methodOf(walk, at, top.things) }];
    case 'FUNC':
      return [...rest, closure(walk, operand, made(), top)];
    case 'CALL':
      return [...rest, { things: callFunction(walk, at, operand, taken) }];
    case 'SPREAD':
      return [...rest, { things: spreadCall(walk, at, taken) }];
    case 'METHOD':
      return [...rest, { things: callMethod(walk, at, taken) }];
    case 'RETURN':
      heap.add(
        walk.world.returns[walk.index] ?? new Set(),
        heap.union([top.things, decidedWithin(walk, at)]),
      );
      return rest;
    case 'ANSWER':
      noteAnswer(walk, at, heap.within(top.things));
      return rest;
    default:
      return variables(walk, at, row, operand, rest, taken);
  }
}

/** Values that are put somewhere, with what has decided that they are. */
const chosenHere = (walk: Walk, at: number, taken: readonly Held[]): Things =>
  walk.world.heap.union([...taken.map(({ things }) => things), decidedAt(walk, at)]);

const unheld: Held = { things: nothing };

const withoutPairs = ({ things, exact }: Held): Held => (exact ? { things, exact } : { things });

function variables(
  walk: Walk,
  at: number,
  row: Opcode,
  operand: number,
  rest: readonly Held[],
  taken: readonly Held[],
): readonly Held[] {
  const { world, index } = walk;
  switch (row.name) {
    case 'LOCAL':
    case 'CELL':
      return [...rest, { things: world.locals[index]?.[operand] ?? anyThing }];
    case 'CAPTURED':
      return [...rest, { things: world.captured[index]?.[operand] ?? anyThing }];
    case 'GLOBAL':
      return [...rest, { things: world.globals[operand] ?? anyThing }];
    case 'SETLOCAL': {
      const set = world.heap.union([taken[0]?.things ?? nothing, decidedWithin(walk, at)]);
      world.heap.add(world.locals[index]?.[operand] ?? new Set(), set);
      return rest;
    }
    case 'SETCELL':
      world.heap.add(
        world.locals[index]?.[operand] ?? new Set(),
        chosenHere(walk, at, taken.slice(0, 1)),
      );
      return rest;
    case 'SETGLOBAL':
      world.heap.add(world.globals[operand] ?? new Set(), chosenHere(walk, at, taken.slice(0, 1)));
      return rest;
    default:
      return computed(walk, row, operand, rest, taken);
  }
}

const anyThing: Things = new Set([anything]);

/** Parts of a value, and whatever is made of values in any other way. */
function computed(
  { world: { heap } }: Walk,
  row: Opcode,
  operand: number,
  rest: readonly Held[],
  taken: readonly Held[],
): readonly Held[] {
  const all = heap.union(taken.map(({ things }) => things));
  const isPart = ['INDEX', 'FIELD', 'SLICE', 'UNPACK', 'NEXT'].includes(row.name);
  const things = isPart ? heap.within(all) : all;
  const count = Math.max(0, taken.length + row.effect(operand));
  const made = Array.from({ length: count }, (): Held => ({ things }));
  // The iterator stays what it is beneath its item.
  return row.name === 'NEXT' && taken[0]
    ? [...rest, taken[0], ...made.slice(1)]
    : [...rest, ...made];
}

function container(
  { world: { heap } }: Walk,
  kind: 'LIST' | 'TUPLE' | 'DICT',
  things: Things,
  taken: readonly Held[],
): Held {
  heap.put(things, heap.union(taken.map((one) => one.things)));
  if (kind !== 'DICT') return { things };
  const pairs = taken.flatMap((key, i): [Held, Held][] =>
    i % 2 === 0 ? [[key, taken[i + 1] ?? unheld]] : [],
  );
  return { things, pairs };
}

/** APPEND and its like take what is on top into a container further down, which stays there. */
function putBelow(
  walk: Walk,
  at: number,
  row: Opcode,
  operand: number,
  stack: readonly Held[],
): readonly Held[] {
  const left = stack.slice(0, stack.length + row.effect(operand));
  const place = stack.length - row.needs(operand);
  const target = left[place];
  if (!target) return left;
  walk.world.heap.put(target.things, chosenHere(walk, at, stack.slice(left.length)));
  return left.map((one, i) => (i === place ? { things: one.things } : one));
}

function closure({ world, index }: Walk, chunk: number, things: Things, defaults: Held): Held {
  const { heap, program } = world;
  for (const thing of things) world.callables.set(thing, { kind: 'function', chunk });
  heap.put(things, defaults.things);
  program.chunks[chunk]?.captures.forEach(({ from, index: slot }, i) => {
    const outer = (from === 'local' ? world.locals : world.captured)[index]?.[slot];
    const inner = world.captured[chunk]?.[i];
    if (outer && inner) heap.add(inner, outer);
  });
  // Without an argument a parameter is what stands for it by default.
  const { positional = 0, named = 0 } = program.chunks[chunk]?.parameters ?? {};
  const slots = world.locals[chunk]?.slice(0, positional + named) ?? [];
  for (const slot of slots) heap.add(slot, heap.within(defaults.things));
  return { things };
}

function noteAnswer({ world, index, steps }: Walk, at: number, from: Things): void {
  const place = `${index} ${at}`;
  const known = world.answers.get(place) ?? { from: new Set<number>(), steps: undefined };
  world.heap.add(known.from, from);
  known.steps = steps[at];
  world.answers.set(place, known);
}
