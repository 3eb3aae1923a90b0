/** Times as people give them: an age such as `30d`, or a date. */

const units: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};

/** How an age is written, for help and messages. */
export const ageForm = 'an age such as 45m, 12h, 30d or 2w';

/** Milliseconds; undefined for what is no age. */
export function readAge(text: string): number | undefined {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]+)$/i.exec(text.trim()) ?? [];
  const scale = units[unit.toLowerCase()];
  return digits === undefined || scale === undefined ? undefined : Number(digits) * scale;
}

export const momentForm = 'an age such as 2d, or a time such as 2026-03-31 or 2026-03-31T12:30';

/** Epoch milliseconds of an age before `now`, or of an ISO time, which is local without a zone. */
export function readMoment(text: string, now: number): number | undefined {
  const age = readAge(text);
  if (age !== undefined) return now - age;
  const given = text.trim();
  if (!/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/.test(given)) {
    return undefined;
  }
  // A date alone would be midnight in Greenwich.
  const time = Date.parse(given.length === 10 ? `${given}T00:00` : given);
  return Number.isNaN(time) ? undefined : time;
}
