/**
 * What a fiber is given: what its function can reach, which of that is still to come, and how it is
 * kept from changing while fibers run at the same time.
 *
 * - H1 What the fibers of a `parallel` reach is frozen, at the spawn or on arrival.
 * - H2 They see variables as they were at the spawn: closures are copied, each cell once, and of
 *   global variables those are handed over that their code can name.
 */
import { opcodeNumbers } from '../../program/opcodes.ts';
import { type Chunk, emptyProgram } from '../../program/program.ts';
import { type Cell, type Pending, settled, type Value } from '../../program/value.ts';
import type { FiberCall, FibersWork, Missing, State } from '../state.ts';

type World = Pick<State, 'program' | 'globals' | 'library'>;

/** For what is reached without code: data, and what closures hold. */
const nowhere: World = { program: emptyProgram(''), globals: [], library: new Map() };

export interface Reach {
  readonly pendings: Set<Pending>;
  /** Slots of global variables that the code can name. */
  readonly globals: Set<number>;
  /** Every container, function and other object once. */
  readonly seen: Set<object>;
}

/** Everything that code which holds `roots` can come to. */
export function reachOf(world: World, roots: readonly Value[]): Reach {
  const reach: Reach = { pendings: new Set(), globals: new Set(), seen: new Set() };
  const queue: Value[] = [...roots];
  for (let item = queue.pop(); item !== undefined; item = queue.pop()) {
    const value = settled(item);
    if (value === null || typeof value !== 'object' || reach.seen.has(value)) continue;
    reach.seen.add(value);
    if (value.kind === 'pending') reach.pendings.add(value);
    for (const part of partsOf(world, value, reach.globals)) queue.push(part);
  }
  return reach;
}

type Heap = Extract<Value, object>;

function partsOf(world: World, value: Heap, globals: Set<number>): readonly Value[] {
  switch (value.kind) {
    case 'list':
    case 'tuple':
      return value.items;
    case 'dict':
      return value.slots.flatMap((slot) => slot ?? []);
    case 'set':
      return value.slots.filter((slot) => slot !== undefined);
    case 'struct':
    case 'object':
      return [...value.fields.values()];
    case 'module':
      return [...value.members.values()];
    case 'method':
      return [value.receiver];
    case 'cell':
      return value.value === undefined ? [] : [value.value];
    case 'builtin': {
      const guest = world.library.get(value.name);
      return guest ? [guest] : [];
    }
    case 'function':
      return [...value.defaults, ...value.cells, ...namedBy(world, value.chunk, globals)];
    default:
      return [];
  }
}

/** Values of the global variables, and library functions, that a function's code names. */
function namedBy({ program, globals: values }: World, chunk: number, found: Set<number>): Value[] {
  const parts: Value[] = [];
  const chunks = [chunk];
  const seen = new Set(chunks);
  for (let at = chunks.pop(); at !== undefined; at = chunks.pop()) {
    const named = namesIn(program.chunks[at]);
    for (const part of named.builtins) parts.push(part);
    for (const slot of named.globals) {
      if (found.has(slot)) continue;
      found.add(slot);
      const value = values[slot];
      if (value !== undefined) parts.push(value);
    }
    for (const inner of named.chunks) {
      if (seen.has(inner)) continue;
      seen.add(inner);
      chunks.push(inner);
    }
  }
  return parts;
}

interface Names {
  readonly globals: readonly number[];
  /** Functions that it makes. */
  readonly chunks: readonly number[];
  readonly builtins: readonly Value[];
}

const knownNames = new WeakMap<Chunk, Names>();

/** Code never changes (P1), so it is read once. */
function namesIn(chunk: Chunk | undefined): Names {
  const known = chunk && knownNames.get(chunk);
  if (known) return known;
  const operands = (code: number): number[] => {
    const words = chunk?.code.filter((word) => (word & 255) === code) ?? [];
    return [...new Set(words.map((word) => word >> 8))];
  };
  const builtins = chunk?.constants.filter(
    (value) => typeof value === 'object' && value?.kind === 'builtin',
  );
  const names = {
    globals: operands(opcodeNumbers.GLOBAL),
    chunks: operands(opcodeNumbers.FUNC),
    builtins: builtins ?? [],
  };
  if (chunk) knownNames.set(chunk, names);
  return names;
}

/** Freezes what has been reached (H1). */
export function freezeAll({ seen }: Pick<Reach, 'seen'>): void {
  for (const value of seen as Set<Heap>) {
    switch (value.kind) {
      case 'list':
      case 'dict':
      case 'set':
        value.frozen ||= 'parallel';
        break;
      case 'object':
        value.frozen = true;
        break;
      default:
    }
  }
}

/** Copies the closures in a value, with `copies` of what was copied before (H2). */
export function copyClosures(value: Value, copies: Map<object, Value>): Value {
  const seen = settled(value);
  if (seen === null || typeof seen !== 'object') return seen;
  const known = copies.get(seen);
  if (known !== undefined) return known;
  if (!holdsClosure(seen)) return seen;
  const copy = (item: Value): Value => copyClosures(item, copies);
  const note = <T extends Value>(made: T): T => {
    copies.set(seen, made);
    return made;
  };
  switch (seen.kind) {
    case 'function': {
      const [defaults, cells]: [Value[], Cell[]] = [[], []];
      const made = note({ ...seen, defaults, cells });
      for (const item of seen.defaults) defaults.push(copy(item));
      for (const one of seen.cells) cells.push(copy(one) as Cell);
      return made;
    }
    case 'cell': {
      const made = note<Cell>({ kind: 'cell', value: undefined });
      if (seen.value !== undefined) made.value = copy(seen.value);
      return made;
    }
    case 'list':
    case 'tuple': {
      const items: Value[] = [];
      const made: Value = note({ ...seen, items });
      for (const item of seen.items) items.push(copy(item));
      return made;
    }
    case 'dict': {
      const made = note({ ...seen, index: new Map(seen.index), slots: [] as typeof seen.slots });
      for (const slot of seen.slots) made.slots.push(slot ? [slot[0], copy(slot[1])] : undefined);
      return made;
    }
    case 'struct': {
      const fields = new Map<string, Value>();
      const made = note({ ...seen, fields });
      for (const [name, item] of seen.fields) fields.set(name, copy(item));
      return made;
    }
    default:
      return seen;
  }
}

/** Whether a later assignment to a variable could be seen through a value. */
function holdsClosure(value: Value): boolean {
  return [...reachOf(nowhere, [value]).seen].some((one) => (one as Heap).kind === 'cell');
}

/** What the calls of a group in a state's window wait for: each for its own, all for the rest. */
export function missingFor(
  state: State,
  { mode, callee, globals, calls }: Pick<FibersWork, 'mode' | 'callee' | 'globals' | 'calls'>,
): Missing {
  return mode === 'attempt'
    ? missingOf(state, [callee], calls)
    : missingOf(nowhere, [callee, ...globals.map(([, value]) => value)], calls);
}

function missingOf(
  world: World,
  shared: readonly Value[],
  calls: readonly (FiberCall | undefined)[],
): Missing {
  const common = reachOf(world, shared).pendings;
  const missing: Missing = { common, waiting: new Map(), counts: new Map() };
  const all = reachOf(world, calls.flatMap(valuesOf)).pendings;
  if ([...all].every((pending) => common.has(pending))) return missing;
  calls.forEach((call, index) => {
    for (const pending of reachOf(world, valuesOf(call)).pendings) {
      if (!common.has(pending)) waitFor(missing, pending, index);
    }
  });
  return missing;
}

export const valuesOf = (call: FiberCall | undefined): Value[] =>
  call ? [...call.positional, ...call.named.map(([, value]) => value)] : [];

function waitFor({ waiting, counts }: Missing, pending: Pending, index: number): void {
  const known = waiting.get(pending);
  if (known) known.push(index);
  else waiting.set(pending, [index]);
  counts.set(index, (counts.get(index) ?? 0) + 1);
}

/** A value has come that fibers of a group wait for. */
export function arrive({ mode, missing }: FibersWork, pending: Pending): void {
  if (mode === 'parallel') freezeAll(reachOf(nowhere, [pending]));
  missing.common.delete(pending);
  for (const index of missing.waiting.get(pending) ?? []) {
    const count = (missing.counts.get(index) ?? 0) - 1;
    if (count > 0) missing.counts.set(index, count);
    else missing.counts.delete(index);
  }
  missing.waiting.delete(pending);
}
