/**
 * Values as JSON text. Three forms:
 * - `encode`/`decode`: canonical tagged JSON, lossless. Hashed, journaled and kept in snapshots.
 *   An object whose only key is `$int`, `$float`, `$bytes`, `$tuple`, `$set`, `$range`, `$dict`,
 *   `$struct`, `$tool` or `$builtin` is a tag. A dict is an object where that keeps it as it is;
 *   where it looks like a tag, or has keys that are no strings or that JavaScript would put into
 *   another order, it is a `$dict`.
 * - `fromJson`: a host's JSON-like data (`number`s with a fraction become floats); a `GuestValue`
 *   in it is what JSON has no form for.
 * - `toJson`: what tools, people and answers get: ordinary JSON data; big ints stay `bigint`.
 * `encodeValue`/`decodeValue` carry a host's data through JSON by the first form.
 */
import * as V from './value.ts';

const tags = new Set([
  '$int',
  '$float',
  '$bytes',
  '$tuple',
  '$set',
  '$range',
  '$dict',
  '$struct',
  '$tool',
  '$builtin',
]);

/** Thrown where a value has no JSON form: a function, a cycle, an unsettled pending. */
export class NotData extends Error {
  override readonly name = 'NotData';
}

/** A value of the guest among a host's data, to be taken as it is: a tuple, a set, a range. */
export class GuestValue {
  readonly value: V.Value;
  constructor(value: V.Value) {
    this.value = value;
  }
}

/** Nesting beyond this is refused, so that no walk over a value exhausts the host's stack. */
export const depthMax = 500;

/** A range of more items than this is refused where it would have to be written out. */
export const rangeItemsMax = 1_000_000;

/** Canonical tagged JSON of a value; throws `NotData`. */
export function encode(value: V.Value, depth = 0): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return `{"$int":"${value}"}`;
  if (depth > depthMax) throw new NotData(`nesting deeper than ${depthMax}, or a cycle`);
  switch (value.kind) {
    case 'float':
      return encodeFloat(value.value);
    case 'bytes':
      return `{"$bytes":"${hex(value.bytes)}"}`;
    case 'list':
      return `[${encodeAll(value.items, depth)}]`;
    case 'tuple':
      return `{"$tuple":[${encodeAll(value.items, depth)}]}`;
    case 'set':
      return `{"$set":[${encodeAll(present(value.slots), depth)}]}`;
    case 'range':
      return `{"$range":[${value.start},${value.stop},${value.step}]}`;
    case 'dict':
      return encodeDict(value, depth);
    case 'struct': {
      const fields = [...value.fields].map(
        ([k, v]) => `[${JSON.stringify(k)},${encode(v, depth + 1)}]`,
      );
      return `{"$struct":[${[JSON.stringify(value.name), ...fields].join(',')}]}`;
    }
    case 'tool':
      return `{"$tool":${JSON.stringify(value.name)}}`;
    case 'builtin':
      return `{"$builtin":${JSON.stringify(value.name)}}`;
    case 'pending':
      if (value.value !== undefined) return encode(value.value, depth);
      throw new NotData('a value that is still pending');
    case 'function':
    case 'method':
    case 'module':
    case 'object':
    case 'view':
    case 'cell':
    case 'iterator':
      throw new NotData(`a ${V.typeName(value)}`);
  }
}

function encodeAll(items: readonly V.Value[], depth: number): string {
  let text = '';
  for (let i = 0; i < items.length; i++) {
    text += (i === 0 ? '' : ',') + encode(items[i] as V.Value, depth + 1);
  }
  return text;
}

function encodeFloat(value: number): string {
  const plain = Number.isFinite(value) && !Number.isInteger(value);
  if (plain) return String(value);
  return `{"$float":"${Object.is(value, -0) ? '-0' : value}"}`;
}

function encodeDict(value: V.Dict, depth: number): string {
  const { slots } = value;
  const plain = survivesAsObject(slots);
  let text = '';
  for (const slot of slots) {
    if (!slot) continue;
    const left = text === '' ? '' : ',';
    text += plain
      ? `${left}${JSON.stringify(slot[0])}:${encode(slot[1], depth + 1)}`
      : `${left}[${encode(slot[0], depth + 1)},${encode(slot[1], depth + 1)}]`;
  }
  return plain ? `{${text}}` : `{"$dict":[${text}]}`;
}

/** Whether an object of these members is no tag and gives them back in the same order. */
function survivesAsObject(slots: V.Dict['slots']): boolean {
  let members = 0;
  let names = 0;
  let before = -1;
  let isTag = false;
  for (const slot of slots) {
    if (!slot) continue;
    const [key] = slot;
    if (typeof key !== 'string') return false;
    isTag = ++members === 1 && tags.has(key);
    if (!isArrayIndex(key)) {
      names++;
      continue;
    }
    const at = Number(key);
    if (names > 0 || at < before) return false;
    before = at;
  }
  return !isTag;
}

/** Objects list such keys first and in ascending order, whenever they were added. */
function isArrayIndex(key: string): boolean {
  const first = key.charCodeAt(0);
  // Most keys begin with a letter, and each is asked for its form each time it is written.
  if (!(first >= 48 && first <= 57)) return false;
  return /^(0|[1-9]\d{0,9})$/.test(key) && Number(key) < 2 ** 32 - 1;
}

const present = <T>(slots: readonly (T | undefined)[]): T[] =>
  slots.filter((slot) => slot !== undefined) as T[];

/** The value that `encode` wrote. Throws `SyntaxError` on text that it cannot have written. */
export function decode(text: string): V.Value {
  return untag(JSON.parse(text) as Json, 0);
}

/** Data as `JSON.parse` gives it. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

function untag(data: Json, depth: number): V.Value {
  if (data === null || typeof data === 'boolean' || typeof data === 'string') return data;
  if (typeof data === 'number') return untagNumber(data);
  if (depth > depthMax) throw new SyntaxError(`nesting deeper than ${depthMax}`);
  if (Array.isArray(data)) return V.list(untagAll(data, depth));
  const keys = Object.keys(data);
  const tag = keys.length === 1 ? keys[0] : undefined;
  if (tag !== undefined && tags.has(tag)) return untagOne(tag, data[tag] as Json, depth);
  const made = V.dict();
  for (const key of keys) V.dictSet(made, key, untag(data[key] as Json, depth + 1));
  return made;
}

/** An int or float that is too large for a plain number was written with a tag. */
function untagNumber(data: number): V.Value {
  if (Number.isSafeInteger(data)) return data + 0;
  if (Number.isInteger(data) || !Number.isFinite(data)) throw malformed('number');
  return V.float(data);
}

const untagAll = (items: readonly Json[], depth: number): V.Value[] =>
  items.map((item) => untag(item, depth + 1));

function untagOne(tag: string, body: Json, depth: number): V.Value {
  switch (tag) {
    case '$int':
      return V.int(BigInt(matching(tag, body, /^-?\d+$/)));
    case '$float':
      return V.float(Number(matching(tag, body, /^(NaN|-?Infinity|-?\d+(\.\d+)?(e[+-]\d+)?)$/)));
    case '$bytes':
      return V.bytes(unhex(matching(tag, body, /^([0-9a-f]{2})*$/)));
    case '$tuple':
      return V.tuple(untagAll(arrayOf(tag, body), depth));
    case '$set':
      return hashed(tag, () => V.set(untagAll(arrayOf(tag, body), depth)));
    case '$range':
      return untagRange(arrayOf(tag, body));
    case '$dict': {
      const pairs = arrayOf(tag, body).map((pair) => pairOf(tag, pair));
      return hashed(tag, () =>
        V.dict(pairs.map(([key, item]) => [untag(key, depth + 1), untag(item, depth + 1)])),
      );
    }
    case '$struct': {
      const [name, ...fields] = arrayOf(tag, body);
      const pairs = fields.map((field) => pairOf(tag, field));
      return {
        kind: 'struct',
        name: textIn(tag, name),
        fields: new Map(pairs.map(([key, item]) => [textIn(tag, key), untag(item, depth + 1)])),
      };
    }
    case '$tool':
      return V.tool(textIn(tag, body));
    case '$builtin':
      return V.builtin(textIn(tag, body));
    default:
      throw malformed(tag);
  }
}

function untagRange(items: readonly Json[]): V.Range {
  const [start, stop, step] = items;
  const whole = items.length === 3 && items.every((item) => Number.isSafeInteger(item));
  if (!whole || step === 0) throw malformed('$range');
  return V.range(start as number, stop as number, step as number);
}

const malformed = (tag: string): SyntaxError => new SyntaxError(`malformed ${tag}`);

function matching(tag: string, body: Json, pattern: RegExp): string {
  if (typeof body !== 'string' || !pattern.test(body)) throw malformed(tag);
  return body;
}

function arrayOf(tag: string, body: Json): readonly Json[] {
  if (!Array.isArray(body)) throw malformed(tag);
  return body;
}

function textIn(tag: string, body: Json | undefined): string {
  if (typeof body !== 'string') throw malformed(tag);
  return body;
}

function pairOf(tag: string, pair: Json): [Json, Json] {
  if (!Array.isArray(pair) || pair.length !== 2) throw malformed(tag);
  return [pair[0] as Json, pair[1] as Json];
}

/** An unhashable key is a mistake in the text, not in the program that reads it. */
function hashed<T>(tag: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw error instanceof TypeError ? malformed(tag) : error;
  }
}

const hex = (data: Uint8Array): string => {
  let text = '';
  for (const byte of data) text += byte.toString(16).padStart(2, '0');
  return text;
};

const unhex = (text: string): Uint8Array => {
  const data = new Uint8Array(text.length / 2);
  for (let i = 0; i < data.length; i++) data[i] = Number.parseInt(text.slice(2 * i, 2 * i + 2), 16);
  return data;
};

/**
 * A host's data as JSON that loses nothing: integers beyond 2^53, bytes, infinities and NaN are
 * tags, and so is an object that looks like one. Throws `NotData` for what `fromJson` refuses.
 */
export function encodeValue(data: unknown): Json {
  return JSON.parse(encode(fromJson(data)), plainFloat) as Json;
}

/**
 * The data that `encodeValue` took, also out of canonical tagged JSON: tuples, sets and ranges
 * become arrays, dicts and structs objects. Throws `SyntaxError` on a malformed tag, `NotData` for
 * a tool or a function.
 */
export function decodeValue(json: Json): unknown {
  return toJson(decode(JSON.stringify(json, taggedFloat)));
}

/** A whole float beyond 2^53, which canonical text has as a tag, is a number for hosts. */
function plainFloat(_key: string, data: Json): Json {
  if (data === null || typeof data !== 'object' || Array.isArray(data)) return data;
  const isTag = typeof data.$float === 'string' && Object.keys(data).length === 1;
  return isTag && Number.isFinite(Number(data.$float)) ? Number(data.$float) : data;
}

function taggedFloat(_key: string, data: Json): Json {
  const isLarge = Number.isInteger(data) && !Number.isSafeInteger(data);
  return isLarge ? { $float: String(data) } : data;
}

/**
 * A value from a host's data: JSON types, `bigint`, `Uint8Array`, `Date` (as ISO text) and
 * `undefined` object members (left out, as `JSON.stringify` does). Throws `NotData` for the rest:
 * functions, symbols, class instances without `toJSON`, `undefined` itself, cycles.
 */
export function fromJson(data: unknown, depth = 0): V.Value {
  if (data === null || typeof data === 'boolean' || typeof data === 'string') return data;
  if (typeof data === 'number') return Number.isSafeInteger(data) ? data + 0 : V.float(data);
  if (typeof data === 'bigint') return V.int(data);
  if (depth > depthMax) throw new NotData(`nesting deeper than ${depthMax}, or a cycle`);
  if (Array.isArray(data))
    return V.list(Array.from(data, (item) => fromJson(item ?? null, depth + 1)));
  if (data instanceof Uint8Array) return V.bytes(Uint8Array.from(data));
  if (data instanceof GuestValue) return data.value;
  if (typeof data !== 'object') throw new NotData(`got ${typeof data}, want JSON data`);
  if ('toJSON' in data && typeof data.toJSON === 'function')
    return fromJson(data.toJSON(), depth + 1);
  if (!isPlain(data)) throw new NotData(`got an instance of ${className(data)}, want JSON data`);
  const made = V.dict();
  for (const [key, value] of Object.entries(data)) {
    if (value !== undefined) V.dictSet(made, key, fromJson(value, depth + 1));
  }
  return made;
}

/** Whether nothing but the root of all objects stands behind it, of whatever realm. */
export function isPlain(data: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(data);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function className(data: object): string {
  const made: unknown = data.constructor;
  return typeof made === 'function' ? made.name : 'a class';
}

/** Data for hosts: lists, tuples and sets as arrays, dicts and structs as objects, bytes as is. */
export function toJson(value: V.Value, depth = 0): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (depth > depthMax) throw new NotData(`nesting deeper than ${depthMax}, or a cycle`);
  switch (value.kind) {
    case 'float':
      return value.value;
    case 'bytes':
      return value.bytes;
    case 'list':
    case 'tuple':
      return value.items.map((item) => toJson(item, depth + 1));
    case 'set':
      return present(value.slots).map((item) => toJson(item, depth + 1));
    case 'range':
      return rangeItems(value);
    case 'dict':
      return fromPairs(
        present(value.slots).map(([key, item]) => [keyText(key), toJson(item, depth + 1)]),
      );
    case 'struct':
      return fromPairs([...value.fields].map(([key, item]) => [key, toJson(item, depth + 1)]));
    case 'pending':
      if (value.value !== undefined) return toJson(value.value, depth);
      throw new NotData('a value that is still pending');
    case 'function':
    case 'builtin':
    case 'method':
    case 'module':
    case 'object':
    case 'view':
    case 'tool':
    case 'cell':
    case 'iterator':
      throw new NotData(`a ${V.typeName(value)}`);
  }
}

function rangeItems({ start, stop, step }: V.Range): number[] {
  if ((stop - start) / step > rangeItemsMax) {
    throw new NotData(`a range of more than ${rangeItemsMax} items`);
  }
  const items: number[] = [];
  for (let i = start; step > 0 ? i < stop : i > stop; i += step) items.push(i);
  return items;
}

const keyText = (key: V.Value): string => (typeof key === 'string' ? key : encode(key));

/** An object even where a key is `__proto__`, which plain assignment would swallow. */
function fromPairs(pairs: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const made: Record<string, unknown> = Object.fromEntries(pairs);
  if (Object.keys(made).length < pairs.length) {
    throw new NotData('a dict in which two keys are written alike, such as 1 and "1"');
  }
  return made;
}

/**
 * JSON text of host data as `toJson` gives it: big ints digit by digit, bytes as hexadecimal, and
 * infinity and NaN as their tags, since JSON would have null for them.
 * `indent` counts spaces; 0 is compact.
 */
export function stringify(data: unknown, indent = 0, depth = 0): string {
  if (typeof data === 'bigint') return String(data);
  if (typeof data === 'number' && !Number.isFinite(data)) return encodeFloat(data);
  if (data === null || typeof data !== 'object') return JSON.stringify(data) ?? 'null';
  if (data instanceof Uint8Array) return `"${hex(data)}"`;
  const items = Array.isArray(data)
    ? data.map((item) => stringify(item, indent, depth + 1))
    : membersOf(data as Readonly<Record<string, unknown>>, indent, depth);
  const [open, close] = Array.isArray(data) ? '[]' : '{}';
  if (indent === 0 || items.length === 0) return open + items.join(',') + close;
  const inner = `\n${' '.repeat(indent * (depth + 1))}`;
  return `${open}${inner}${items.join(`,${inner}`)}\n${' '.repeat(indent * depth)}${close}`;
}

/** Each as text. Results of runs have thousands of them, so no pair is made for each. */
function membersOf(
  data: Readonly<Record<string, unknown>>,
  indent: number,
  depth: number,
): string[] {
  const colon = indent > 0 ? ': ' : ':';
  const texts: string[] = [];
  for (const key of Object.keys(data)) {
    const item = data[key];
    if (item === undefined) continue;
    texts.push(JSON.stringify(key) + colon + stringify(item, indent, depth + 1));
  }
  return texts;
}

/** The text of a value in templates and messages: a string is itself, the rest compact JSON. */
export function textOf(value: V.Value): string {
  return typeof value === 'string' ? value : compact(value, 0);
}

/** Unlike an object of the host, this keeps the order of keys, and floats apart from ints. */
function compact(value: V.Value, depth: number): string {
  if (value === null || typeof value !== 'object') return stringify(value);
  if (depth > depthMax) throw new NotData(`nesting deeper than ${depthMax}, or a cycle`);
  const inner = (item: V.Value): string => compact(item, depth + 1);
  switch (value.kind) {
    case 'float':
      return Number.isInteger(value.value) ? floatText(value.value) : String(value.value);
    case 'list':
    case 'tuple':
      return `[${value.items.map(inner).join(',')}]`;
    case 'set':
      return `[${present(value.slots).map(inner).join(',')}]`;
    case 'dict': {
      const pairs = present(value.slots).map(([k, v]) => member(keyText(k), inner(v)));
      return `{${pairs.join(',')}}`;
    }
    case 'struct':
      return `{${[...value.fields].map(([k, v]) => member(k, inner(v))).join(',')}}`;
    case 'pending':
      if (value.value !== undefined) return compact(value.value, depth);
      throw new NotData('a value that is still pending');
    case 'bytes':
    case 'range':
    case 'function':
    case 'builtin':
    case 'method':
    case 'module':
    case 'object':
    case 'view':
    case 'tool':
    case 'cell':
    case 'iterator':
      return stringify(toJson(value));
  }
}

const member = (key: string, text: string): string => `${JSON.stringify(key)}:${text}`;

/** `2.0`, `-0.0`, `1e+21`. */
function floatText(value: number): string {
  const text = Object.is(value, -0) ? '-0' : String(value);
  return text.includes('e') ? text : `${text}.0`;
}

/** The same JSON data with the members of its objects in the order of their names, at any depth. */
export function inKeyOrder(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(inKeyOrder);
  if (typeof data !== 'object' || data === null) return data;
  const members = Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, inKeyOrder(member)]));
}
