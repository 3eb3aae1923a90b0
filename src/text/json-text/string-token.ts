/**
 * Reads one string, in whatever quotes. A strict JSON string reads as JSON has it; beyond that, a
 * quote in the middle is told from the closing one by what follows it: where JSON could not go on,
 * the quote belongs to the text.
 */
import type { Code } from './codes.ts';
import {
  backslash,
  braceClose,
  bracketClose,
  closersOf,
  colon,
  dot,
  ellipsis,
  endsRegion,
  equals,
  hash,
  inWord,
  isComma,
  isDigit,
  isQuote,
  isSpace,
  lookMax,
  type More,
  newline,
  quoteDouble,
  type Source,
  skipSpace,
  slash,
  star,
  startsWord,
} from './source.ts';

/** What the string is part of; decides what may follow it. */
export type Role = 'key' | 'member' | 'element' | 'root';

export type Note = (code: Code, message: string, start: number) => void;

/** A string that is being read; survives a pause in the text. */
export interface StringToken extends InnerQuotes {
  readonly role: Role;
  readonly closers: readonly number[];
  readonly triple: boolean;
  /** What has been read, escapes decoded. */
  text: string;
  /** Where reading goes on. */
  at: number;
  readonly noted: Set<Code>;
  /** Whether an operator follows: what stands here is part of an expression. */
  isOperand: boolean;
  /** The key that stands inside the text, which shows that a closing quote is missing. */
  swallowed: string | undefined;
}

const keyMax = 80;

/** Begins a string at an offset where a quote stands. */
export function openString(
  source: Source,
  start: number,
  role: Role,
  note: Note,
): StringToken | More {
  const code = source.code(start);
  const opening = source.slice(start, start + 3);
  if (/^(?:""?|''?)$/.test(opening) && !source.ended) return 'more';
  const triple = /^(?:"""|''')$/.test(opening);
  const token: StringToken = {
    start,
    role,
    closers: closersOf(code) ?? [],
    triple,
    text: '',
    at: start + (triple ? 3 : 1),
    noted: new Set(),
    innerAt: undefined,
    isOperand: false,
    swallowed: undefined,
  };
  if (triple || code !== quoteDouble) {
    note('PV1016', `got ${opening.slice(0, triple ? 3 : 1)}, want " around text`, start);
  }
  return token;
}

/** `open`: the text ended before the string did; `unclear`: its quotes can be read in two ways. */
export type StringEnd = 'done' | 'open' | 'unclear';

/** Reads on. */
export function readString(source: Source, token: StringToken, note: Note): StringEnd | More {
  const once = (code: Code, message: string, start: number): void => {
    if (token.noted.has(code)) return;
    token.noted.add(code);
    note(code, message, start);
  };
  let run = token.at;
  let at = token.at;
  const pause = (result: StringEnd | More, next: number): typeof result => {
    token.text += source.slice(run, at);
    token.at = next;
    return result;
  };
  for (;;) {
    const code = source.code(at);
    if (code === -1) return pause(source.ended ? 'open' : 'more', at);
    if (code === backslash) {
      const decoded = decodeEscape(source, at);
      if (decoded === 'more') return pause(source.ended ? 'open' : 'more', at);
      if (decoded.strange)
        once('PV1020', `got the escape ${decoded.strange}; JSON has none such`, at);
      token.text += source.slice(run, at) + decoded.text;
      at += decoded.length;
      run = at;
    } else if (token.closers.includes(code)) {
      const closes = token.triple ? closesTriple(source, at, token) : closesHere(source, at, token);
      if (closes === 'more') return pause('more', at);
      if (closes) {
        const isUnclear = token.innerAt !== undefined;
        return pause(isUnclear ? 'unclear' : 'done', at + (token.triple ? 3 : 1));
      }
      if (!token.triple) {
        const key = innerQuoteAt(source, at, token);
        if (key === 'more') return pause('more', at);
        if (key !== undefined) {
          token.swallowed = key;
          return pause('unclear', at);
        }
        once('PV1021', innerQuote(source.slice(at, at + 1)), at);
      }
      at++;
    } else {
      if (code < 0x20 && !token.triple) once('PV1019', controlMessage(code), at);
      at++;
    }
  }
}

const innerQuote = (quote: string): string =>
  `got ${quote} inside text, want ${quote === '"' ? '\\"' : `" around the text`}`;

function controlMessage(code: number): string {
  const [name, want] =
    code === newline
      ? ['a line break', '\\n']
      : code === 0x09
        ? ['a tab', '\\t']
        : ['a control character', `\\u${code.toString(16).padStart(4, '0')}`];
  return `got ${name} inside text, want ${want}`;
}

const plainEscapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** An escape JSON lacks keeps its backslash, unless what it escapes is a quote or a line end. */
function decodeEscape(
  source: Source,
  at: number,
): { text: string; length: number; strange?: string } | More {
  const letter = source.slice(at + 1, at + 2);
  if (letter === '') return 'more';
  const plain = plainEscapes[letter];
  if (plain !== undefined) return { text: plain, length: 2 };
  if (letter === 'u' || letter === 'x') {
    const digits = letter === 'u' ? 4 : 2;
    const hex = source.slice(at + 2, at + 2 + digits);
    if (/^[0-9a-fA-F]*$/.test(hex)) {
      if (hex.length < digits) return 'more';
      const text = String.fromCharCode(Number.parseInt(hex, 16));
      return letter === 'u' ? { text, length: 6 } : { text, length: 4, strange: `\\x${hex}` };
    }
  }
  if (letter === '\n') return { text: '\n', length: 2, strange: 'of a line break' };
  const quote = isQuote(letter.charCodeAt(0)) || letter === '`';
  return { text: quote ? letter : `\\${letter}`, length: 2, strange: `\\${letter}` };
}

function closesTriple(source: Source, at: number, token: StringToken): boolean | More {
  const closer = String.fromCharCode(token.closers[0] ?? quoteDouble).repeat(3);
  const next = source.slice(at, at + 3);
  if (next.length < 3 && closer.startsWith(next)) return source.ended ? false : 'more';
  return next === closer;
}

/** Whether the quote at an offset closes the string. */
function closesHere(source: Source, at: number, token: StringToken): boolean | More {
  const closes = closesByNext(source, at, token);
  if (closes !== false || token.innerAt !== undefined || token.role === 'key') return closes;
  const operator = operatorAfter(source, at + 1);
  if (operator === true) token.isOperand = true;
  return operator;
}

function closesByNext(source: Source, at: number, token: StringToken): boolean | More {
  const next = skipSpace(source, at + 1, lookMax);
  const gap = next - at - 1;
  const code = source.code(next);
  if (code === -1) return source.ended ? true : 'more';
  if (gap >= lookMax || token.role === 'root') return true;
  if (code === braceClose || code === bracketClose) return true;
  if (token.role === 'key') {
    return code === colon || !(gap > 0 ? startsWord(code) : inWord(code) || isQuote(code));
  }
  if (isComma(code)) return goesOn(source, next + 1, token.role);
  if (code === colon) return token.role === 'element';
  const end = endsRegion(source, next);
  if (end !== false) return end;
  if (code === slash) return startsComment(source, next);
  if (code === hash) return gap > 0;
  if (gap === 0) return false;
  const brokenLine = source.slice(at + 1, next).includes('\n');
  return mayFollow(source, next, token, brokenLine);
}

/** Whether what follows a quote after a space can be the next item, its comma forgotten. */
function mayFollow(
  source: Source,
  at: number,
  token: StringToken,
  brokenLine: boolean,
): boolean | More {
  const code = source.code(at);
  if (code === dot || code === ellipsis) return startsEllipsis(source, at);
  if (isQuote(code)) return brokenLine || token.closers.includes(code);
  if (code === 0x5b || code === 0x7b) return token.role === 'element' || brokenLine;
  if (!brokenLine) return false;
  if (token.role === 'element') return startsWord(code) || isDigit(code);
  return startsWord(code) ? wordThenColon(source, at) : false;
}

/** Whether JSON can go on after the comma that follows a quote. */
function goesOn(source: Source, from: number, role: Role): boolean | More {
  const at = skipSpace(source, from, lookMax);
  const code = source.code(at);
  if (code === -1) return source.ended ? true : 'more';
  if (at - from >= lookMax) return true;
  if (isQuote(code)) return role === 'member' ? quotedThenColon(source, at) : true;
  if (code === slash) return startsComment(source, at);
  if (code === dot || code === ellipsis) return startsEllipsis(source, at);
  if (startsWord(code))
    return role === 'member' ? wordThenColon(source, at) : isLiteral(source, at);
  if (role === 'element' && (isDigit(code) || code === 0x2d || code === 0x2b)) return true;
  const end = endsRegion(source, at);
  if (end !== false) return end;
  return code === hash || isComma(code) || [0x5b, 0x5d, 0x7b, 0x7d].includes(code);
}

/** Whether a key in quotes stands here; a long one gets the benefit of the doubt. */
function quotedThenColon(source: Source, at: number): boolean | More {
  const closers = closersOf(source.code(at)) ?? [];
  let end = at + 1;
  while (end - at < keyMax && !closers.includes(source.code(end))) {
    if (source.code(end) === -1) return source.ended ? true : 'more';
    if (source.code(end) === backslash) return true;
    end++;
  }
  if (end - at >= keyMax) return true;
  const next = skipSpace(source, end + 1, lookMax);
  const code = source.code(next);
  if (code === -1) return source.ended ? true : 'more';
  return next - end > lookMax || !inWord(code);
}

function wordThenColon(source: Source, at: number): boolean | More {
  let end = at;
  while (end - at < keyMax && inWord(source.code(end))) end++;
  end = skipSpace(source, end, lookMax);
  const code = source.code(end);
  if (code === -1 && !source.ended) return 'more';
  return code === colon || code === equals;
}

const literals = /^(true|false|null|none|nan|infinity|undefined)(?![\w$])/i;

function isLiteral(source: Source, at: number): boolean | More {
  const word = source.slice(at, at + 12);
  return word.length < 12 && !source.ended && !/[\s,\]}]/.test(word) ? 'more' : literals.test(word);
}

function startsComment(source: Source, at: number): boolean | More {
  const next = source.code(at + 1);
  if (next === -1 && !source.ended) return 'more';
  return next === slash || next === star;
}

function startsEllipsis(source: Source, at: number): boolean | More {
  if (source.code(at) === ellipsis) return true;
  const dots = source.slice(at, at + 3);
  return dots.length < 3 && !source.ended ? 'more' : dots === '...';
}

// Quotes inside a text that nothing escapes: whether they belong to the text, or show that the text
// has ended and an expression goes on, or that its closing quote is missing. Where both readings
// are possible the text is refused, so that a repair never changes what it means.

/** What is remembered of the quotes inside a text. */
interface InnerQuotes {
  /** Where the text starts, with its quote. */
  readonly start: number;
  /** Where a word in quotes has begun that has not ended. */
  innerAt: number | undefined;
}

const quote = '["\'`“”„‘’‚]';
const end = '\\s*(?:[,}\\])+]|$)';
const operand = '[\\w$]+(?:\\.[\\w$]+|\\([^()"\']{0,60}\\)|\\[[^\\]"\']{0,60}\\])*';
const signs = '(?:[*/%&|^~<>=!?.:-]|or\\b|and\\b|in\\b|is\\b|not in\\b){1,3}';

/** What follows the quote that closes a text where the text is part of an expression. */
const operators = new RegExp(
  [
    '^\\s*\\+',
    `^\\s*%\\s*(?:${quote}|[\\w$([{])`,
    `^\\s*${signs}\\s*(?:${quote}|${operand}${end})`,
    `^\\s*\\??\\.\\s*[A-Za-z_]\\w*(?:\\s*\\(|${end})`,
    '^\\[[-\\w: ]{1,40}\\]',
    `^\\s+if\\s[^"]{1,200}?\\selse\\s`,
    '^\\s*\\\\\\r?\\n',
  ].join('|'),
);

/** Whether an operator follows that makes an expression of the text before this offset. */
function operatorAfter(source: Source, from: number): boolean | More {
  const text = source.slice(from, from + lookMax);
  if (text.length < lookMax && !source.ended) return 'more';
  return operators.test(text);
}

/** What stands before a quote that opens a word in quotes. */
const opening = /[\s([{<,;:=>*_/\-–—|]/;

/**
 * Takes note of the quote at an offset, which does not close the text. Returns the key that begins
 * there where what was read since the text began looks like other members of an object.
 */
function innerQuoteAt(source: Source, at: number, token: InnerQuotes): string | undefined | More {
  if (token.innerAt !== undefined) {
    token.innerAt = undefined;
    return undefined;
  }
  const window = source.slice(at, at + lookMax);
  if (window.length < lookMax && !source.ended) return 'more';
  const isStart = at === token.start + 1;
  const before = source.slice(Math.max(token.start + 1, at - lookMax), at);
  if (!isStart && !opening.test(before.slice(-1))) return undefined;
  if (window.length < 2 || isSpace(source.code(at + 1))) return undefined;
  const key = keyAt(window);
  if (key !== undefined && looksLikeMembers(before)) return key;
  token.innerAt = at;
  return undefined;
}

/** The key in quotes at the beginning of a text. */
function keyAt(text: string): string | undefined {
  const closers = closersOf(text.charCodeAt(0)) ?? [];
  for (let end = 1; end < text.length && text[end] !== '\n'; end++) {
    if (!closers.includes(text.charCodeAt(end))) continue;
    return /^\s*:/.test(text.slice(end + 1)) ? text.slice(1, end) : undefined;
  }
  return undefined;
}

/** Whether a key may follow: after a comma or on a line of its own, and in no inner object. */
function looksLikeMembers(before: string): boolean {
  let depth = 0;
  let least = 0;
  for (const character of before) {
    if (character === '{') depth++;
    else if (character === '}') depth--;
    least = Math.min(least, depth);
  }
  const end = before.trimEnd().length;
  const isSeparated = before[end - 1] === ',' || before.includes('\n', end);
  return least < 0 || (depth === 0 && isSeparated);
}
