/** The functions that make a value of one type from values of others. */
import { bytes, float, int, settled, typeName, type Value } from '../../program/value.ts';
import { character, codePoints } from '../values/characters.ts';
import { truth } from '../values/compare.ts';
import { formatted } from '../values/format.ts';
import { intFits, parseDigits, toInt } from '../values/numbers.ts';
import { roomForText } from '../values/pendings.ts';
import { parseFloatText, repr, saysInfinity, str } from '../values/text.ts';
import { parsingCost } from '../values/walk.ts';
import {
  anything,
  aString,
  type Call,
  define,
  failed,
  itemsOf,
  misused,
  parameters,
  positional,
} from './arguments.ts';
import type { BuiltinSpec } from './builtin.ts';

const pure = { lifts: true };

export const conversions: readonly BuiltinSpec[] = [
  define('bool', pure, (call) => truth(positional(call, [], [anything])[0] ?? false)),
  define('bytes', pure, (call) => toBytes(call, sole(call, 'exactly 1'))),
  define('chr', pure, (call) => chr(call, sole(call, '1'))),
  define('float', pure, toFloatValue),
  // What an f-string makes of `{x:.2f}`.
  define('_format', pure, (call) =>
    formatted(...positional(call, [anything, aString]), call.around),
  ),
  define('int', pure, toIntValue),
  define('ord', pure, (call) => ord(call, sole(call, '1'))),
  define('repr', pure, (call) => repr(positional(call, [anything])[0], call.around)),
  define('str', pure, (call) => str(sole(call, 'exactly 1'), call.around)),
  define('type', pure, (call) => typeName(sole(call, 'exactly 1'))),
  define('hash', pure, (call) => hash(call, positional(call, [anything])[0])),
];

/** The one argument of a function that takes no names. */
function sole(call: Call, wanted: string): Value {
  if (call.named.size > 0) throw misused(call, 'unexpected keyword arguments');
  const [value, more] = call.args;
  if (value !== undefined && more === undefined) return value;
  throw misused(call, `got ${call.args.length} arguments, want ${wanted}`);
}

function toBytes(call: Call, value: Value): Value {
  if (typeof value === 'string') {
    roomForText(value.length, call.around);
    return bytes(new TextEncoder().encode(value));
  }
  if (typeof value === 'object' && value?.kind === 'bytes') return value;
  const items = itemsOf(value, call.around);
  if (items === undefined) {
    throw misused(call, `got ${typeName(value)}, want string, bytes, or iterable of ints`);
  }
  return bytes(Uint8Array.from(items, (item, at) => byteOf(call, item, at)));
}

function byteOf(call: Call, item: Value, at: number): number {
  if (typeof item !== 'number' && typeof item !== 'bigint') {
    throw misused(call, `at index ${at}, got ${typeName(item)}, want int`);
  }
  if (item >= 0 && item < 256) return Number(item);
  const why = 'out of range (want value in unsigned 8-bit range)';
  throw misused(call, `at index ${at}, ${item} ${why}`);
}

function chr(call: Call, value: Value): Value {
  if (typeof value !== 'number' && typeof value !== 'bigint') {
    throw misused(call, `got ${typeName(value)}, want int`);
  }
  const found = character(value);
  if (found !== undefined) return found;
  if (value < 0) throw misused(call, `Unicode code point ${value} out of range (<0)`);
  const shown = value.toString(16).toUpperCase();
  throw misused(call, `Unicode code point U+${shown} out of range (>0x10FFFF)`);
}

function ord(call: Call, value: Value): Value {
  if (typeof value === 'string') {
    const count = codePoints(value);
    if (count === 1) return value.codePointAt(0) ?? 0;
    throw misused(call, `string encodes ${count} Unicode code points, want 1`);
  }
  if (typeof value === 'object' && value?.kind === 'bytes') {
    const [byte, more] = value.bytes;
    if (byte !== undefined && more === undefined) return byte;
    throw misused(call, `bytes has length ${value.bytes.length}, want 1`);
  }
  throw misused(call, `got ${typeName(value)}, want string or bytes`);
}

function toFloatValue(call: Call): Value {
  if (call.named.size > 0) throw misused(call, 'unexpected keyword arguments');
  if (call.args.length === 0) return float(0);
  const [value = null] = call.args;
  if (call.args.length > 1) throw misused(call, `got ${call.args.length} arguments, wants 1`);
  if (typeof value === 'boolean') return float(value ? 1 : 0);
  if (typeof value === 'string') return float(textToFloat(call, value));
  if (typeof value === 'number') return float(value);
  if (typeof value === 'bigint') {
    const nearest = Number(value);
    if (Number.isFinite(nearest)) return float(nearest);
    throw failed(call, 'int too large to convert to float');
  }
  if (value?.kind === 'float') return value;
  throw misused(call, `float got ${typeName(value)}, want number or string`);
}

function textToFloat(call: Call, text: string): number {
  if (text === '') throw failed(call, 'empty string');
  const value = parseFloatText(text);
  if (value === undefined) throw failed(call, `invalid float literal: ${text}`);
  if (Number.isFinite(value) || Number.isNaN(value) || saysInfinity(text)) return value;
  throw failed(call, 'floating-point number too large');
}

function toIntValue(call: Call): Value {
  const { x = 0, base } = parameters(call, { x: anything, 'base?': anything });
  const value = settled(x);
  if (typeof value === 'string') return textToInt(call, value, base);
  if (base !== undefined) throw misused(call, "can't convert non-string with explicit base");
  if (typeof value === 'boolean') return value ? 1 : 0;
  const whole = toInt(value);
  if (typeof whole !== 'string') return whole;
  throw misused(call, whole);
}

function textToInt(call: Call, text: string, base: Value = 10): Value {
  if (typeof base !== 'number') {
    const got = typeName(base);
    throw misused(call, `for base, got ${got}, want int: base must be an integer`);
  }
  if (base !== 0 && (base < 2 || base > 36)) {
    throw misused(call, 'base must be an integer >= 2 && <= 36');
  }
  const [, sign = '', unsigned = ''] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  const [digits, digitBase] = withoutPrefix(unsigned, base);
  intFits(Math.ceil(digits.length * Math.log2(digitBase)), call.around.valueBytes);
  call.around.charge?.(parsingCost(digits.length));
  const size = parseDigits(digits, digitBase);
  if (size === undefined) throw failed(call, `invalid literal with base ${base}: ${text}`);
  if (sign !== '-') return size;
  return typeof size === 'bigint' ? int(-size) : 0 - size;
}

const prefixes = new Map([
  ['0b', 2],
  ['0o', 8],
  ['0x', 16],
]);

/** With base 0 the prefix tells the base, and other digits may not start with a zero. */
function withoutPrefix(text: string, base: number): [digits: string, base: number] {
  const prefixed = text.length > 2 ? prefixes.get(text.slice(0, 2).toLowerCase()) : undefined;
  if (prefixed !== undefined && (base === 0 || base === prefixed)) return [text.slice(2), prefixed];
  if (base !== 0) return [text, base];
  return [/^0+[^0]/.test(text) ? '' : text, 10];
}

/** Stable over runs and machines: Java's hash of a string, FNV-1a of bytes. */
function hash(call: Call, value: Value): Value {
  if (typeof value === 'string') {
    let result = 0;
    for (let i = 0; i < value.length; i++) {
      result = (Math.imul(31, result) + value.charCodeAt(i)) | 0;
    }
    call.around.charge?.(value.length);
    return result;
  }
  if (typeof value === 'object' && value?.kind === 'bytes') {
    call.around.charge?.(value.bytes.length);
    let result = 2166136261;
    for (const byte of value.bytes) result = Math.imul(result ^ byte, 16777619);
    return result >>> 0;
  }
  throw misused(call, `got ${typeName(value)}, want string or bytes`);
}
