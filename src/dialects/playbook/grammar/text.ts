/** Texts taken apart outside of quotes and brackets; quotes of word processors made straight. */

/** Characters of a line beyond which it is open. */
export const lineMax = 2000;

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** After these an apostrophe is one, and does not open a quote. */
const isWordEnd = (character: string): boolean => /[\p{Ll}\p{Lu}\w]/u.test(character);

function quoteEnd(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === text[start]) return at;
  }
  return undefined;
}

/** The offsets outside of quotes and brackets. A quote that is not closed is not a quote. */
function* outside(text: string, from = 0): Generator<number> {
  const open: string[] = [];
  const unclosed = new Set<string>();
  for (let at = from; at < text.length; at++) {
    const character = text[at] ?? '';
    const isQuote = /["'`]/.test(character) && !isWordEnd(text[at - 1] ?? '');
    const end = isQuote && !unclosed.has(character) ? quoteEnd(text, at) : undefined;
    if (end !== undefined) at = end;
    else if (isQuote) unclosed.add(character);
    else if (character in closing) open.push(closing[character] ?? '');
    else if (character === open.at(-1)) open.pop();
    else if (open.length === 0) yield at;
  }
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
export function indexOutside(text: string, characters: string): number {
  for (const at of outside(text)) if (characters.includes(text[at] ?? '')) return at;
  return -1;
}

/** Where the bracket that opens at an offset closes; undefined where it does not. */
export function bracketEnd(text: string, start: number): number | undefined {
  const open: string[] = [];
  for (let at = start; at < text.length; at++) {
    const character = text[at] ?? '';
    if ((character === '"' || character === "'") && !isWordEnd(text[at - 1] ?? '')) {
      at = quoteEnd(text, at) ?? at;
    } else if (character in closing) open.push(closing[character] ?? '');
    else if (character === open.at(-1)) {
      open.pop();
      if (open.length === 0) return at;
    }
  }
  return undefined;
}

const curly = /“([^“”]*)”|„([^„“”]*)[“”]|«\s?([^«»]*?)\s?»/g;

/** `“so”`, `„so“` and `« so »` as `"so"`. */
export const straightened = (text: string): string =>
  text.replace(curly, (_, english, german, french) => {
    const inner: string = english ?? german ?? french ?? '';
    return `"${inner.replace(/(?<!\\)"/g, '\\"')}"`;
  });

const quotes = /("(?:\\.|[^"\\])*")|\s+/g;

/** With one blank between words, but for texts in quotes. */
export const spaced = (text: string): string =>
  text.trim().replace(quotes, (_, quote?: string) => quote ?? ' ');
