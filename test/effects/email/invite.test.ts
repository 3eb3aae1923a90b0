/** `send_calendar_invite`: what calendars are told, and when that is. */
import { describe, expect, test } from 'vitest';
import { emailHandlers } from '../../../src/effects/email/handlers.ts';
import { moment } from '../../../src/effects/email/moments.ts';
import { EffectFailure } from '../../../src/engine/handler.ts';
import { attempt } from '../../support/attempt.ts';
import { type MailServer, startMailServer } from '../../support/mail-server.ts';

const lunch = {
  from_name: 'Ada "The Countess" Lovelace',
  from_email: 'ada@example.org',
  attendees: ['Bob <bob@example.net>', 'carol@example.net', 'bob@example.net'],
  subject: 'Lunch; at noon, sharp',
  body: 'Bring:\n- notes\\sketches',
  start: '2026-03-02T12:00:00+01:00',
  end: '2026-03-02T13:00:00+01:00',
};

const queuedAt = Date.UTC(2026, 1, 1);

async function invite(
  changes: Readonly<Record<string, unknown>> = {},
  timezone = '',
): Promise<{ result: Record<string, unknown>; server: MailServer; lines: readonly string[] }> {
  await using server = await startMailServer();
  const env = { SMTP_URL: `smtp://127.0.0.1:${server.port}` };
  const [, handler] = emailHandlers({ env, outbox: '', from: '', recipients: [], timezone });
  const context = { ...attempt(), queuedAt };
  const result = await handler
    ?.perform({ ...lunch, ...changes }, context)
    .catch((thrown: unknown) => thrown);
  const lines = calendarLines(server);
  return { result: result as Record<string, unknown>, server, lines };
}

/** The lines of the calendar object in what has been taken, unfolded. */
function calendarLines({ taken }: MailServer): readonly string[] {
  const found = taken[0]?.mail.attachments.find(({ filename }) => filename === 'invite.ics');
  if (!found) return [];
  const text = Buffer.from(found.content as ArrayBuffer).toString('utf8');
  return text.replaceAll(/\r?\n /g, '').split(/\r?\n/);
}

const shape = { start: '2026-03-02T11:00:00.000Z', end: '2026-03-02T12:00:00.000Z' };

describe('an invitation', () => {
  test('is one message, which calendars read, with each attendee once', async () => {
    const { result, server, lines } = await invite();
    expect(result).toMatchObject({
      ...{ status: 'sent', ...shape },
      ...{ accepted: ['bob@example.net', 'carol@example.net'], rejected: [] },
    });
    expect(server.taken).toHaveLength(1);
    const [{ to, raw, mail }] = server.taken as [MailServer['taken'][0]];
    expect(to).toEqual(['bob@example.net', 'carol@example.net']);
    expect(mail.to).toHaveLength(2);
    expect(mail.text?.trimEnd()).toBe(lunch.body);
    expect(Buffer.from(raw).toString()).toMatch(/text\/calendar; charset=utf-8; method=REQUEST/);
    for (const line of [
      'METHOD:REQUEST',
      `UID:${result.uid}`,
      'SEQUENCE:0',
      'DTSTAMP:20260201T000000Z',
      'DTSTART:20260302T110000Z',
      'DTEND:20260302T120000Z',
      'SUMMARY:Lunch\\; at noon\\, sharp',
      'DESCRIPTION:Bring:\\n- notes\\\\sketches',
      'STATUS:CONFIRMED',
    ]) {
      expect(lines).toContain(line);
    }
    const attendees = lines.filter((line) => line.startsWith('ATTENDEE'));
    expect(attendees.map((line) => /MAILTO:(.*)$/i.exec(line)?.[1])).toEqual([
      'bob@example.net',
      'carol@example.net',
    ]);
    expect(attendees.every((line) => line.includes('RSVP=TRUE'))).toBe(true);
    expect(lines.filter((line) => line.startsWith('ORGANIZER'))).toEqual([
      expect.stringMatching(/^ORGANIZER;.*:mailto:ada@example\.org$/),
    ]);
  });

  test('says where', async () => {
    expect((await invite({ location: 'Room 7' })).lines).toContain('LOCATION:Room 7');
  });

  test('of whole days has the last one in it', async () => {
    const { result, lines } = await invite({ start: '2026-03-02', end: '2026-03-03' });
    expect(result).toMatchObject({ start: '2026-03-02', end: '2026-03-03' });
    expect(lines).toContain('DTSTART;VALUE=DATE:20260302');
    expect(lines).toContain('DTEND;VALUE=DATE:20260304');
  });

  test('in a time zone of the call, or else of the setting', async () => {
    const local = { start: '2026-03-02T12:00', end: '2026-03-02 13:00' };
    expect((await invite({ ...local, timezone: 'Europe/Paris' })).result).toMatchObject(shape);
    expect((await invite(local, 'Europe/Paris')).result).toMatchObject(shape);
    const { result } = await invite({ ...local, timezone: 'Asia/Tokyo' }, 'Europe/Paris');
    expect(result.start).toBe('2026-03-02T03:00:00.000Z');
  });

  test.each<[string, object, object]>([
    [
      'no time zone',
      { start: '2026-03-02T12:00' },
      {
        message: 'start: got 2026-03-02T12:00, which says not in which time zone',
        hint: 'write it as 2026-03-02T09:00:00+01:00, or give timezone: "Europe/Paris"',
      },
    ],
    ['no time', { end: 'tomorrow' }, { message: /got tomorrow, want a time such as/ }],
    ['no such day', { end: '2026-02-30' }, { message: /got 2026-02-30, want a time/ }],
    [
      'an end before the start',
      { end: '2026-03-02T11:00:00+01:00' },
      { message: 'end 2026-03-02T10:00:00 is not after start 2026-03-02T11:00:00' },
    ],
    ['a day and a time', { end: '2026-03-03' }, { message: /want two days or two times/ }],
    [
      'an hour that is skipped',
      { start: '2026-03-29T02:30', timezone: 'Europe/Paris' },
      { message: /does not exist in Europe\/Paris/ },
    ],
    [
      'an hour that comes twice',
      { start: '2026-10-25T02:30', timezone: 'Europe/Paris' },
      { message: /exists twice in Europe\/Paris/ },
    ],
    [
      'no such zone',
      { start: '2026-03-02T12:00', timezone: 'Mars/Olympus' },
      { message: 'timezone: got Mars/Olympus, want a name such as Europe/Paris' },
    ],
  ])('is refused with %s', async (_what, changes, failure) => {
    const { result, server } = await invite(changes as Readonly<Record<string, unknown>>);
    expect(result).toBeInstanceOf(EffectFailure);
    expect(result).toMatchObject({ code: 'PV4788', mayHaveActed: false, answered: true });
    for (const [member, text] of Object.entries(failure)) {
      if (text instanceof RegExp) expect(result[member]).toMatch(text);
      else expect(result[member]).toBe(text);
    }
    expect(server.taken).toEqual([]);
  });

  test.each(['from_name', 'subject'])('has no second line in %s', async (name) => {
    const { result, server } = await invite({ [name]: 'x\r\nATTENDEE:mailto:eve@example.com' });
    expect(result).toMatchObject({ code: 'PV4781', mayHaveActed: false });
    expect(server.taken).toEqual([]);
  });
});

test.each([
  ['2026-01-15T09:00', 'America/New_York', '2026-01-15T14:00:00.000Z'],
  ['2026-07-15T09:00', 'America/New_York', '2026-07-15T13:00:00.000Z'],
  ['2026-03-08T03:00', 'America/New_York', '2026-03-08T07:00:00.000Z'],
  ['2026-03-02T09:00:30', 'Asia/Kolkata', '2026-03-02T03:30:30.000Z'],
  ['2026-03-02T09:00', 'UTC', '2026-03-02T09:00:00.000Z'],
  ['2026-03-02T09:00:00-0330', '', '2026-03-02T12:30:00.000Z'],
  ['2026-03-02t09:00z', '', '2026-03-02T09:00:00.000Z'],
])('%s in %s is %s', (given, zone, instant) => {
  expect(moment('start', given, zone)).toEqual({ kind: 'instant', at: new Date(instant) });
});
