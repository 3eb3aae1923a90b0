/**
 * Characters of strings by Unicode code point: their classes, their cases, and the search for
 * several of them in a row. Cases map one code
 * point to one, as in Go, so `ß` stays itself where JavaScript would make `SS`.
 */
import { joinText } from './text.ts';

/** The string of a code point, U+FFFD for a surrogate; undefined beyond Unicode. */
export function character(code: number | bigint): string | undefined {
  if (code < 0 || code > 0x10ffff) return undefined;
  const value = Number(code);
  return value >= 0xd800 && value < 0xe000 ? '\ufffd' : String.fromCodePoint(value);
}

/** How many code points a string has. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

export const isLetter = (c: string): boolean => /^\p{L}$/u.test(c);
export const isDigit = (c: string): boolean => /^\p{Nd}$/u.test(c);
export function isSpace(c: string): boolean {
  const code = c.charCodeAt(0);
  if (code < 128) return code === 32 || (code >= 9 && code <= 13);
  return /^\p{White_Space}$/u.test(c);
}
export const isTitle = (c: string): boolean => /^[A-Z\p{Lt}]$/u.test(c);
export const isLower = (c: string): boolean => /^\p{Ll}$/u.test(c);
export const isUpper = (c: string): boolean => /^\p{Lu}$/u.test(c);

/** Whether a character has another case. */
export const isCased = (c: string): boolean =>
  c === 'ß' || upperOf(c) !== c || lowerOf(c) !== c || titleOf(c) !== c;

const ascii = /^[\0-\x7f]*$/;

/** A loop is quicker for the few characters that most texts have. */
function isAscii(text: string): boolean {
  if (text.length > 32) return ascii.test(text);
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false;
  return true;
}

export function lower(text: string): string {
  return isAscii(text) ? text.toLowerCase() : mapped(text, lowerOf);
}

export function upper(text: string): string {
  return isAscii(text) ? text.toUpperCase() : mapped(text, upperOf);
}

function mapped(text: string, map: (c: string) => string): string {
  let result = '';
  for (const c of text) result = joinText(result, map(c));
  return result;
}

export function lowerOf(c: string): string {
  const low = c.toLowerCase();
  if (low.length === c.length) return low;
  return c === 'İ' ? 'i' : c;
}

/** Greek vowels with iota below: their capital is one character, which JavaScript takes apart. */
const iotaBelow = /^[\u1f80-\u1f87\u1f90-\u1f97\u1fa0-\u1fa7]$/;

function upperOf(c: string): string {
  if (iotaBelow.test(c)) return String.fromCharCode(c.charCodeAt(0) + 8);
  if (c === 'ᾳ' || c === 'ῃ' || c === 'ῳ') return String.fromCharCode(c.charCodeAt(0) + 9);
  const up = c.toUpperCase();
  return up.length === c.length ? up : c;
}

/** The letters that have a case of their own at the start of a word. */
const titles: readonly [RegExp, string][] = [
  [/^[\u01c4-\u01c6]$/, '\u01c5'],
  [/^[\u01c7-\u01c9]$/, '\u01c8'],
  [/^[\u01ca-\u01cc]$/, '\u01cb'],
  [/^[\u01f1-\u01f3]$/, '\u01f2'],
];

export function titleOf(c: string): string {
  if (/^[\u10d0-\u10ff]$/.test(c)) return c;
  return titles.find(([letters]) => letters.test(c))?.[1] ?? upperOf(c);
}

// Where a text stands in another, in time that grows with their lengths and never with the product:
// the search of the host is fast, but takes quadratic time on texts that are made for it.

/** Parts of this length or less are left to the search of the host, in texts of any length. */
const partMax = 32;
/** Characters compared at worst that it is trusted with otherwise. */
const comparisonsMax = 2 ** 18;

const isPlain = (text: string, part: string): boolean =>
  part.length <= partMax || text.length * part.length <= comparisonsMax;

/** Units that looking for a part in all of a text costs. */
export const searchCost = (text: string, part: string): number =>
  isPlain(text, part) ? text.length >> 3 : text.length + part.length;

/** The first place of `part` from `from` on, or -1. */
export function firstIndex(text: string, part: string, from = 0): number {
  if (isPlain(text, part)) return text.indexOf(part, from);
  return search(
    part,
    from,
    text.length,
    (i) => text.charCodeAt(i),
    (i) => part.charCodeAt(i),
  );
}

/** The last place of `part`, or -1. */
export function lastIndex(text: string, part: string): number {
  if (isPlain(text, part)) return text.lastIndexOf(part);
  const [end, last] = [text.length - 1, part.length - 1];
  const at = search(
    part,
    0,
    text.length,
    (i) => text.charCodeAt(end - i),
    (i) => part.charCodeAt(last - i),
  );
  return at < 0 ? -1 : text.length - at - part.length;
}

/**
 * Knuth, Morris and Pratt: after a mismatch the longest border of what has matched is still good,
 * so no character of the text is looked at twice.
 */
function search(
  { length }: string,
  from: number,
  to: number,
  textAt: (i: number) => number,
  partAt: (i: number) => number,
): number {
  const borders = bordersOf(length, partAt);
  let matched = 0;
  for (let i = from; i < to; i++) {
    const code = textAt(i);
    while (matched > 0 && partAt(matched) !== code) matched = borders[matched - 1] ?? 0;
    if (partAt(matched) === code) matched++;
    if (matched === length) return i + 1 - length;
  }
  return -1;
}

/** For each prefix, the length of its longest proper prefix that is also its end. */
function bordersOf(length: number, partAt: (i: number) => number): Uint32Array {
  const borders = new Uint32Array(length);
  let border = 0;
  for (let i = 1; i < length; i++) {
    while (border > 0 && partAt(border) !== partAt(i)) border = borders[border - 1] ?? 0;
    if (partAt(border) === partAt(i)) border++;
    borders[i] = border;
  }
  return borders;
}

/** A character for each byte, so that bytes can be searched as text. */
export function binaryText(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += pieceLength) {
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + pieceLength)));
  }
  return pieces.join('');
}

const pieceLength = 4096;
