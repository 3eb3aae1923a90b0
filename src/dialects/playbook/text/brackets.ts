/** Texts taken apart outside of quotes and brackets: lists of arguments, signatures, metadata. */

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
const quotes: ReadonlySet<string> = new Set(['"', "'", '`']);

/**
 * The offsets at which `text` is outside of quotes and brackets. An apostrophe within a word opens
 * no quote; what is not closed lasts to the end.
 */
function* outside(text: string): Generator<number> {
  const open: string[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (quotes.has(character) && !isCased(text[at - 1] ?? '')) {
      const end = quoteEnd(text, at);
      if (end === undefined) continue;
      at = end;
    } else if (character in closing) open.push(closing[character] ?? '');
    else if (character === open.at(-1)) open.pop();
    else if (open.length === 0) yield at;
  }
}

/** Behind these a quote is an apostrophe; a script without capitals has no blank before one. */
export const isCased = (character: string): boolean => /[\p{Ll}\p{Lu}\w]/u.test(character);

/** Where the quote that opens at an offset closes. */
function quoteEnd(text: string, start: number): number | undefined {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === quote) return at;
  }
  return undefined;
}

/** The parts of a text between separators of one character. */
export function split(text: string, separator: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const at of outside(text)) {
    if (text[at] !== separator) continue;
    parts.push(text.slice(start, at));
    start = at + 1;
  }
  return [...parts, text.slice(start)];
}

/** Where the first of some characters stands outside of quotes and brackets; -1 for nowhere. */
export function indexOutside(text: string, characters: string, from = 0): number {
  for (const at of outside(text)) {
    if (at >= from && characters.includes(text[at] ?? '')) return at;
  }
  return -1;
}

/** Whether an offset is in quotes or brackets. */
export const isInside = (text: string, at: number): boolean =>
  indexOutside(text, text[at] ?? '', at) !== at;

/** Where the bracket that opens at an offset closes; undefined where it does not. */
export function bracketEnd(text: string, start: number): number | undefined {
  const open: string[] = [];
  for (let at = start; at < text.length; at++) {
    const character = text[at] ?? '';
    if ((character === '"' || character === "'") && !isCased(text[at - 1] ?? '')) {
      at = quoteEnd(text, at) ?? at;
    } else if (character in closing) open.push(closing[character] ?? '');
    else if (character === open.at(-1)) {
      open.pop();
      if (open.length === 0) return at;
    }
  }
  return undefined;
}

/** What a text in quotes is; undefined for a text that is not quoted as a whole. */
export function unquoted(text: string): string | undefined {
  const trimmed = text.trim();
  const straight = trimmed.replace(/^[“„«]\s?([^”“»]*?)\s?[”“»]$/, '"$1"');
  const quote = straight[0] ?? '';
  if ((quote !== '"' && quote !== "'") || straight.length < 2) return undefined;
  if (quoteEnd(straight, 0) !== straight.length - 1) return undefined;
  return straight
    .slice(1, -1)
    .replace(/\\(.)/g, (_, character: string) => escapes[character] ?? character);
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t' };
