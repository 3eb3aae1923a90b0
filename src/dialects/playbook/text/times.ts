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

/**
 * Undefined for a trigger that is about something else, or a time that cannot be read. The whole
 * of it has to be a time: what somebody says of one is for a model to judge.
 */
export function clockOf(text: string): Clock | undefined {
  if (exits.test(text)) return { kind: 'exit' };
  const moments = momentsIn(text);
  if (moments) return { kind: 'at', ...moments };
  const kind = again.test(text) ? 'every' : delays.test(text) ? 'after' : undefined;
  const seconds = kind === undefined ? 0 : sumOf(text);
  return kind !== undefined && seconds > 0 ? { kind, seconds } : undefined;
}

/** `an hour and 30 minutes`; a unit alone, as in `every day`, is one of it. */
function sumOf(text: string): number {
  const spans = text.match(new RegExp(span, 'giu')) ?? [text];
  return spans.reduce((sum, one) => sum + (secondsIn(one) ?? 0), 0);
}

const unitWord =
  '(?:ms|milliseconds?|s|secs?|seconds?|secondes?|mins?|minutes?|h|hours?|heures?|days?|jours?|' +
  'weeks?|semaines?)(?![\\p{L}\\w])';

/** `5 minutes`, `90s`, `half an hour`: how many has to be said. */
const span =
  `(?<![\\p{L}\\w.])(?:half an|\\d+(?:\\.\\d+)?\\s*|(?:an?|une?|${numbers.join('|')})(?=\\s))` +
  `\\s*${unitWord}`;

const spans = `${span}(?:(?:\\s*,)?\\s+(?:(?:and|et)\\s+)?${span})*`;

/** The whole of a text, with the mark behind it. */
const whole = (form: string): RegExp => new RegExp(`^\\s*(?:${form})\\s*[.!]?\\s*$`, 'iu');

const passed = '(?:(?:have|has|are|is)\\s+)?(?:passed|elapsed|gone by|over|up)';

const started =
  '(?:the\\s+)?(?:program(?:me)?\\s+)?(?:start|beginning|starts|begins|has (?:started|begun))' +
  '(?:\\s+of the program(?:me)?)?';

const again = whole(
  [
    `(?:once\\s+)?(?:every|each|chaque|tou(?:te)?s les)\\s+(?:${spans}|${unitWord})`,
    `(?:every|each)\\s+time\\s+${spans}\\s+${passed}`,
    `once\\s+(?:an?|per)\\s+${unitWord}`,
    'hourly|daily',
  ].join('|'),
);

const delays = whole(
  [
    '(?:after|in|après|dans|au bout de)\\s+' +
      '(?:a (?:delay|pause|wait) of\\s+|waiting\\s+(?:for\\s+)?)?' +
      `${spans}(?:\\s+${passed}|['’]?\\s+time|\\s+from now)?`,
    `(?:when|once|as soon as)\\s+${spans}\\s+${passed}`,
    `${spans}\\s+(?:later|from now|after\\s+${started})`,
  ].join('|'),
);

const ends =
  '(?:ending|exit(?:s|ing)?|ends?|is over|stops|finishes|terminates|closes|stopping|finishing|' +
  'terminating|closing)';

const talk = '(?:(?:the|this)\\s+)?(?:program(?:me)?|conversation|session|chat)';

const exits = whole(
  [
    '(?:(?:just|right|shortly)\\s+)?(?:before|when|as)\\s+(?:(?:the|this)\\s+)?' +
      `(?:program(?:me)?\\s+)?${ends}(?:\\s+(?:of\\s+)?${talk})?`,
    `at\\s+the\\s+(?:very\\s+)?end(?:\\s+of\\s+(?:the|this)\\s+program(?:me)?)?`,
    'avant la fin(?:\\s+(?:du programme|de la (?:conversation|session)))?',
  ].join('|'),
);

const dayName =
  '(?:sun|mon|tues|wednes|thurs|fri|satur)days?|(?:lun|mar|mercre|jeu|vendre|same)dis?';

/** Whether a trigger speaks of time, so that it is odd if none can be read. */
export const isAboutTime = (text: string): boolean => spoken.some((form) => form.test(text));

const spoken: readonly RegExp[] = [
  new RegExp(
    '^\\s*(?:(?:at|on|once|in|after)\\s+)?(?:every|each)\\s+(?:(?:other|second|third)\\s+)?' +
      '(?:\\d|\\w*(?:day|week|month|year|hour|minute|second|morning|evening|night))',
    'i',
  ),
  new RegExp(
    '^\\s*(?:(?:when|if|once|as soon as|at|on|after)\\s+)?(?:(?:the|an?)\\s+)?' +
      "(?:\\d{1,2}\\s+)?(?:daily|weekly|hourly|monthly|timer|timeout|alarm|o'clock)\\b",
    'i',
  ),
  // What is said behind it keeps it from being a time.
  new RegExp(`^\\s*(?:after|in|après|dans|au bout de)\\s+${span}`, 'iu'),
  new RegExp(
    `^\\s*(?:on|at|from)\\s+(?:the\\s+)?(?:${dayName}|week-?(?:days?|ends?)|\\d|noon)`,
    'i',
  ),
  /^\s*(?:after|in)\s+(?:a|some)\s+(?:(?:little|short|long)\s+)?(?:while|time)\b(?!\s+of)/i,
  /^\s*every\s+(?:now and (?:then|again)|so often|once in a while)\b/i,
  /^\s*(?:tomorrow|tonight|next\s+(?:\w+day|week|month|year))\b/i,
];
