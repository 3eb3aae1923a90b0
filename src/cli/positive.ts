/** A count as options take it. */
import { InvalidArgumentError } from '@commander-js/extra-typings';

/** A parser of commander: a whole number from 1 on. */
export function positive(given: string): number {
  const value = Number(given);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new InvalidArgumentError(`got ${given}, want a positive integer`);
}
