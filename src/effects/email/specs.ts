/** The declarations of mail and invitations, apart from what performs them. */
import { type JsonSchema, type ToolSpec, toolSpec } from '../../program/effect.ts';

const text = (description: string, more: object = {}): JsonSchema => ({
  type: 'string',
  description,
  ...more,
});

/** The longest body, in characters. */
const bodyCharactersMax = 1_000_000;
/** What fits into a line of a message (RFC 5322), in characters. */
const subjectCharactersMax = 900;

const addresses = (description: string, ...aliases: readonly string[]): JsonSchema => ({
  type: ['string', 'array'],
  items: { type: 'string' },
  ...(aliases.length > 0 && { 'x-aliases': aliases }),
  description: `${description}: ada@example.org, or a list; also Ada Lovelace <ada@example.org>.`,
});

const subject = text('One line.', { minLength: 1, maxLength: subjectCharactersMax });
const body = text('Plain text.', { maxLength: bodyCharactersMax });

const result: Readonly<Record<string, JsonSchema>> = {
  status: {
    enum: ['sent', 'outbox'],
    description: 'sent: a server has taken it. outbox: it was written to a file, nothing was sent.',
  },
  messageId: { type: 'string' },
  from: { type: 'string' },
  accepted: { type: 'array', items: { type: 'string' }, description: 'Who gets it.' },
  rejected: {
    type: 'array',
    items: {
      type: 'object',
      properties: { address: { type: 'string' }, reason: { type: 'string' } },
      required: ['address', 'reason'],
    },
    description: 'Recipients that the server has refused.',
  },
  response: { type: 'string', description: 'The last word of the server.' },
  file: { type: 'string', description: 'Where the outbox has it.' },
};
const required = ['status', 'messageId', 'from', 'accepted', 'rejected'];

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
  parameters: {
    type: 'object',
    properties: {
      from_email: {
        type: ['string', 'null'],
        'x-aliases': ['sender_email'],
        description: 'Who sends it; null for the sender that is set.',
      },
      to: addresses('Who gets it', 'receiver_email'),
      subject,
      body,
      cc: addresses('Who gets a copy'),
      bcc: addresses('Who gets a copy that others do not see'),
      reply_to: addresses('Where answers go'),
      html: text('The same as a page, for readers that show it.', { maxLength: bodyCharactersMax }),
      attachments: {
        type: 'array',
        items: {
          type: 'object',
          properties: { name: text('Such as report.csv.'), content: text('Text.') },
          required: ['name', 'content'],
        },
        description: 'Texts that go along as files.',
      },
    },
    required: ['to', 'subject', 'body'],
    additionalProperties: false,
  },
  returns: { type: 'object', properties: result, required },
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
    'Invites people to an event by mail: one message, which calendars understand. Returns its ' +
    'uid. With that uid again it changes the event, with cancel as well it calls it off.',
  ...write,
  parameters: {
    type: 'object',
    properties: {
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
      timezone: text('Of times without an offset, such as Europe/Paris.'),
      location: text('A place or an address.', { maxLength: 1000 }),
      uid: text('Of an invitation that is changed or called off.', { maxLength: 255 }),
      sequence: {
        type: 'integer',
        minimum: 0,
        maximum: 2 ** 31 - 1,
        description: 'The number of the change; has to grow. Default: one that does.',
      },
      cancel: { type: 'boolean', description: 'Calls the event off.' },
    },
    required: ['from_name', 'from_email', 'attendees', 'subject', 'body', 'start', 'end'],
    additionalProperties: false,
  },
  returns: {
    type: 'object',
    properties: {
      ...result,
      uid: { type: 'string' },
      sequence: { type: 'integer' },
      start: { type: 'string', description: 'In UTC, or a day.' },
      end: { type: 'string' },
      cancelled: { type: 'boolean' },
    },
    required: [...required, 'uid', 'sequence', 'start', 'end', 'cancelled'],
  },
  limits,
});

export const emailSpecs: readonly ToolSpec[] = [sendEmailSpec, sendInviteSpec];
