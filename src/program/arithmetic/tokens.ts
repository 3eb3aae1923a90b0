/** The words of arithmetic text: numbers, names, references, operators, brackets. */
import {
  type CommaUse,
  type NumberDoubt,
  type NumberText,
  noteOf,
  numberAt,
  numberInSentence,
  numberOf,
  plainNumber,
  sharedUnit,
} from './number-text.ts';
import { NoResult, type Num } from './numbers.ts';

export type Token =
  | { readonly kind: 'number'; readonly value: Num; readonly text: string; readonly column: number }
  | { readonly kind: 'name' | 'sign' | 'end'; readonly text: string; readonly column: number }
  | {
      readonly kind: 'reference';
      readonly index: number;
      readonly text: string;
      readonly column: number;
    };

const names = /[A-Za-z_][A-Za-z_0-9]*/y;
const references = /\$(\d{1,6})/y;
const signs = /\*\*|\/\/|[-+*/%()[\],×÷−·]/y;
const spaces = /\s*/y;

const asciiSigns: Readonly<Record<string, string>> = { '×': '*', '·': '*', '÷': '/', '−': '-' };

/** Longest text; every token is looked at once, and every operation is bounded. */
const lengthMax = 20_000;

/**
 * Throws `NoResult` where a character belongs to no token. The last token is `end`. With `notes`,
 * numbers may be written as people write them, and how each was read is added there.
 */
export function tokenize(text: string, notes?: string[]): Token[] {
  if (text.length > lengthMax) {
    throw new NoResult(`got ${text.length} characters, want at most ${lengthMax}`, 1, true);
  }
  const tokens: Token[] = [];
  const readNumber = notes ? peopleReader(text, notes) : programReader(text);
  let at = 0;
  for (;;) {
    at += matchAt(spaces, text, at)?.[0].length ?? 0;
    const token = readNumber(at) ?? otherToken(text, at);
    tokens.push(token);
    if (token.kind === 'end') return tokens;
    at = token.end;
  }
}

type PlacedToken = Token & {
  /** Where the next one may begin. */
  readonly end: number;
};

function otherToken(text: string, at: number): PlacedToken {
  const column = at + 1;
  if (at >= text.length) return { kind: 'end', text: 'the end', column, end: at };
  const name = matchAt(names, text, at);
  const found = name ?? matchAt(references, text, at) ?? matchAt(signs, text, at);
  if (!found) throw new NoResult(unknown(text.slice(at)), column, true);
  const [word, index] = found;
  const place = { column, end: at + word.length };
  if (name) return { kind: 'name', text: word, ...place };
  if (index === undefined) return { kind: 'sign', text: asciiSigns[word] ?? word, ...place };
  return { kind: 'reference', index: Number(index), text: word, ...place };
}

type ReadNumber = (at: number) => PlacedToken | undefined;

function numberToken(text: string, at: number, length: number, value: Num): PlacedToken {
  const end = at + length;
  const written = text.slice(at, end);
  if (/^0_*\d/.test(written)) {
    throw new NoResult(`got ${written}, want no leading zero`, at + 1, true);
  }
  return { kind: 'number', value, text: written, column: at + 1, end };
}

const programReader =
  (text: string): ReadNumber =>
  (at) => {
    const word = plainNumber(text, at);
    return word === undefined
      ? undefined
      : numberToken(text, at, word.length, numberOf(word, at + 1));
  };

const quotes = /"([^"]*)"|'([^']*)'/y;
/** A currency before a number. What `$1` stands for would be guesswork. */
const currencies = /(?!\$)\p{Sc} ?(?=\d)/uy;

/** Numbers may be in quotes; all have one unit at most. */
function peopleReader(text: string, notes: string[]): ReadNumber {
  const commas = commaUses(text);
  let unit = '';
  return (at) => {
    const currency = matchAt(currencies, text, at)?.[0] ?? '';
    const [quoted, double, single] = matchAt(quotes, text, at) ?? [];
    const read: NumberText | NumberDoubt | undefined =
      quoted === undefined
        ? numberAt(text, at + currency.length, commas.get(at + currency.length))
        : numberInSentence(double ?? single ?? '');
    if (!read) return undefined;
    if ('doubt' in read) throw new NoResult(read.doubt, at + 1, true);
    for (const one of [currency.trim(), read.unit]) unit = sharedUnit(unit, one, at + 1);
    const length = quoted?.length ?? currency.length + read.length;
    const whole = text.slice(at, at + length);
    const note = currency === '' ? read.note : noteOf(whole, read.value, currency.trim());
    if (note !== undefined) notes.push(note);
    return numberToken(text, at, length, read.value);
  };
}

interface OpenBracket {
  readonly isCall: boolean;
  readonly isList: boolean;
  /** Where a number begins in it, with what commas mean there. */
  readonly numbers: number[];
  isSpaced: boolean;
}

/** What a comma means within each number that begins with a digit, by where it begins. */
function commaUses(text: string): ReadonlyMap<number, CommaUse> {
  const uses = new Map<number, CommaUse>();
  const open: OpenBracket[] = [];
  const close = ({ isCall, isList, isSpaced, numbers }: OpenBracket): void => {
    const inCall = isSpaced ? 'spaced argument' : 'argument';
    const use = isList ? 'separator' : isCall ? inCall : 'number';
    for (const at of numbers) uses.set(at, use);
  };
  for (const { 0: word, index } of text.matchAll(
    /"[^"]*"|'[^']*'|[A-Za-z_]\s*\(|[([\])]|,\s|\d+/g,
  )) {
    const bracket = open.at(-1);
    if (/[([]$/.test(word)) {
      open.push({ isCall: word.length > 1, isList: word === '[', numbers: [], isSpaced: false });
    } else if (word === ')' || word === ']') {
      const closed = open.pop();
      if (closed) close(closed);
    } else if (word.startsWith(',')) {
      if (bracket) bracket.isSpaced = true;
    } else bracket?.numbers.push(index);
  }
  for (const bracket of open) close(bracket);
  return uses;
}

function matchAt(form: RegExp, text: string, at: number): RegExpExecArray | null {
  form.lastIndex = at;
  return form.exec(text);
}

function unknown(rest: string): string {
  const character = String.fromCodePoint(rest.codePointAt(0) ?? 0);
  if (character === '^') return 'got ^, want ** for a power';
  if (/^[<>=!&|]/.test(rest)) return `got ${character}: comparisons are not arithmetic`;
  return `got ${character}, want a number, an operator or a bracket`;
}
