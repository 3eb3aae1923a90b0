/** Values as people write them in options: parsers of commander, and JSON. */
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { reasonOf } from '../agent/port/errors.ts';
import { BadQuantity } from '../agent/settings/quantity.ts';
import type { Value } from '../program/value.ts';
import { readStrictJson } from '../text/json-text.ts';
import { CliError } from './failure.ts';

/** A whole number from 1 on. */
export function positive(given: string): number {
  const value = Number(given);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new InvalidArgumentError(`got ${given}, want a positive integer`);
}

/** An amount from 0 on. */
export function usd(given: string): number {
  const value = Number(given);
  if (given.trim() !== '' && value >= 0) return value;
  throw new InvalidArgumentError(`got ${given}, want an amount in USD`);
}

export function wholeNumber(given: string): number {
  if (/^\d+$/.test(given)) return Number(given);
  throw new InvalidArgumentError(`got ${given}, want a whole number`);
}

/**
 * A whole number that may be left out: the word after the option is taken for it. Throws `CliError`
 * PV6002 for another word.
 */
export function optionalNumber(option: string, preset: string, given: string): number {
  if (/^\d+$/.test(given)) return Number(given);
  throw new CliError('PV6002', `${option}: got ${given}, want a whole number`, {
    hint:
      `what stands behind ${option} is its number: write ${option}=${preset}, ` +
      'or the goal first',
  });
}

/** Reads what `read` throws `BadQuantity` for. */
export const quantity =
  <Result, Before>(read: (given: string, before?: Before) => Result) =>
  (given: string, before?: Before): Result => {
    try {
      return read(given, before);
    } catch (error) {
      throw error instanceof BadQuantity ? new InvalidArgumentError(error.message) : error;
    }
  };

/**
 * The value of `--input name=text` and the like: JSON where it parses, otherwise the text itself.
 * Throws `CliError` PV6007 for a text that begins as an object or a list and is not JSON.
 */
export function readOptionValue(text: string, option: string): Value {
  const value = readStrictJson(text);
  if (value !== undefined || !/^\s*[[{]/.test(text)) return value ?? text;
  throw new CliError('PV6007', `${option}: ${jsonProblem(text)}`, {
    hint: `correct the JSON, or write a text as a JSON string: '${JSON.stringify(text)}'`,
  });
}

function jsonProblem(text: string): string {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return `got ${text}, which is not JSON: ${reasonOf(error)}`;
  }
}
