/** JSON to the letter, of texts that are not written by models. */
import type { Value } from '../program/value.ts';
import { readJson, valueOfNode } from './json-text.ts';

/** The value of a text that is JSON to the letter, ints and floats kept apart; else undefined. */
export function readStrictJson(text: string): Value | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const { node } = readJson(text);
  return node && valueOfNode(node);
}
