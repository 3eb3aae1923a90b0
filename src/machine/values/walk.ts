/**
 * Walks over values, counted. A few containers that share parts can stand for more of them than any
 * walk ends on, so there is a limit; the fuel is taken at the end, when nothing can wait any more.
 */
import { Fault, faults } from './fault.ts';
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

/** The size of ints, and what work on large ones costs: more than linear time. */
type Int = number | bigint;

/** About how many bits an int has; never fewer. */
export function bitsOf(value: Int): number {
  const size = Math.abs(Number(value));
  if (Number.isFinite(size)) return size < 1 ? 1 : Math.floor(Math.log2(size)) + 2;
  return bitsOfLarge(BigInt(value < 0 ? -value : value));
}

/** Of a positive int beyond all floats: takes off lower halves until a float can say the rest. */
function bitsOfLarge(value: bigint): number {
  let low = 1024;
  while (value >> BigInt(2 * low) > 0n) low *= 2;
  return low + bitsOf(value >> BigInt(low));
}

/** Units for a product, or a division, of two ints. */
export const productCost = (x: Int, y: Int): number => ((bitsOf(x) >> 6) * (bitsOf(y) >> 6)) >> 6;

/** Units for the decimal digits of an int. */
export function digitsCost(value: Int): number {
  if (typeof value === 'number') return 0;
  const thousands = bitsOf(value) / 3322;
  return Math.floor(thousands * thousands * 250);
}

/** Units for reading an int from so many digits. */
export const parsingCost = (digits: number): number => digits + (digits >> 7) ** 2;
