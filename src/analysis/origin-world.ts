/**
 * What the analysis of origins knows of a program while it walks through its code: what variables
 * may hold, what can be called, which calls and answers it has met.
 */
import type { ToolSpec } from '../program/effect.ts';
import type { Chunk, Handler, Program } from '../program/program.ts';
import type { Value } from '../program/value.ts';
import type { Branches } from './origin-branches.ts';
import type { Heap, Held, Things } from './origin-values.ts';
import { nothing } from './origin-values.ts';

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
