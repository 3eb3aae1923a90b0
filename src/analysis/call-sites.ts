/**
 * Where a program calls tools, with what, and how often, as far as its code says so: for whoever
 * wants to know what a run will cost. Nothing is executed. Variables are looked at without regard
 * to order, so what is said of them holds wherever they are read.
 */

import { type Opcode, opcodeAt, operandOf } from '../program/opcodes.ts';
import type { Chunk, Handler, Program } from '../program/program.ts';
import { dict, dictEntries, isDict, list, tuple, type Value } from '../program/value.ts';
import {
  type Expected,
  either,
  exactly,
  isNamed,
  isSame,
  joined,
  names,
  stored,
  unknown,
} from './expected.ts';
import { regionsOf } from './flow.ts';
import { type Visits, visitsIn } from './visits.ts';

export interface CallSite {
  readonly tool: string;
  /** Label of the step that it stands in; empty before the first. */
  readonly step: string;
  /** Name of the function that it stands in; empty on the main line. */
  readonly within: string;
  readonly positional: readonly Expected[];
  readonly named: ReadonlyMap<string, Expected>;
  readonly visits: Visits;
}

export interface SitesOptions {
  /** Tools that are asked about. */
  readonly isWanted: (tool: string) => boolean;
  readonly inputs: ReadonlyMap<string, Value>;
  /** What is known of the result of a tool. */
  readonly resultOf?: (tool: string) => Expected | undefined;
}

/** In the order of the code. */
export function callSites(program: Program, options: SitesOptions): CallSite[] {
  const { isWanted, inputs, resultOf = () => undefined } = options;
  const globals = program.globals.map((name): Expected | undefined => {
    const given = inputs.get(name);
    return given === undefined ? undefined : stored(exactly(given), name);
  });
  const world = { program, globals, resultOf, changed: false, rounds: 0 };
  const walks = program.chunks
    .filter(({ role }) => role !== 'builtin')
    .map((c) => newWalk(world, c));
  // What a variable may hold only ever grows, and after some rounds to anything.
  do {
    world.changed = false;
    world.rounds++;
    for (const walk of walks) follow(walk);
  } while (world.changed);
  return walks.flatMap((walk) => sitesOf(walk, isWanted));
}

interface World {
  readonly program: Program;
  /** By slot; undefined for what nothing sets. */
  readonly globals: (Expected | undefined)[];
  readonly resultOf: (tool: string) => Expected | undefined;
  changed: boolean;
  rounds: number;
}

interface Found {
  readonly tool: string;
  readonly positional: readonly Expected[];
  readonly named: ReadonlyMap<string, Expected>;
  /** It is handed to something else, which may call it any number of times. */
  readonly handedOver?: true;
}

interface Walk {
  readonly world: World;
  readonly chunk: Chunk;
  readonly locals: (Expected | undefined)[];
  /** The handlers in whose region an address lies. */
  readonly regions: ReadonlyMap<number, readonly Handler[]>;
  /** The stack before each instruction; undefined where no way leads. */
  stacks: (readonly Expected[] | undefined)[];
  /** How often a stack was changed: after some times by anything. */
  readonly changes: Map<number, number>;
  /** Calls, and tools that are handed to something else, by address. */
  readonly found: Map<number, Found>;
  queue: number[];
}

const roundsExact = 4;

function newWalk(world: World, chunk: Chunk): Walk {
  const parameters = chunk.parameters.positional + chunk.parameters.named;
  const locals = chunk.locals.map((name, i) => (i <= parameters + 1 ? unknown(name) : undefined));
  const regions = regionsOf(chunk);
  const fresh = { stacks: [], changes: new Map(), found: new Map(), queue: [] };
  return { world, chunk, locals, regions, ...fresh };
}

function follow(walk: Walk): void {
  walk.stacks = [];
  walk.changes.clear();
  walk.found.clear();
  if (walk.chunk.code.length > 0) arrive(walk, 0, []);
  for (let at = walk.queue.pop(); at !== undefined; at = walk.queue.pop()) visit(walk, at);
}

function arrive(walk: Walk, at: number, stack: readonly Expected[]): void {
  const known = walk.stacks[at];
  if (known === undefined) {
    walk.stacks[at] = stack;
    walk.queue.push(at);
    return;
  }
  if (known.length !== stack.length || known.every((one, i) => same(one, stack[i]))) return;
  const times = (walk.changes.get(at) ?? 0) + 1;
  walk.changes.set(at, times);
  walk.stacks[at] = known.map((one, i) => widened(one, stack[i] ?? one, times > roundsExact));
  walk.queue.push(at);
}

const same = (one: Expected, other: Expected | undefined): boolean =>
  other !== undefined && isSame(either(one, other), one);

/** What comes out of both; of what goes on growing, that it does. */
function widened(one: Expected, other: Expected, isEnough: boolean): Expected {
  const both = either(one, other);
  return isEnough && !isSame(both, one) ? { min: 0, max: Infinity, of: both.of } : both;
}

function visit(walk: Walk, at: number): void {
  const { chunk } = walk;
  const stack = walk.stacks[at] ?? [];
  const word = chunk.code[at] ?? 0;
  const row = opcodeAt(word);
  if (!row) return;
  for (const { depth, target } of walk.regions.get(at) ?? []) {
    arrive(walk, target, [...stack.slice(0, depth), unknown('error')]);
  }
  const operand = operandOf(word);
  const next = execute(walk, at, row, operand, stack);
  if (row.name === 'RETURN' || row.name === 'FAIL' || row.name === 'MORE') return;
  if (row.name !== 'JMP') arrive(walk, at + 1, next);
  if (row.operand !== 'address') return;
  const behind = row.jumpEffect(operand) - row.effect(operand);
  if (row.name === 'JMP') arrive(walk, operand, next);
  else if (behind < 0) arrive(walk, operand, next.slice(0, behind));
  else arrive(walk, operand, behind === 0 ? next : stack);
}

/** The stack behind an instruction, where control goes on behind it. */
function execute(
  walk: Walk,
  at: number,
  row: Opcode,
  operand: number,
  stack: readonly Expected[],
): readonly Expected[] {
  const needs = row.needs(operand);
  const rest = stack.slice(0, Math.max(0, stack.length - needs));
  const taken = stack.slice(rest.length);
  const top = taken.at(-1) ?? unknown('');
  switch (row.name) {
    case 'CONST':
      return [...rest, exactly(walk.chunk.constants[operand] ?? null)];
    case 'DUP':
      return [...rest, top, top];
    case 'DUP2':
      return [...rest, ...taken, ...taken];
    case 'EXCH':
      return [...rest, ...taken.toReversed()];
    case 'GLOBAL':
    case 'LOCAL':
      return [...rest, read(walk, row.name, operand)];
    case 'SETGLOBAL':
    case 'SETLOCAL':
      set(walk, row.name, operand, top);
      return rest;
    case 'ADD':
      return [...rest, added(taken)];
    case 'MOD':
      return [...rest, formatted(taken, /%[a-z%]/g)];
    case 'METHOD':
      return [...rest, method(taken)];
    case 'TEMPLATE':
      return [...rest, joined(taken)];
    case 'LIST':
    case 'TUPLE':
    case 'DICT':
      return [...rest, built(row.name, taken)];
    case 'CALL':
      return [...rest, call(walk, at, operand, taken)];
    default:
      return other(row, operand, rest, taken);
  }
}

/** What is computed in any other way is not known, but what of. */
function other(
  row: Opcode,
  operand: number,
  rest: readonly Expected[],
  taken: readonly Expected[],
): readonly Expected[] {
  const of = names(taken);
  const made = taken.length + row.effect(operand);
  const some: Expected = { min: 0, max: Infinity, of };
  return [...rest, ...Array.from({ length: Math.max(0, made) }, () => some)];
}

function read({ world, chunk, locals }: Walk, kind: 'GLOBAL' | 'LOCAL', slot: number): Expected {
  const known = kind === 'GLOBAL' ? world.globals[slot] : locals[slot];
  const name = (kind === 'GLOBAL' ? world.program.globals : chunk.locals)[slot] ?? '';
  if (known === undefined) return unknown(name);
  // The variable says more to a reader than the tool whose result it holds.
  const isWhole = known.value !== undefined || (known.of.length === 0 && known.max < Infinity);
  return isWhole ? known : { ...known, of: [name] };
}

function set(walk: Walk, kind: 'SETGLOBAL' | 'SETLOCAL', slot: number, given: Expected): void {
  const { world, chunk, locals } = walk;
  const all = kind === 'SETGLOBAL' ? world.globals : locals;
  const name = (kind === 'SETGLOBAL' ? world.program.globals : chunk.locals)[slot] ?? '';
  const kept = stored(given, name);
  const known = all[slot];
  const both = known ? widened(known, kept, world.rounds > roundsExact) : kept;
  if (known && isSame(known, both)) return;
  all[slot] = both;
  world.changed = true;
}

/** Texts are joined; of numbers and lists nothing is known that would matter. */
function added(taken: readonly Expected[]): Expected {
  const isText = taken.some(({ value }) => typeof value?.exact === 'string');
  if (isText) return joined(taken);
  return { min: 0, max: Infinity, of: names(taken) };
}

/** `text % values`, `text.format(…)`: at least as long as the text around the places. */
function formatted(taken: readonly Expected[], places: RegExp): Expected {
  const text = taken[0]?.value?.exact;
  const of = names(taken);
  const min = typeof text === 'string' ? text.replace(places, '').length : 0;
  return { min, max: Infinity, of };
}

function method(taken: readonly Expected[]): Expected {
  const isFormat = taken[1]?.value?.exact === 'format';
  return formatted(taken, isFormat ? /\{[^{}]*\}/g : /[\s\S]*/g);
}

function built(kind: 'LIST' | 'TUPLE' | 'DICT', taken: readonly Expected[]): Expected {
  const values = taken.flatMap(({ value }) => (value ? [value.exact] : []));
  // Brackets and commas are not counted.
  if (values.length < taken.length) return joined([...taken, exactly('')]);
  if (kind === 'LIST') return exactly(list(values));
  if (kind === 'TUPLE') return exactly(tuple(values));
  const pairs = values.flatMap((key, i): [Value, Value][] =>
    i % 2 === 0 ? [[key, values[i + 1] ?? null]] : [],
  );
  return exactly(dict(pairs));
}

/** Of library functions that call the tool which is their first argument. */
const callers: ReadonlySet<string> = new Set(['try_call', 'stream']);

function call(walk: Walk, at: number, packed: number, taken: readonly Expected[]): Expected {
  const count = packed & 255;
  const [callee, ...rest] = taken;
  const positional = rest.slice(0, count);
  const named = new Map<string, Expected>();
  for (let i = count; i < rest.length; i += 2) {
    const name = rest[i]?.value?.exact;
    const value = rest[i + 1];
    if (typeof name === 'string' && value) named.set(name, value);
  }
  const called = namedBy(callee);
  const first = namedBy(positional[0]);
  if (called?.kind === 'tool') walk.found.set(at, { tool: called.name, positional, named });
  else if (called && callers.has(called.name) && first?.kind === 'tool')
    walk.found.set(at, { tool: first.name, positional: positional.slice(1), named });
  else if (called?.name === 'task' && first?.kind === 'tool')
    walk.found.set(at, { tool: first.name, positional: [], named: taskArguments(positional[1]) });
  else handedOver(walk, at, [...positional, ...named.values()]);
  const of = called?.name ?? '';
  return (called?.kind === 'tool' && walk.world.resultOf(of)) || unknown(of);
}

/** Arguments of a task, with places where results are to be put in. */
function taskArguments(given: Expected | undefined): Map<string, Expected> {
  const args = given?.value?.exact ?? null;
  const named = new Map<string, Expected>();
  if (!isDict(args)) return named;
  for (const [name, value] of dictEntries(args)) named.set(String(name), formExpected(value));
  return named;
}

/** `("text", part, …)` is a text with results in it, `("ref", …)` a result. */
function formExpected(form: Value): Expected {
  if (form === null || typeof form !== 'object') return exactly(form);
  const [kind, ...parts] = form.kind === 'tuple' ? form.items : [];
  return kind === 'text' ? joined(parts.map(formExpected)) : unknown('');
}

/** A tool that something else calls: `parallel(llm_generate, prompts)`. */
function handedOver(walk: Walk, at: number, args: readonly Expected[]): void {
  for (const one of args) {
    const tool = namedBy(one);
    if (tool?.kind !== 'tool') continue;
    const given = { positional: [unknown('')], named: new Map() };
    walk.found.set(at, { tool: tool.name, ...given, handedOver: true });
  }
}

function namedBy(given: Expected | undefined) {
  const exact = given?.value?.exact;
  return exact !== undefined && isNamed(exact) ? exact : undefined;
}

function sitesOf({ chunk, found, world }: Walk, isWanted: (tool: string) => boolean): CallSite[] {
  const wanted = [...found].filter(([, { tool }]) => isWanted(tool)).sort(([a], [b]) => a - b);
  if (wanted.length === 0) return [];
  const visits = visitsIn(
    chunk,
    wanted.map(([at]) => at),
  );
  return wanted.map(([at, { tool, positional, named, handedOver }], i): CallSite => {
    const isMain = chunk.role === 'main';
    const often = (isMain && !handedOver && visits[i]) || { min: 0, max: undefined };
    const step = stepAt(world.program, chunk, at);
    return { tool, positional, named, step, within: isMain ? '' : chunk.name, visits: often };
  });
}

function stepAt({ steps }: Program, { code, role }: Chunk, at: number): string {
  if (role !== 'main') return '';
  for (let before = at; before >= 0; before--) {
    const word = code[before] ?? 0;
    if (opcodeAt(word)?.name === 'STEP') return steps[operandOf(word)]?.label ?? '';
  }
  return '';
}
