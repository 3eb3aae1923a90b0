/** Counts and amounts as options take them. */
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { CliError } from './failure.ts';

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

/** Throws `CliError` PV6002 for anything else. */
export function wholeNumber(option: string, given: string, hint?: string): number {
  if (/^\d+$/.test(given)) return Number(given);
  throw new CliError('PV6002', `${option}: got ${given}, want a whole number`, { hint });
}

/** The same where the number may be left out: what stands behind the option is taken for it. */
export const optionalNumber = (option: string, preset: string, given: string): number =>
  wholeNumber(
    option,
    given,
    `what stands behind ${option} is its number: write ${option}=${preset}, or the goal first`,
  );
