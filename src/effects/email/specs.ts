/** The declarations of mail and invitations, apart from what performs them. */
import { type JsonSchema, type ToolSpec, toolSpec } from '../../program/effect.ts';
import { arrayOf, closed, optional, record, text } from '../tool/fields.ts';

/** The longest body, in characters. */
const bodyCharactersMax = 1_000_000;
/** What fits into a line of a message (RFC 5322), in characters. */
const subjectCharactersMax = 900;

const addresses = (description: string, alias: string): JsonSchema => ({
  type: ['string', 'array'],
  items: text(),
  'x-aliases': [alias],
  description: `${description}: ada@example.org, or a list; also Ada Lovelace <ada@example.org>.`,
});

const subject = text('One line.', { minLength: 1, maxLength: subjectCharactersMax });
const body = text('Plain text.', { maxLength: bodyCharactersMax });

const result = {
  status: {
    enum: ['sent', 'outbox'],
    description: 'sent: a server has taken it. outbox: it was written to a file, nothing was sent.',
  },
  messageId: text(),
  from: text(),
  accepted: arrayOf(text(), 'Who gets it.'),
  rejected: arrayOf(
    record({ address: text(), reason: text() }),
    'Recipients that the server has refused.',
  ),
  response: optional(text('The last word of the server.')),
  file: optional(text('Where the outbox has it.')),
};

/** A message that has been taken cannot be called back, and a second one is a second one. */
const write = {
  effect: 'write',
  idempotent: false,
  destructive: true,
  keys: ['SMTP_URL', 'SMTP_HOST', 'SMTP_USER', 'SMTP_PASSWORD'],
} as const;
const limits = { timeoutMs: 120_000, concurrency: 2, callsPerMinute: 60 };

export const sendEmailSpec: ToolSpec = toolSpec({
  name: 'send_email',
  aliases: ['EmailHelpers.send_email'],
  description:
    'Sends one message to all recipients together. Returns who gets it and whom the server has ' +
    'refused. Never make an address up: ask for it.',
  ...write,
  parameters: closed({
    from_email: optional({
      type: ['string', 'null'],
      'x-aliases': ['sender_email'],
      description: 'Who sends it; null for the sender that is set.',
    }),
    to: addresses('Who gets it', 'receiver_email'),
    subject,
    body,
  }),
  returns: record(result),
  limits,
});

const time = (what: string, alias: string): JsonSchema =>
  text(
    `${what}: 2026-03-02T09:00:00+01:00; without an offset it is in timezone; 2026-03-02 alone ` +
      'is a whole day.',
    { 'x-aliases': [alias] },
  );

export const sendInviteSpec: ToolSpec = toolSpec({
  name: 'send_calendar_invite',
  aliases: ['EmailHelpers.send_calendar_invite'],
  description:
    'Invites people to an event by mail: one message, which calendars understand. Returns who ' +
    'gets it, and the uid of the event.',
  ...write,
  parameters: closed({
    from_name: text('The name of who invites.', { maxLength: 200 }),
    from_email: {
      type: ['string', 'null'],
      description: 'The address of who invites; null for the sender that is set.',
    },
    attendees: addresses('Who is invited', 'attendee_emails'),
    subject,
    body,
    start: time('When it begins', 'start_date'),
    end: time('When it ends; of whole days the last one', 'end_date'),
    timezone: optional(text('Of times without an offset, such as Europe/Paris.')),
    location: optional(text('A place or an address.', { maxLength: 1000 })),
  }),
  returns: record({
    ...result,
    uid: text(),
    start: text('In UTC, or a day.'),
    end: text(),
  }),
  limits,
});

export const emailSpecs: readonly ToolSpec[] = [sendEmailSpec, sendInviteSpec];
