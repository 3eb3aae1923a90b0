/** Times of days and weeks in words, `Every Monday at 9:00 in Berlin`, and when they come next. */
import { zoneOffsetMs } from '../../../program/time-zones.ts';
import { zoneNamed } from './zones.ts';

export interface Moments {
  /** Seconds after midnight, ascending. */
  readonly times: readonly number[];
  /** From 0, Sunday, to 6; every day where there are none. */
  readonly days: readonly number[];
  /** In their place, the one day that is meant: `2026-12-24`, or `tomorrow`. */
  readonly date?: string;
  /** As it is called; one that there is not, as it was written. Undefined where none is named. */
  readonly zone?: string;
}

/** Undefined where a word of it means anything else. */
export function momentsIn(text: string): Moments | undefined {
  const times: number[] = [];
  const days = new Set<number>();
  let rest = text.trim().replace(/[.!]$/, '');
  let half: Half;
  let isDaily = false;
  for (;;) {
    const found = next(rest);
    if (!found) break;
    rest = rest.slice(found.length);
    if (found.time !== undefined) times.push(found.time);
    for (const day of found.days ?? []) days.add(day);
    if (found.half) half = found.half;
    isDaily ||= found.isDaily === true;
  }
  // "Every day" and "Monday" together say nothing that is sure.
  if (times.length === 0 || (isDaily && days.size > 0)) return undefined;
  const zone = zoneIn(rest);
  if (zone === 'none') return undefined;
  return {
    times: ascending(times.map((time) => shifted(time, half))),
    days: ascending(days),
    ...(zone.name !== undefined && { zone: zone.name }),
  };
}

/**
 * When a wait is over, `Monday`, `tomorrow at 9:00`, `2026-12-24`: a day without a time is meant
 * from its beginning.
 */
export function untilIn(text: string): Moments | undefined {
  const bare = text
    .trim()
    .replace(/[.!]$/, '')
    .replace(/^(?:until|till)\s+/i, '')
    .replace(/^it(?:'s| is)\s+/i, '')
    .replace(/(\d)T(?=\d)/, '$1 ')
    .replace(/(:\d\d)(?::\d\d(?:\.\d+)?)?Z$/, '$1 UTC')
    .replace(/(\d:\d\d):\d\d(?:\.\d+)?(?![\d:])/, '$1');
  const found = dateForm.exec(bare);
  const [written = '', date] = found ?? [];
  if (date !== undefined && !isDate(date)) return undefined;
  const rest = bare.replace(written, ' ').replace(/\b(?:next|this|the coming|today)\b/gi, ' ');
  const isDay = (found ? zoneAlone : dayAlone).test(rest);
  const moments = momentsIn(rest) ?? (isDay ? momentsIn(`0:00 ${rest}`) : undefined);
  if (!found || !moments) return moments;
  return moments.days.length > 0 ? undefined : { ...moments, date: date ?? 'tomorrow' };
}

const dateForm = /(?<![\w-])(?:(\d{4}-\d{2}-\d{2})|tomorrow|demain)(?![\w-])/i;

function isDate(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  return day >= 1 && day <= days;
}

const ascending = (all: Iterable<number>): number[] => [...new Set(all)].sort((a, b) => a - b);

type Half = 'am' | 'pm' | 'night' | undefined;

const noon = 43_200;

/** `at 6 in the evening` is 18:00, `at 18:30 in the evening` is that; `at 2 at night` is 2:00. */
function shifted(time: number, half: Half): number {
  if (half === 'night' && time >= noon && time < noon + 3600) return time - noon;
  const isLate = half === 'pm' || (half === 'night' && time >= noon / 2);
  return isLate && time < noon ? time + noon : time;
}

interface Token {
  readonly length: number;
  readonly time?: number;
  readonly days?: readonly number[];
  readonly half?: Half;
  readonly isDaily?: true;
}

function next(rest: string): Token | undefined {
  for (const [form, read] of tokens) {
    const found = form.exec(rest);
    const token = found?.[0] ? read(found) : undefined;
    if (found && token) return { ...token, length: found[0].length };
  }
  return undefined;
}

/** Sunday first; in English and in French. */
const dayWords = [
  ...['sun(?:day)?|dimanche', 'mon(?:day)?|lundi', 'tue(?:s(?:day)?)?|mardi'],
  ...['wed(?:nesday)?|mercredi', 'thu(?:rs(?:day)?)?|jeudi', 'fri(?:day)?|vendredi'],
  'sat(?:urday)?|samedi',
].map((word) => new RegExp(`^(?:${word})s?$`, 'i'));

const dayNamed = (word: string): number => dayWords.findIndex((form) => form.test(word));

const workdays = [1, 2, 3, 4, 5];

const start = (form: string): RegExp => new RegExp(`^[\\s,]*(?:${form})(?![\\p{L}\\w])`, 'iu');

const day = '((?:sun|mon|tues?|wed|wednes|thu|thurs?|fri|sat|satur)(?:day)?s?|\\p{L}+di|dimanche)';

const zone = '\\s*(?:,?\\s*in\\s+[\\p{L}/_+-]+)?\\s*$';
const zoneAlone = new RegExp(`^${zone}`, 'iu');

/** No more than a day, perhaps with a zone. */
const dayAlone = new RegExp(`^\\s*(?:(?:on\\s+)?${day}|(?:the\\s+)?week-?end)${zone}`, 'iu');

const tokens: readonly (readonly [
  RegExp,
  (found: RegExpExecArray) => Omit<Token, 'length'> | undefined,
])[] = [
  [start('weekdays?|(?:work|working|business)\\s*days?|jours ouvr(?:é|able)s'), () => weekdays()],
  [start('en semaine'), () => weekdays()],
  [start('week-?ends?'), () => ({ days: [0, 6] })],
  [start('days?|daily|jours?'), () => ({ isDaily: true })],
  [start('in the morning|mornings?|matins?|du matin'), () => ({ half: 'am' })],
  [start('(?:in the )?(?:afternoon|evening)s?|soirs?|du soir|après-midi'), () => ({ half: 'pm' })],
  [start('(?:at )?nights?|la nuit'), () => ({ half: 'night' })],
  [start('(?:at |à )?(?:noon|midi)'), () => ({ time: noon })],
  [start('(?:at |à )?(?:midnight|minuit)'), () => ({ time: 0 })],
  [
    start(`${day}\\s*(?:-|–|to|through|until|au|à)\\s*${day}`),
    ([, first = '', last = '']) => range(dayNamed(first), dayNamed(last)),
  ],
  [start(day), ([, word = '']) => (dayNamed(word) < 0 ? undefined : { days: [dayNamed(word)] })],
  [
    start("(?:at|à|@)\\s*(\\d{1,2})(?:[:.h](\\d{2}))?\\s*(am|pm|a\\.m\\.|p\\.m\\.|h|o'clock)?"),
    ([, hour, minute, word]) => clock(hour, minute, word),
  ],
  [
    start('(\\d{1,2})(?:[:.h](\\d{2}))\\s*(am|pm)?'),
    ([, hour, minute, word]) => clock(hour, minute, word),
  ],
  [start('(\\d{1,2})\\s*()(am|pm|h)'), ([, hour, , word]) => clock(hour, undefined, word)],
  [
    start(
      "when(?:ever)? it(?:'s| is)|if it(?:'s| is)|on|every|each|and|both|from|sharp|exactly|" +
        'local time|quand il est|chaque|tou(?:te)?s les|et|le|les|du|the',
    ),
    () => ({}),
  ],
];

const weekdays = (): Omit<Token, 'length'> => ({ days: workdays });

/** `Monday to Friday`, also over the end of the week. */
function range(first: number, last: number): Omit<Token, 'length'> | undefined {
  if (first < 0 || last < 0) return undefined;
  const count = ((last - first + 7) % 7) + 1;
  return { days: Array.from({ length: count }, (_, at) => (first + at) % 7) };
}

function clock(hours = '', minutes = '0', word = ''): Omit<Token, 'length'> | undefined {
  const half = /^(a|p)\.?m/i.exec(word)?.[1]?.toLowerCase();
  const written = Number(hours);
  if (half !== undefined && (written < 1 || written > 12)) return undefined;
  const hour = half === undefined ? written : (written % 12) + (half === 'p' ? 12 : 0);
  if (hour > 23 || Number(minutes) > 59) return undefined;
  return { time: hour * 3600 + Number(minutes) * 60 };
}

/** What is left behind days and times: a zone, nothing, or what is none. */
function zoneIn(rest: string): { readonly name?: string } | 'none' {
  const [, written = '', time] = /^[\s,(]*(?:in\s+)?(.*?)(\s+time)?[\s)]*$/i.exec(rest) ?? [];
  if (written === '') return time === undefined ? {} : 'none';
  const name = zoneNamed(written);
  if (name !== undefined) return { name };
  // What looks like a zone is to be one: to check it says so.
  return /^\w+(?:\/[\w+-]+)+$/.test(written) ? { name: written } : 'none';
}

const dayMs = 86_400_000;

/** Days on which something that comes every week has come, also where a date was left out. */
const daysMost = 15;

/**
 * The first of them behind a moment, both in seconds since 1970. Where the clocks are put forward,
 * a time that is left out is due as much later; where they are put back, one that there is twice is
 * due the first time. A date may be over. Throws `RangeError` for a zone that there is not.
 */
export function nextMoment({ times, days, date }: Moments, zone: string, after: number): number {
  const wall = after * 1000 + zoneOffsetMs(zone, after * 1000);
  const today = Math.floor(wall / dayMs) * dayMs;
  if (date !== undefined) {
    const start = date === 'tomorrow' ? today + dayMs : Date.parse(date);
    return instantOf(start + (times[0] ?? 0) * 1000, zone) / 1000;
  }
  const all = Array.from({ length: daysMost + 2 }, (_, at) => today + (at - 1) * dayMs)
    .filter((date) => days.length === 0 || days.includes(weekdayOf(date)))
    .flatMap((date) => times.map((time) => instantOf(date + time * 1000, zone) / 1000))
    .filter((at) => at > after);
  return Math.min(...all);
}

/** 1 January 1970 was a Thursday. */
const weekdayOf = (date: number): number => (((date / dayMs + 4) % 7) + 7) % 7;

function instantOf(wall: number, zone: string): number {
  // Offsets of the day before and after: a change of the clocks lies between them or nowhere near.
  const offsets = [wall - dayMs, wall + dayMs].map((at) => zoneOffsetMs(zone, at));
  const fitting = offsets
    .map((offset) => wall - offset)
    .filter((at) => at + zoneOffsetMs(zone, at) === wall);
  return fitting.length > 0 ? Math.min(...fitting) : wall - (offsets[0] ?? 0);
}
