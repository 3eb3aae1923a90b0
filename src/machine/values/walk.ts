/**
 * Walks over values, counted. A few containers that share parts can stand for more of them than any
 * walk ends on, so there is a limit; the fuel is taken at the end, when nothing can wait any more.
 */
import { faults } from './code-names.ts';
import { Fault } from './fault.ts';
import type { Surroundings } from './surroundings.ts';

export interface Walk {
  /** Looked at so far. */
  parts: number;
  readonly partsMax: number;
}

/**
 * Runs a walk, which may look at as many parts as the largest values have, so many of them; takes
 * fuel for what it has looked at. Throws PV3012.
 */
export function walked<T>(around: Surroundings, body: (walk: Walk) => T, values = 1): T {
  const walk: Walk = { parts: 0, partsMax: values * around.valueBytes };
  const result = body(walk);
  around.charge?.(walk.parts >> 1);
  return result;
}

/** Counts parts, and refuses too many. Throws PV3012. */
export function pass(walk: Walk, parts: number): void {
  walk.parts += parts;
  if (walk.parts <= walk.partsMax) return;
  throw new Fault(
    faults.valueSize,
    `a comparison looks at more than ${walk.partsMax} parts of values`,
    'compare what tells them apart, such as a name or a number, or raise the limit valueBytes',
  );
}
