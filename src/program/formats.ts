/**
 * The `format` of a text in a JSON Schema. By JSON Schema 2020-12 it is a note, which a checker may
 * hold values to. Those of days and times are held to, since plans write them down and tools
 * compute with them; all others (`email`, `uri`, …) are told to models, and are the tool's matter.
 */
import type { JsonSchema } from './effect.ts';

const time = String.raw`([01]\d|2[0-3]):[0-5]\d(?::(?:[0-5]\d|60)(?:\.\d+)?)?(?:Z|[-+]\d\d:?\d\d)?`;
const day = String.raw`(?<year>\d{4})-(?<month>\d\d)-(?<date>\d\d)`;

/** RFC 3339, and less than that where nothing is lost by it: seconds, a zone, a time. */
const formats: ReadonlyMap<unknown, readonly [form: RegExp, want: string]> = new Map([
  ['date', [new RegExp(`^${day}$`), 'a day that there is, as YYYY-MM-DD']],
  [
    'date-time',
    [new RegExp(`^${day}(?:[Tt ]${time})?$`, 'i'), 'a moment, as YYYY-MM-DDThh:mm:ssZ'],
  ],
  ['time', [new RegExp(`^${time}$`, 'i'), 'a time of day, as hh:mm:ss']],
]);

/** What is wanted in place of a text that is not of the format; undefined where it is. */
export function formatWanted(format: unknown, text: string): string | undefined {
  const [form, want] = formats.get(format) ?? [];
  if (!form) return undefined;
  const found = form.exec(text);
  return found && isDay(found.groups) ? undefined : want;
}

/** The formats that texts are held to, each with whether a text is of it. */
export const heldFormats: Readonly<Record<string, (text: string) => boolean>> = Object.fromEntries(
  [...formats.keys()].map((name) => [
    String(name),
    (text: string) => formatWanted(name, text) === undefined,
  ]),
);

/** Whether texts for a schema are of few forms, so that not any will do. */
export const isFormed = ({ enum: values, format, pattern }: JsonSchema): boolean =>
  values !== undefined || format !== undefined || pattern !== undefined;

function isDay(groups: Readonly<Record<string, string>> | undefined): boolean {
  if (!groups) return true;
  const [year, month, date] = [groups.year, groups.month, groups.date].map(Number);
  if (year === undefined || month === undefined || date === undefined) return true;
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return date >= 1 && date <= (days[month - 1] ?? 0);
}
