/**
 * The calendar object of an invitation (RFC 5545, RFC 5546): one event, its organizer, and each
 * attendee once. Times are written in UTC, which every calendar shows in its own zone.
 */
import { importOptional } from '../optional-package.ts';
import type { Mailbox } from './addresses.ts';
import { bad, type Moment } from './moments.ts';

export interface Invitation {
  readonly uid: string;
  readonly organizer: Mailbox;
  readonly attendees: readonly Mailbox[];
  readonly subject: string;
  readonly body: string;
  readonly location: string;
  readonly start: Moment;
  readonly end: Moment;
  /** When it was made. */
  readonly stamp: Date;
}

const dayMs = 86_400_000;

/** Throws `EffectFailure` PV4788 where the end does not fit the start. */
export function checkSpan(start: Moment, end: Moment): void {
  if (start.kind !== end.kind) {
    throw bad('got a whole day and a time, want two days or two times for start and end');
  }
  const isDay = start.kind === 'day';
  if (isDay ? end.at < start.at : end.at <= start.at) {
    const [from, to] = [start, end].map(({ at }) => at.toISOString().slice(0, isDay ? 10 : 19));
    throw bad(`end ${to} is ${isDay ? 'before' : 'not after'} start ${from}`, 'swap them');
  }
}

/** The text of an `.ics` file. */
export async function calendarOf(invitation: Invitation): Promise<string> {
  const ical = await importOptional<typeof import('ical-generator')>('ical-generator');
  const { uid, organizer, attendees, start, end, stamp } = invitation;
  const { subject: summary, body: description, location } = invitation;
  const allDay = start.kind === 'day';
  const calendar = new ical.ICalCalendar({ prodId: { company: 'planvm', product: 'planvm' } });
  calendar.method(ical.ICalCalendarMethod.REQUEST);
  calendar.createEvent({
    ...{ id: uid, sequence: 0, stamp, summary, description, allDay },
    ...(location !== '' && { location }),
    ...(allDay && { timezone: 'UTC' }),
    start: start.at,
    // The last day belongs to it; in the format it is the first one that does not.
    end: allDay ? new Date(end.at.getTime() + dayMs) : end.at,
    status: ical.ICalEventStatus.CONFIRMED,
    organizer: { name: organizer.name || organizer.address, email: organizer.address },
    attendees: attendees.map(({ name, address }) => ({
      ...(name !== '' && { name }),
      email: address,
      rsvp: true,
      role: ical.ICalAttendeeRole.REQ,
      status: ical.ICalAttendeeStatus.NEEDSACTION,
    })),
  });
  return calendar.toString();
}
