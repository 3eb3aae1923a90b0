/** Reads numbers and words: literals in JSON's or another language's spelling. */

import type { Code } from './codes.ts';
import {
  braceOpen,
  bracketOpen,
  inWord,
  isDigit,
  isQuote,
  type Source,
  startsWord,
} from './source.ts';
import type { Note } from './string-token.ts';

export type Scalar =
  | { readonly kind: 'null'; readonly value: null }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'int'; readonly value: number | bigint }
  | { readonly kind: 'float'; readonly value: number };

/** A scalar and where it ends, `cut` where the text ends before that is certain, or why not. */
export type ScalarToken =
  | { readonly kind: 'scalar'; readonly scalar: Scalar; readonly end: number }
  | { readonly kind: 'cut' }
  | {
      readonly kind: 'refused';
      readonly code: Code;
      readonly message: string;
      readonly hint?: string;
    };

/** More digits than this are refused: converting them takes time that grows with their square. */
const digitsMax = 4300;

const literals: ReadonlyMap<string, Scalar> = new Map<string, Scalar>([
  ['true', { kind: 'bool', value: true }],
  ['false', { kind: 'bool', value: false }],
  ['null', { kind: 'null', value: null }],
]);

const foreign: ReadonlyMap<string, string> = new Map([
  ['True', 'true'],
  ['TRUE', 'true'],
  ['False', 'false'],
  ['FALSE', 'false'],
  ['None', 'null'],
  ['NULL', 'null'],
  ['Null', 'null'],
  ['nil', 'null'],
]);

const notNumbers = /^[+-]?(nan|inf(inity)?|undefined)$/i;

export const startsNumber = (code: number): boolean =>
  isDigit(code) || code === 0x2d || code === 0x2b || code === 0x2e;

export const startsValue = (code: number): boolean =>
  code === braceOpen ||
  code === bracketOpen ||
  isQuote(code) ||
  startsNumber(code) ||
  startsWord(code);

/** The literal or word at an offset; `inside` a bracket the text cannot end with it. */
export function readWord(source: Source, start: number, inside: boolean, note: Note): ScalarToken {
  const end = wordEnd(source, start, inWord);
  const word = source.text.slice(start, Math.min(end, start + 40));
  const spelling = foreign.get(word);
  const scalar = literals.get(spelling ?? word);
  if (scalar) {
    if (spelling) note('PV1018', `got ${word}, want ${spelling}`, start);
    return { kind: 'scalar', scalar, end };
  }
  if (inside && end === source.text.length) return { kind: 'cut' };
  if (notNumbers.test(word)) return refuseNotNumber(word);
  return {
    kind: 'refused',
    code: 'PV1004',
    message: `got ${word}, want a value`,
    hint: `put text in double quotes: "${word}"`,
  };
}

/** The number at an offset; also refuses what only looks like one. */
export function readNumber(source: Source, start: number, inside: boolean): ScalarToken {
  const end = wordEnd(source, start, inNumber);
  if (inside && end === source.text.length) return { kind: 'cut' };
  return numberOf(source.text.slice(start, end), end);
}

const inNumber = (code: number): boolean => inWord(code) || code === 0x2e || code === 0x2b;

/** First offset past the characters of a kind. */
function wordEnd(source: Source, start: number, belongs: (code: number) => boolean): number {
  let end = start;
  while (end - start <= digitsMax + 400 && belongs(source.code(end))) end++;
  return end;
}

const strict = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

function numberOf(text: string, end: number): ScalarToken {
  if (text.length > digitsMax) {
    return {
      kind: 'refused',
      code: 'PV1006',
      message: `got a number of ${text.length} or more characters, want at most ${digitsMax}`,
      hint: 'write it as text',
    };
  }
  if (!strict.test(text)) return refuseNumber(text);
  if (/^-?\d+$/.test(text)) {
    const small = Number(text);
    const value = Number.isSafeInteger(small) ? small + 0 : BigInt(text);
    return { kind: 'scalar', scalar: { kind: 'int', value }, end };
  }
  const value = Number(text);
  if (!Number.isFinite(value)) {
    return { kind: 'refused', code: 'PV1006', message: `${text} is beyond the range of a float` };
  }
  return { kind: 'scalar', scalar: { kind: 'float', value }, end };
}

function refuseNumber(text: string): ScalarToken {
  if (notNumbers.test(text)) return refuseNotNumber(text);
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  const wordy = startsWord(text.charCodeAt(0)) || /[A-Za-z:-]/.test(text.slice(1));
  return {
    kind: 'refused',
    code: 'PV1006',
    message: `got ${shown}, want a number`,
    ...(wordy ? { hint: `put text in double quotes: "${shown}"` } : {}),
  };
}

function refuseNotNumber(word: string): ScalarToken {
  return {
    kind: 'refused',
    code: 'PV1005',
    message: `got ${word}, want a value that JSON has`,
    hint: 'write null, or the value as text in double quotes',
  };
}
