/**
 * Splits a program into tokens, one at a time, as the parser asks for them. Owns the place in the
 * text, the open brackets and the levels of indentation; knows nothing of grammar.
 *
 * Invariants:
 * - S1 `kind`, `start`, `at` and `value` describe the token read last; `position` is its end, and
 *   nothing beyond it has been looked at.
 * - S2 Inside brackets line breaks are spaces; outside each ends a token `newline`, and a change of
 *   indentation makes `indent` and `outdent` in pairs.
 */
import { namePattern } from '../../../program/name.ts';
import { packPosition } from '../../../program/program.ts';
import { readNumber } from './number-literal.ts';
import type { Options } from './options.ts';
import { bytesOf, decode, type StringForm } from './string-literal.ts';
import type { Literal, Position } from './syntax.ts';
import { fail } from './syntax-error.ts';
import { signs, type TokenKind, words } from './token.ts';

export interface Scanner {
  readonly text: string;
  readonly options: Options;
  position: number;
  line: number;
  /** Offset of the current line. */
  lineStart: number;
  atLineStart: boolean;
  /** Offsets of the brackets that are open. */
  readonly brackets: number[];
  /** How many f-strings the token is inside of. */
  formats: number;
  /** Columns of the blocks that are open. */
  readonly indents: number[];
  /** Indents to come (positive) or outdents (negative). */
  dents: number;

  kind: TokenKind;
  /** Offset of the token. */
  start: number;
  at: Position;
  /** Of a literal. Of an f-string there is no value yet: see `readFormatText`. */
  value: Literal['value'];
}

export function scanner(text: string, options: Options): Scanner {
  const start = text.startsWith('\ufeff') ? 1 : 0;
  return {
    text,
    options,
    position: start,
    line: 1,
    lineStart: start,
    atLineStart: true,
    brackets: [],
    formats: 0,
    indents: [0],
    dents: 0,
    kind: 'newline',
    start,
    at: packPosition(1, 1),
    value: '',
  };
}

const tab = 9;
const lineFeed = 10;
const carriageReturn = 13;
const space = 32;
const hash = 35;
const point = 46;
const backslash = 92;

/** Reads the next token; at the end of the file, the same one again and again. */
export function scan(s: Scanner): void {
  s.kind = next(s);
}

function next(s: Scanner): TokenKind {
  for (;;) {
    const fresh = s.atLineStart;
    const blank = fresh && indentation(s);
    if (s.dents !== 0) return dent(s);
    skipSpaces(s);
    begin(s);
    const code = s.text.charCodeAt(s.position);
    if (code === lineFeed || code === carriageReturn) {
      breakLine(s);
      s.atLineStart = true;
      if (!blank && s.brackets.length === 0) return 'newline';
    } else if (code === backslash) {
      joinLines(s);
    } else if (s.position < s.text.length) {
      return token(s, code);
    } else if (s.indents.length === 1 || s.brackets.length > 0) {
      return 'end of file';
    } else if (fresh) {
      s.dents = 1 - s.indents.length;
      s.indents.length = 1;
    } else {
      s.atLineStart = true;
      return 'newline';
    }
  }
}

function begin(s: Scanner): void {
  s.start = s.position;
  s.at = packPosition(s.line, s.position - s.lineStart + 1);
}

/** Passes the spaces of a new line; says whether there is nothing else on it. */
function indentation(s: Scanner): boolean {
  s.atLineStart = false;
  let column = 0;
  let code = s.text.charCodeAt(s.position);
  for (; code === space || code === tab; code = s.text.charCodeAt(++s.position)) {
    column = code === tab ? column + 8 - (column % 8) : column + 1;
  }
  const atEnd = s.position >= s.text.length;
  if (atEnd || code === lineFeed || code === carriageReturn || code === hash) return true;
  if (s.brackets.length === 0) indentTo(s, column);
  return false;
}

function indentTo(s: Scanner, column: number): void {
  const { indents } = s;
  if (column > (indents.at(-1) ?? 0)) {
    indents.push(column);
    s.dents = 1;
    return;
  }
  while (column < (indents.at(-1) ?? 0)) {
    indents.pop();
    s.dents--;
  }
  if (column === indents.at(-1)) return;
  begin(s);
  fail('PV2305', s.at, 'unindent does not match any outer indentation level', {
    hint: 'lines of one block begin in the same column',
  });
}

function dent(s: Scanner): TokenKind {
  begin(s);
  const kind = s.dents > 0 ? 'indent' : 'outdent';
  s.dents -= Math.sign(s.dents);
  return kind;
}

/** Passes spaces, tabs and a comment. */
function skipSpaces(s: Scanner): void {
  const { text } = s;
  let code = text.charCodeAt(s.position);
  while (code === space || code === tab) code = text.charCodeAt(++s.position);
  if (code !== hash) return;
  while (s.position < text.length && code !== lineFeed && code !== carriageReturn) {
    code = text.charCodeAt(++s.position);
  }
}

/** Passes the line break at the place: LF, CR LF or CR. */
function breakLine(s: Scanner): void {
  const isPair = s.text.startsWith('\r\n', s.position);
  s.position += isPair ? 2 : 1;
  s.line++;
  s.lineStart = s.position;
}

function joinLines(s: Scanner): void {
  s.position++;
  const code = s.text.charCodeAt(s.position);
  if (code !== lineFeed && code !== carriageReturn) {
    fail('PV2301', s.at, 'stray backslash in program', {
      hint: 'a backslash joins lines only as the very last character of the first',
    });
  }
  breakLine(s);
}

const word = new RegExp(namePattern, 'uy');
const quote = /(r|b|rb|f|rf|fr)?("""|'''|"|')/y;

function token(s: Scanner, code: number): TokenKind {
  const following = s.text.charCodeAt(s.position + 1);
  if (isDigit(code) || (code === point && isDigit(following))) return number(s);
  if (mayBeginString(code)) {
    quote.lastIndex = s.position;
    const [whole, prefix = '', mark = ''] = quote.exec(s.text) ?? [];
    const isFormat = prefix.includes('f');
    if (whole !== undefined && (!isFormat || s.options.fstrings)) {
      s.position += whole.length;
      return isFormat ? 'f-string' : string(s, mark, formOf(prefix));
    }
  }
  word.lastIndex = s.position;
  const name = word.exec(s.text)?.[0];
  if (name === undefined) return sign(s);
  s.position += name.length;
  return words.get(name) ?? 'identifier';
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** `"`, `'`, b, f, r. */
const mayBeginString = (code: number): boolean =>
  code === 34 || code === 39 || code === 98 || code === 102 || code === 114;

const formOf = (prefix: string): StringForm => ({
  raw: prefix.includes('r'),
  bytes: prefix.includes('b'),
});

function number(s: Scanner): TokenKind {
  const { end, value } = readNumber(s.text, s.start, () => s.at);
  s.position = end;
  s.value = value;
  return typeof value === 'object' ? 'float literal' : 'int literal';
}

/** Passes the rest of a string up to and with its end `mark`. */
function string(s: Scanner, mark: string, form: StringForm): TokenKind {
  const from = s.position;
  const at = placesFrom(s);
  while (!s.text.startsWith(mark, s.position)) passCharacter(s, mark);
  const text = decode(s.text, from, s.position, form, at);
  s.position += mark.length;
  s.value = form.bytes ? { kind: 'bytes', bytes: bytesOf(text) } : text;
  return form.bytes ? 'bytes literal' : 'string literal';
}

/** Passes one character of a string, or a backslash with the one that it escapes. */
function passCharacter(s: Scanner, mark: string): void {
  const code = s.text.charCodeAt(s.position);
  if (s.position >= s.text.length) {
    fail('PV2302', s.at, 'unexpected EOF in string', { hint: `the string has no end ${mark}` });
  }
  if (code === lineFeed || code === carriageReturn) {
    if (mark.length === 1) {
      fail('PV2302', s.at, 'unexpected newline in string', {
        hint: `end it with ${mark}, or write ${mark.repeat(3)} on both sides of several lines`,
      });
    }
    breakLine(s);
    return;
  }
  s.position++;
  if (code !== backslash || s.position >= s.text.length) return;
  const escaped = s.text.charCodeAt(s.position);
  if (escaped === lineFeed || escaped === carriageReturn) breakLine(s);
  else s.position++;
}

/** Places offsets from here on, as long as they are on this line or ask in ascending order. */
function placesFrom(s: Scanner): (offset: number) => Position {
  let { position, line, lineStart } = s;
  return (offset) => {
    for (; position < offset; position++) {
      const code = s.text.charCodeAt(position);
      const isBreak = code === carriageReturn && s.text.charCodeAt(position + 1) !== lineFeed;
      if (code !== lineFeed && !isBreak) continue;
      line++;
      lineStart = position + 1;
    }
    return packPosition(line, offset - lineStart + 1);
  };
}

/** The longest sign at the place. */
function sign(s: Scanner): TokenKind {
  for (let length = 3; length > 0; length--) {
    const kind = signs.get(s.text.slice(s.position, s.position + length));
    if (kind === undefined || (kind === '!' && s.formats === 0)) continue;
    if (kind === '**=' && !s.options.power) continue;
    if (kind === '(' || kind === '[' || kind === '{') s.brackets.push(s.position);
    else if (kind === ')' || kind === ']' || kind === '}') closeBracket(s);
    s.position += length;
    return kind;
  }
  const character = String.fromCodePoint(s.text.codePointAt(s.position) ?? 0);
  const shown = /\p{C}|\p{Z}/u.test(character)
    ? `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
    : `'${character}'`;
  const hint = s.text.startsWith('```', s.position)
    ? 'a program is the text between the fences alone'
    : strangers[character];
  return fail('PV2301', s.at, `unexpected input character ${shown}`, { hint });
}

function closeBracket(s: Scanner): void {
  if (s.brackets.pop() !== undefined) return;
  fail('PV2306', s.at, `unexpected '${s.text[s.position]}'`, { hint: 'nothing is open here' });
}

/** What other languages and editors put in programs, and what to write for it. */
const strangers: Readonly<Record<string, string>> = {
  '!': 'negation is `not x`; unequal is `x != y`',
  '@': 'there are no decorators: call the function on the other, f = decorate(f)',
  '?': 'a conditional is written `a if condition else b`',
  $: 'text with values is written f"{x}", "%s" % x or with +',
  '`': 'a string stands between " or \'',
  '\u00a0': 'this is a no-break space; write a plain one',
  '\u201c': 'this is a curly quote; write a plain one',
  '\u201d': 'this is a curly quote; write a plain one',
  '\u2018': 'this is a curly quote; write a plain one',
  '\u2019': 'this is a curly quote; write a plain one',
};

/** What ended a piece of an f-string's text. */
export type FormatEnd = 'string' | 'replacement';

/**
 * Passes the text of an f-string from the place to its end mark or to a brace that opens a
 * replacement, both included; `at` is where the f-string starts.
 */
export function readFormatText(
  s: Scanner,
  mark: string,
  form: StringForm,
  start: Position,
): { text: string; end: FormatEnd } {
  let out = '';
  s.at = start;
  for (;;) {
    const from = s.position;
    const at = placesFrom(s);
    while (!s.text.startsWith(mark, s.position) && !/[{}]/.test(s.text[s.position] ?? '')) {
      passCharacter(s, mark);
    }
    out += decode(s.text, from, s.position, form, at);
    const brace = s.text[s.position] ?? '';
    if (s.text.startsWith(mark, s.position)) {
      s.position += mark.length;
      return { text: out, end: 'string' };
    }
    if (s.text[s.position + 1] !== brace) {
      if (brace === '}') {
        fail('PV2310', at(s.position), "single '}' in f-string", { hint: 'write }} for a brace' });
      }
      s.brackets.push(s.position++);
      return { text: out, end: 'replacement' };
    }
    out += brace;
    s.position += 2;
  }
}
