/**
 * What steps of a model have that the line does not say: words in quotes, values, and variables
 * that they set.
 */
import type { Step, StepCode } from '../../compiled/compiled.ts';
import { numberIn } from '../../text/numbers.ts';
import { type Draft, flatDrafts } from '../draft.ts';
import { meaningOf } from '../step-text.ts';

/**
 * Of what a line is said to mean. `others` are the variables that other lines set; one that only
 * its own steps use is theirs, whatever is in it.
 */
export function addedIn(
  drafts: readonly Draft[],
  line: Pick<Step, 'block' | 'text'>,
  others: ReadonlySet<string>,
  known: ReadonlySet<string>,
): string[] {
  const words = new Words(`${line.text} ${line.block ?? ''}`);
  const all = flatDrafts(drafts);
  const isOwn = (name: string): boolean => !known.has(name) && !others.has(name);
  // What its own variables begin with, they may be compared with.
  const begun = all.flatMap((one) => {
    const { value = '', writes } = meaningOf(one, new Set());
    return writes.some(isOwn) ? constantsIn(value) : [];
  });
  return all.flatMap((one, at) => {
    const { say, value, writes } = meaningOf(one, new Set());
    if (say) return say.isLiteral ? addedQuote(say.text, words) : [];
    if (saysNothing.has(one.code)) return [];
    const [name] = one.code === 'LOP' ? [] : writes;
    const isUsed = all.slice(at + 1).some((next) => next.text.includes(name ?? ''));
    if (name !== undefined && isOwn(name) && one.code === 'EXE' && isUsed) return [];
    const [added] = constantsIn(one.text).filter((constant) => {
      return (
        !words.say(constant) && !(heads.has(one.code) && [...begun, ...plain].includes(constant))
      );
    });
    const what = name === undefined ? one.text : `${name} set to ${value ?? 'what that gives'}`;
    if (added !== undefined) {
      const got = one.code === 'EXE' && name !== undefined ? what : `${added} in ${one.text}`;
      return [`got ${got}, want no value that the line does not say`];
    }
    if (name === undefined || !others.has(name) || words.say(name)) return [];
    return [`got ${what}, want no variable of other lines that this one does not name`];
  });
}

const saysNothing: ReadonlySet<StepCode> = new Set(['YLD', 'JMP', 'CHK', 'TNK']);
const heads: ReadonlySet<StepCode> = new Set(['CND', 'ELS', 'LOP']);

/** What a condition in words may be put as: that there is none, or one. */
const plain = ['0', '1', '""', "''"];

const addedQuote = (text: string, words: Words): string[] =>
  words.have(text)
    ? []
    : [`got "${text}", want Say(user, what to say) where the line has no such quote`];

/** Numbers and texts in quotes. */
const constantsIn = (text: string): string[] =>
  text.match(/"(?:\\.|[^"\\])*"|'[^']*'|(?<![\p{XIDC}$.])-?\d+(?:\.\d+)?(?![\p{XIDC}.]\w)/gu) ?? [];

/** The words of a line, however they are written there. */
class Words {
  readonly #text: string;
  readonly #words: ReadonlySet<string>;

  constructor(line: string) {
    this.#text = plainWords(line);
    this.#words = new Set(this.#text.split(' ').flatMap((word) => [word, stem(word)]));
    this.#words = new Set([...this.#words, ...[...this.#words].map((one) => `${numberIn(one)}`)]);
  }

  /** Whether a text stands there as it is, but for what is filled in. */
  have(text: string): boolean {
    return this.#text.includes(plainWords(text));
  }

  /** Whether each word of a value, or of the name of a variable, does. */
  say(text: string): boolean {
    const words = plainWords(text.replaceAll('_', ' ')).split(' ');
    return words.every(
      (word) => word === '' || this.#words.has(word) || this.#words.has(stem(word)),
    );
  }
}

const stem = (word: string): string => word.replace(/(?<=.{2})e?s$/, '');

/** Without what is filled in, and whatever sets words apart. */
const plainWords = (text: string): string =>
  text
    .replace(/\{[^{}]*\}/g, ' ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
