/** Names of time zones as people write them. */
import { nearest } from '../../../program/diagnostic.ts';

/** `Europe/Berlin`, also for `europe/berlin` and `Berlin`; undefined for what is no zone. */
export function zoneNamed(written: string): string | undefined {
  const name = written.trim().replace(/\s+/g, '_');
  return /^[A-Za-z]/.test(name) ? (zoneOf(name) ?? zoneOfCity(name)) : undefined;
}

function zoneOf(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** Of a city that no two zones are named after. */
function zoneOfCity(name: string): string | undefined {
  const found = zones().filter((zone) => cityOf(zone) === name.toLowerCase());
  return found.length === 1 ? found[0] : undefined;
}

const cityOf = (zone: string): string => zone.slice(zone.lastIndexOf('/') + 1).toLowerCase();

const zones = (): readonly string[] => ['UTC', ...Intl.supportedValuesOf('timeZone')];

/** The zone that one may have been meant for. */
export function zoneLike(written: string): string | undefined {
  const name = written.trim().replace(/\s+/g, '_');
  const found = nearest(name, zones());
  if (found !== undefined || name.length < 4) return found;
  const city = nearest(
    cityOf(name),
    zones().map((zone) => cityOf(zone)),
  );
  return city === undefined ? undefined : zones().find((zone) => cityOf(zone) === city);
}
