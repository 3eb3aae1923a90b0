/** `planvm:email`: mail and invitations over SMTP, or into a folder. */
import type { ToolSet } from '../tool-set.ts';
import { BadToolSet } from '../tool-set-names.ts';
import { emailSpecs } from './specs.ts';

export const emailSet: ToolSet = {
  name: 'email',
  about:
    'send_email, send_calendar_invite: over the server of SMTP_URL (or SMTP_HOST, SMTP_PORT, ' +
    'SMTP_USER, SMTP_PASSWORD); without one, messages become files of an outbox.',
  options: {
    outbox: {
      about: 'A folder that takes the messages; nothing is sent. Without a server: outbox.',
      variable: 'PLANVM_OUTBOX',
    },
    from: { about: 'Who sends where a call does not say.', variable: 'EMAIL_FROM' },
    recipients: {
      about: 'Who may be written to: addresses and domains, ada@example.org,@example.com.',
      variable: 'PLANVM_EMAIL_RECIPIENTS',
    },
    timezone: {
      about: 'Of times that name no offset, such as Europe/Paris.',
      variable: 'PLANVM_TIMEZONE',
    },
  },
  specs: emailSpecs,
  async open({ text, env }) {
    const { emailHandlers } = await import('./handlers.ts');
    const listed = text('recipients').split(',');
    const recipients = listed.map((one) => one.trim().toLowerCase()).filter((one) => one !== '');
    const strange = recipients.find((one) => !/^[^@\s]*@[^@\s]+$/.test(one));
    if (strange !== undefined) {
      throw new BadToolSet(`recipients: got ${strange}, want an address or @domain`);
    }
    const [outbox, from, timezone] = [text('outbox'), text('from'), text('timezone')];
    return emailHandlers({ env, outbox, from, recipients, timezone });
  },
};
