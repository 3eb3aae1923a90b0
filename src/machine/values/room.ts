/** Room for what is about to be made: within the size of a value, and paid for in fuel. */
import { fits } from './pendings.ts';
import type { Surroundings } from './surroundings.ts';

/** Takes fuel for `count` items, and refuses more than a value may have. Throws PV3012. */
export function room(count: number, around: Surroundings): void {
  fits(8 * count, around.valueBytes);
  around.charge?.(count);
}

/** Refuses a text that would be too long, before it is made. Throws PV3012. */
export function roomForText(length: number, around: Surroundings): void {
  fits(length, around.valueBytes);
  around.charge?.(length >> 3);
}
