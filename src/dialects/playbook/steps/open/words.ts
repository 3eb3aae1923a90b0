/** What a line says, to hold against it what a model makes of it. */
import { numberIn } from '../../text/numbers.ts';

/** Numbers and texts in quotes. */
export const constantsIn = (text: string): string[] =>
  text.match(/"(?:\\.|[^"\\])*"|'[^']*'|(?<![\p{XIDC}$.])-?\d+(?:\.\d+)?(?![\p{XIDC}.]\w)/gu) ?? [];

/** The words of a line, however they are written there. */
export class Words {
  readonly line: string;
  /** In digits or in words. */
  readonly numbers: readonly number[];
  /** What it has in quotes, or in a block of its own. */
  readonly #quotes: readonly string[];
  readonly #words: ReadonlySet<string>;

  constructor(text: string, block = '') {
    this.line = `${text} ${block}`;
    const quotes = constantsIn(text).filter((one) => /^["']/.test(one));
    this.#quotes = [...quotes, block].map((one) => ` ${plainWords(one)} `);
    const words = plainWords(this.line).split(' ');
    this.numbers = words.flatMap((word) => numberIn(word) ?? []);
    this.#words = new Set([...words, ...words.map(stem), ...this.numbers.map(String)]);
  }

  /** Whether a text stands there in quotes as it is, but for what is filled in. */
  quote(text: string): boolean {
    return this.#quotes.some((quote) => quote.includes(` ${plainWords(text)} `));
  }

  /** Whether a word of it is one of the line in another form: `payment` where they pay. */
  isNear(text: string): boolean {
    const all = [...this.#words].filter((word) => word.length > 2 && !plain.has(word));
    return plainWords(text.replaceAll('_', ' '))
      .split(' ')
      .some((word) => word.length > 2 && all.some((one) => isForm(word, one)));
  }

  /** Whether each word of a value, or of the name of a variable, does. */
  say(text: string): boolean {
    const words = plainWords(text.replaceAll('_', ' ')).split(' ');
    return words.every(
      (word) => word === '' || this.#words.has(word) || this.#words.has(stem(word)),
    );
  }
}

/** Words that say nothing of what is meant. */
const plain: ReadonlySet<string> = new Set(['the', 'and', 'for', 'has', 'been', 'that', 'with']);

/** Forms of a word differ behind its beginning: `paid` and `pay`, `sent` and `send`. */
function isForm(word: string, other: string): boolean {
  const least = Math.max(2, Math.min(word.length, other.length) - 1);
  return word.slice(0, least) === other.slice(0, least);
}

const stem = (word: string): string => word.replace(/(?<=.{2})e?s$/, '');

/** Without what is filled in, and whatever sets words apart. */
const plainWords = (text: string): string =>
  text
    .replace(/\{[^{}]*\}/g, ' ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
