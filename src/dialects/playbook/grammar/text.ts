/** Texts taken apart outside of quotes and brackets; quotes of word processors made straight. */

/** Characters of a line beyond which it is open. */
export const lineMax = 2000;

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** After these an apostrophe is one, and does not open a quote. */
const isWordEnd = (character: string): boolean => /[\p{Ll}\p{Lu}\w]/u.test(character);

/** Offsets with how many brackets are open there; quotes are left out, where they are closed. */
function* unquoted(text: string, from = 0): Generator<readonly [at: number, depth: number]> {
  const open: string[] = [];
  const unclosed = new Set<string>();
  for (let at = from; at < text.length; at++) {
    const character = text[at] ?? '';
    const isQuote = /["'`]/.test(character) && !isWordEnd(text[at - 1] ?? '');
    if (isQuote && !unclosed.has(character)) {
      let end = at + 1;
      while (end < text.length && text[end] !== character) end += text[end] === '\\' ? 2 : 1;
      if (end < text.length) at = end;
      else unclosed.add(character);
      continue;
    }
    if (character in closing) open.push(closing[character] ?? '');
    else if (character === open.at(-1)) open.pop();
    yield [at, open.length];
  }
}

/** The parts of a text between separators of one character. */
export function split(text: string, separator: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const [at, depth] of unquoted(text)) {
    if (depth > 0 || text[at] !== separator) continue;
    parts.push(text.slice(start, at));
    start = at + 1;
  }
  return [...parts, text.slice(start)];
}

/** Where the first of some characters stands outside of quotes and brackets; -1 for nowhere. */
export function indexOutside(text: string, characters: string): number {
  for (const [at, depth] of unquoted(text)) {
    if (depth === 0 && characters.includes(text[at] ?? '')) return at;
  }
  return -1;
}

/** Where the bracket that opens at an offset closes; undefined where it does not. */
export function bracketEnd(text: string, start: number): number | undefined {
  for (const [at, depth] of unquoted(text, start)) if (depth === 0) return at;
  return undefined;
}

/** `“so”`, `„so“` and `« so »` as `"so"`. */
export const straightened = (text: string): string =>
  text.replace(/“([^“”]*)”|„([^„“”]*)[“”]|«\s?([^«»]*?)\s?»/g, (_, english, german, french) => {
    const inner: string = english ?? german ?? french ?? '';
    return `"${inner.replace(/(?<!\\)"/g, '\\"')}"`;
  });

/** With one blank between words, but for texts in quotes. */
export const spaced = (text: string): string =>
  text.trim().replace(/("(?:\\.|[^"\\])*")|\s+/g, (_, quote?: string) => quote ?? ' ');
