/** What a person typed, as the answer to a question: data where the question wants data. */
import { stringify, toJson } from '../program/json.ts';
import { readStrictJson } from './json-text.ts';

/** The part of a question that says what its answer is. */
export interface Asked {
  readonly choices?: readonly unknown[];
  readonly schema?: Readonly<Record<string, unknown>>;
}

/**
 * One of the choices, by its text or by its number in the list; data where the question has a
 * schema that does not want a text; else the text itself.
 */
export function readAnswer({ choices, schema }: Asked, text: string): unknown {
  const value = readStrictJson(text);
  const data = value === undefined ? text : toJson(value);
  if (choices) {
    if (choices.includes(text)) return text;
    const same = choices.find((choice) => stringify(choice) === stringify(data));
    if (same !== undefined) return same;
    return /^[1-9]\d*$/.test(text) ? (choices[Number(text) - 1] ?? text) : text;
  }
  return schema === undefined || schema.type === 'string' ? text : data;
}
