/** Times in words: how often, and when a trigger is due. */
import { type Moments, momentsIn } from './moments.ts';
import { secondsIn, spanForm, unitForm, unitIn } from './spans.ts';

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
  const seconds = kind === undefined ? 0 : lasting(text);
  return kind !== undefined && seconds > 0 ? { kind, seconds } : undefined;
}

/** A unit alone, as in `every day`, is one of it. */
function lasting(text: string): number {
  const words = text.replace(/\bhourly\b/i, 'every hour').replace(/\bdaily\b/i, 'every day');
  return secondsIn(words) ?? unitIn(words) ?? 0;
}

/** The whole of a text, with the mark behind it, or what else may stand there. */
export const whole = (forms: readonly string[], behind = '[.!]'): RegExp =>
  new RegExp(`^\\s*(?:${forms.join('|')})\\s*(?:${behind})?\\s*$`, 'isu');

const passed = '(?:(?:have|has|are|is)\\s+)?(?:passed|elapsed|gone by|over|up)';

const started =
  '(?:the\\s+)?(?:program(?:me)?\\s+)?(?:start|beginning|starts|begins|has (?:started|begun))' +
  '(?:\\s+of the program(?:me)?)?';

const again = whole([
  `(?:once\\s+)?(?:every|each|chaque|tou(?:te)?s les)\\s+(?:${spanForm}|${unitForm})`,
  `(?:every|each)\\s+time\\s+${spanForm}\\s+${passed}`,
  `once\\s+(?:an?|per)\\s+${unitForm}`,
  'hourly|daily',
]);

const delays = whole([
  '(?:after|in|après|dans|au bout de)\\s+' +
    '(?:a (?:delay|pause|wait) of\\s+|waiting\\s+(?:for\\s+)?)?' +
    `${spanForm}(?:\\s+${passed}|['’]?\\s+time|\\s+from now)?`,
  `(?:when|once|as soon as)\\s+${spanForm}\\s+${passed}`,
  `${spanForm}\\s+(?:later|from now|after\\s+${started})`,
]);

const ends =
  '(?:ending|exit(?:s|ing)?|ends?|is over|stops|finishes|terminates|closes|stopping|finishing|' +
  'terminating|closing)';

const talk = '(?:(?:the|this)\\s+)?(?:program(?:me)?|conversation|session|chat)';

const exits = whole([
  '(?:(?:just|right|shortly)\\s+)?(?:before|when|as)\\s+(?:(?:the|this)\\s+)?' +
    `(?:program(?:me)?\\s+)?${ends}(?:\\s+(?:of\\s+)?${talk})?`,
  `at\\s+the\\s+(?:very\\s+)?end(?:\\s+of\\s+(?:the|this)\\s+program(?:me)?)?`,
  'avant la fin(?:\\s+(?:du programme|de la (?:conversation|session)))?',
]);

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
  new RegExp(`^\\s*(?:after|in|après|dans|au bout de)\\s+${spanForm}`, 'iu'),
  new RegExp(
    `^\\s*(?:on|at|from)\\s+(?:the\\s+)?(?:${dayName}|week-?(?:days?|ends?)|\\d|noon)`,
    'i',
  ),
  /^\s*(?:after|in)\s+(?:a|some)\s+(?:(?:little|short|long)\s+)?(?:while|time)\b(?!\s+of)/i,
  /^\s*every\s+(?:now and (?:then|again)|so often|once in a while)\b/i,
  /^\s*(?:tomorrow|tonight|next\s+(?:\w+day|week|month|year))\b/i,
];
