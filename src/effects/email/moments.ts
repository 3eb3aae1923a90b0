/**
 * When something is, as programs write it: an instant with its offset, `2026-03-02T09:00+01:00`; a
 * local time, which needs a time zone; or a whole day. Pure, but for the time zones that the
 * platform knows. A time that does not exist in its zone, or twice, is a failure and no guess.
 */
import { type EffectFailure, refusal } from '../../engine/handler.ts';
import { offsetMs, zoneOffsetMs } from '../../program/time-zones.ts';

export type Moment =
  | { readonly kind: 'instant'; readonly at: Date }
  /** At midnight, UTC. */
  | { readonly kind: 'day'; readonly at: Date };

const dayMs = 86_400_000;
const form =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** `what` is the parameter, for messages; `zone` an IANA name, or empty. Throws PV4788. */
export function moment(what: string, given: string, zone: string): Moment {
  const [, day = '', minutes, seconds = '00', offset] = form.exec(given.trim()) ?? [];
  const wall = Date.parse(`${day}T${minutes ?? '00:00'}:${seconds}Z`);
  const exists = !Number.isNaN(wall) && new Date(wall).toISOString().startsWith(day);
  if (!exists || day === '') {
    throw bad(`${what}: got ${given.slice(0, 60)}, want a time such as 2026-03-02T09:00:00+01:00`);
  }
  if (minutes === undefined) return { kind: 'day', at: new Date(wall) };
  if (offset !== undefined) return { kind: 'instant', at: new Date(wall - offsetMs(offset)) };
  if (zone !== '') return { kind: 'instant', at: inZone(what, given, wall, zone) };
  throw bad(
    `${what}: got ${given}, which says not in which time zone`,
    'write it as 2026-03-02T09:00:00+01:00, or give timezone: "Europe/Paris"',
  );
}

function inZone(what: string, given: string, wall: number, zone: string): Date {
  // Offsets of the day before and after: a change of the clocks lies between them or nowhere near.
  const offsets = [wall - dayMs, wall + dayMs].map((at) => offsetIn(zone, at));
  const fitting = [...new Set(offsets)]
    .map((offset) => wall - offset)
    .filter((at) => at + offsetIn(zone, at) === wall);
  const [at] = fitting;
  if (at !== undefined && fitting.length === 1) return new Date(at);
  const how = fitting.length === 0 ? 'does not exist' : 'exists twice';
  throw bad(
    `${what}: ${given} ${how} in ${zone}, where the clocks are changed then`,
    'write its offset: 2026-03-02T09:00:00+01:00',
  );
}

function offsetIn(zone: string, at: number): number {
  try {
    return zoneOffsetMs(zone, at);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw bad(
      `timezone: got ${zone.slice(0, 60)}, want a name such as Europe/Paris`,
      'names are those of the IANA time zone database',
    );
  }
}

export const bad = (message: string, hint?: string): EffectFailure =>
  refusal('PV4788', message, { hint });
