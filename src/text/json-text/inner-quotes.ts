/**
 * Quotes inside a text that nothing escapes: whether they belong to the text, or show that the text
 * has ended and an expression goes on, or that its closing quote is missing. Where both readings
 * are possible the text is refused, so that a repair never changes what it means.
 */
import { closersOf, isSpace, lookMax, type More } from './characters.ts';
import type { Source } from './source.ts';

/** What is remembered of the quotes inside a text. */
export interface InnerQuotes {
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
export function operatorAfter(source: Source, from: number): boolean | More {
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
export function innerQuoteAt(
  source: Source,
  at: number,
  token: InnerQuotes,
): string | undefined | More {
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
  return least < 0 || (depth === 0 && /[,\n]\s*$/.test(before));
}
