/** Values as people write them in options. */
import { reasonOf } from '../agent/port/reason.ts';
import type { Value } from '../program/value.ts';
import { readStrictJson } from '../text/strict-json.ts';
import { CliError } from './failure.ts';

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
