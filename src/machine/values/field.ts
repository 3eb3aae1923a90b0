/**
 * A named part of a value: a field of a struct, a key of a dict, or, by its number, an element of a
 * list; the same of the JSON that a text holds, since models and tools answer in text.
 */
import { numberInText, parseNumber } from '../../program/arithmetic/number-text.ts';
import { nearest } from '../../program/diagnostic.ts';
import { type FieldKind, obviousField } from '../../program/retrieved-text.ts';
import { dictGet, isDict, settled, typeName, type Value } from '../../program/value.ts';
import { member } from '../../text/json-node.ts';
import { type Repair, readJson, readModelJson, valueOfNode } from '../../text/json-text.ts';
import { readObject } from '../../text/model-text.ts';
import { Fault, faults } from './fault.ts';
import type { Surroundings } from './surroundings.ts';

/** The parts of a value by name, or in a sentence why it has none. */
export type Fields =
  | { readonly get: (name: string) => Value | undefined; readonly names: readonly string[] }
  | { readonly lack: string };

/** Throws `Fault` PV3004 or PV3005, which names what is there. */
export function fieldOf(value: Value, name: string, around?: Surroundings): Value {
  const target = settled(value);
  const items = itemsOf(target, name, around);
  if (items) return element(items, name);
  const fields = fieldsOf(target, around);
  if ('lack' in fields) {
    throw new Fault(
      faults.noKey,
      `got ${fields.lack}, want an object with the key ${quoted(name)}`,
    );
  }
  const found = fields.get(name);
  if (found === undefined) throw noField(name, fields.names);
  return found;
}

/** As `fieldOf`, also of a key in another case, with a warning. */
export function fieldLike(value: Value, name: string, around?: Surroundings): Value {
  return likeIn(value, name, around) ?? fieldOf(value, name, around);
}

/** The value of a key, as it is written or else in another case; undefined where there is none. */
export function likeIn(value: Value, name: string, around?: Surroundings): Value | undefined {
  const fields = fieldsOf(settled(value), around);
  if ('lack' in fields) return undefined;
  const found = fields.get(name);
  if (found !== undefined) return found;
  const near = fields.names.find((key) => key.toLowerCase() === name.toLowerCase());
  if (near === undefined) return undefined;
  around?.warn?.(`got the key ${quoted(near)}, want ${quoted(name)}; it was taken`);
  return fields.get(near);
}

/** The elements of a list; by number also those of a list that a text holds. */
function itemsOf(
  target: Value,
  name: string,
  around: Surroundings | undefined,
): readonly Value[] | undefined {
  if (typeof target === 'string') {
    const read = position.test(name) ? readModelJson(target, 'any', options) : undefined;
    if (read?.node?.kind !== 'array') return undefined;
    warnOf(read.repairs, around);
    return read.node.items.map(valueOfNode);
  }
  const isList = target !== null && typeof target === 'object' && 'items' in target;
  return isList ? target.items : undefined;
}

/** The elements of a list, or of one that a text holds; in words what it is where it is none. */
export function elementsOf(value: Value, around?: Surroundings): readonly Value[] | string {
  const target = settled(value);
  const items = itemsOf(target, '0', around);
  if (items) return items;
  if (typeof target === 'string') return 'text without a JSON list';
  return target === null ? 'null' : `a value of type ${typeName(target)}`;
}

/** From the end where it is negative. */
const position = /^-?\d{1,9}$/;

/** How large a value may be has been looked at when it came. */
const options = { bytesMax: Infinity };

export function fieldsOf(value: Value, around?: Surroundings): Fields {
  if (typeof value === 'string') return fieldsOfText(value, around);
  if (value !== null && typeof value === 'object') {
    if (value.kind === 'dict') {
      const names = value.slots.flatMap((slot) => (typeof slot?.[0] === 'string' ? [slot[0]] : []));
      return { get: (name) => dictGet(value, name), names };
    }
    if (value.kind === 'struct') {
      return { get: (name) => value.fields.get(name), names: [...value.fields.keys()] };
    }
  }
  return { lack: value === null ? 'null' : `a value of type ${typeName(value)}` };
}

/** Reads the text anew each time: texts are immutable, and few have fields. */
function fieldsOfText(text: string, around: Surroundings | undefined): Fields {
  const read = (keys: readonly string[]) => readObject(text, keys);
  const { node, error } = read([]);
  if (!node) return { lack: `text without a JSON object (${error?.message ?? 'only text'})` };
  return {
    get: (name) => {
      const { node: best, repairs } = read([name]);
      const found = member(best, name);
      if (found) warnOf(repairs, around);
      return found && valueOfNode(found);
    },
    names: node.members.map((one) => one.key),
  };
}

/** `PV3005` with the name that was meant, or all there are. */
function noField(name: string, names: readonly string[]): Fault {
  const near = nearest(name, names);
  const listed = names.slice(0, namesMax).map(quoted).join(', ');
  const more = names.length > namesMax ? ` and ${names.length - namesMax} more` : '';
  const there = names.length === 0 ? 'an object without keys' : `the keys ${listed}${more}`;
  const hint = near === undefined ? undefined : `did you mean ${quoted(near)}?`;
  return new Fault(faults.noKey, `got ${there}, want the key ${quoted(name)}`, hint);
}

const namesMax = 20;

function element(items: readonly Value[], name: string): Value {
  const count = items.length;
  const at = position.test(name) ? Number(name) : undefined;
  const found = at === undefined ? undefined : items[at < 0 ? count + at : at];
  if (found !== undefined) return found;
  const have = `a list of ${count}`;
  if (at === undefined) {
    const hint = `an element is written [0]${count > 1 ? ` to [${count - 1}]` : ''}`;
    throw new Fault(faults.noKey, `got ${have}, want an object with the key ${quoted(name)}`, hint);
  }
  const hint = count === 0 ? 'it is empty' : `the last one is ${count - 1}`;
  throw new Fault(faults.indexRange, `got ${have}, want the element ${name}`, hint);
}

const quoted = (name: string): string =>
  JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name);

// The text or number that is meant where an object stands in its place.

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

// Says what was done to a text to read it as JSON (design rule 9).

/** How many repairs a warning lists. */
const listed = 3;

export function warnOf(repairs: readonly Repair[], around: Surroundings | undefined): void {
  if (repairs.length === 0) return;
  const places = repairs.map(({ line, column, message }) => `${line}:${column}: ${message}`);
  const more = places.length > listed ? `; and ${places.length - listed} more` : '';
  const first = places.slice(0, listed).join('; ');
  around?.warn?.(`a text was mended to be read as JSON: ${first}${more}`);
}
