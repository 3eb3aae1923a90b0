/**
 * Numbers as people and web pages write them: `8,848.86`, `2 102 650`, `22,5`, `8848 m`.
 *
 * - Digits in groups are one number, whatever separates the groups. `1,234` is 1234, with a note:
 *   it could be a decimal elsewhere. A comma before any other count of digits is a decimal comma.
 * - One word or sign after a number is its unit, which is left out with a note.
 * - What changes the value (`3 million`, `5k`, `35 %`) is not guessed away: it is a doubt, which
 *   says what to write.
 * - A sentence with one number in it stands for that number, with a note.
 */
import { decimalOf, digitsMax, NoResult, type Num, negate, shownNumber } from './numbers.ts';

export interface NumberText {
  readonly value: Num;
  /** Characters that it takes, with its unit. */
  readonly length: number;
  /** Empty where it has none. */
  readonly unit: string;
  /** How it was read, where programs write it otherwise. */
  readonly note: string | undefined;
}

/** What could be two numbers, or another one than it seems. */
export interface NumberDoubt {
  readonly doubt: string;
}

/**
 * What a comma between digits does: it belongs to a number, or it separates two. Between arguments
 * it separates; `spaced` says that other commas there have a space after them, as separators do.
 */
export type CommaUse = 'number' | 'separator' | 'argument' | 'spaced argument';

/** Longest text that is looked at as one number. */
const lengthMax = 400;

const space = '[ \\u00a0\\u2009\\u202f]';
/** After a number: neither more digits, nor a separator and more digits. */
const edge = `(?![\\d_]|[.,'’]\\d|${space}\\d{3}(?!\\d))`;
const sticky = (source: string): RegExp => new RegExp(source + edge, 'y');

// The count of groups is bounded, so that a place in a text takes bounded time.
const commaGroups = sticky(
  '(?!0)(?:\\d{1,3}(?:,\\d{3}){1,20}|\\d\\d?(?:,\\d\\d){1,20},\\d{3})(?:\\.\\d+)?',
);
const otherForms = [
  sticky(`(?!0)\\d{1,3}(?:${space}\\d{3}){1,20}(?:[.,]\\d+)?`),
  sticky("(?!0)\\d{1,3}(?:['’]\\d{3}){1,20}(?:[.,]\\d+)?"),
  sticky('(?!0)\\d{1,3}(?:\\.\\d{3}){1,20},\\d+'),
  sticky('(?!0)\\d{1,3}(?:\\.\\d{3}){2,20}'),
  sticky('\\d+,\\d+'),
];
/** Digits and commas among arguments. */
const commaRun = /\d+(?:,\d+){1,20}/y;
const plainForm = /\d[\d_]*(?:\.[\d_]*)?(?:[eE][+-]?\d+)?|\.\d[\d_]*(?:[eE][+-]?\d+)?/y;

/** A number that is written as programs write it, at a place in a text. */
export const plainNumber = (text: string, at: number): string | undefined =>
  match(plainForm, text, at);

/** The number at a place in a text, in any form; undefined where there is none. */
export function numberAt(
  text: string,
  at: number,
  commas: CommaUse = 'number',
): NumberText | NumberDoubt | undefined {
  const groups = match(commaGroups, text, at);
  const other = groups ?? firstMatch(otherForms, text, at);
  const isSpaced = commas === 'spaced argument';
  const run = commas === 'argument' || isSpaced ? match(commaRun, text, at) : undefined;
  if (run !== undefined && (isSpaced ? !groups : /,\d{3}(?!\d)/.test(run))) {
    return { doubt: separatorDoubt(run) };
  }
  const isWhole =
    !other?.includes(',') || commas === 'number' || (isSpaced && groups !== undefined);
  const written = isWhole && other !== undefined ? other : plainNumber(text, at);
  if (written === undefined) return undefined;
  const isPlain = written !== other;
  const digits = isPlain ? written : plainDigits(written, groups !== undefined);
  try {
    return withUnit(text, at, { written, value: numberOf(digits, at + 1), isPlain });
  } catch (thrown) {
    if (!(thrown instanceof NoResult)) throw thrown;
    return { doubt: thrown.message };
  }
}

/** The number that a whole text is, also with a sign or a currency before it. */
export function parseNumber(text: string): NumberText | NumberDoubt | undefined {
  if (text.length > lengthMax) return undefined;
  const whole = text.trim().replace(/(?<=[\d\p{L}])\.$/u, '');
  const [before = '', sign = '', currency = ''] = /^([-+−]?) ?(\p{Sc}?) ?/u.exec(whole) ?? [];
  const read = numberAt(whole, before.length);
  if (!read || 'doubt' in read) return read;
  if (before.length + read.length < whole.length) return undefined;
  // The letter in `$3m` is a multiplier.
  if (currency !== '' && read.unit !== '') return { doubt: multiplierDoubt(whole) };
  const value = sign === '-' || sign === '−' ? negate(read.value) : read.value;
  const unit = read.unit || currency;
  const isPlain = unit === '' && read.note === undefined;
  return {
    value,
    length: text.length,
    unit,
    note: isPlain ? undefined : noteOf(whole, value, unit),
  };
}

/** A number that is a whole text, else the only number in it. */
export const numberInText = (text: string): NumberText | NumberDoubt | undefined =>
  parseNumber(text) ?? onlyNumber(text);

/** The same of a text that may be meant as arithmetic: that is no sentence. */
export const numberInSentence = (text: string): NumberText | NumberDoubt | undefined =>
  parseNumber(text) ?? (arithmeticSigns.test(text) ? undefined : onlyNumber(text));

/** Operators: a minus or a slash is one unless it is a sign or stands inside of a word. */
const arithmeticSigns =
  /[*^+=×÷·[\]{}]|\d\(|[-−/](?=[\s(])|[-−/](?<=[\d)]\s*[-−/])|(?<!\p{L})\p{L}[-−/]\d/u;

/** What a sentence is made of; digits in names and addresses are no numbers. */
const sentenceWord = /[a-z]+:\/\/\S+|\p{L}[\p{L}\p{M}]*(?:[-_/.@&]*[\p{L}\p{M}\p{N}]+)*|[%‰]/iuy;
const signBefore = /(?<![\p{L}\p{N})])[-+−]?(?:\p{Sc} ?)?(?=\d|\.\d)/uy;
const otherCharacter = /[^\p{L}\p{N}]/uy;
/** Words that follow a number and are not its unit. */
const notUnits = new RegExp(
  '^(?:in|on|at|of|and|or|is|was|are|were|as|by|for|from|to|with|than|' +
    'en|à|de|et|ou|est|sur|dans|par|pour|avec)$',
  'i',
);
const valueWords = /^(?:minus|negative|moins|[%‰])$/i;

/** The number of a sentence that has one. Each character is looked at a bounded number of times. */
function onlyNumber(text: string): NumberText | NumberDoubt | undefined {
  let only: TakenNumber | undefined;
  let at = 0;
  while (at < text.length) {
    const name = match(sentenceWord, text, at);
    if (name !== undefined) {
      if (changesValue(name)) return { doubt: wordDoubt(name) };
      at += name.length;
      continue;
    }
    const before = match(signBefore, text, at) ?? '';
    const number = numberAt(text, at + before.length);
    if (number && 'doubt' in number) return number;
    const length = number
      ? before.length + number.length
      : (match(otherCharacter, text, at)?.length ?? 0);
    const written = text.slice(at, at + length);
    if (length === 0) return { doubt: digitDoubt(text.slice(at)) };
    if (number && only) return { doubt: severalDoubt(only.written, written) };
    if (number) only = { ...signed(number, before), written, at };
    at += length;
  }
  return only && { ...only, length: text.length, note: takenNote(text, only) };
}

interface TakenNumber extends NumberText {
  readonly written: string;
  readonly at: number;
}

const changesValue = (name: string): boolean =>
  multipliers.test(name) || percents.test(name) || valueWords.test(name);

/** With the sign and the currency before it; a word that is no unit is left to the sentence. */
function signed(number: NumberText, before: string): NumberText {
  const currency = /\p{Sc}/u.exec(before)?.[0] ?? '';
  const unit = currency === '' && !notUnits.test(number.unit) ? number.unit : currency;
  return { ...number, value: /^[-−]/.test(before) ? negate(number.value) : number.value, unit };
}

/** The value of digits with a decimal point, an exponent or underscores. */
export function numberOf(word: string, column: number): Num {
  const plain = word.replaceAll('_', '');
  if (/^\d+$/.test(plain)) {
    if (plain.length <= digitsMax) return BigInt(plain);
    throw new NoResult(`got ${plain.length} digits, want at most ${digitsMax}`, column);
  }
  const value = decimalOf(plain);
  if (value) return value;
  throw new NoResult(`${word} is beyond the range of a float`, column);
}

/** The unit of what is computed with: two are not converted, so a second one is refused. */
export function sharedUnit(unit: string, other: string, column: number): string {
  if (unit === '' || other === '' || unit === other) return unit || other;
  const message = `got the units ${unit} and ${other}: write the numbers alone, in one unit`;
  throw new NoResult(message, column, true);
}

interface Digits {
  readonly written: string;
  readonly value: Num;
  readonly isPlain: boolean;
}

/** A unit: a currency, degrees, or one word, each also by another: `€`, `°C`, `km²`, `km/h`. */
const unitForm = new RegExp(
  `${space}?(\\p{L}*\\p{Sc}|[°º]\\p{L}*|\\p{L}+(?:[²³]|(?<=m)[23])?)` +
    '(?:/(?!\\p{L}+\\s*\\()\\p{L}+(?:[²³]|(?<=m)[23])?)?(?![\\p{L}\\d_]|\\s*\\()',
  'uy',
);
/** `%` where no number follows that it could be the remainder by. */
const percentForm = /\s*[%‰](?=\s*(?:$|[)\]*/%,]|[-+]\s))|(?<=\d)[%‰](?=\s)/y;

const multipliers = new RegExp(
  '^(?:mn|bn|tn|md|mds|(?:hundred|dozen|thousand|million|billion|trillion|lakh|crore)s?|' +
    'bil|mil|mill?ln?|mio|mia|mrd|mld|mlrd|tsd|mille|milliers?|milliards?|tausend|millionen|' +
    'milliarden?|douzaines?|hal[fb]e?|quarters?|squared|cubed|pi|π|[万億亿千百]|\\p{L}+\\p{Sc})$',
  'iu',
);
const percents = /^(?:percent|pct|pourcent|prozent)$/i;
/** Single letters that are no units: multipliers, and what stands for numbers in formulas. */
const otherLetters = /^[a-zA-Z]$(?<![mgshdlLtVWAJNCF])/;

/** A number with the unit behind it, where it has one. */
function withUnit(text: string, at: number, digits: Digits): NumberText | NumberDoubt {
  const { written, value, isPlain } = digits;
  const end = at + written.length;
  const percent = match(percentForm, text, end);
  if (percent !== undefined) return { doubt: percentDoubt(value) };
  const unit = match(unitForm, text, end) ?? '';
  const word = unit.trim();
  const whole = text.slice(at, end + unit.length);
  if (percents.test(word)) return { doubt: percentDoubt(value) };
  if (multipliers.test(word) || otherLetters.test(word)) return { doubt: multiplierDoubt(whole) };
  const note = isPlain && word === '' ? undefined : noteOf(whole, value, word);
  return { value, length: whole.length, unit: word, note };
}

/** How a number was read, for a warning. */
export const noteOf = (written: string, value: Num, unit: string): string =>
  `${JSON.stringify(written)} was read as ${shownNumber(value)}${restNote(written, value, unit)}`;

/** Characters around a number that a warning shows of a longer sentence than `wholeMax`. */
const aroundMax = 40;
const wholeMax = 100;

/** Which number was taken out of which sentence, for a warning. */
function takenNote(text: string, { at, written, value, unit }: TakenNumber): string {
  const around = text.length > wholeMax ? aroundMax : wholeMax;
  const [start, end] = [Math.max(0, at - around), at + written.length + around];
  const cut = text.slice(start, end).trim();
  const sentence = `${start > 0 ? '…' : ''}${cut}${end < text.length ? '…' : ''}`;
  const taken = `${shownNumber(value)} was taken out of ${JSON.stringify(sentence)}`;
  return taken + restNote(written, value, unit);
}

function restNote(written: string, value: Num, unit: string): string {
  const without = unit === '' ? '' : `, without ${unit}`;
  // One group alone is a decimal in half of the world.
  const [group] =
    typeof value === 'bigint' ? (/(?<![\d,])\d{1,3},\d{3}(?![\d,])/.exec(written) ?? []) : [];
  const other = group === undefined ? '' : `; write ${group.replace(',', '.')} for the decimal`;
  return without + other;
}

const severalDoubt = (first: string, second: string): string =>
  `it has several, ${first.trim()} and ${second.trim()}: write the one that is meant`;

const wordDoubt = (name: string): string =>
  `${name} in it can change the number: write the number alone, with all of its digits`;

const digitDoubt = (rest: string): string =>
  `it has ${String.fromCodePoint(rest.codePointAt(0) ?? 0)}: write numbers with the digits 0 to 9`;

const separatorDoubt = (written: string): string =>
  `${written} can be one number or several: ` +
  'write one without commas, several with a space after each comma';

const percentDoubt = (value: Num): string => {
  const number = shownNumber(value);
  return `${number} % can be ${number} or its hundredth: write ${number} or ${number} / 100`;
};

const multiplierDoubt = (written: string): string =>
  `${written} is more than a number and its unit: ` +
  'write all of its digits, and * between what is multiplied';

/** Digits with a decimal point at most. */
function plainDigits(written: string, isCommaGroups: boolean): string {
  if (isCommaGroups) return written.replaceAll(',', '');
  const isDotGroups = /\.\d+[.,]/.test(written);
  const joined = written.replace(isDotGroups ? /\./g : /[ \u00a0\u2009\u202f'’]/g, '');
  return joined.replace(',', '.');
}

function firstMatch(forms: readonly RegExp[], text: string, at: number): string | undefined {
  for (const form of forms) {
    const found = match(form, text, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

function match(form: RegExp, text: string, at: number): string | undefined {
  form.lastIndex = at;
  return form.exec(text)?.[0];
}
