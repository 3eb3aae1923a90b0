/** Times in words: how long something lasts, and when a trigger is due. */

const units: readonly (readonly [RegExp, number])[] = [
  [/^(?:ms|milliseconds?)$/i, 0.001],
  [/^(?:s|secs?|seconds?|secondes?)$/i, 1],
  [/^(?:mins?|minutes?)$/i, 60],
  [/^(?:h|hours?|heures?)$/i, 3600],
  [/^(?:days?|jours?)$/i, 86_400],
  [/^(?:weeks?|semaines?)$/i, 604_800],
];

const numbers: readonly string[] = [
  ...['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'],
];

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
 * When a trigger about time is due: so many seconds after the program has begun, every so many,
 * each day so many after midnight (UTC), or when the program ends.
 */
export type Clock =
  | { readonly kind: 'after' | 'every' | 'daily'; readonly seconds: number }
  | { readonly kind: 'exit' };

/** Undefined for a trigger that is about something else, or a time that cannot be read. */
export function clockOf(text: string): Clock | undefined {
  if (exits.test(text)) return { kind: 'exit' };
  if (since.test(text)) return undefined;
  const isAgain = /\b(?:every|each|hourly|daily|chaque|tou(?:te)?s les)\b/i.test(text);
  const at = isAgain && /\b(?:day|daily|jours?)\b/i.test(text) ? timeOfDay(text) : undefined;
  if (at !== undefined) return { kind: 'daily', seconds: at };
  const seconds = secondsIn(text);
  if (seconds === undefined || seconds <= 0) return undefined;
  if (isAgain) return { kind: 'every', seconds };
  return delays.test(text) ? { kind: 'after', seconds } : undefined;
}

/** Whether a trigger speaks of time, so that it is odd if none can be read. */
export const isAboutTime = (text: string): boolean =>
  /\b(?:every|each)\s+(?:\d|\w*(?:day|week|month|year|hour|minute|second|morning|evening))/i.test(
    text,
  ) || /\b(?:daily|weekly|hourly|monthly|timer|timeout|alarm|o'clock)\b/i.test(text);

const exits = new RegExp(
  '\\b(?:before|when|as)\\s+(?:(?:the|this)\\s+)?(?:program(?:me)?\\s+)?' +
    '(?:ending|exit\\w*|(?:program(?:me)?|end)\\b(?:\\s+(?:ends|is over|exits))?)|' +
    '\\bavant la fin',
  'i',
);

const delays = /^\s*(?:after|in|once|when|as soon as|après|dans|au bout de)\b/i;

/** A time since something else than the beginning. */
const since = /\b(?:without|silen\w*|inactiv\w*|idle|no (?:answer|reply|response)|since|sans)\b/i;

function timeOfDay(text: string): number | undefined {
  if (/\bat noon\b/i.test(text)) return 43_200;
  if (/\bat midnight\b/i.test(text)) return 0;
  const form = /(?:\bat|à)\s+(\d{1,2})(?:(?:[:.h])(\d{2}))?\s*(am|pm|h|o'clock)?(?!\d)/i;
  const [, hours, minutes = '0', half = ''] = form.exec(text) ?? [];
  if (hours === undefined) return undefined;
  const isAfternoon = half.toLowerCase() === 'pm';
  const hour = half.toLowerCase() === 'am' || isAfternoon ? Number(hours) % 12 : Number(hours);
  const at = (hour + (isAfternoon ? 12 : 0)) * 3600 + Number(minutes) * 60;
  return hour < 24 && Number(minutes) < 60 ? at : undefined;
}
