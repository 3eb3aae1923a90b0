/** How long something lasts, in words: `5 minutes`, `an hour and a half`, `twenty-five days`. */
import { numbers } from './numbers.ts';

const units: readonly (readonly [form: string, seconds: number])[] = [
  ['ms|milliseconds?', 0.001],
  ['s|secs?|seconds?|secondes?', 1],
  ['mins?|minutes?', 60],
  ['h|hours?|heures?', 3600],
  ['days?|jours?', 86_400],
  ['weeks?|semaines?', 604_800],
];

/** `minutes`, as it stands in a pattern with the flags `iu`. */
export const unitForm: string = `(?:${units.map(([form]) => form).join('|')})(?![\\p{L}\\w])`;

/** By their places. */
const small = [
  ...numbers,
  ...['eleven', 'twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen'],
  ...['eighteen', 'nineteen'],
];

const tens = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];

const hundred = 'hundred';

const word = `(?:${[...small, ...tens, hundred].join('|')})(?![\\p{L}\\w])`;
const words = `${word}(?:(?:-|\\s+(?:and\\s+)?)${word})*`;
const digits = '\\d+(?:\\.\\d+)?';

/** How many has to be said: `a few minutes` are any number of them. */
const span =
  '(?<![\\p{L}\\w.,/–-])(?:' +
  '(?<part>half(?:\\s+of)?|(?:(?:an?|one|three)\\s+)?quarters?\\s+of)\\s+(?:an?\\s+)?|' +
  `(?:(?<digits>${digits})|(?<words>${words})|(?:an?|une?)(?=\\s))` +
  '(?<half>\\s+and\\s+a\\s+half)?\\s*(?:(?:more|further|full|whole)\\s+)?' +
  `)(?<unit>${unitForm})(?<more>\\s+and\\s+a\\s+half(?![\\p{L}\\w]))?`;

/** Without the names of its groups, of which a pattern may have each but once. */
const bare = span.replace(/\(\?<\p{L}+>/gu, '(?:');

/** `an hour and 30 minutes`, as it stands in a pattern with the flags `iu`. */
export const spanForm: string = `${bare}(?:(?:\\s*,)?\\s+(?:(?:and|et)\\s+)?${bare})*`;

const first = new RegExp(spanForm, 'iu');

/** In seconds, what a text says first of how long; undefined where it does not, or not how many. */
export function secondsIn(text: string): number | undefined {
  const [found] = first.exec(text) ?? [];
  if (found === undefined) return undefined;
  const spans = [...found.matchAll(new RegExp(span, 'giu'))];
  return spans.reduce((sum, { groups = {} }) => sum + secondsOf(groups), 0);
}

const whole = new RegExp(`^\\s*(?:for\\s+)?${spanForm}\\s*$`, 'iu');

/** The same where a text says nothing else. */
export const spanIn = (text: string): number | undefined =>
  whole.test(text) ? secondsIn(text) : undefined;

/** Of a unit alone, as in `every day`: one of it. */
export const unitIn = (text: string): number | undefined => {
  const [found] = new RegExp(`(?<![\\p{L}\\w])${unitForm}`, 'iu').exec(text) ?? [];
  return found === undefined ? undefined : unitOf(found);
};

type Groups = Readonly<Record<string, string | undefined>>;

function secondsOf({ part, digits, words, half, unit = '', more }: Groups): number {
  const parts = part === undefined ? 1 : partOf(part);
  const count = digits === undefined ? numberOf(words ?? 'one') : Number(digits);
  const halves = half === undefined && more === undefined ? 0 : 0.5;
  return (parts * count + halves) * unitOf(unit);
}

const partOf = (text: string): number =>
  /^half/i.test(text) ? 0.5 : /^three/i.test(text) ? 0.75 : 0.25;

const unitOf = (unit: string): number =>
  units.find(([form]) => new RegExp(`^(?:${form})$`, 'i').test(unit))?.[1] ?? 0;

/** `twenty-five`, `two hundred and ten`. */
function numberOf(text: string): number {
  let sum = 0;
  for (const one of text.toLowerCase().split(/[\s-]+/)) {
    if (one === hundred) sum = Math.max(1, sum) * 100;
    else if (tens.includes(one)) sum += (tens.indexOf(one) + 2) * 10;
    else sum += Math.max(0, small.indexOf(one));
  }
  return sum;
}
