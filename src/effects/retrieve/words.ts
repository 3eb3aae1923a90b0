/**
 * Words: the one way in which names, texts and queries are cut and compared, so that a word of a
 * query meets the same word in a file whatever its case and accents. Stemming is left to SQLite.
 */

/**
 * Text as it goes into the full-text index: letters without case and accents, ligatures apart, and
 * each character of a script without spaces as a word of its own.
 */
export function fold(text: string): string {
  return plain(text)
    .toLowerCase()
    .replace(/[œæßøłđ]/g, (letter) => apart[letter] ?? letter);
}

/** Without accents, and with every word between things that are no words. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(unspaced, ' $& ');
}

const apart: Readonly<Record<string, string>> = {
  œ: 'oe',
  æ: 'ae',
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
};

const unspacedScripts = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer'];
const unspaced = new RegExp(
  `[${unspacedScripts.map((name) => `\\p{Script=${name}}`).join('')}]`,
  'gu',
);

const wordPattern = /[\p{L}\p{N}]+/gu;

/** The words of a text, folded, in order. */
export const wordsOf = (text: string): string[] => fold(text).match(wordPattern) ?? [];

/** A name in the form in which names are compared. */
export const nameKey = (name: string): string => wordsOf(name).join(' ');

/** Whether each word was written in capitals only, as abbreviations are: `US`, not `us`. */
export function capitals(text: string): boolean[] {
  const written = plain(text).match(wordPattern) ?? [];
  return written.map((word) => /\p{Lu}/u.test(word) && word === word.toUpperCase());
}

export interface Terms {
  /** Distinct words worth searching for, in order. */
  readonly words: readonly string[];
  /** How many more there were. */
  readonly left: number;
}

/**
 * The words of a query that say what is looked for. A query of function words alone keeps them
 * all: it may be a title.
 */
export function termsOf(query: string, termsMax: number): Terms {
  const words = [...new Set(wordsOf(query))];
  const telling = words.filter((word) => !functionWords.has(word));
  const kept = telling.length > 0 ? telling : words;
  return { words: kept.slice(0, termsMax), left: Math.max(0, kept.length - termsMax) };
}

/** An expression of FTS5 for any of the words; each is quoted, so that none is an operator. */
export const anyOf = (words: readonly string[]): string =>
  words.map((word) => `"${word}"`).join(' OR ');

/** English and French, folded. */
export const functionWords: ReadonlySet<string> = new Set(
  (
    'a about all an and any are as at be been by can did do does each every find for from get ' +
    'give has have how i in into is it its list many me much of on or please provide s show tell ' +
    'than that the their them then there these they this those to us was we were what when ' +
    'where which who whose why will with you your ' +
    'au aux avec c ce ces cet cette chaque combien comment d dans de des donne donner du elle en ' +
    'est et eux il ils j je l la le les leur leurs liste m mais moi n ne nous on ou où par pas ' +
    'pour pourquoi qu quand que quel quelle quelles quels qui sa se ses si son sont sur t ton ' +
    'tous tout toute toutes trouve tu un une vos votre vous y'
  ).split(' '),
);
