/** String and bytes literals as Starlark writes them: double quotes, the escapes of Go. */
import { codePointIn } from './utf8.ts';

const named = new Map([
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
  const short = named.get(code);
  if (short !== undefined) return short;
  const character = String.fromCodePoint(code);
  if (printable.test(character)) return character;
  if (code < 0x20 || code === 0x7f) return hex('\\x', code, 2);
  return code < 0x10000 ? hex('\\u', code, 4) : hex('\\U', code, 8);
}

const hex = (prefix: string, code: number, digits: number): string =>
  prefix + code.toString(16).padStart(digits, '0');
