/** The module `json`: encode, encode_indent, decode, indent. */
import { depthMax } from '../../program/json.ts';
import {
  dict,
  dictSet,
  float,
  isDict,
  list,
  settled,
  typeName,
  type Value,
} from '../../program/value.ts';
import { intFits, parseDigits } from '../values/numbers.ts';
import { fits, nestingFault, roomForText } from '../values/pendings.ts';
import type { Surroundings } from '../values/surroundings.ts';
import { floatText, joinText, parseFloatText, partOf } from '../values/text.ts';
import { digitsCost } from '../values/walk.ts';
import {
  anything,
  aString,
  type Call,
  define,
  failed,
  itemsOf,
  parameters,
  positional,
} from './arguments.ts';
import type { BuiltinSpec } from './builtin.ts';

const pure = { lifts: true };

export const jsonFunctions: readonly BuiltinSpec[] = [
  define('json.encode', pure, (call) => encode(call, positional(call, [anything])[0])),
  define('json.encode_indent', pure, (call) => {
    const given = parameters(call, { x: anything, 'prefix?': aString, 'indent?': aString });
    return indent(call, encode(call, given.x), given.prefix, given.indent);
  }),
  define('json.decode', pure, decode),
  define('json.indent', pure, (call) => {
    const { prefix, indent: unit } = parameters(
      { ...call, args: [] },
      { 'prefix?': aString, 'indent?': aString },
    );
    const [text] = positional({ ...call, named: new Map() }, [aString]);
    return indent(call, text, prefix, unit);
  }),
];

function decode(call: Call): Value {
  const { x, default: otherwise } = parameters(call, { x: aString, 'default?': anything });
  call.around.charge?.(x.length);
  try {
    return decodeJson(x, call.around);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    if (otherwise !== undefined) return otherwise;
    throw failed(call, `at offset ${error.offset}, ${error.message}`);
  }
}

function indent(call: Call, text: string, prefix = '', unit = '\t'): string {
  call.around.charge?.(text.length);
  try {
    decodeJson(text, call.around);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw failed(call, `invalid character at offset ${error.offset}: ${error.message}`);
  }
  const made = indented(text, prefix, unit, call.around.valueBytes);
  roomForText(made.length, call.around);
  return made;
}

function encode(call: Call, value: Value): string {
  const out: Output = { text: '', work: 0, around: call.around, path: new Set() };
  try {
    write(out, value);
  } catch (error) {
    if (!(error instanceof NoJson)) throw error;
    throw failed(call, error.message);
  }
  call.around.charge?.(out.work + (out.text.length >> 3));
  return out.text;
}

interface Output {
  text: string;
  /** What writing has cost beyond the length of the text. */
  work: number;
  readonly around: Surroundings;
  readonly path: Set<Value>;
}

/** Why a value has no JSON form, with the way to it: `at list index 0: …`. */
class NoJson extends Error {
  override readonly name = 'NoJson';
}

function put(out: Output, text: string): void {
  fits(out.text.length + text.length, out.around.valueBytes);
  out.text = joinText(out.text, text);
}

function write(out: Output, given: Value): void {
  const value = settled(given);
  if (value === null || typeof value !== 'object' || value.kind === 'float') {
    if (typeof value === 'string') fits(out.text.length + value.length, out.around.valueBytes);
    put(out, scalar(out, value));
    return;
  }
  if (out.path.has(value)) throw new NoJson('cycle in JSON structure');
  if (out.path.size > depthMax) throw nestingFault();
  out.work++;
  out.path.add(value);
  writeContainer(out, value);
  out.path.delete(value);
}

function scalar(out: Output, value: Value): string {
  if (typeof value === 'bigint') out.work += digitsCost(value);
  if (typeof value === 'string') return quoted(value);
  if (value === null || typeof value !== 'object' || value.kind !== 'float') return String(value);
  if (Number.isFinite(value.value)) return floatText(value.value);
  throw new NoJson(`cannot encode non-finite float ${floatText(value.value)}`);
}

function writeContainer(out: Output, value: Value): void {
  const kind = typeName(value);
  if (isDict(value)) {
    const pairs = value.slots.filter((slot) => slot !== undefined);
    const members = pairs.map(([key, item]): [string, Value] => {
      if (typeof key === 'string') return [key, item];
      throw new NoJson(`${kind} has ${typeName(key)} key, want string`);
    });
    writeMembers(out, members, (key) => `in ${kind} key ${quoted(key)}`);
    return;
  }
  if (typeof value === 'object' && value?.kind === 'struct') {
    writeMembers(out, [...value.fields], (key) => `in field .${key}`);
    return;
  }
  const items = itemsOf(value, out.around);
  if (items === undefined) throw new NoJson(`cannot encode ${kind} as JSON`);
  put(out, '[');
  items.forEach((item, i) => {
    if (i > 0) put(out, ',');
    inside(`at ${kind} index ${i}`, () => write(out, item));
  });
  put(out, ']');
}

function writeMembers(
  out: Output,
  members: readonly [string, Value][],
  where: (key: string) => string,
): void {
  put(out, '{');
  const sorted = [...members].sort(([x], [y]) => (x < y ? -1 : x > y ? 1 : 0));
  for (const [i, [key, item]] of sorted.entries()) {
    put(out, `${i > 0 ? ',' : ''}${quoted(key)}:`);
    inside(where(key), () => write(out, item));
  }
  put(out, '}');
}

function inside(where: string, action: () => void): void {
  try {
    action();
  } catch (error) {
    throw error instanceof NoJson ? new NoJson(`${where}: ${error.message}`) : error;
  }
}

/** Half a pair of surrogates is no character: it is written as U+FFFD, as it is read. */
const quoted = (text: string): string =>
  JSON.stringify(text.toWellFormed())
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');

// Strict JSON for `json.decode`: ints of any size apart from floats, errors with their offset. What
// models write is read elsewhere (`text/json-text`), which repairs; this does not.

/** What is wrong and how many UTF-16 units lie before it. */
class JsonError extends Error {
  override readonly name = 'JsonError';
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

interface Reader {
  readonly text: string;
  readonly around: Surroundings;
  at: number;
  depth: number;
  /** Values read so far: in memory they can be many times as large as in the text. */
  values: number;
}

/** The value of a text. Throws `JsonError`, and `Fault` PV3012 and PV3017. */
function decodeJson(text: string, around: Surroundings): Value {
  const reader: Reader = { text, around, at: 0, depth: 0, values: 0 };
  const value = read(reader);
  skipSpace(reader);
  if (reader.at < text.length) {
    throw wrong(reader, `unexpected character ${shown(text[reader.at])} after value`);
  }
  return value;
}

const wrong = (reader: Reader, message: string): JsonError => new JsonError(reader.at, message);

function shown(c = ''): string {
  if (c === '"') return `'"'`;
  return c === "'" ? "'\\''" : `'${JSON.stringify(c).slice(1, -1)}'`;
}

function skipSpace(reader: Reader): void {
  while (/^[ \t\n\r]$/.test(reader.text[reader.at] ?? '')) reader.at++;
}

/** The next character that is no space. */
function next(reader: Reader): string {
  skipSpace(reader);
  const c = reader.text[reader.at];
  if (c === undefined) throw wrong(reader, 'unexpected end of file');
  return c;
}

const words: readonly (readonly [string, Value])[] = [
  ['null', null],
  ['true', true],
  ['false', false],
];

function read(reader: Reader): Value {
  const c = next(reader);
  fits(8 * ++reader.values, reader.around.valueBytes);
  if (c === '"') return readString(reader);
  if (c === '[') return nested(reader, readArray);
  if (c === '{') return nested(reader, readObject);
  if (c === '-' || isDigit(c)) return readNumber(reader);
  const word = words.find(([name]) => reader.text.startsWith(name, reader.at));
  if (!word) throw wrong(reader, `unexpected character ${shown(c)}`);
  reader.at += word[0].length;
  return word[1];
}

function nested(reader: Reader, body: (reader: Reader) => Value): Value {
  if (++reader.depth > depthMax) throw nestingFault();
  reader.at++;
  const value = body(reader);
  reader.at++;
  reader.depth--;
  return value;
}

function readArray(reader: Reader): Value {
  const items: Value[] = [];
  if (next(reader) === ']') return list(items);
  for (;;) {
    items.push(read(reader));
    const c = next(reader);
    if (c === ']') return list(items);
    if (c !== ',') throw wrong(reader, `got ${shown(c)}, want ',' or ']'`);
    reader.at++;
  }
}

function readObject(reader: Reader): Value {
  const made = dict();
  if (next(reader) === '}') return made;
  for (;;) {
    const key = read(reader);
    if (typeof key !== 'string') {
      throw wrong(reader, `got ${typeName(key)} for object key, want string`);
    }
    const colon = next(reader);
    if (colon !== ':') throw wrong(reader, `after object key, got ${shown(colon)}, want ':'`);
    reader.at++;
    dictSet(made, key, read(reader));
    const c = next(reader);
    if (c === '}') return made;
    if (c !== ',') throw wrong(reader, `in object, got ${shown(c)}, want ',' or '}'`);
    reader.at++;
  }
}

const isDigit = (c: string | undefined): boolean => c !== undefined && c >= '0' && c <= '9';

function readNumber(reader: Reader): Value {
  const start = reader.at;
  let isFloat = false;
  for (reader.at++; ; reader.at++) {
    const c = reader.text[reader.at];
    if (isDigit(c)) continue;
    if (c === undefined || !'.eE+-'.includes(c)) break;
    isFloat = true;
  }
  const text = reader.text.slice(start, reader.at);
  const negative = text.startsWith('-');
  const size = negative ? text.slice(1) : text;
  const value = /^(?!0\d)\d/.test(size)
    ? isFloat
      ? parseFloatText(text)
      : whole(size)
    : undefined;
  if (value === undefined || (isFloat && !Number.isFinite(value))) {
    throw wrong(reader, `invalid number: ${text}`);
  }
  if (isFloat) return float(Number(value));
  if (!negative) return value;
  return typeof value === 'bigint' ? -value : 0 - value;
}

function whole(digits: string): number | bigint | undefined {
  intFits(digits.length * 3.33, Infinity);
  return parseDigits(digits, 10);
}

const escapes = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

function readString(reader: Reader): string {
  const { text, at } = reader;
  let end = at + 1;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  if (end >= text.length) throw wrong(reader, 'unclosed string literal');
  reader.at = end + 1;
  const body = partOf(text, at + 1, end);
  return body.includes('\\') ? unescaped(reader, body).toWellFormed() : body;
}

function unescaped(reader: Reader, body: string): string {
  return body.replace(/\\(u.{0,4}|.)/gs, (_, sign: string) => {
    const known = escapes.get(sign);
    if (known !== undefined) return known;
    if (!sign.startsWith('u')) {
      throw wrong(reader, `invalid character ${shown(sign)} in string escape code`);
    }
    const digits = sign.slice(1);
    if (/^[0-9a-fA-F]{4}$/.test(digits)) return String.fromCharCode(Number.parseInt(digits, 16));
    const bad = [...digits].find((digit) => !/[0-9a-fA-F]/.test(digit)) ?? '"';
    throw wrong(reader, `invalid character ${shown(bad)} in \\u hexadecimal character escape`);
  });
}

// Valid JSON laid out over lines; strings and numbers stay as they are written.

const token = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+/gs;

/** Throws PV3012 where the text would have more than `bytesMax` characters. */
function indented(text: string, prefix: string, unit: string, bytesMax: number): string {
  let made = '';
  let depth = 0;
  let empty = false;
  const line = (): string => {
    fits(made.length + prefix.length + unit.length * depth, bytesMax);
    return `\n${prefix}${unit.repeat(depth)}`;
  };
  for (const [part] of text.matchAll(token)) {
    const closes = part === '}' || part === ']';
    if (closes) depth--;
    if (closes ? !empty : empty) made = joinText(made, line());
    empty = false;
    made = joinText(made, part === ':' ? ': ' : part);
    if (part === '{' || part === '[') {
      depth++;
      empty = true;
    }
    if (part === ',') made = joinText(made, line());
  }
  return made + text.slice(text.trimEnd().length);
}
