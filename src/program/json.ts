/**
 * Values as JSON text. Three forms:
 * - `encode`/`decode`: canonical tagged JSON, lossless. Hashed, journaled and kept in snapshots.
 *   An object whose only key is `$int`, `$float`, `$bytes`, `$tuple`, `$set`, `$range`, `$dict` or
 *   `$struct` is a tag; a real dict that looks like one is written as `$dict`.
 * - `fromJson`: a host's JSON-like data (`number`s with a fraction become floats).
 * - `toJson`: what tools, people and answers get: ordinary JSON data; big ints stay `bigint`.
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

/** Nesting beyond this is refused, so that no walk over a value exhausts the host's stack. */
export const depthMax = 500;

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
      return `{"$struct":[${JSON.stringify(value.name)},${fields.join(',')}]}`;
    }
    case 'tool':
      return `{"$tool":${JSON.stringify(value.name)}}`;
    case 'builtin':
      return `{"$builtin":${JSON.stringify(value.name)}}`;
    case 'pending':
      if (value.value !== undefined) return encode(value.value, depth);
      throw new NotData('a value that is still pending');
    case 'function':
    case 'cell':
    case 'iterator':
      throw new NotData(`a ${value.kind}`);
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
  const pairs = present(value.slots);
  const plain = pairs.every(([key]) => typeof key === 'string') && !looksTagged(pairs);
  let text = '';
  for (const [key, item] of pairs) {
    const left = text === '' ? '' : ',';
    text += plain
      ? `${left}${JSON.stringify(key)}:${encode(item, depth + 1)}`
      : `${left}[${encode(key, depth + 1)},${encode(item, depth + 1)}]`;
  }
  return plain ? `{${text}}` : `{"$dict":[${text}]}`;
}

const looksTagged = (pairs: readonly (readonly [V.Value, V.Value])[]): boolean =>
  pairs.length === 1 && tags.has(String(pairs[0]?.[0]));

const present = <T>(slots: readonly (T | undefined)[]): T[] =>
  slots.filter((slot) => slot !== undefined) as T[];

/** The value that `encode` wrote. Throws `SyntaxError` on text that it cannot have written. */
export function decode(text: string): V.Value {
  return untag(JSON.parse(text) as Json);
}

/** Data as `JSON.parse` gives it. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

function untag(data: Json): V.Value {
  if (data === null || typeof data === 'boolean' || typeof data === 'string') return data;
  if (typeof data === 'number') return Number.isSafeInteger(data) ? data : V.float(data);
  if (Array.isArray(data)) return V.list(data.map(untag));
  const keys = Object.keys(data);
  const tag = keys.length === 1 ? keys[0] : undefined;
  if (tag !== undefined && tags.has(tag)) return untagOne(tag, data[tag] as Json);
  const made = V.dict();
  for (const key of keys) V.dictSet(made, key, untag(data[key] as Json));
  return made;
}

function untagOne(tag: string, body: Json): V.Value {
  const items = Array.isArray(body) ? body : [];
  switch (tag) {
    case '$int':
      return V.int(BigInt(String(body)));
    case '$float':
      return V.float(Number(body));
    case '$bytes':
      return V.bytes(unhex(String(body)));
    case '$tuple':
      return V.tuple(items.map(untag));
    case '$set':
      return V.set(items.map(untag));
    case '$range':
      return V.range(Number(items[0]), Number(items[1]), Number(items[2]));
    case '$dict':
      return V.dict(items.map((pair) => pairOf(pair)));
    case '$struct': {
      const [name, ...fields] = items;
      const pairs = fields.map((field) => (Array.isArray(field) ? field : []));
      return {
        kind: 'struct',
        name: String(name),
        fields: new Map(pairs.map(([key, value]) => [String(key), untag(value ?? null)])),
      };
    }
    case '$tool':
      return V.tool(String(body));
    case '$builtin':
      return V.builtin(String(body));
    default:
      throw new SyntaxError(`unknown tag ${tag}`);
  }
}

function pairOf(pair: Json): [V.Value, V.Value] {
  const [key, value] = Array.isArray(pair) ? pair : [];
  return [untag(key ?? null), untag(value ?? null)];
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
  if (data instanceof Uint8Array) return V.bytes(data);
  if (typeof data !== 'object') throw new NotData(`got ${typeof data}, want JSON data`);
  if ('toJSON' in data && typeof data.toJSON === 'function')
    return fromJson(data.toJSON(), depth + 1);
  const made = V.dict();
  for (const [key, value] of Object.entries(data)) {
    if (value !== undefined) V.dictSet(made, key, fromJson(value, depth + 1));
  }
  return made;
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
    case 'range': {
      const items: number[] = [];
      const { start, stop, step } = value;
      for (let i = start; step > 0 ? i < stop : i > stop; i += step) items.push(i);
      return items;
    }
    case 'dict':
      return fromPairs(
        present(value.slots).map(([key, item]) => [
          typeof key === 'string' ? key : encode(key),
          toJson(item, depth + 1),
        ]),
      );
    case 'struct':
      return fromPairs([...value.fields].map(([key, item]) => [key, toJson(item, depth + 1)]));
    case 'pending':
      if (value.value !== undefined) return toJson(value.value, depth);
      throw new NotData('a value that is still pending');
    case 'function':
    case 'builtin':
    case 'tool':
    case 'cell':
    case 'iterator':
      throw new NotData(`a ${V.typeName(value)}`);
  }
}

/** An object even where a key is `__proto__`, which plain assignment would swallow. */
function fromPairs(pairs: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries(pairs);
}

/**
 * JSON text of host data as `toJson` gives it: big ints digit by digit, bytes as hexadecimal.
 * `indent` counts spaces; 0 is compact.
 */
export function stringify(data: unknown, indent = 0, depth = 0): string {
  if (typeof data === 'bigint') return String(data);
  if (data === null || typeof data !== 'object') return JSON.stringify(data) ?? 'null';
  if (data instanceof Uint8Array) return `"${hex(data)}"`;
  const items = Array.isArray(data)
    ? data.map((item) => stringify(item, indent, depth + 1))
    : Object.entries(data)
        .filter(([, item]) => item !== undefined)
        .map(([key, item]) => {
          const colon = indent > 0 ? ': ' : ':';
          return JSON.stringify(key) + colon + stringify(item, indent, depth + 1);
        });
  const [open, close] = Array.isArray(data) ? '[]' : '{}';
  if (indent === 0 || items.length === 0) return open + items.join(',') + close;
  const inner = `\n${' '.repeat(indent * (depth + 1))}`;
  return `${open}${inner}${items.join(`,${inner}`)}\n${' '.repeat(indent * depth)}${close}`;
}

/** The text of a value in templates and messages: a string is itself, the rest compact JSON. */
export function textOf(value: V.Value): string {
  if (typeof value === 'string') return value;
  return stringify(toJson(value));
}
