/** Values as people write them in options and answers. */
import { readJson, valueOfNode } from '../program/json-text.ts';
import type { Value } from '../program/value.ts';

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
