/**
 * Decisions, for the analysis of origins: which values are there because of what a branch has
 * found. A text of the program is as good as a constant only while no outcome has picked it among
 * others.
 *
 * - O3 What is assigned, returned, put somewhere or left on the stack on one of several ways has
 *   been chosen by what decided between them.
 * - O4 That a call is made at all is no part of its arguments: a constant is one on every way.
 *   Which function a call enters is part of all calls of tools in that function.
 * - O5 Where a program goes on after a failure, what it has changed up to there has been chosen by
 *   whatever decided that something fails.
 */

import type { Handler } from '../program/program.ts';
import { branchesOf } from './origin-branches.ts';
import {
  type Decisions,
  type Held,
  nothing,
  type Things,
  type Walk,
  type World,
} from './origin-world.ts';

/** A branch at `at` goes by `condition`; `base` places of the stack lie below what it takes. */
export function decide(walk: Walk, at: number, condition: Things, base: number): void {
  const chosen = deciding(walk.world, condition);
  if (chosen.size === 0) return;
  const { branches } = decisionsIn(walk);
  choose(walk, `jump ${at}`, chosen, base, branches.join(at), branches.next(at));
}

/** An instruction fails, or not, by what these values are. */
export function mayFail(walk: Walk, at: number, values: Things): void {
  const { world, index, regions } = walk;
  if (!world.catches) return;
  const chosen = world.heap.union([deciding(world, values), decidedAt(walk, at)]);
  if (chosen.size === 0) return;
  const handlers = regions.get(at) ?? [];
  for (const handler of handlers) decideFailure(walk, handler, chosen);
  if (handlers.length === 0) world.heap.add(world.failures[index] ?? new Set(), chosen);
}

function decideFailure(walk: Walk, handler: Handler, chosen: Things): void {
  const { branches } = decisionsIn(walk);
  const guarded = Array.from({ length: handler.end - handler.start }, (_, i) => handler.start + i);
  const starts = [...guarded, handler.target];
  const name = `handler ${handler.start} ${handler.target}`;
  const join = branches.joinOf(handler);
  choose(walk, name, chosen, handler.depth, join, starts);
}

/** What has decided that an address of the chunk is reached, or the chunk at all. */
export function decidedAt({ world, index }: Walk, at: number): Things {
  const here = world.decisions.get(index)?.reached.get(at) ?? nothing;
  return world.heap.union([here, world.callers[index] ?? nothing]);
}

/** The same without what lies outside the chunk: its own variables are new with each call. */
export const decidedWithin = ({ world, index }: Walk, at: number): Things =>
  world.decisions.get(index)?.reached.get(at) ?? nothing;

/** The stack where ways meet, as the instruction there finds it. */
export function joined(
  { world, index }: Walk,
  at: number,
  stack: readonly Held[],
): readonly Held[] {
  const joins = world.decisions.get(index)?.joins.get(at);
  if (!joins) return stack;
  let made = stack;
  for (const { base, chosen } of joins.values()) {
    made = made.map((held, i) =>
      i < base || held.exact ? held : { things: world.heap.union([held.things, chosen]) },
    );
  }
  return made;
}

function choose(
  walk: Walk,
  name: string,
  chosen: Things,
  base: number,
  join: number | undefined,
  starts: readonly number[],
): void {
  const { heap } = walk.world;
  const { branches, reached, joins } = decisionsIn(walk);
  const at = join ?? -1;
  const here = joins.get(at) ?? new Map();
  joins.set(at, here);
  const known = here.get(name) ?? { base, chosen: new Set<number>() };
  here.set(name, known);
  const size = known.chosen.size;
  heap.add(known.chosen, chosen);
  if (known.chosen.size === size) return;
  const between = branches.between(starts, join);
  heap.charge(between.length);
  for (const place of between) {
    const set = reached.get(place) ?? new Set<number>();
    reached.set(place, set);
    heap.add(set, chosen);
  }
}

/** What has chosen among the functions that a value may be, or hold. */
export function choosing({ heap, deciders, callables }: World, values: Things): Things {
  const data = [...values].filter((thing) => !callables.has(thing));
  return deciding({ heap, deciders }, new Set(data));
}

/** What stands for the outcomes in a condition, and for what has chosen it. */
function deciding({ heap, deciders }: Pick<World, 'heap' | 'deciders'>, condition: Things): Things {
  if (condition.size === 0) return nothing;
  const found = new Set<number>();
  for (const thing of heap.within(condition)) {
    const decider = deciders.get(thing);
    if (decider !== undefined) found.add(decider);
  }
  return found;
}

function decisionsIn({ world, index, chunk }: Walk): Decisions {
  const known = world.decisions.get(index);
  if (known) return known;
  world.heap.charge(chunk.code.length);
  const made = { branches: branchesOf(chunk), reached: new Map(), joins: new Map() };
  world.decisions.set(index, made);
  return made;
}
