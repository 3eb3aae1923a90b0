/**
 * `str` and `repr` of every value (Starlark specification, "str", "repr"). A container that holds
 * itself shows as `[...]` there; nesting and size are bounded, since a few lists that share parts
 * can stand for more text than fits anywhere.
 */
import { depthMax } from '../../program/json.ts';
import { settled, typeName, type Value } from '../../program/value.ts';
import { Fault } from './fault.ts';
import { fits, need, nestingFault } from './pendings.ts';
import type { Surroundings } from './surroundings.ts';
import { codePointIn, decodeText } from './utf8.ts';
import { digitsCost } from './walk.ts';

type Held = Exclude<Value, null | boolean | number | bigint | string>;

/** A string is itself, bytes are their text; the rest is as `repr` shows it. Throws PV3012. */
export function str(value: Value, around: Surroundings): string {
  const seen = need(value);
  if (typeof seen === 'string') return seen;
  if (typeof seen === 'object' && seen?.kind === 'bytes') return decodeText(seen.bytes);
  return repr(seen, around);
}

/** The text of a value as a program would write it, where it could. Throws PV3012 and PV3017. */
export function repr(value: Value, around: Surroundings): string {
  const out: Writer = { text: '', work: 0, around, path: new Set() };
  write(out, value);
  around.charge?.(out.work + (out.text.length >> 3));
  return out.text;
}

/** A few words of a value, for messages. */
export function inShort(value: Value): string {
  const seen = settled(value);
  try {
    return repr(seen, { valueBytes: 200 });
  } catch (error) {
    if (error instanceof Fault) return '…';
    throw error;
  }
}

interface Writer {
  text: string;
  /** What writing has cost beyond the length of the text. */
  work: number;
  readonly around: Pick<Surroundings, 'valueBytes' | 'functionName'>;
  /** Containers that are being written. */
  readonly path: Set<Held>;
}

function put(out: Writer, text: string): void {
  fits(out.text.length + text.length, out.around.valueBytes);
  out.text = joinText(out.text, text);
}

/** Refuses a string that is too long before it looks at each of its characters. */
function putQuoted(out: Writer, text: string): void {
  fits(out.text.length + text.length, out.around.valueBytes);
  put(out, quote(text));
}

function putInt(out: Writer, value: number | bigint): void {
  out.work += digitsCost(value);
  put(out, String(value));
}

function write(out: Writer, value: Value): void {
  const seen = need(value);
  if (seen === null) put(out, 'None');
  else if (typeof seen === 'string') putQuoted(out, seen);
  else if (typeof seen === 'boolean') put(out, seen ? 'True' : 'False');
  else if (typeof seen !== 'object') putInt(out, seen);
  else writeHeld(out, seen);
}

function writeHeld(out: Writer, value: Held): void {
  switch (value.kind) {
    case 'float':
      put(out, floatText(value.value));
      return;
    case 'bytes':
      put(out, quoteBytes(value.bytes));
      return;
    case 'list':
      within(out, value, '[', ']', () => writeAll(out, value.items));
      return;
    case 'tuple':
      within(out, value, '(', value.items.length === 1 ? ',)' : ')', () =>
        writeAll(out, value.items),
      );
      return;
    case 'set':
      within(out, value, 'set([', '])', () => writeAll(out, present(value.slots)));
      return;
    case 'dict':
      within(out, value, '{', '}', () => writePairs(out, present(value.slots)));
      return;
    case 'struct':
      within(out, value, `${value.name}(`, ')', () => writeFields(out, value.fields));
      return;
    case 'view':
      write(out, value.of);
      put(out, `.${value.parts}()`);
      return;
    case 'range':
      put(out, rangeText(value.start, value.stop, value.step));
      return;
    default:
      put(out, namedText(out, value));
      return;
  }
}

function namedText(out: Writer, value: Held): string {
  switch (value.kind) {
    case 'function':
      return `<function ${out.around.functionName?.(value.chunk) ?? `#${value.chunk}`}>`;
    case 'builtin':
      return `<built-in function ${bare(value.name)}>`;
    case 'object':
      return value.type.text?.(value) ?? `<${value.type.name}>`;
    case 'method':
      return `<built-in method ${value.name} of ${typeName(value.receiver)} value>`;
    case 'module':
      return `<module ${quote(value.name)}>`;
    case 'tool':
      return `<tool ${value.name}>`;
    default:
      return `<${value.kind}>`;
  }
}

/** Without what a host has put before a colon to keep names apart. */
export const bare = (name: string): string => name.slice(name.lastIndexOf(':') + 1);

/** Writes a container between its brackets, or that it is inside itself. */
function within(out: Writer, value: Held, open: string, close: string, body: () => void): void {
  if (out.path.has(value)) {
    put(out, `${open}...${close}`);
    return;
  }
  out.work++;
  if (out.path.size > depthMax) throw nestingFault();
  out.path.add(value);
  put(out, open);
  body();
  put(out, close);
  out.path.delete(value);
}

function writeAll(out: Writer, items: readonly Value[]): void {
  for (const [i, item] of items.entries()) {
    if (i > 0) put(out, ', ');
    write(out, item);
  }
}

function writePairs(out: Writer, pairs: readonly (readonly [Value, Value])[]): void {
  for (const [i, [key, value]] of pairs.entries()) {
    if (i > 0) put(out, ', ');
    write(out, key);
    put(out, ': ');
    write(out, value);
  }
}

/** Fields by name, as starlark-go orders them. */
function writeFields(out: Writer, fields: ReadonlyMap<string, Value>): void {
  for (const [i, name] of [...fields.keys()].sort().entries()) {
    put(out, `${i > 0 ? ', ' : ''}${name} = `);
    write(out, fields.get(name) ?? null);
  }
}

const present = <T>(slots: readonly (T | undefined)[]): T[] =>
  slots.filter((slot) => slot !== undefined) as T[];

function rangeText(start: number, stop: number, step: number): string {
  if (step !== 1) return `range(${start}, ${stop}, ${step})`;
  return start === 0 ? `range(${stop})` : `range(${start}, ${stop})`;
}

// String and bytes literals as Starlark writes them: double quotes, the escapes of Go.

const namedEscapes = new Map([
  [7, '\\a'],
  [8, '\\b'],
  [9, '\\t'],
  [10, '\\n'],
  [11, '\\v'],
  [12, '\\f'],
  [13, '\\r'],
  [34, '\\"'],
  [92, '\\\\'],
]);

const plainAscii = /^[ !#-[\]-~]*$/;
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

export function quote(text: string): string {
  if (plainAscii.test(text)) return `"${text}"`;
  let quoted = '"';
  for (const character of text) quoted += escaped(character.codePointAt(0) ?? 0);
  return `${quoted}"`;
}

/** Bytes that are UTF-8 show as text, others as `\xff`. */
export function quoteBytes(bytes: Uint8Array): string {
  let quoted = 'b"';
  for (let at = 0; at < bytes.length; ) {
    const [code, length] = codePointIn(bytes, at);
    quoted += code === undefined ? hex('\\x', bytes[at] ?? 0, 2) : escaped(code);
    at += length;
  }
  return `${quoted}"`;
}

function escaped(code: number): string {
  const short = namedEscapes.get(code);
  if (short !== undefined) return short;
  const character = String.fromCodePoint(code);
  if (printable.test(character)) return character;
  if (code < 0x20 || code === 0x7f) return hex('\\x', code, 2);
  return code < 0x10000 ? hex('\\u', code, 4) : hex('\\U', code, 8);
}

const hex = (prefix: string, code: number, digits: number): string =>
  prefix + code.toString(16).padStart(digits, '0');

// Texts that take the memory their length says. The host keeps a text that grew by `+` as a tree of
// its pieces, and a part of a text as a window on the whole of it; so a text of one character a
// piece takes thirty times its length, and a short part keeps alive a whole that nobody else has.

/** A text of this length or less is left to the host, which copies shorter ones itself. */
const smallMax = 32;
/** Pieces of this length or more take about as much as the host needs to hold them together. */
const pieceMin = 16;

/** x + y. Lays the text out flat whenever it has grown by about an eighth in small pieces. */
export function joinText(x: string, y: string): string {
  const joined = x + y;
  const { length } = joined;
  if (length <= smallMax || (x.length >= pieceMin && y.length >= pieceMin)) return joined;
  const eighth = 28 - Math.clz32(length);
  const before = x.length > y.length ? x.length : y.length;
  return before >> eighth === length >> eighth ? joined : flat(joined);
}

/** The same text in one piece, which the host makes of it before it matches a pattern. */
function flat(text: string): string {
  anything.test(text);
  return text;
}

const anything = /^\0/;

/** The host copies parts shorter than this. */
const windowMin = 13;
/** Wholes that are not worth a copy of their parts. */
const wholeMin = 2 ** 14;

/** text.slice(start, end); a small part of a large text is a copy. */
export function partOf(text: string, start: number, end?: number): string {
  const part = text.slice(start, end);
  return part.length < windowMin || text.length < wholeMin || part.length > text.length >> 2
    ? part
    : copied(part);
}

/** Parts of a text, such as `split` gives, in the same way. */
export function partsOf(text: string, parts: readonly string[]): string[] {
  if (text.length < wholeMin || parts.length < 2) return [...parts];
  return parts.map((part) => (part.length < windowMin ? part : copied(part)));
}

/** A window on a text that is one character longer, and that nothing else has. */
const copied = (text: string): string => flat(`${text} `).slice(0, -1);

// Floats as text and back. The text is that of Go: as few digits as tell the value from its
// neighbours, with an exponent below 1e-4 and from 1e6 on (Starlark specification, "Floating-point
// numbers"); `%e` and `%f` have six digits after the point and round halves to even.

export type FloatForm = 'e' | 'E' | 'f' | 'F' | 'g' | 'G';

/** What `str` shows: it has a point or an exponent, so it cannot be read as an int. */
export const floatText = (value: number): string => formatFloat(value, 'g');

export function formatFloat(value: number, form: FloatForm): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? '+inf' : '-inf';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const size = Math.abs(value);
  const upper = form < 'a';
  const text = sign + digits(size, form.toLowerCase());
  return upper ? text.toUpperCase() : text;
}

function digits(size: number, form: string): string {
  if (form === 'e') return exponent(rounded(size.toExponential(100), 6));
  if (form === 'f') return fixed(size);
  const text = size.toExponential();
  const at = text.indexOf('e');
  const power = Number(text.slice(at + 1));
  if (power < -4 || power >= 6) return exponent(text);
  const all = text.slice(0, at).replace('.', '');
  if (power < 0) return `0.${'0'.repeat(-power - 1)}${all}`;
  const whole = all.slice(0, power + 1).padEnd(power + 1, '0');
  return `${whole}.${all.slice(power + 1) || '0'}`;
}

/** `1e+6` with an exponent of two digits at least: `1e+06`. */
const exponent = (text: string): string => text.replace(/e([+-])(\d)$/, 'e$10$2');

function fixed(size: number): string {
  if (size >= 1e21) return `${BigInt(size)}.000000`;
  return rounded(size.toFixed(100), 6);
}

/** Cuts an exact decimal text after `count` digits behind the point. */
function rounded(exact: string, count: number): string {
  const [, whole = '', fraction = '', power = ''] = /^(\d+)\.(\d+)(e.*)?$/.exec(exact) ?? [];
  const all = String(cut(whole + fraction, whole.length + count)).padStart(count + 1, '0');
  const front = all.slice(0, -count);
  if (power !== '' && front.length > 1) {
    return `${front[0]}.${front.slice(1)}${all.slice(-count, -1)}e${next(power)}`;
  }
  return `${front}.${all.slice(-count)}${power}`;
}

/** The first `count` digits, rounded by the rest; halves go to even. */
function cut(digits: string, count: number): bigint {
  const kept = BigInt(digits.slice(0, count));
  const rest = digits.slice(count);
  const up = /^50*$/.test(rest) ? kept % 2n === 1n : rest >= '5';
  return up ? kept + 1n : kept;
}

/** A float to so many digits behind the point, or before it where `digits` is negative. */
export function roundHalfEven(value: number, digits: number): number {
  if (!Number.isFinite(value) || Math.abs(value) >= 1e21 || digits > 100) return value;
  const [whole = '', fraction = ''] = Math.abs(value).toFixed(100).split('.');
  const count = whole.length + digits;
  const size = count < 0 ? 0 : Number(`${cut(whole + fraction, count)}e${-digits}`);
  return value < 0 ? -size : size;
}

/** The exponent after 9.9999999 became 10. */
function next(power: string): string {
  const value = Number(power.slice(1)) + 1;
  return value < 0 ? String(value) : `+${value}`;
}

const decimal = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;
const special = /^([+-]?)(inf|infinity|nan)$/i;

/** The float that a text says; undefined where it says none. Too large a number is infinite. */
export function parseFloatText(text: string): number | undefined {
  const found = special.exec(text);
  if (found) {
    if (found[2]?.toLowerCase() === 'nan') return NaN;
    return found[1] === '-' ? -Infinity : Infinity;
  }
  return decimal.test(text) ? Number(text) : undefined;
}

/** Whether a text that stands for infinity says so itself. */
export const saysInfinity = (text: string): boolean => special.test(text);
