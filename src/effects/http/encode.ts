/**
 * How arguments are written into a request, by the styles of OpenAPI (3.1.1, section 4.8.12; they
 * are those of RFC 6570). Pure.
 */
import { type EffectFailure, refusal } from '../../engine/handler.ts';
import { stringify } from '../../program/json.ts';
import { isObject as isAnyObject } from '../foreign-json.ts';
import type { Field } from './operation.ts';

/** A value of a path as it stands there. Throws `EffectFailure` PV4954. */
export function pathText(field: Field, value: unknown): string {
  const { name, style, explode } = field;
  const { kind, parts } = partsOf(field, value);
  const texts = parts.map(({ key, text }) =>
    key === undefined ? escaped(text) : `${escaped(key)}${explode ? '=' : ','}${escaped(text)}`,
  );
  if (style === 'label') return `.${texts.join(explode ? '.' : ',')}`;
  if (style === 'matrix') {
    if (!explode || kind === 'one') return `;${name}=${texts.join(',')}`;
    return texts.map((text) => (kind === 'list' ? `;${name}=${text}` : `;${text}`)).join('');
  }
  const text = texts.join(',');
  // An address is tidied by everybody on its way: `..` would go one up, nothing somewhere else.
  if (text !== '' && text !== '.' && text !== '..') return text;
  throw misplaced(field.parameter, value, 'a text that names something in a path');
}

/** Pairs for the part behind `?`, as they stand there. */
export function queryPairs(field: Field, value: unknown): string[] {
  const { name, style, explode, reserved } = field;
  const write = (text: string): string => (reserved ? openly(text) : escaped(text));
  if (style === 'deepObject' && isObject(value)) return deepPairs(escaped(name), value, write);
  const { kind, parts } = partsOf(field, value);
  if (kind !== 'one' && explode) {
    return parts.map(({ key = name, text }) => `${escaped(key)}=${write(text)}`);
  }
  if (parts.length === 0) return [];
  const between = style === 'spaceDelimited' ? '%20' : style === 'pipeDelimited' ? '%7C' : ',';
  const texts = parts.flatMap(({ key, text }) => (key === undefined ? [text] : [key, text]));
  return [`${escaped(name)}=${texts.map(write).join(between)}`];
}

/** A header or a cookie. Throws `EffectFailure` PV4954. */
export function headerText(field: Field, value: unknown): string {
  const { parts } = partsOf(field, value);
  const between = field.explode ? '=' : ',';
  const text = parts
    .map(({ key, text: own }) => (key === undefined ? own : `${key}${between}${own}`))
    .join(',');
  const isCookie = field.in === 'cookie';
  if (isCookie) return `${escaped(field.name)}=${escaped(text)}`;
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) return text;
  throw misplaced(field.parameter, value, 'a text of one line, of Latin letters');
}

/** Pairs of a body as forms send it. */
export function formPairs(name: string, value: unknown): [string, string][] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.map((item) => [name, plainText(item)]);
  return [[name, plainText(value)]];
}

/** A text as it is, anything else as JSON. */
export const plainText = (value: unknown): string =>
  typeof value === 'string' ? value : stringify(value);

interface Parts {
  readonly kind: 'one' | 'list' | 'object';
  /** Members of an object have keys. */
  readonly parts: readonly { readonly key?: string; readonly text: string }[];
}

function partsOf({ json }: Field, value: unknown): Parts {
  if (json) return { kind: 'one', parts: [{ text: stringify(value) }] };
  if (Array.isArray(value)) {
    return { kind: 'list', parts: value.map((item) => ({ text: plainText(item) })) };
  }
  if (!isObject(value)) return { kind: 'one', parts: [{ text: plainText(value) }] };
  const there = Object.entries(value).filter(([, item]) => item !== null && item !== undefined);
  return { kind: 'object', parts: there.map(([key, item]) => ({ key, text: plainText(item) })) };
}

function deepPairs(
  prefix: string,
  value: Readonly<Record<string, unknown>>,
  write: (text: string) => string,
): string[] {
  return Object.entries(value).flatMap(([key, item]) => {
    const name = `${prefix}%5B${write(key)}%5D`;
    if (item === null || item === undefined) return [];
    if (Array.isArray(item)) return item.map((one) => `${name}=${write(plainText(one))}`);
    return isObject(item) ? deepPairs(name, item, write) : [`${name}=${write(plainText(item))}`];
  });
}

/** Everything that has a meaning in addresses. */
const escaped = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** All but that: `allowReserved`. `#` and `&` would end the value. */
const openly = (text: string): string =>
  encodeURI(text.toWellFormed()).replace(/[#&+]/g, (sign) => encodeURIComponent(sign));

/** An object of JSON: no list, and no bytes. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isAnyObject(value) && !(value instanceof Uint8Array);

function misplaced(parameter: string, value: unknown, want: string): EffectFailure {
  const text = stringify(value);
  const shown = text.length > 40 ? `${text.slice(0, 39)}…` : text;
  return refusal('PV4954', `${parameter}: got ${shown}, want ${want}`);
}
