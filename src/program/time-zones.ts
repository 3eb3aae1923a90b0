/** Time zones, by the names of the IANA database, as the platform knows them. */
import { nearest } from './diagnostic.ts';

/** By zone: making one costs more than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** What the clocks of a zone are ahead of UTC by at a moment. Throws `RangeError` for no zone. */
export function zoneOffsetMs(zone: string, at: number): number {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  formats.set(zone, format);
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return offsetMs(name.replace('GMT', '') || 'Z');
}

/** Of `+01:00`, `-0330`, `Z`. */
export function offsetMs(offset: string): number {
  const [, sign, hours = '0', minutes = '0', seconds = '0'] =
    /^([+-])(\d{2}):?(\d{2})(?::(\d{2}))?$/.exec(offset) ?? [];
  const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -ms : ms;
}

/** `Europe/Berlin`, also for `europe/berlin` and `Berlin`; undefined for what is not a zone. */
export function zoneNamed(written: string): string | undefined {
  const name = written.trim().replace(/\s+/g, '_');
  if (!/^[A-Za-z][\w/+-]*$/.test(name) || name.length > 40) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    const isCity = (zone: string): boolean => zone.toLowerCase().endsWith(`/${name.toLowerCase()}`);
    const cities = Intl.supportedValuesOf('timeZone').filter(isCity);
    return cities.length === 1 ? cities[0] : undefined;
  }
}

/** The zone that a misspelled one may have been meant for. */
export const zoneLike = (written: string): string | undefined =>
  nearest(written.trim().replace(/\s+/g, '_'), ['UTC', ...Intl.supportedValuesOf('timeZone')]);
