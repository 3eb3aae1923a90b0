/**
 * Reads the arguments of a call up to the bracket that ends them: brackets of all kinds in balance,
 * quotes of all kinds, bare text between commas. Both dialects of lists of actions use it.
 *
 * - C1 A character at a time, with no look ahead and none behind: what is read never depends on how
 *   the text was cut, and each character costs the same.
 * - C2 It decides alone what is a quote, a bracket, a comma. Whoever takes the arguments apart goes
 *   by its marks and looks at no sign again.
 */

export type MarkKind = 'open' | 'close' | 'comma' | 'name' | 'quote' | 'unquote' | 'hash' | 'line';

/** A sign and where it stands: an offset from the bracket that opens the call, which is 0. */
export interface Mark {
  readonly kind: MarkKind;
  readonly at: number;
  /** Characters of the sign; 0 where it is missing and was added. */
  readonly width: number;
}

/** `opened`: behind a first quote. `closing`: behind a quote that may be inside of the text. */
type Mode = Outside | 'opened' | 'string' | 'escape' | 'closing' | 'comment';

/** `hash`: behind a sign where a value should begin, which a space makes a comment of. */
type Outside = 'value' | 'bare' | 'after' | 'hash';

interface OpenBracket {
  readonly code: number;
  /** Whether it stands in bare text, behind a space: no quote opens inside. */
  readonly prose: boolean;
}

export interface CallScan {
  readonly marks: Mark[];
  readonly stack: OpenBracket[];
  /** How many brackets of each kind are open. */
  readonly open: Map<number, number>;
  mode: Mode;
  /** How many characters have been read. */
  at: number;
  /** The character before. */
  previous: number;
  /** The quote that is open, and of how many characters it is. */
  quote: number;
  width: number;
  /** Quotes of its kind in a row so far. */
  run: number;
  /** 0: no word yet. 1: a name so far. 2: a name and spaces. 3: anything else. */
  word: number;
  /** Where a bracket of the wrong kind would have ended the call, and the marks before it. */
  wrong: { readonly at: number; readonly marks: number } | undefined;
  /** Where quotes stand inside of text without a backslash. */
  innerQuote: number | undefined;
}

export const callScan = (): CallScan => ({
  marks: [],
  stack: [],
  open: new Map(),
  mode: 'value',
  at: 0,
  previous: 0,
  quote: 0,
  width: 1,
  run: 0,
  word: 0,
  wrong: undefined,
  innerQuote: undefined,
});

/**
 * Reads on from `text[from]`. Gives the offset in `text` behind the bracket that ends the call, or
 * -1 where all has been read and the call goes on. Begins with the opening bracket.
 */
export function scanCall(s: CallScan, text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(i);
    step(s, code);
    s.previous = code;
    s.at++;
    if (s.stack.length === 0) return i + 1;
  }
  return -1;
}

export const inString = ({ mode }: CallScan): boolean =>
  mode === 'string' || mode === 'escape' || mode === 'opened';

/** Ends a call at an offset, where its bracket is missing or, with a width, was taken for text. */
export function endCall(s: CallScan, length: number, width: number): void {
  if (s.mode === 'opened') {
    s.marks.push({ kind: 'quote', at: s.at - s.run, width: 1 });
    if (s.run === 2) s.mode = 'closing';
    s.run = s.at - 1;
  }
  if (s.mode === 'closing') unquote(s);
  else if (inString(s)) s.marks.push({ kind: 'unquote', at: length, width: 0 });
  while (s.stack.length > 0) pop(s, length, width);
}

/** Ends the call at the bracket of the wrong kind that was met last. */
export function endAtWrong(s: CallScan): number {
  const { at, marks } = s.wrong ?? { at: s.at, marks: s.marks.length };
  s.marks.length = marks;
  s.stack.length = 1;
  pop(s, at, 1);
  return at + 1;
}

const lineFeed = 10;
const space = 32;
const doubleQuote = 34;
const hash = 35;
const singleQuote = 39;
const comma = 44;
const colon = 58;
const equals = 61;
const backslash = 92;

const isBlank = (code: number): boolean =>
  code === space || code === 9 || code === 13 || code === 0xa0;

const guillemet = 0xbb;

/** The quote that closes a text, by the one that opens it: straight ones, then those of print. */
const closingQuotes: ReadonlyMap<number, number> = new Map([
  [doubleQuote, doubleQuote],
  [singleQuote, singleQuote],
  [0x201c, 0x201d],
  [0x2018, 0x2019],
  [0x201e, 0x201c],
  [0xab, guillemet],
  [0x60, 0x60],
]);

/** Whether a text is in other quotes than those of JSON and Python. */
export const isForeignQuote = (code: number): boolean =>
  code !== doubleQuote && code !== singleQuote;

/** The opening bracket of each closing one. */
const openerOf: ReadonlyMap<number, number> = new Map([
  [41, 40],
  [93, 91],
  [125, 123],
]);

const isOpener = (code: number): boolean => code === 40 || code === 91 || code === 123;

function step(s: CallScan, code: number): void {
  if (s.mode === 'closing') {
    if (isBlank(code)) return;
    settleQuote(s, code);
  }
  switch (s.mode) {
    case 'comment':
      if (code === lineFeed) {
        s.marks.push({ kind: 'line', at: s.at, width: 1 });
        s.mode = 'value';
      }
      return;
    case 'escape':
      s.mode = 'string';
      return;
    case 'opened':
      opened(s, code);
      return;
    case 'string':
      insideString(s, code);
      return;
    default:
      outside(s, code);
  }
}

/** Behind the first quote: a second one makes an empty text, a third one a text in three quotes. */
function opened(s: CallScan, code: number): void {
  if (code === s.quote && ++s.run < 3) return;
  if (s.run === 3) {
    s.width = 3;
    s.run = 0;
    begin(s, 2);
    return;
  }
  const isEmpty = s.run === 2;
  s.run = 0;
  begin(s, isEmpty ? 2 : 1);
  if (!isEmpty) {
    insideString(s, code);
    return;
  }
  s.mode = 'closing';
  s.run = s.at - 1;
  step(s, code);
}

/** The mark of a quote that began so many characters before. */
function begin(s: CallScan, before: number): void {
  s.marks.push({ kind: 'quote', at: s.at - before, width: s.width });
  s.mode = 'string';
}

function insideString(s: CallScan, code: number): void {
  if (code === backslash) {
    s.mode = 'escape';
    s.run = 0;
  } else if (code !== s.quote) {
    if (s.width === 3) s.run = 0;
  } else if (s.width === 1) {
    s.mode = 'closing';
    s.run = s.at;
  } else if (++s.run === 3) {
    s.marks.push({ kind: 'unquote', at: s.at - 2, width: 3 });
    s.mode = 'after';
  }
}

/**
 * A quote before a word stands inside of the text; before anything else it ends it. Only those of
 * « this kind » cannot be meant otherwise.
 */
function settleQuote(s: CallScan, code: number): void {
  if (s.quote === guillemet) unquote(s);
  else if (!isWordCode(code) && code !== doubleQuote && code !== singleQuote) unquote(s);
  else {
    s.innerQuote ??= s.run;
    s.mode = 'string';
  }
}

/** `run` is where the quote stands. */
function unquote(s: CallScan): void {
  s.marks.push({ kind: 'unquote', at: s.run, width: 1 });
  s.mode = 'after';
}

/** Letters, digits, the underscore, and everything beyond Latin-1's signs but typographic ones. */
const isWordCode = (code: number): boolean =>
  isNameCode(code) || (code >= 0xc0 && (code < 0x2000 || code > 0x206f));

const isNameStart = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;

const isNameCode = (code: number): boolean => isNameStart(code) || (code >= 48 && code <= 57);

function outside(s: CallScan, code: number): void {
  if (s.mode === 'hash' && isBlank(code)) {
    comment(s, s.at - 1);
  } else if (isBlank(code) || code === lineFeed) {
    if (s.word === 1) s.word = 2;
  } else if (isOpener(code)) {
    openBracket(s, code);
  } else if (openerOf.has(code)) {
    closeBracket(s, code);
  } else if (code === comma) {
    s.marks.push({ kind: 'comma', at: s.at, width: 1 });
    startValue(s);
  } else if ((code === colon || code === equals) && isKey(s)) {
    s.marks.push({ kind: 'name', at: s.at, width: 1 });
    startValue(s);
  } else if (s.mode === 'value' && opensQuote(s, code)) {
    s.quote = closingQuotes.get(code) ?? code;
    s.width = 1;
    s.run = 1;
    s.mode = 'opened';
  } else if (code === hash && s.mode === 'after' && isSpace(s.previous)) {
    comment(s, s.at);
  } else if (code === hash && s.mode === 'value' && isSpace(s.previous)) {
    s.mode = 'hash';
  } else {
    bare(s, code);
  }
}

function comment(s: CallScan, at: number): void {
  s.marks.push({ kind: 'hash', at, width: 1 });
  s.mode = 'comment';
}

const isSpace = (code: number): boolean => isBlank(code) || code === lineFeed;

const isKey = ({ mode, word }: CallScan): boolean =>
  mode === 'after' || (mode === 'bare' && (word === 1 || word === 2));

const opensQuote = ({ stack }: CallScan, code: number): boolean =>
  closingQuotes.has(code) && stack.at(-1)?.prose !== true;

function bare(s: CallScan, code: number): void {
  if (s.mode === 'value') s.word = isNameStart(code) ? 1 : 3;
  else if (s.mode !== 'bare' || s.word === 2 || !isNameCode(code)) s.word = 3;
  s.mode = 'bare';
}

function startValue(s: CallScan): void {
  s.mode = 'value';
  s.word = 0;
}

function openBracket(s: CallScan, code: number): void {
  const inProse = s.mode === 'bare' && (s.stack.at(-1)?.prose === true || isSpace(s.previous));
  s.stack.push({ code, prose: inProse });
  s.open.set(code, (s.open.get(code) ?? 0) + 1);
  s.marks.push({ kind: 'open', at: s.at, width: 1 });
  startValue(s);
}

/** Brackets that are open inside of the one that is meant end with it. */
function closeBracket(s: CallScan, code: number): void {
  const opener = openerOf.get(code) ?? 0;
  if ((s.open.get(opener) ?? 0) === 0) {
    if (s.stack.length === 1) s.wrong = { at: s.at, marks: s.marks.length };
    bare(s, code);
    return;
  }
  while (s.stack.at(-1)?.code !== opener) pop(s, s.at, 0);
  pop(s, s.at, 1);
  s.mode = 'after';
}

function pop(s: CallScan, at: number, width: number): void {
  const bracket = s.stack.pop();
  if (bracket) s.open.set(bracket.code, (s.open.get(bracket.code) ?? 1) - 1);
  s.marks.push({ kind: 'close', at, width });
}
