/**
 * JSON: as triples where it is some (objects with `subject`, `predicate` and `object`,
 * or lists of three), else as rows that are searched as text.
 */
import { readJson } from '../../../text/json-text.ts';
import { isObject as isAnyObject } from '../../foreign-json.ts';
import { Malformed } from '../../malformed.ts';
import { type Chunk, type Content, emptyContent, type Fact, madeAnew } from '../content.ts';
import { rowChunks } from './pieces.ts';
import { factOf, NumberText } from './triple.ts';

interface Element {
  readonly value: unknown;
  readonly lines: readonly [first: number, last: number];
}

/** One JSON document; the elements of a list are rows. Throws `Malformed`. */
export function loadJson(text: string): Content {
  const value = parse(text);
  if (!Array.isArray(value)) {
    const lines = [1, text.trimEnd().split('\n').length] as const;
    return contentOf([{ value, lines }]);
  }
  const places = elementLines(text);
  return contentOf(value.map((item, index) => ({ value: item, lines: places[index] ?? [1, 1] })));
}

function contentOf(elements: readonly Element[]): Content {
  const [first] = elements;
  const areTriples = first !== undefined && tripleOf(first) !== undefined;
  // All of a file is looked at before any of it is written.
  for (const element of elements) if (areTriples) factOrFail(element);
  return areTriples
    ? { ...emptyContent, facts: madeAnew(() => mapped(elements, (one) => [factOrFail(one)])) }
    : { ...emptyContent, chunks: madeAnew(() => mapped(elements, chunksOf)) };
}

function* mapped<Item>(
  elements: readonly Element[],
  read: (element: Element) => readonly Item[],
): Generator<Item> {
  for (const element of elements) yield* read(element);
}

function factOrFail(element: Element): Fact {
  const triple = tripleOf(element);
  if (triple) return factOf(triple);
  const want = 'want an object with subject, predicate and object, as the first one is';
  throw new Malformed(`got something that is no triple, ${want}`, element.lines[0]);
}

function tripleOf({ value, lines }: Element): Parameters<typeof factOf>[0] | undefined {
  const line = lines[0];
  if (Array.isArray(value)) {
    const [subject, predicate, object] = value;
    if (value.length !== 3 || typeof subject !== 'string' || typeof predicate !== 'string') {
      return undefined;
    }
    return { subject, predicate, object, line, qualifiers: {} };
  }
  if (!isObject(value)) return undefined;
  const { subject, predicate, object, ...others } = value;
  if (subject === undefined || predicate === undefined || object === undefined) return undefined;
  const qualifiers = Object.entries(others)
    .filter(([, item]) => item !== null)
    .map(([key, item]) => [key, plainText(item)]);
  return { subject, predicate, object, line, qualifiers: Object.fromEntries(qualifiers) };
}

function chunksOf({ value, lines }: Element): Chunk[] {
  const pairs = isObject(value)
    ? Object.entries(value)
        .filter(([, item]) => item !== null && item !== '')
        .map(([key, item]) => `${key}: ${plainText(item)}`)
    : [plainText(value)];
  return rowChunks(pairs.join('\n'), lines);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isAnyObject(value) && !(value instanceof NumberText);

function plainText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value instanceof NumberText ? value.text : JSON.stringify(value);
}

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;

const keepNumbers: Reviver = (_key, value, { source }) =>
  typeof value === 'number' ? new NumberText(source ?? String(value)) : value;

function parse(text: string): unknown {
  try {
    return JSON.parse(text, keepNumbers as Parameters<typeof JSON.parse>[1]);
  } catch {
    // The lenient reader says where and what: its first repair is what JSON.parse stumbled over.
    const { repairs, error } = readJson(text);
    const fault = repairs[0] ?? error ?? { message: 'this is no JSON', line: 1 };
    throw new Malformed(fault.message, fault.line);
  }
}

/** Where each element of a list stands, for text that is known to be valid JSON. */
function elementLines(text: string): (readonly [number, number])[] {
  const places: [number, number][] = [];
  let depth = 0;
  let line = 1;
  let first = 0;
  for (const [token] of text.matchAll(tokenPattern)) {
    if (token === '\n') {
      line++;
      continue;
    }
    const ends = token === ',' || token === ']';
    if (depth === 1 && ends && first > 0) {
      places.push([first, line]);
      first = 0;
    } else if (depth === 1 && !ends && first === 0) first = line;
    if (token === '[' || token === '{') depth++;
    else if (token === ']' || token === '}') depth--;
  }
  return places;
}

const tokenPattern = /"(?:[^"\\]|\\.)*"|[[\]{},\n]|[^\s"[\]{},:]+/g;
