/** A text that is read, and where its lines begin. Offsets count UTF-16 units. */
export class Source {
  readonly text: string;
  readonly #lineStarts: number[] = [0];
  #line = 0;

  constructor(text: string) {
    this.text = text;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
      this.#lineStarts.push(at + 1);
    }
  }

  /** The code unit at an offset; -1 behind the end. */
  code(offset: number): number {
    return offset < this.text.length ? this.text.charCodeAt(offset) : -1;
  }

  /** Line and column, from 1. */
  place(offset: number): { line: number; column: number } {
    const starts = this.#lineStarts;
    let low = this.#line;
    // Places are mostly asked for in the order of the text: look near the last one first.
    if ((starts[low] ?? 0) > offset || (starts[low + 8] ?? Infinity) <= offset) {
      low = lastAtMost(starts, offset);
    } else {
      while ((starts[low + 1] ?? Infinity) <= offset) low++;
    }
    this.#line = low;
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  }
}

function lastAtMost(sorted: readonly number[], wanted: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((sorted[middle] ?? Infinity) <= wanted) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Names for the characters that JSON text is made of, and small questions about them. */
export const quoteDouble = 0x22;
export const quoteSingle = 0x27;
export const backslash = 0x5c;
export const backtick = 0x60;
export const newline = 0x0a;
export const comma = 0x2c;
export const minus = 0x2d;
export const colon = 0x3a;
export const bracketOpen = 0x5b;
export const bracketClose = 0x5d;
export const braceOpen = 0x7b;
export const braceClose = 0x7d;
export const hash = 0x23;
export const slash = 0x2f;
export const star = 0x2a;
export const less = 0x3c;

/** White space of JSON, and the two blanks that get into copied text. */
export const isSpace = (code: number): boolean =>
  code === 0x20 ||
  code === newline ||
  code === 0x0d ||
  code === 0x09 ||
  code === 0xa0 ||
  code === 0xfeff;

export const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

const isLetter = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);

/** Begins a word: a literal or a key without quotes. */
export const startsWord = (code: number): boolean =>
  isLetter(code) || code === 0x5f || code === 0x24 || isForeign(code);

export const inWord = (code: number): boolean => startsWord(code) || isDigit(code) || code === 0x2d;

/** Letters beyond ASCII, roughly: no punctuation, no full-width forms. */
const isForeign = (code: number): boolean =>
  (code >= 0xc0 && code < 0x2000) || (code >= 0x3040 && code < 0xe000);

const doubleQuotes: readonly number[] = [0x201c, 0x201d, 0x201e, 0x201f, quoteDouble];
const singleQuotes: readonly number[] = [0x2018, 0x2019, 0x201a, 0x201b, quoteSingle];

/** The characters that may close a string opened by this one; undefined when it opens none. */
export function closersOf(code: number): readonly number[] | undefined {
  if (code === quoteDouble) return [quoteDouble];
  if (code === quoteSingle) return [quoteSingle];
  if (doubleQuotes.includes(code)) return doubleQuotes;
  return singleQuotes.includes(code) ? singleQuotes : undefined;
}

export const isQuote = (code: number): boolean => closersOf(code) !== undefined;

/** The first offset that is no space. */
export function skipSpace(source: Source, from: number): number {
  let at = from;
  while (isSpace(source.code(at))) at++;
  return at;
}

/** Tags that models put around what they write. */
export const thinkTags = 'think|thinking|thoughts?|reasoning|analysis|reflection|scratchpad';
export const answerTags = 'answer|final_answer|final|plan|output|response|json';

/** A tag at an offset. */
export const tagPattern: RegExp = new RegExp(`<(/?)(?:(${thinkTags})|${answerTags})\\s*>`, 'iy');

/**
 * Whether the text at an offset ends a fence or an answer: there a JSON value must have ended, too.
 */
export function endsRegion({ text }: Source, at: number): boolean {
  if (text.startsWith('```', at)) return true;
  tagPattern.lastIndex = at;
  return text[at] === '<' && tagPattern.exec(text)?.[1] === '/';
}
