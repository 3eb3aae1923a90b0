/**
 * Quotes as people and their word processors write them, “so” and ‘so’ and „so“ and «so»: with
 * straight marks, as everything behind reads them. An apostrophe is none: ‘it’s’ is one quote.
 */

/** What closes the quotes that a mark opens. */
const closing: Readonly<Record<string, string>> = {
  ...{ '“': '”', '„': '“”"', '”': '”', '«': '»', '»': '«' },
  ...{ '‘': '’', '‚': '‘’', '‹': '›', "'": "'" },
};

/** Those that are apostrophes, too. */
const isSingle = (mark: string): boolean => "‘’‚'".includes(mark);

const begins = /[\s([{=:,;>—–+-]/;
const isLetter = (character: string): boolean => /[\p{L}\p{N}]/u.test(character);

export function straightened(text: string): string {
  if (!/[“„”«»‘‚‹']/.test(text)) return text;
  const ends = new Ends(text);
  let made = '';
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const mark = text[at] ?? '';
    const end = ends.of(at);
    if (end === undefined) continue;
    const inner = text.slice(at + 1, end);
    if (mark !== '"' && mark !== '`' && (mark !== "'" || inner.includes("'"))) {
      made += `${text.slice(from, at)}"${escaped(inner, mark)}"`;
      from = end + 1;
    }
    at = end;
  }
  return made + text.slice(from);
}

/** Where the quote that begins at an offset ends; undefined for none, and for one that is open. */
export const quoteEnd = (text: string, at: number): number | undefined => new Ends(text).of(at);

/** What stands in quotes, for marks of another kind; « so » has blanks that are none of it. */
const escaped = (inner: string, mark: string): string =>
  (/[«»‹]/.test(mark) ? inner.replace(/^\s|\s$/g, '') : inner).replace(/(?<!\\)"/g, '\\"');

class Ends {
  readonly #text: string;
  /** Marks that nothing closes from here on. */
  readonly #open = new Set<string>();

  constructor(text: string) {
    this.#text = text;
  }

  /** Where the quote ends that begins at an offset; undefined where none begins there. */
  of(at: number): number | undefined {
    const mark = this.#text[at] ?? '';
    if (mark === '"' || mark === '`') return this.#next(at, mark);
    const closers = closing[mark];
    if (closers === undefined || (!'“„«'.includes(mark) && !this.#isFree(at))) return undefined;
    const end = this.#next(at, closers);
    // Who has no other mark at hand closes with a straight one.
    return end === undefined && '“„'.includes(mark) ? this.#next(at, '"') : end;
  }

  /** Whether a mark stands where a quote may begin. */
  #isFree(at: number): boolean {
    return at === 0 || begins.test(this.#text[at - 1] ?? '');
  }

  #next(start: number, closers: string): number | undefined {
    if (this.#open.has(closers)) return undefined;
    const mark = this.#text[start] ?? '';
    for (let at = start + 1; at < this.#text.length; at++) {
      const character = this.#text[at] ?? '';
      if (character === '\\') at += 1;
      else if (closers.includes(character) && !(isSingle(mark) && this.#isWithin(at))) return at;
    }
    this.#open.add(closers);
    return undefined;
  }

  /** Whether a mark stands between letters, as an apostrophe does. */
  #isWithin(at: number): boolean {
    return isLetter(this.#text[at - 1] ?? '') && isLetter(this.#text[at + 1] ?? '');
  }
}

/** A line of straight quotes with nothing in them: what is in quotes says nothing of the line. */
export const withoutQuotes = (text: string): string => text.replace(/"(?:\\.|[^"\\])*"/g, '""');
