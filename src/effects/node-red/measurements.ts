/** Days, and what the flows of Node-RED answer about them. Pure. */
import { type EffectFailure, refusal } from '../../engine/handler.ts';
import { isDay } from '../calendar-day.ts';
import { dataOf } from '../foreign-json.ts';

export interface Measurement {
  /** `2025-01-06`. */
  readonly date: string;
  /** Degrees Celsius. */
  readonly temperature: number;
}

/** The day itself. Throws `EffectFailure` PV4721 for a text of another form, or no day. */
export function dayOf(name: string, given: unknown): string {
  const text = String(given).trim();
  if (isDay(text)) return text;
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) throw wrongDay(`${name}: there is no day ${text}`);
  throw wrongDay(`${name}: got ${JSON.stringify(given)}, want a day as YYYY-MM-DD`);
}

/** One measurement of what a flow answers; undefined where it is none. Texts may be numbers. */
export function measurementOf(data: unknown): Measurement | undefined {
  const { date, temperature } = dataOf(data);
  const degrees = typeof temperature === 'string' ? degreesIn(temperature) : temperature;
  if (typeof date !== 'string' || typeof degrees !== 'number') return undefined;
  return { date: date.slice(0, 10), temperature: degrees };
}

const degreesIn = (text: string): number | undefined =>
  /^[+-]?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;

/** Whether it is of that day, and gives something that is no temperature. */
export function isUnread(data: unknown, day?: string): boolean {
  const { date, temperature } = dataOf(data);
  if (day !== undefined && !String(date).startsWith(day)) return false;
  return measurementOf(data) === undefined && (temperature ?? null) !== null;
}

export interface Listed {
  /** Oldest first, each day once: the first that is listed counts. */
  readonly known: readonly Measurement[];
  readonly unread: readonly unknown[];
}

/** Undefined where a flow answers with no list. A day without a temperature has no measurement. */
export function listedIn(data: unknown): Listed | undefined {
  const { measurements } = dataOf(data);
  if (!Array.isArray(measurements)) return undefined;
  const byDay = new Map<string, Measurement>();
  for (const one of measurements) {
    const read = measurementOf(one);
    if (read && !byDay.has(read.date)) byDay.set(read.date, read);
  }
  const known = [...byDay.values()].sort((a, b) => (a.date < b.date ? -1 : 1));
  return { known, unread: measurements.filter((one) => isUnread(one)) };
}

/** `there are measurements of 30 days, from 2025-01-06 to 2025-02-04`. */
function available(known: readonly Measurement[]): string {
  const [first] = known;
  const last = known.at(-1);
  if (!first || !last) return 'there are no measurements at all';
  const days = known.length === 1 ? '1 day' : `${known.length} days`;
  return `there are measurements of ${days}, from ${first.date} to ${last.date}`;
}

export const notAvailable = (what: string, known: readonly Measurement[]): EffectFailure =>
  refusal('PV4722', `the temperature of ${what} is not available: ${available(known)}`, {
    hint: known.length === 0 ? 'ask again once something is measured' : 'ask for days of these',
  });

const wrongDay = (message: string): EffectFailure =>
  refusal('PV4721', message, { hint: 'write the day as in 2025-01-06' });
