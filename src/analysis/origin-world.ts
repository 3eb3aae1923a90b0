/**
 * What the analysis of origins knows of a program while it walks through its code: what variables
 * may hold, what can be called, which calls and answers it has met; and the abstract values of it.
 */
import type { ToolSpec } from '../program/effect.ts';
import type { Chunk, Handler, Program } from '../program/program.ts';
import type { Value } from '../program/value.ts';
import type { Branches } from './origin-branches.ts';

/** A place that calls a tool. */
export interface FoundCall {
  /** What its results are, as a thing. */
  readonly thing: number;
  /** Undefined where nobody knows before it runs. */
  readonly tool: string | undefined;
  readonly chunk: number;
  readonly at: number;
  /** Whether its failure is a value, which may hold what it was given. */
  readonly tries: boolean;
  readonly named: Map<string, Set<number>>;
  /** What may be in any argument, and what decides which tool it is. */
  readonly others: Set<number>;
  /** The steps that it may stand in; undefined where it may be any. */
  steps: ReadonlySet<number> | undefined;
}

export interface FoundAnswer {
  readonly from: Set<number>;
  steps: ReadonlySet<number> | undefined;
}

/** All that is known of a program; shared by the walks through its chunks. */
export interface World {
  readonly program: Program;
  readonly tools: ReadonlyMap<string, ToolSpec>;
  readonly heap: Heap;
  readonly globals: readonly Set<number>[];
  /** By chunk and slot. */
  readonly locals: readonly (readonly Set<number>[])[];
  readonly captured: readonly (readonly Set<number>[])[];
  /** By chunk. */
  readonly returns: readonly Set<number>[];
  /** What can be called among things. */
  readonly callables: Map<number, Callable>;
  readonly calls: Map<string, FoundCall>;
  readonly answers: Map<string, FoundAnswer>;
  /**
   * What stands for “an outcome of this call has decided which value it is”, by the thing of the
   * call; and by itself.
   */
  readonly deciders: Map<number, number>;
  /** By chunk: what has decided that it is called. */
  readonly callers: readonly Set<number>[];
  /** By chunk: what has chosen it, or a function that calls it, among things to call. */
  readonly targets: readonly Set<number>[];
  /** By chunk: what may have decided that a call of it fails. */
  readonly failures: readonly Set<number>[];
  /** Whether the program goes on after a failure anywhere; where not, failures decide nothing. */
  readonly catches: boolean;
  /** By parameter, as the set of what it may hold: how calls have set it. */
  readonly passed: Map<Set<number>, Passed>;
  /** By chunk, where its branches are decided by outcomes. */
  readonly decisions: Map<number, Decisions>;
}

/** What outcomes decide in a chunk. */
export interface Decisions {
  readonly branches: Branches;
  /** What has decided that an address is reached. */
  readonly reached: Map<number, Set<number>>;
  /** By the address where ways meet: what has chosen between the values that they leave. */
  readonly joins: Map<number, Map<number, Join>>;
}

export interface Join {
  /** The places of the stack that were there before the ways parted. */
  readonly base: number;
  readonly chosen: Set<number>;
}

/** What calls give to a parameter. */
export interface Passed {
  /** The constant that all calls give; undefined where calls give several values. */
  constant: { readonly value: Value } | undefined;
  /** What has decided that any of the calls is made. */
  readonly decided: Set<number>;
}

export type Callable =
  | { readonly kind: 'function'; readonly chunk: number }
  | { readonly kind: 'tool' | 'builtin'; readonly name: string }
  /** A method of any of these. */
  | { readonly kind: 'method'; readonly receivers: Things };

/** Through one chunk. */
export interface Walk {
  readonly world: World;
  readonly index: number;
  readonly chunk: Chunk;
  readonly regions: ReadonlyMap<number, readonly Handler[]>;
  readonly stacks: (readonly Held[] | undefined)[];
  /** Before each instruction: steps that may have been entered last; undefined for any. */
  readonly steps: (ReadonlySet<number> | undefined)[];
  readonly queue: number[];
}

/** A constant comes from nowhere, but it may be something to call. */
export function constant(world: World, value: Value): Held {
  const isNamed = typeof value === 'object' && value !== null;
  if (!isNamed || (value.kind !== 'tool' && value.kind !== 'builtin')) {
    return { things: nothing, exact: { value } };
  }
  const thing = world.heap.at(`${value.kind} ${value.name}`);
  world.callables.set(thing, { kind: value.kind, name: value.name });
  return { things: new Set([thing]), exact: { value } };
}

/** A part of a value, or a method that is bound to it. */
export function methodOf({ world, index }: Walk, at: number, of: Things): Things {
  const { heap, callables } = world;
  const receivers = heap.within(of);
  const thing = heap.at(`method ${index} ${at}`);
  callables.set(thing, { kind: 'method', receivers });
  heap.put(new Set([thing]), of);
  return heap.union([receivers, new Set([thing])]);
}

// Abstract values of the analysis of origins: which things a value may be, or be made from. Things
// are numbers: results of calls, containers and functions by the place that makes them, and one for
// whatever nobody can follow. What a container may hold belongs to the container, so that two
// variables with the same list see what is put into it through either.

export type Things = ReadonlySet<number>;

/** What stands on the abstract stack. */
export interface Held {
  readonly things: Things;
  /** Present where all of it is known. */
  readonly exact?: { readonly value: Value };
  /** Of a dict that was just made of these pairs. */
  readonly pairs?: readonly (readonly [key: Held, value: Held])[];
}

export const nothing: Things = new Set();

/** May be made from anything that the program has received. */
export const anything = 0;

/** May have been chosen among others by anything that the program has received. */
export const chosenByAnything = 1;

/** More work than this is not worth an answer: then everything may come from anywhere. */
const workMost = 20_000_000;

/** The program is too large, or too entangled, for the analysis. */
export class TooMuch extends Error {
  override readonly name = 'TooMuch';
}

/** The things there are, what each may hold, and whether anything was learned. */
export class Heap {
  changed = false;
  readonly #holds: Set<number>[] = [new Set(), new Set()];
  readonly #byPlace = new Map<string, number>();
  #work = 0;

  /** The thing that a place makes, whatever it is called there. */
  at(place: string): number {
    const known = this.#byPlace.get(place);
    if (known !== undefined) return known;
    const made = this.#holds.push(new Set()) - 1;
    this.#byPlace.set(place, made);
    this.changed = true;
    return made;
  }

  /** Each of `targets` may hold these from now on. */
  put(targets: Things, held: Things): void {
    for (const target of targets) this.add(this.#holds[target] ?? new Set(), held);
  }

  /** Adds to a set that only grows: that of a variable, or of what a container holds. */
  add(to: Set<number>, more: Things): void {
    this.charge(more.size);
    for (const one of more) {
      if (to.has(one)) continue;
      to.add(one);
      this.changed = true;
    }
  }

  /** Values, and all that they may hold, however deep. */
  within(values: Things): Things {
    const found = new Set(values);
    for (const one of found) {
      const held = this.#holds[one];
      this.charge(1 + (held?.size ?? 0));
      if (held) for (const other of held) found.add(other);
    }
    return found;
  }

  union(parts: readonly Things[]): Things {
    let all = nothing;
    for (const part of parts) all = this.#both(all, part);
    return all;
  }

  #both(one: Things, other: Things): Things {
    if (one === other || other.size === 0) return one;
    if (one.size === 0) return other;
    this.charge(one.size + other.size);
    const all = new Set(one);
    for (const thing of other) all.add(thing);
    return all.size === one.size ? one : all;
  }

  charge(units: number): void {
    this.#work += units;
    if (this.#work > workMost) throw new TooMuch('the program is too large to follow its values');
  }
}
