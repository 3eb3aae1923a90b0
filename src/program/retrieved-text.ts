/**
 * How values are put into words, in templates and for parameters that are text. What a retrieval
 * has returned is its text there: the pieces of text that were found, the facts of a graph. The
 * value itself keeps its structure, so parts of it can be referred to. Known by their keys:
 *
 * - `{ text, source, score, lines? }`: a piece of text;
 * - `{ entities, relations, text?, note? }`: what a graph says, `text` being what was asked for;
 * - `{ name, types, properties, source, … }` and `{ subject, predicate, object, source, … }`: its
 *   parts.
 *
 * A list of these is each of them in words.
 */
import { textOf } from './json.ts';
import { dictEntries, settled, type Value } from './value.ts';

/** The text of a value in a template: a string is itself, a retrieval its text, the rest JSON. */
export function wordsOf(value: Value): string {
  return typeof value === 'string' ? value : (retrievedText(value) ?? textOf(value));
}

type Fields = ReadonlyMap<string, Value>;

interface Shape {
  readonly keys: readonly string[];
  readonly optional: readonly string[];
  /** Undefined where a key holds something else. */
  readonly textOf: (fields: Fields) => string | undefined;
}

const shapes: readonly Shape[] = [
  {
    keys: ['text', 'source', 'score'],
    optional: ['lines'],
    textOf: (fields) => stringIn(fields, 'text'),
  },
  { keys: ['entities', 'relations'], optional: ['text', 'note'], textOf: graphText },
  {
    keys: ['name', 'types', 'properties', 'source'],
    optional: ['aliases', 'qualifiers'],
    textOf: entityText,
  },
  {
    keys: ['subject', 'predicate', 'object', 'source'],
    optional: ['qualifiers'],
    textOf: relationText,
  },
];

function retrievedText(value: Value): string | undefined {
  const items = itemsOf(value);
  if (items && items.length > 0) {
    const texts = items.map((item) => partText(settled(item)));
    const isWhole = texts.every((text) => text !== undefined);
    return isWhole ? texts.join(isPiece(items[0]) ? '\n\n' : '\n') : undefined;
  }
  return partText(value);
}

function partText(value: Value): string | undefined {
  const fields = fieldsOf(value);
  const shape = fields && shapes.find((one) => has(fields, one));
  return shape?.textOf(fields ?? new Map());
}

const isPiece = (item: Value | undefined): boolean =>
  item !== undefined && fieldsOf(settled(item))?.has('score') === true;

function has(fields: Fields, { keys, optional }: Shape): boolean {
  const others = [...fields.keys()].filter((key) => !keys.includes(key));
  return (
    fields.size - others.length === keys.length && others.every((key) => optional.includes(key))
  );
}

/** The values that were asked for, or else all that was found. */
function graphText(fields: Fields): string | undefined {
  const asked = stringIn(fields, 'text');
  const [entities, relations] = ['entities', 'relations'].map((key) =>
    itemsOf(settled(fields.get(key) ?? null))?.map((item) => partText(settled(item))),
  );
  const lines = [...(relations ?? []), ...(entities ?? [])];
  if (!entities || !relations || lines.includes(undefined)) return undefined;
  const note = stringIn(fields, 'note');
  return asked ?? [...lines, ...(note === undefined ? [] : [note])].join('\n');
}

/** `Italy (Country): area in square kilometres 302073`. */
function entityText(fields: Fields): string | undefined {
  const name = stringIn(fields, 'name');
  const types = itemsOf(settled(fields.get('types') ?? null));
  const properties = fieldsOf(settled(fields.get('properties') ?? null));
  if (name === undefined || !types || !properties) return undefined;
  const kind = types.length === 0 ? '' : ` (${valueText(fields.get('types') ?? null)})`;
  const said = [...properties].map(([key, value]) => `${key} ${valueText(value)}`);
  return `${name}${kind}${said.length === 0 ? '' : `: ${said.join('; ')}`}`;
}

/** `Italy capital Rome`. */
function relationText(fields: Fields): string | undefined {
  const parts = ['subject', 'predicate', 'object'].map((key) => stringIn(fields, key));
  return parts.includes(undefined) ? undefined : parts.join(' ');
}

const valueText = (value: Value): string =>
  itemsOf(settled(value))
    ?.map((item) => textOf(settled(item)))
    .join(', ') ?? textOf(settled(value));

function stringIn(fields: Fields, key: string): string | undefined {
  const value = settled(fields.get(key) ?? null);
  return typeof value === 'string' ? value : undefined;
}

function itemsOf(value: Value): readonly Value[] | undefined {
  return value !== null && typeof value === 'object' && value.kind === 'list'
    ? value.items
    : undefined;
}

/** The members of an object whose keys are all strings. */
function fieldsOf(value: Value): Fields | undefined {
  if (value === null || typeof value !== 'object' || value.kind !== 'dict') return undefined;
  const fields = new Map<string, Value>();
  for (const [key, inner] of dictEntries(value)) {
    if (typeof key !== 'string') return undefined;
    fields.set(key, inner);
  }
  return fields;
}

// The field of an object that is meant where a text or a number is wanted and the object is given:
// its only field, or the one that by its name holds what the object is about, or the only number.

export type FieldKind = 'text' | 'number' | 'other';

/** Names of the field for whose sake a tool gives the others. */
const mainNames: readonly string[] = ['text', 'value', 'result', 'answer', 'content', 'output'];
/** A number that says which one, and not how much. */
const identity = /(?:^|_)(?:id|code|year)$|I[dD]$/;

/** Undefined where several could be meant. */
export function obviousField(
  fields: ReadonlyMap<string, FieldKind>,
  wanted: 'text' | 'number',
): string | undefined {
  const mains = mainNames.filter((name) => fields.has(name));
  const [main] = mains;
  // A text may say a number, and a number is a text as it is written.
  if (main !== undefined)
    return mains.length > 1 || fields.get(main) === 'other' ? undefined : main;
  const fitting = [...fields.keys()].filter((name) => fields.get(name) === wanted);
  if (fields.size === 1) return fitting[0];
  const amounts = fitting.filter((name) => !identity.test(name));
  return wanted === 'number' && amounts.length === 1 ? amounts[0] : undefined;
}
