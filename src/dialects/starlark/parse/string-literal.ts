/** What the text between the quotes of a string stands for. */
import { utf8 } from '../../../program/sha256.ts';
import { fail } from './syntax-error.ts';

export interface StringForm {
  readonly raw: boolean;
  readonly bytes: boolean;
}

/** A run of plain text, a line break, or a backslash and what it escapes. */
const pieces =
  /[^\\\r]+|\r\n?|\\(?:\r\n?|[0-7]{1,3}|x[\s\S]{0,2}|u[\s\S]{0,4}|U[\s\S]{0,8}|[\s\S])/gu;

const breaks = /\r\n?/g;

const simple: Readonly<Record<string, string>> = {
  ...{ a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' },
  ...{ '\\': '\\', "'": "'", '"': '"', '\n': '', '\r': '', '\r\n': '' },
};

/**
 * The text that `text[from..to)` stands for; `at` places an offset for errors. In a bytes literal
 * the UTF-16 units of the result are the bytes.
 */
export function decode(
  text: string,
  from: number,
  to: number,
  form: StringForm,
  at: (offset: number) => number,
): string {
  const body = text.slice(from, to);
  const encode = form.bytes ? units : (piece: string): string => piece;
  if (form.raw || !/[\\\r]/.test(body)) return encode(body.replaceAll(breaks, '\n'));
  let out = '';
  for (const { 0: piece, index } of body.matchAll(pieces)) {
    const place = at(from + index);
    if (!piece.startsWith('\\')) out += encode(piece.replace(breaks, '\n'));
    else if (/^.[uU]/.test(piece)) out += encode(codePoint(piece, place));
    else out += byte(piece, form, place);
  }
  return out;
}

/** What a backslash and what follows it stand for, `\u` and `\U` apart. */
function byte(piece: string, form: StringForm, at: number): string {
  const name = piece.slice(1);
  const known = simple[name];
  if (known !== undefined) return known;
  if (name.startsWith('x')) {
    const value = hexadecimal(piece, 2, at);
    if (!form.bytes && value > 127) nonAscii(`hex escape ${piece}`, value, at);
    return String.fromCharCode(value);
  }
  if (!/^[0-7]/.test(name)) {
    fail('PV2303', at, `invalid escape sequence ${piece}`, {
      hint: `write \\\\${name} for a backslash, or put r before the string`,
    });
  }
  const value = Number.parseInt(name, 8);
  const octal = value.toString(8);
  if (!form.bytes && value > 127) nonAscii(`octal escape \\${octal}`, value, at);
  if (value > 255) fail('PV2303', at, `invalid escape sequence \\${octal}`);
  return String.fromCharCode(value);
}

/** The character of `\uFFFF` or `\UFFFFFFFF`. */
function codePoint(sequence: string, at: number): string {
  const value = hexadecimal(sequence, sequence[1] === 'u' ? 4 : 8, at);
  if (value > 0x10ffff) {
    fail('PV2303', at, `code point out of range: ${sequence} (max \\U0010ffff)`);
  }
  if (value >= 0xd800 && value < 0xe000) {
    fail('PV2303', at, `invalid Unicode code point U+${value.toString(16).toUpperCase()}`);
  }
  return String.fromCodePoint(value);
}

function hexadecimal(sequence: string, digits: number, at: number): number {
  if (sequence.length < digits + 2) fail('PV2303', at, `truncated escape sequence ${sequence}`);
  const hex = sequence.slice(2);
  if (!/^[\da-fA-F]+$/.test(hex)) fail('PV2303', at, `invalid escape sequence ${sequence}`);
  return Number.parseInt(hex, 16);
}

function nonAscii(what: string, value: number, at: number): never {
  const hex = value.toString(16).toUpperCase().padStart(4, '0');
  fail('PV2303', at, `non-ASCII ${what} (use \\u${hex} for the UTF-8 encoding of U+${hex})`);
}

/** The UTF-8 bytes of a text, a UTF-16 unit each. */
function units(text: string): string {
  let out = '';
  for (const byte of utf8(text)) out += String.fromCharCode(byte);
  return out;
}

/** The bytes of a bytes literal. */
export const bytesOf = (text: string): Uint8Array =>
  Uint8Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
