/** The text or number that is meant where an object stands in its place. */
import { numberInText, parseNumber } from '../../program/arithmetic/number-text.ts';
import { type FieldKind, obviousField } from '../../program/obvious-field.ts';
import { isDict, settled, type Value } from '../../program/value.ts';
import { readJson, valueOfNode } from '../../text/json-text.ts';

/** The part that was taken, by its name; undefined where there is none, or none is obvious. */
export function obviousPart(
  given: Value,
  wanted: 'text' | 'number',
): { readonly name: string; readonly value: Value } | undefined {
  const object = wanted === 'number' ? objectIn(given) : given;
  if (!isDict(object)) return undefined;
  const values = new Map<string, Value>();
  for (const slot of object.slots) {
    if (slot) values.set(String(slot[0]), settled(slot[1]));
  }
  // Among several fields, one that is a number is meant before a sentence with one in it.
  const read = values.size === 1 ? numberInText : parseNumber;
  const kindOf = (value: Value): FieldKind =>
    wanted === 'number' && typeof value === 'string' && isNumberIn(read(value))
      ? 'number'
      : plainKind(value);
  const kinds = new Map([...values].map(([name, value]) => [name, kindOf(value)]));
  const name = obviousField(kinds, wanted);
  return name === undefined ? undefined : { name, value: values.get(name) ?? null };
}

/** An object that is JSON in a text, or the value itself. */
function objectIn(value: Value): Value {
  if (typeof value !== 'string' || !/^\s*\{/.test(value)) return value;
  const { node } = readJson(value);
  return node?.kind === 'object' ? valueOfNode(node) : value;
}

const isNumberIn = (read: ReturnType<typeof parseNumber>): boolean =>
  read !== undefined && 'value' in read;

function plainKind(value: Value): FieldKind {
  if (typeof value === 'number' || typeof value === 'bigint') return 'number';
  if (typeof value === 'object' && value?.kind === 'float') return 'number';
  return typeof value === 'string' ? 'text' : 'other';
}
