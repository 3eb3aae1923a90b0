/** Times in words: how long something lasts, and when a trigger is due. */
import { type Moments, momentsIn } from './moments.ts';

const units: readonly (readonly [RegExp, number])[] = [
  [/^(?:ms|milliseconds?)$/i, 0.001],
  [/^(?:s|secs?|seconds?|secondes?)$/i, 1],
  [/^(?:mins?|minutes?)$/i, 60],
  [/^(?:h|hours?|heures?)$/i, 3600],
  [/^(?:days?|jours?)$/i, 86_400],
  [/^(?:weeks?|semaines?)$/i, 604_800],
];

export const numbers: readonly string[] = [
  ...['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'],
];

/** `3`, `three`, `twice`; undefined for what is no number. */
export function numberIn(text: string): number | undefined {
  const word = text.toLowerCase();
  if (/^-?\d+$/.test(word)) return Number(word);
  const written = ['', '', 'twice', 'thrice'].indexOf(word);
  const number = written > 0 ? written : numbers.indexOf(word);
  return number < 0 ? undefined : number;
}

const lasts = /\b(?:(\d+(?:\.\d+)?|an?|une?|\p{L}+)\s+|(\d+(?:\.\d+)?))(\p{L}+)\b/giu;

/** `5 minutes`, `half an hour`, `every day`: in seconds; undefined where no time is named. */
export function secondsIn(text: string): number | undefined {
  if (/\bhalf an hour\b/i.test(text)) return 1800;
  const words = text.replace(/\bhourly\b/gi, 'every hour').replace(/\bdaily\b/gi, 'every day');
  for (const [, count = '', joined = '', word = ''] of words.matchAll(lasts)) {
    const unit = units.find(([form]) => form.test(word))?.[1];
    if (unit === undefined) continue;
    const written = Number(count || joined);
    const spelt = numbers.indexOf(count.toLowerCase());
    return unit * (Number.isNaN(written) ? Math.max(1, spelt) : written);
  }
  return undefined;
}

/**
 * When a trigger about time is due: so many seconds after the program has begun, every so many, at
 * times of days, or when the program ends.
 */
export type Clock =
  | { readonly kind: 'after' | 'every'; readonly seconds: number }
  | ({ readonly kind: 'at' } & Moments)
  | { readonly kind: 'exit' };

/** Undefined for a trigger that is about something else, or a time that cannot be read. */
export function clockOf(text: string): Clock | undefined {
  if (exits.test(text)) return { kind: 'exit' };
  if (since.test(text)) return undefined;
  const moments = momentsIn(text);
  if (moments) return { kind: 'at', ...moments };
  // Half of what it says of time would be no reading of it.
  if (isOfDays.test(text)) return undefined;
  const seconds = secondsIn(text);
  if (seconds === undefined || seconds <= 0) return undefined;
  const isAgain = /\b(?:every|each|hourly|daily|chaque|tou(?:te)?s les)\b/i.test(text);
  if (isAgain) return { kind: 'every', seconds };
  return delays.test(text) ? { kind: 'after', seconds } : undefined;
}

const dayName =
  '(?:sun|mon|tues|wednes|thurs|fri|satur)days?|(?:lun|mar|mercre|jeu|vendre|same)dis?';

const isOfDays = new RegExp(
  `\\b(?:(?:${dayName})|dimanches?|week-?(?:days?|ends?)|noon|midnight|midi|minuit)\\b|` +
    '(?:\\bat|à)\\s+\\d',
  'i',
);

/** Whether a trigger speaks of time, so that it is odd if none can be read. */
export const isAboutTime = (text: string): boolean => spoken.some((form) => form.test(text));

const spoken: readonly RegExp[] = [
  /\b(?:every|each)\s+(?:\d|\w*(?:day|week|month|year|hour|minute|second|morning|evening|night))/i,
  /\b(?:daily|weekly|hourly|monthly|timer|timeout|alarm|o'clock)\b/i,
  new RegExp(
    `^\\s*(?:on|at|from)\\s+(?:the\\s+)?(?:${dayName}|week-?(?:days?|ends?)|\\d|noon)`,
    'i',
  ),
  /^\s*(?:after|in)\s+(?:a|some)\s+(?:(?:little|short|long)\s+)?(?:while|time)\b(?!\s+of)/i,
  /^\s*every\s+(?:now and (?:then|again)|so often|once in a while)\b/i,
  /^\s*(?:tomorrow|tonight|next\s+(?:\w+day|week|month|year))\b/i,
];

const exits = new RegExp(
  '\\b(?:before|when|as)\\s+(?:(?:the|this)\\s+)?(?:program(?:me)?\\s+)?' +
    '(?:ending|exit\\w*|(?:ends?|is over|stops|finishes|terminates|closes)\\b)|\\bavant la fin',
  'i',
);

const delays = /^\s*(?:after|in|once|when|as soon as|après|dans|au bout de)\b/i;

/** A time since something else than the beginning. */
const since = /\b(?:without|silen\w*|inactiv\w*|idle|no (?:answer|reply|response)|since|sans)\b/i;
