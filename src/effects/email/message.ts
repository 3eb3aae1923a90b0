/**
 * A message as it goes over the line, made of what a tool was given. Equal input makes equal bytes:
 * its id, its date and the marks between its parts come from the effect, not from the moment. So
 * a second attempt hands over the same message, and a mailbox that knows its id can drop one.
 */
import { createHash } from 'node:crypto';
import type { AttemptContext } from '../../engine/handler.ts';
import { importOptional } from '../optional-package.ts';
import type { Mailbox } from './addresses.ts';

export interface Letter {
  readonly from: Mailbox;
  readonly to: readonly Mailbox[];
  readonly subject: string;
  readonly text: string;
  /** Text of an `.ics` file. */
  readonly invite?: string;
}

export interface Message {
  /** `<…@domain>` */
  readonly id: string;
  /** What its file is called. */
  readonly name: string;
  readonly date: Date;
  readonly content: Uint8Array;
}

/** What tells effects apart, for names that stay the same with every attempt. */
export const effectName = ({ idempotencyKey }: Pick<AttemptContext, 'idempotencyKey'>): string =>
  createHash('sha256').update(idempotencyKey).digest('hex').slice(0, 32);

/** When the program asked for it, which does not change from attempt to attempt. */
export const effectDate = ({ queuedAt }: Pick<AttemptContext, 'queuedAt'>): Date =>
  new Date(queuedAt);

/** Throws `EffectFailure` PV4900. */
export async function compose(
  letter: Letter,
  context: Pick<AttemptContext, 'idempotencyKey' | 'queuedAt'>,
): Promise<Message> {
  const { default: MailComposer } = await importOptional<
    typeof import('nodemailer/lib/mail-composer')
  >('nodemailer', 'nodemailer/lib/mail-composer');
  const name = effectName(context);
  const id = `<${name}@${letter.from.address.replace(/^.*@/, '')}>`;
  const date = effectDate(context);
  const { from, to, subject, text, invite } = letter;
  const node = new MailComposer({
    ...{ from, to: [...to], subject, text },
    ...{ messageId: id, date, baseBoundary: name, newline: 'win' },
    ...(invite && {
      icalEvent: { method: 'REQUEST', content: invite, filename: 'invite.ics' },
    }),
    // Nothing that a program says may make the composer read a file or an address.
    ...{ disableFileAccess: true, disableUrlAccess: true },
  }).compile();
  return { id, name, date, content: await node.build() };
}
