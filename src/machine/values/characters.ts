/**
 * Characters of strings by Unicode code point: their classes and their cases. Cases map one code
 * point to one, as in Go, so `ß` stays itself where JavaScript would make `SS`.
 */
import { joinText } from './flat-text.ts';

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
