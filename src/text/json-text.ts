/**
 * Reads the JSON that models write: with what they put around it, and with the slips they make,
 * each of them reported with its place. Nothing is guessed silently and nothing is evaluated.
 */
import type { Value } from '../program/value.ts';
import * as V from '../program/value.ts';
import type { JsonNode } from './json-node.ts';
import { JsonParser } from './json-text/parser.ts';
import type { ReadText } from './json-text/reading.ts';
import { Source, skipSpace } from './json-text/source.ts';

export {
  codes,
  dropsPart,
  endlessThinking,
  type ReadError,
  type Repair,
  secondList,
  truncated,
} from './json-text/codes.ts';
export type { Want } from './json-text/finder.ts';
export {
  type ReadNode,
  type ReadOptions,
  type ReadText,
  readAllJson,
  readModelJson,
} from './json-text/reading.ts';
export { thinkTags } from './json-text/source.ts';

/** Reads a text that is exactly one JSON value, leniently. */
export function readJson(text: string): ReadText {
  const source = new Source(text);
  const parser = new JsonParser(source, skipSpace(source, 0));
  const progress = parser.run();
  const node = progress === 'cut' ? parser.salvage() : parser.node;
  const repairs = parser.repairs.all();
  const around = { before: text.slice(0, parser.start), after: '' };
  if (parser.error) return { error: parser.error, repairs, ...around };
  if (!node) {
    const message =
      progress === 'cut' && text.trim() !== ''
        ? 'the text ends in the middle of a value'
        : 'got an empty text, want a JSON value';
    return { error: { code: 'PV1001', message, ...source.place(parser.at) }, repairs, ...around };
  }
  const rest = parser.rest();
  if (rest === undefined) return { node, repairs: parser.repairs.all(), ...around };
  const message = `got ${rest} after the value, want the end of the text`;
  return { error: { code: 'PV1008', message, ...source.place(parser.at) }, repairs, ...around };
}

/** The guest's value of a node; of a repeated key the last one counts. */
export function valueOfNode(node: JsonNode): V.Value {
  switch (node.kind) {
    case 'array':
      return V.list(node.items.map(valueOfNode));
    case 'object':
      return V.dict(node.members.map(({ key, value }) => [key, valueOfNode(value)]));
    case 'float':
      return V.float(Number(node.value));
    case 'null':
    case 'bool':
    case 'int':
    case 'string':
      return node.value;
  }
}

// JSON to the letter, of texts that are not written by models.

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
