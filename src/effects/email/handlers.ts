/** `send_email`, `send_calendar_invite`: from the arguments of a call to a message on its way. */
import { type AttemptContext, type Handler, refusal } from '../../engine/handler.ts';
import type { Environment } from '../tool-set.ts';
import { headerText, type Mailbox, mailbox, mailboxes, recipientsMax } from './addresses.ts';
import { calendarOf, checkSpan } from './invite.ts';
import { compose, effectDate, effectName, type Letter } from './message.ts';
import { type Moment, moment } from './moments.ts';
import { putIntoOutbox } from './outbox.ts';
import { smtpSettings } from './settings.ts';
import { deliver } from './smtp.ts';
import { sendEmailSpec, sendInviteSpec } from './specs.ts';

export interface EmailOptions {
  /** Where the server and its password are read from, at each call. */
  readonly env: Environment;
  /** A folder that takes the messages in place of a server; empty: where there is no server. */
  readonly outbox: string;
  /** Who sends where a call does not say; empty: nobody. */
  readonly from: string;
  /** Addresses and `@domain`s that may be written to; empty: any. */
  readonly recipients: readonly string[];
  /** Of times without an offset; empty: such times are refused. */
  readonly timezone: string;
}

/** Where messages go when nothing is set, below the folder of the process. */
const outboxDefault = 'outbox';

export const emailHandlers = (options: EmailOptions): Handler[] => [
  mailHandler(options),
  inviteHandler(options),
];

const mailHandler = (options: EmailOptions): Handler => ({
  spec: sendEmailSpec,
  async perform(args, context) {
    const letter: Letter = {
      from: senderOf(args.from_email, '', options),
      to: mailboxes('to', args.to),
      subject: headerText('subject', String(args.subject)),
      text: String(args.body),
    };
    return await send(letter, options, context);
  },
});

const inviteHandler = (options: EmailOptions): Handler => ({
  spec: sendInviteSpec,
  async perform(args, context) {
    const organizer = senderOf(args.from_email, String(args.from_name), options);
    const attendees = mailboxes('attendees', args.attendees);
    const subject = headerText('subject', String(args.subject));
    const zone = textOf(args.timezone) || options.timezone;
    const start = moment('start', String(args.start), zone);
    const end = moment('end', String(args.end), zone);
    checkSpan(start, end);
    const stamp = effectDate(context);
    const uid = `${effectName(context)}@${domainOf(organizer)}`;
    const event = { organizer, attendees, subject, body: String(args.body), start, end, stamp };
    const invite = await calendarOf({ ...event, uid, location: textOf(args.location) });
    const letter = { from: organizer, to: attendees, subject, text: event.body, invite };
    const sent = await send(letter, options, context);
    return { ...sent, uid, start: shown(start), end: shown(end) };
  },
});

/** By server or outbox. Its result is that of both tools. */
async function send(
  letter: Letter,
  options: EmailOptions,
  context: AttemptContext,
): Promise<Record<string, unknown>> {
  const to = recipientsOf(letter, options);
  const settings = options.outbox === '' ? smtpSettings(options.env) : undefined;
  const { id, name, content } = await compose(letter, context);
  const about = { messageId: id, from: letter.from.address };
  if (!settings) {
    const file = await putIntoOutbox(options.outbox || outboxDefault, name, content);
    const why = options.outbox === '' ? 'no mail server is set' : 'an outbox is set';
    context.warn(`${why}: the message was written to ${file}, nothing was sent`);
    return { status: 'outbox', ...about, accepted: to, rejected: [], file };
  }
  const delivery = await deliver({ from: letter.from.address, to }, content, settings, context);
  for (const { address, reason } of delivery.rejected) {
    context.warn(`the mail server refused ${address}: ${reason}`);
  }
  return { status: 'sent', ...about, ...delivery };
}

/** Throws `EffectFailure` PV4780, PV4783. */
function recipientsOf({ to }: Letter, { recipients }: EmailOptions): string[] {
  const found = to.map(({ address }) => address);
  if (found.length === 0 || found.length > recipientsMax) {
    const message = `got ${found.length} recipients, want 1 to ${recipientsMax}`;
    throw refusal('PV4780', message, { hint: 'write to fewer at once' });
  }
  const allowed = (address: string): boolean =>
    recipients.includes(address.toLowerCase()) ||
    recipients.includes(address.replace(/^.*@/, '@').toLowerCase());
  const strange = recipients.length === 0 ? [] : found.filter((address) => !allowed(address));
  if (strange.length === 0) return found;
  throw refusal('PV4783', `nothing may be sent to ${strange.join(', ')}`, {
    hint: `the setting recipients allows ${recipients.join(', ')}`,
  });
}

function senderOf(given: unknown, name: string, { from }: EmailOptions): Mailbox {
  const text = textOf(given) || from;
  if (text === '') {
    throw refusal('PV4782', 'got no from_email, and no sender is set', {
      hint: 'set EMAIL_FROM, or planvm:email?from=ada@example.org',
    });
  }
  const sender = mailbox('from_email', text);
  return name === '' ? sender : { ...sender, name: headerText('from_name', name) };
}

const shown = ({ kind, at }: Moment): string =>
  kind === 'day' ? at.toISOString().slice(0, 10) : at.toISOString();

const domainOf = ({ address }: Mailbox): string => address.replace(/^.*@/, '');

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
