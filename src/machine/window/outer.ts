/**
 * What outlives an attempt. An attempt runs ahead of its effects like any code, but its parent goes
 * on when one of them fails: what the parent can reach must not show what came behind the failure.
 * So such a container changes only once everything before the change has succeeded.
 */
import type { Value } from '../../program/value.ts';
import { settled } from '../../program/value.ts';
import type { Fiber, State } from '../state.ts';
import { Wait } from '../values/wait.ts';
import { reachOf } from './hand-over.ts';

/** Before `target` changes and holds `stored`; waits where that is too early. */
export function needSettled(state: State, target: Value, stored: readonly Value[]): void {
  const { fiber } = state;
  const seen = settled(target);
  if (fiber?.work.mode !== 'attempt' || seen === null || typeof seen !== 'object') return;
  if (isAhead(state, seen)) throw new Wait({ on: 'outer', target: seen });
  keepOuter(state, seen, stored);
}

/** Whether anything that may still fail stands before a change of `target`. */
export function isAhead(state: State, target: object, until?: number): boolean {
  const { fiber } = state;
  if (fiber?.work.mode !== 'attempt' || !outerOf(fiber).has(target)) return false;
  const [oldest = until] = state.entries.keys();
  return oldest !== until || isAhead(fiber.parent, target, fiber.entry.seq);
}

/** What an outer container holds is outer as well. */
function keepOuter({ fiber }: State, target: object, stored: readonly Value[]): void {
  if (fiber?.work.mode !== 'attempt' || !outerOf(fiber).has(target)) return;
  const { seen } = reachOf(fiber.parent, stored);
  for (const value of seen) outerOf(fiber).add(value);
  keepOuter(fiber.parent, target, stored);
}

/** The parent stands before the call: what it holds there, and can name, was there before. */
function outerOf(fiber: Fiber): Set<object> {
  fiber.outer ??= reachOf(fiber.parent, [
    ...fiber.parent.stack.filter((value) => value !== undefined),
  ]).seen;
  return fiber.outer;
}
