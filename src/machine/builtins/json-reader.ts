/**
 * Strict JSON for `json.decode`: ints of any size apart from floats, errors with their offset. What
 * models write is read elsewhere (`text/json-text`), which repairs; this does not.
 */
import { depthMax } from '../../program/json.ts';
import { dict, dictSet, float, list, typeName, type Value } from '../../program/value.ts';
import { partOf } from '../values/flat-text.ts';
import { parseFloatText } from '../values/float-text.ts';
import { intFits, parseDigits } from '../values/numbers.ts';
import { fits, nestingFault } from '../values/pendings.ts';
import type { Surroundings } from '../values/surroundings.ts';

/** What is wrong and how many UTF-16 units lie before it. */
export class JsonError extends Error {
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
export function decodeJson(text: string, around: Surroundings): Value {
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
