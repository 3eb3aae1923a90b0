/**
 * Reads the JSON that models write: with what they put around it, and with the slips they make,
 * each of them reported with its place. Nothing is guessed silently and nothing is evaluated.
 */
import type { Value } from '../program/value.ts';
import * as V from '../program/value.ts';
import type { JsonNode } from './json-node.ts';
import { secondList } from './json-text/codes.ts';
import type { Want } from './json-text/finder.ts';
import { JsonParser } from './json-text/parser.ts';
import { Reading, type ReadNode, type ReadOptions, type ReadText } from './json-text/reading.ts';
import { Source, skipSpace, thinkTags } from './json-text/source.ts';
import { blanked } from './thoughts.ts';

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
export type { ReadNode, ReadOptions, ReadText } from './json-text/reading.ts';
export { thinkTags } from './json-text/source.ts';

/**
 * Finds and reads the value a model wrote: behind thinking, in `<answer>` tags, fences or prose. Of
 * several values one in the last answer goes before one in a `json` fence before any other; `want`
 * prefers a kind, and takes a list out of an object that wraps it. A value of another kind is
 * returned where there is none of the wanted one.
 *
 * A text cut short gives its whole elements (or members) and a repair `PV1010`.
 */
export function readModelJson(
  text: string,
  want: Want = 'any',
  options: ReadOptions = {},
): ReadText {
  const read = (said: string): ReadText => {
    const reading = new Reading(want, options);
    reading.push(said);
    const { before, after, ...result } = reading.end();
    return {
      ...result,
      before: text.slice(0, before.length),
      after: text.slice(text.length - after.length),
    };
  };
  const first = read(withoutOddThoughts(text));
  // A draft that only a later mark shows to be one: of a whole text, what follows it counts.
  if (first.error?.code !== secondList) return first;
  const said = blanked(text);
  return said === text ? first : read(said);
}

/** With spaces for thoughts whose marks `Finder` does not know. */
const withoutOddThoughts = (text: string): string => (oddMark.test(text) ? blanked(text) : text);

const oddMark = new RegExp(
  '<\\|(?:channel|begin_of_thought)\\|>|assistantfinal|\\[/?(?:think(?:ing)?|reasoning)\\]|◁|' +
    `<(?:${thinkTags})\\s[^<>]{0,200}>`,
  'i',
);

/** Every list and object in a model's text, in order, outside of its thinking. */
export function readAllJson(text: string, options: ReadOptions = {}): readonly ReadNode[] {
  const reading = new Reading('any', options);
  reading.push(withoutOddThoughts(text));
  reading.end();
  return reading.nodes;
}

/** Reads a text that is exactly one JSON value, leniently. */
export function readJson(text: string): ReadText {
  const source = new Source();
  source.push(text);
  source.end();
  const parser = new JsonParser(source, skipSpace(source, 0, Infinity));
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

/** Elements of a model's list, each as soon as it has arrived. */
export class JsonStream {
  readonly #reading: Reading;
  #given = 0;

  constructor(options: ReadOptions = {}) {
    this.#reading = new Reading('array', options);
  }

  /** Takes the next piece; returns the elements that it completes. */
  push(text: string): JsonNode[] {
    this.#reading.push(text);
    return this.#fresh(this.#reading.elements);
  }

  /** Ends the text: the elements that only the end could decide, and the result for all of it. */
  end(): { elements: JsonNode[]; result: ReadText } {
    const result = this.#reading.end();
    const { node } = result;
    const all = node?.kind === 'array' ? node.items : this.#reading.elements;
    return { elements: this.#fresh(all), result };
  }

  #fresh(all: readonly JsonNode[]): JsonNode[] {
    const fresh = all.slice(this.#given);
    this.#given += fresh.length;
    return fresh;
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
