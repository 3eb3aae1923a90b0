/**
 * How many values are on the stack, as far as that is known before a program runs: exactly, until
 * a foreach goes over a list that only the run has. The check counts by it.
 */
export interface Depth {
  /** At least so many. */
  least: number;
  /** Whether there are no more. */
  isExact: boolean;
}

/** Whether so many values can be taken: surely, surely not, or only the run can tell. */
export function canTake({ least, isExact }: Depth, count: number): boolean | undefined {
  if (least >= count) return true;
  return isExact ? false : undefined;
}

export function take(depth: Depth, count: number | 'all'): void {
  if (count === 'all') {
    depth.least = 0;
    depth.isExact = true;
  } else depth.least = Math.max(0, depth.least - count);
}

/** Undefined for any number of values. */
export function push(depth: Depth, count: number | undefined): void {
  if (count === undefined) depth.isExact = false;
  else depth.least += count;
}
