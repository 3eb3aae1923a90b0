/** Whether a text is what its line has in quotes. Pure. */

/** Without what a model may set otherwise: blanks, capitals, quotes, marks at the end. */
export const plainWords = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/["`´‘’‚‹›“”„«»]/g, "'")
    .replace(/\s+/g, ' ')
    .replace(/[\s.!?…]+$/, '')
    .trim();

/** Whether a text may be what stands in quotes, whatever is filled in. */
export function isQuote(quoted: string, said: string): boolean {
  const pieces = plainWords(quoted).split(/\{[^{}]*\}|\$\p{XIDC}+/u);
  const words = plainWords(said);
  let at = 0;
  for (const [index, piece] of pieces.entries()) {
    const found = words.indexOf(piece, at);
    if (found < 0 || (index === 0 && found > 0)) return false;
    at = found + piece.length;
  }
  return at === words.length || words.endsWith(pieces.at(-1) ?? '');
}

/**
 * Whether words in quotes say what is meant by a parameter, rather than being it: `"the user's
 * question"`, `"summary of what was found"` and `"<city>"`, not `"Ben"`, `"Plan A"`, `"Le Mans"`.
 */
export function isDescription(quoted: string, parameter: string): boolean {
  if (/[<>{}[\]…]|\.{3}/.test(quoted) || isName(quoted, parameter)) return true;
  const words = quoted.split(/\s+/);
  const isBeforeNoun = (at: number): boolean => /^\p{Ll}/u.test(words[at + 1] ?? '');
  return words.some((word, at) => {
    const lower = word.toLowerCase();
    if (at < words.length - 1 && german.has(lower)) return true;
    return isBeforeNoun(at) && (determiners.has(lower) || isWhose(word));
  });
}

const isName = (quoted: string, parameter: string): boolean =>
  plainWords(quoted).replace(/\W/g, '') === parameter.toLowerCase().replace(/\W|_/g, '');

const isWhose = (word: string): boolean => /^\p{Ll}+(?:['’]s|s['’])$/u.test(word);

/** What stands before the name of a thing in words about it. */
const determiners: ReadonlySet<string> = new Set(
  (
    'the a an this that these those my your his her its our their any some each every of about ' +
    'what which who whose where when how whatever whichever ' +
    'le la les un une des du ce cet cette ces mon ma mes son sa ses notre nos votre vos leur leurs'
  ).split(' '),
);

/** Nouns begin with a capital there, as names do. */
const german: ReadonlySet<string> = new Set(
  (
    'der die das den dem des ein eine einen einem einer eines diese dieser dieses diesem diesen ' +
    'mein meine dein deine sein seine ihr ihre unser unsere was welche welcher welches'
  ).split(' '),
);

/**
 * Whether it says something else, rather than the same in other words: another number, or another
 * thing in the same words. `wanted` is the quote with all filled in.
 */
export function isOtherThan(quoted: string, wanted: string, said: string): boolean {
  if (plainWords(said).includes(plainWords(wanted))) return false;
  if (isQuote(quoted, said) || isRenamed(wanted, said)) return true;
  const [due, got] = [numbersIn(wanted), numbersIn(said)];
  return due.some((one) => !got.includes(one)) && got.some((one) => !due.includes(one));
}

/** Whether nothing but names is otherwise: `Paid Zoe` for `Paid Ann`; no `die Ware`, `Hi Ann`. */
function isRenamed(wanted: string, said: string): boolean {
  const [due, got] = [wordsOf(wanted), wordsOf(said)];
  if (due.length !== got.length) return false;
  const isThing = (at: number): boolean => {
    const before = due[at - 1]?.toLowerCase() ?? 'the';
    return determiners.has(before) || german.has(before);
  };
  const others = due.flatMap((word, at) =>
    plainWords(word) === plainWords(got[at] ?? '') ? [] : at,
  );
  const isName = (word = ''): boolean => /^\p{Lu}\p{Ll}+$/u.test(word);
  return (
    others.length > 0 && others.every((at) => isName(due[at]) && isName(got[at]) && !isThing(at))
  );
}

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{M}\p{N}'’-]+/gu) ?? [];

/** `1,000` and `12.50` are 1000 and 12.5. */
const numbersIn = (text: string): readonly string[] =>
  (text.replace(/(?<=\d)[,'\p{Zs}](?=\d{3}(?!\d))/gu, '').match(/\d+(?:\.\d+)?/g) ?? []).map(
    (one) => (one.length > 15 ? one : String(Number(one))),
  );
