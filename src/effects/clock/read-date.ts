/**
 * Dates as people write them, in English and French, and what they mean by a clock. No model: what
 * is not of a known form, or may be one of two days, is not read. All in UTC.
 */

/** ISO text: a day as YYYY-MM-DD, or a moment with its time; undefined for what is none. */
export function readDate(text: string, now: number): string | undefined {
  const words = text.normalize('NFC').trim().toLowerCase().replaceAll('’', "'");
  return (
    named(words, now) ??
    shifted(words, now) ??
    quarterEnd(words, now) ??
    isoDate(words) ??
    written(words)
  );
}

const dayMs = 86_400_000;

const days: ReadonlyMap<string, number> = new Map([
  ...(['yesterday', 'hier'] as const).map((word) => [word, -1] as const),
  ...(['today', "aujourd'hui"] as const).map((word) => [word, 0] as const),
  ...(['tomorrow', 'demain'] as const).map((word) => [word, 1] as const),
]);

function named(words: string, now: number): string | undefined {
  if (words === 'now' || words === 'maintenant') return moment(now);
  const away = days.get(words);
  return away === undefined ? undefined : moment(now + away * dayMs)?.slice(0, 10);
}

type Unit = 'hour' | 'day' | 'week' | 'month' | 'year';

const units: readonly (readonly [RegExp, Unit])[] = [
  [/^(?:hours?|heures?)$/, 'hour'],
  [/^(?:days?|jours?)$/, 'day'],
  [/^(?:weeks?|semaines?)$/, 'week'],
  [/^(?:months?|mois)$/, 'month'],
  [/^(?:years?|ans?|années?)$/, 'year'],
];

const shifts: readonly (readonly [RegExp, 1 | -1])[] = [
  [/^[-−]\s*(\d+)\s+(\p{L}+)$/u, -1],
  [/^\+\s*(\d+)\s+(\p{L}+)$/u, 1],
  [/^(\d+)\s+(\p{L}+)\s+ago$/u, -1],
  [/^il y a (\d+)\s+(\p{L}+)$/u, -1],
  [/^(?:in|dans)\s+(\d+)\s+(\p{L}+)$/u, 1],
];

function shifted(words: string, now: number): string | undefined {
  for (const [form, sign] of shifts) {
    const [, count, word = ''] = form.exec(words) ?? [];
    const unit = units.find(([name]) => name.test(word))?.[1];
    if (count !== undefined && unit) return moment(moved(now, sign * Number(count), unit));
  }
  return undefined;
}

/** A month from the end of a longer one is at the end of the shorter one. */
function moved(now: number, count: number, unit: Unit): number {
  if (unit === 'hour') return now + (count * dayMs) / 24;
  if (unit === 'day' || unit === 'week') return now + count * dayMs * (unit === 'week' ? 7 : 1);
  const date = new Date(now);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + count * (unit === 'year' ? 12 : 1));
  date.setUTCDate(Math.min(day, monthDays(date.getUTCFullYear(), date.getUTCMonth() + 1)));
  return date.getTime();
}

function quarterEnd(words: string, now: number): string | undefined {
  const [, before, after, given] =
    /^(?:q([1-4])|([1-4])(?:er|e|ème) trimestre|t([1-4]))(?:\s+\d{4})?$/.exec(words) ?? [];
  const quarter = before ?? after ?? given;
  if (quarter === undefined) return undefined;
  const year = Number(/\d{4}$/.exec(words)?.[0] ?? new Date(now).getUTCFullYear());
  const month = Number(quarter) * 3;
  return dayOf(year, month, monthDays(year, month));
}

const clockTime = String.raw`(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)\s*(z|[+-]\d{2}:?\d{2})?`;
const isoForm = new RegExp(String.raw`^(\d{4})-(\d{2})-(\d{2})(?:[t ]${clockTime})?$`);

/** A time without a zone is one of UTC. */
function isoDate(words: string): string | undefined {
  const [, year, month, day, time, zone = 'z'] = isoForm.exec(words) ?? [];
  const date = dayOf(Number(year), Number(month), Number(day));
  if (date === undefined || time === undefined) return date;
  const colon = zone.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2').toUpperCase();
  return moment(Date.parse(`${date}T${time}${colon}`));
}

const months: readonly RegExp[] = [
  /^(?:jan(?:uary)?|janv(?:ier)?)$/,
  /^(?:feb(?:ruary)?|févr?(?:ier)?|fevr?(?:ier)?)$/,
  /^(?:mar(?:ch)?|mars)$/,
  /^(?:apr(?:il)?|avr(?:il)?)$/,
  /^(?:may|mai)$/,
  /^(?:june?|juin)$/,
  /^(?:july?|juil(?:let)?)$/,
  /^(?:aug(?:ust)?|août|aout)$/,
  /^(?:sept?(?:ember|embre)?)$/,
  /^(?:oct(?:ober|obre)?)$/,
  /^(?:nov(?:ember|embre)?)$/,
  /^(?:dec(?:ember|embre)?|déc(?:embre)?)$/,
];

const english = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';
const french = '(?:lun|mar|mercre|jeu|vendre|same)di|dimanche';
const weekday = new RegExp(String.raw`^(?:${english}|${french}),?\s+`);
const ordinal = String.raw`(\d{1,2})(?:st|nd|rd|th|er)?`;
const dayFirst = new RegExp(
  String.raw`^(?:the |le )?${ordinal}(?: of)?\s+(\p{L}+)\.?,?\s+(\d{4})$`,
  'u',
);
const monthFirst = new RegExp(String.raw`^(\p{L}+)\.?\s+${ordinal},?\s+(\d{4})$`, 'u');

function written(words: string): string | undefined {
  const text = words.replace(weekday, '');
  const [, day, name, year] = dayFirst.exec(text) ?? [];
  if (name !== undefined) return dayOf(Number(year), monthOf(name), Number(day));
  const [, first, second, third] = monthFirst.exec(text) ?? [];
  if (first !== undefined) return dayOf(Number(third), monthOf(first), Number(second));
  return inFigures(text);
}

/** Points put the day first. With slashes nobody knows: one has to be above 12, or both alike. */
function inFigures(text: string): string | undefined {
  const [, first, sign, second, given] = /^(\d{1,2})([./])(\d{1,2})\2(\d{4})$/.exec(text) ?? [];
  const [a, b, year] = [Number(first), Number(second), Number(given)];
  if (sign === '.' || a === b || a > 12) return dayOf(year, b, a);
  return b > 12 ? dayOf(year, a, b) : undefined;
}

const monthOf = (name: string): number => months.findIndex((form) => form.test(name)) + 1;

const monthDays = (year: number, month: number): number =>
  new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();

function dayOf(year: number, month: number, day: number): string | undefined {
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= monthDays(year, month))) return undefined;
  const [mm, dd] = [month, day].map((part) => String(part).padStart(2, '0'));
  return `${String(year).padStart(4, '0')}-${mm}-${dd}`;
}

/** Undefined outside of the years that four figures name. */
function moment(ms: number): string | undefined {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) return undefined;
  const text = date.toISOString();
  return /^\d{4}-/.test(text) ? text : undefined;
}
