/**
 * How many values are on the stack, as far as that is known before a program runs: exactly, until
 * a foreach goes over a list that only the run has. The check counts by it.
 */
import type { Site } from '../../program/effect.ts';

export interface Depth {
  /** At least so many. */
  least: number;
  /** Whether there are no more. */
  isExact: boolean;
  /** The newest values that a foreach has left there, while none of them is taken. */
  many?: Many | undefined;
}

export interface Many {
  readonly site: Site;
  /** Undefined for any number. */
  readonly count: number | undefined;
  /** How many values stand above them. */
  above: number;
}

/** Whether so many values can be taken: surely, surely not, or only the run can tell. */
export function canTake({ least, isExact }: Depth, count: number): boolean | undefined {
  if (least >= count) return true;
  return isExact ? false : undefined;
}

/** Gives the values of a foreach of which only some are taken. */
export function take(depth: Depth, count: number | 'all'): Many | undefined {
  const { many } = depth;
  const isWithin = count === 'all' || (many !== undefined && count > many.above);
  if (isWithin) depth.many = undefined;
  else if (many) many.above -= count;
  takeSome(depth, count);
  const isPart = many !== undefined && count !== 'all' && many.count !== count - many.above;
  return isWithin && isPart ? many : undefined;
}

function takeSome(depth: Depth, count: number | 'all'): void {
  if (count === 'all') {
    depth.least = 0;
    depth.isExact = true;
  } else depth.least = Math.max(0, depth.least - count);
}

/** Undefined for any number of values. */
export function push(depth: Depth, count: number | undefined): void {
  if (depth.many) depth.many.above += count ?? 0;
  if (count === undefined) depth.isExact = false;
  else depth.least += count;
}
