/** Counts and amounts as options take them. */
import { InvalidArgumentError } from '@commander-js/extra-typings';

/** A parser of commander: a whole number from 1 on. */
export function positive(given: string): number {
  const value = Number(given);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new InvalidArgumentError(`got ${given}, want a positive integer`);
}

/** A parser of commander: an amount from 0 on. */
export function usd(given: string): number {
  const value = Number(given);
  if (given.trim() !== '' && value >= 0) return value;
  throw new InvalidArgumentError(`got ${given}, want an amount in USD`);
}
