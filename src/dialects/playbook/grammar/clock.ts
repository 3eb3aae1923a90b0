/** Times in words: how long something lasts, times of days and weeks, when a trigger is due. */
import { zoneNamed, zoneOffsetMs } from '../../../program/time-zones.ts';
import type { Clock, Moments } from '../compiled.ts';
import { textIn } from './expression.ts';
import { isKeyword, slotsOf } from './keywords.ts';

const units: readonly (readonly [form: string, seconds: number])[] = [
  ['ms|milliseconds?', 0.001],
  ['s|secs?|seconds?|secondes?', 1],
  ['mins?|minutes?', 60],
  ['h|hours?|heures?', 3600],
  ['days?|jours?', 86_400],
  ['weeks?|semaines?', 604_800],
];

const counts: Readonly<Record<string, number>> = {
  ...{ a: 1, an: 1, un: 1, une: 1, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6 },
  ...{ seven: 7, eight: 8, nine: 9, ten: 10, 'half an': 0.5, 'half a': 0.5 },
};

const unitForm = units.map(([form]) => form).join('|');
const countForm = ['\\d+(?:\\.\\d+)?', ...Object.keys(counts).reverse()].join('|');
const spans = new RegExp(
  `(?:^|(?:,| and| et)? )(${countForm})\\s*(${unitForm})(?![\\p{L}\\w])`,
  'giu',
);

const unitSeconds = (word: string): number | undefined =>
  units.find(([form]) => new RegExp(`^(?:${form})$`, 'i').test(word))?.[1];

/** `an hour and 30 minutes` in seconds; undefined for a text that says more or less. */
export function secondsIn(text: string): number | undefined {
  const bare = text.trim().replace(/\s+/g, ' ');
  let sum = 0;
  let end = 0;
  for (const { 0: all, 1: count = '', 2: unit = '', index } of bare.matchAll(spans)) {
    if (index !== end) return undefined;
    sum += (counts[count.toLowerCase()] ?? Number(count)) * (unitSeconds(unit) ?? 0);
    end = index + all.length;
  }
  return end > 0 && end === bare.length ? sum : undefined;
}

/** Sunday first. */
const dayNames = [
  ...['sunday sun dimanche', 'monday mon lundi', 'tuesday tue mardi', 'wednesday wed mercredi'],
  ...['thursday thu thur jeudi', 'friday fri vendredi', 'saturday sat samedi'],
].map((names) => names.split(' '));

const momentWords: Readonly<Record<string, readonly number[] | number | 'daily'>> = {
  ...{ weekday: [1, 2, 3, 4, 5], weekend: [0, 6], day: 'daily', daily: 'daily', jour: 'daily' },
  ...{ noon: 43_200, midi: 43_200, midnight: 0, minuit: 0 },
};

const fillers = new Set('every each and on at the chaque tous toutes le la les et à'.split(' '));

const rangeWord = /^(?:[-–]|to|through|au|à)$/;

/** `9:30`, `9am`, `9h`, or a word. */
const momentToken =
  /[\s,]*(?:(\d{1,2})(?:[:h](\d{2}))?\s?([ap]m|h)?|(\p{L}+|[-–]))(?![\p{L}\w])/giuy;

function timeOf(hours: string, minutes = '0', word = ''): number | undefined {
  const [hour, minute, half] = [Number(hours), Number(minutes), word.toLowerCase()];
  const isHalf = half === 'am' || half === 'pm';
  if (minute > 59 || hour > 23 || (isHalf && (hour < 1 || hour > 12))) return undefined;
  return (isHalf ? (hour % 12) + (half === 'pm' ? 12 : 0) : hour) * 3600 + minute * 60;
}

/** `every Monday at 9:00 in Berlin`; undefined where a word of it means anything else. */
export function momentsIn(text: string): Moments | undefined {
  const times = new Set<number>();
  const days = new Set<number>();
  let isDaily = false;
  /** Of `Friday to …`: the day before the word that is read, and whether a range goes on there. */
  let last: number | undefined;
  let isRange = false;
  let end = 0;
  for (const [all, hours, minutes, half, written = ''] of text.matchAll(momentToken)) {
    const plain = written.toLowerCase();
    const word = plain.replace(/s$/, '');
    const day = dayNames.findIndex((names) => names.includes(word));
    const known = momentWords[word];
    const time = hours === undefined ? known : timeOf(hours, minutes, half);
    if (hours !== undefined && (time === undefined || !(minutes ?? half))) return undefined;
    if (typeof time === 'number') times.add(time);
    else if (Array.isArray(known)) for (const one of known) days.add(one);
    else if (known === 'daily') isDaily = true;
    else if (day >= 0) {
      for (let one = isRange ? (last ?? day) : day; ; one = (one + 1) % 7) {
        days.add(one);
        if (one === day) break;
      }
    } else if (!rangeWord.test(plain) && !fillers.has(plain)) break;
    isRange = rangeWord.test(plain);
    last = day >= 0 ? day : isRange ? last : undefined;
    end += all.length;
  }
  const rest = text.slice(end);
  const zone = /^[\s,(]*(?:in\s+|à\s+)?([^\s()]\S*(?: \S+)?)?[\s)]*$/i.exec(rest);
  if (!zone || times.size === 0 || (isDaily && days.size > 0)) return undefined;
  const [, written] = zone;
  // What looks like a zone is meant to be one: the check says that there is no such zone.
  const name = written && (zoneNamed(written) ?? (/^\w+(?:\/[\w+-]+)+$/.test(written) && written));
  if (written !== undefined && !name) return undefined;
  return { times: ascending(times), days: ascending(days), ...(name && { zone: name }) };
}

const ascending = (all: Iterable<number>): number[] => [...all].sort((a, b) => a - b);

/** When a wait is over: `9:00`, `Monday`, `tomorrow at 9:00`, `2026-12-24`, `2026-12-24T09:00Z`. */
export function untilIn(text: string): Moments | undefined {
  const bare = text
    .trim()
    .replace(/(\d)T(?=\d)/, '$1 ')
    .replace(/(:\d\d)(?::\d\d(?:\.\d+)?)?Z$/, '$1 UTC')
    .replace(/(\d:\d\d):\d\d(?:\.\d+)?(?![\d:])/, '$1');
  const found = /(?<![\w-])(?:(\d{4}-\d{2}-\d{2})|tomorrow|demain)(?![\w-])/i.exec(bare);
  const [written, date = 'tomorrow'] = found ?? [];
  if (written === undefined) {
    const moments = momentsIn(bare) ?? momentsIn(`0:00 ${bare}`);
    return moments?.days.length || momentsIn(bare) ? moments : undefined;
  }
  const rest = bare.replace(written, ' ');
  const moments = momentsIn(rest) ?? momentsIn(`0:00 ${rest}`);
  const isDay = date === 'tomorrow' || !Number.isNaN(Date.parse(date));
  return moments && isDay && moments.days.length === 0 ? { ...moments, date } : undefined;
}

const dayMs = 86_400_000;

/**
 * The first of them after a moment, both in seconds since 1970. A time that the clocks leave out is
 * due as much later; one that there is twice is due the first time. A date may be over. Throws
 * `RangeError` for a zone that there is not.
 */
export function nextMoment({ times, days, date }: Moments, zone: string, after: number): number {
  const wall = after * 1000 + zoneOffsetMs(zone, after * 1000);
  const today = Math.floor(wall / dayMs) * dayMs;
  if (date !== undefined) {
    const start = date === 'tomorrow' ? today + dayMs : Date.parse(date);
    return instantOf(start + (times[0] ?? 0) * 1000, zone) / 1000;
  }
  // What is weekly has come again after two weeks, also where the clocks leave out a date.
  const all = Array.from({ length: 17 }, (_, at) => today + (at - 1) * dayMs)
    // 1 January 1970 was a Thursday.
    .filter((start) => days.length === 0 || days.includes((((start / dayMs + 4) % 7) + 7) % 7))
    .flatMap((start) => times.map((time) => instantOf(start + time * 1000, zone) / 1000))
    .filter((moment) => moment > after);
  return Math.min(...all);
}

function instantOf(wall: number, zone: string): number {
  // A change of the clocks lies between the offsets of the days around, or is nowhere near.
  const offsets = [wall - dayMs, wall + dayMs].map((at) => zoneOffsetMs(zone, at));
  const fitting = offsets
    .map((offset) => wall - offset)
    .filter((at) => at + zoneOffsetMs(zone, at) === wall);
  return fitting.length > 0 ? Math.min(...fitting) : wall - (offsets[0] ?? 0);
}

const bareTrigger = (text: string): string => text.trim().replace(/[.!]$/, '').replace(/\s+/g, ' ');

/** Undefined for a trigger that is not a time as a whole. */
export function clockOf(text: string): Clock | undefined {
  const bare = bareTrigger(text);
  if (isKeyword('ends', bare)) return { kind: 'exit' };
  for (const kind of ['every', 'after'] as const) {
    const [span = ''] = slotsOf(kind, bare) ?? [];
    const seconds = secondsIn(span) ?? (kind === 'every' ? unitSeconds(span) : undefined);
    if (seconds !== undefined && seconds > 0) return { kind, seconds };
  }
  const moments = momentsIn(bare);
  return moments && { kind: 'at', ...moments };
}

/** The name of the event that a trigger is for: `When the event paid arrives`. */
export const eventOf = (text: string): string | undefined =>
  eventName(slotsOf('event', bareTrigger(text))?.[0] ?? '');

/** One word, or a text in quotes. */
export function eventName(written: string): string | undefined {
  return textIn(written) ?? (/^[\p{L}\p{N}_.-]+$/u.test(written) ? written : undefined);
}
