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
  const isChanged = setOften(program.chunks, 'SETGLOBAL', 0);
  const globals = program.globals.map((name, slot): Expected | undefined => {
    const given = inputs.get(name);
    return given === undefined || isChanged.has(slot) ? undefined : stored(exactly(given), name);
  });
  const chunks = program.chunks.filter(({ role }) => role !== 'builtin');
  const changing = setOften(program.chunks, 'SETGLOBAL', 1);
  const walks = chunks.map((chunk) => newWalk({ program, globals, resultOf, changing }, chunk));
  // What a variable holds says more of those that are made of it, wherever they are set.
  for (let round = 0; round < rounds; round++) for (const walk of walks) follow(walk);
  return walks.flatMap((walk) => sitesOf(walk, isWanted));
}

const rounds = 3;

/** The variables that more than `most` instructions set: nothing is said of what they hold. */
function setOften(chunks: readonly Chunk[], name: Opcode['name'], most: number): Set<number> {
  const counts = new Map<number, number>();
  for (const word of chunks.flatMap(({ code }) => code)) {
    if (opcodeAt(word)?.name !== name) continue;
    const slot = operandOf(word);
    counts.set(slot, (counts.get(slot) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, count]) => count > most).map(([slot]) => slot));
}

interface World {
  readonly program: Program;
  /** By slot; undefined for what is not known. */
  readonly globals: (Expected | undefined)[];
  readonly resultOf: (tool: string) => Expected | undefined;
  /** Those that are set in several places. */
  readonly changing: ReadonlySet<number>;
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
  /** Those that are set in several places, or by whoever calls. */
  readonly changing: ReadonlySet<number>;
  /** The handlers in whose region an address lies. */
  readonly regions: ReadonlyMap<number, readonly Handler[]>;
  /** The stack before each instruction; undefined where no way leads. */
  stacks: (readonly Expected[] | undefined)[];
  /** Calls, and tools that are handed to something else, by address. */
  readonly found: Map<number, Found>;
  queue: number[];
}

function newWalk(world: World, chunk: Chunk): Walk {
  const { parameters } = chunk;
  const given = parameters.positional + parameters.named;
  const changing = setOften([chunk], 'SETLOCAL', 1);
  // Behind the parameters stand those that take the arguments beside them.
  for (let slot = 0; slot <= given + 1; slot++) changing.add(slot);
  const fresh = { locals: [], stacks: [], found: new Map(), queue: [] };
  return { world, chunk, changing, regions: regionsOf(chunk), ...fresh };
}

function follow(walk: Walk): void {
  walk.stacks = [];
  walk.found.clear();
  if (walk.chunk.code.length > 0) arrive(walk, 0, []);
  for (let at = walk.queue.pop(); at !== undefined; at = walk.queue.pop()) visit(walk, at);
}

/** Of what differs on two ways, nothing is known but what of. */
function arrive(walk: Walk, at: number, stack: readonly Expected[]): void {
  const known = walk.stacks[at];
  const made = known?.map((one, i) => {
    const other = stack[i] ?? one;
    return isSame(one, other) ? one : { min: 0, max: Infinity, of: names([one, other]) };
  });
  if (known && (known.length !== stack.length || known.every((one, i) => isSame(one, made?.[i])))) {
    return;
  }
  walk.stacks[at] = made ?? stack;
  walk.queue.push(at);
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
  const { world, chunk } = walk;
  const isGlobal = kind === 'SETGLOBAL';
  if ((isGlobal ? world : walk).changing.has(slot)) return;
  const name = (isGlobal ? world.program.globals : chunk.locals)[slot] ?? '';
  (isGlobal ? world.globals : walk.locals)[slot] = stored(given, name);
}

/** Texts are joined; of numbers and lists nothing is known that would matter. */
function added(taken: readonly Expected[]): Expected {
  const isText = taken.some(({ value }) => typeof value?.exact === 'string');
  if (isText) return joined(taken);
  return { min: 0, max: Infinity, of: names(taken) };
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
