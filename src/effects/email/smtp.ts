/**
 * Hands one message to a server of mail, in one attempt, and says what has become of it.
 *
 * SMTP takes a message in one go at its end, and knows nothing of repetitions. So:
 * - Before the first byte of the message has been asked for, nothing is in doubt: any failure may
 *   be tried again.
 * - What the server says is its word, also after the message: 4xx, not taken now; 5xx, not taken.
 * - Between the first byte of the message and the server's word, a cut leaves it open whether the
 *   message was taken. That is a failure that nobody may repeat without looking (PV4787).
 */
import { Readable } from 'node:stream';
import { type AttemptContext, EffectFailure } from '../../engine/handler.ts';
import { thrownMessage } from '../../program/diagnostic.ts';
import { importOptional } from '../optional-package.ts';
import type { SmtpSettings } from './settings.ts';

export interface Envelope {
  readonly from: string;
  readonly to: readonly string[];
}

export interface Delivery {
  readonly accepted: readonly string[];
  readonly rejected: readonly { readonly address: string; readonly reason: string }[];
  /** The last word of the server. */
  readonly response: string;
}

/** Longest silence of the server, in milliseconds; the whole is bounded by the attempt. */
const silenceMs = 60_000;

interface SmtpError extends Error {
  readonly code?: string | undefined;
  readonly responseCode?: number | undefined;
  readonly recipient?: string | undefined;
  readonly response?: string | undefined;
}

/** Throws `EffectFailure` PV4784 to PV4787, PV4900. */
export async function deliver(
  envelope: Envelope,
  content: Uint8Array,
  settings: SmtpSettings,
  { signal }: Pick<AttemptContext, 'signal'>,
): Promise<Delivery> {
  const { default: Connection } = await importOptional<
    typeof import('nodemailer/lib/smtp-connection')
  >('nodemailer', 'nodemailer/lib/smtp-connection');
  signal.throwIfAborted();
  const { host, port, implicitTls, requireTls, user } = settings;
  const connection = new Connection({
    ...{ host, port, secure: implicitTls, requireTLS: requireTls },
    ...{ connectionTimeout: silenceMs, greetingTimeout: silenceMs, socketTimeout: silenceMs },
    ...{ dnsTimeout: silenceMs, socketCloseTimeout: 1000 },
  });
  const message = observed(content);
  try {
    return await new Promise<Delivery>((resolve, reject) => {
      const abort = (): void => reject(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
      connection.on('error', reject);
      const then = (go: () => void) => (error?: SmtpError | null) => (error ? reject(error) : go());
      const send = (): void =>
        connection.send(
          { from: envelope.from, to: [...envelope.to], size: content.byteLength },
          message.stream,
          (error, info) => (error ? reject(error) : resolve(deliveryOf(info))),
        );
      const login = (): void => {
        if (!user) send();
        else connection.login({ user: user.name, pass: user.password }, then(send));
      };
      connection.connect(then(login));
    });
  } catch (thrown) {
    if (signal.aborted) throw signal.reason;
    throw failureOf(thrown, settings, message.begun());
  } finally {
    // A parting word that nobody has to wait for; what follows it is of no interest any more.
    connection.on('error', () => undefined);
    if (signal.aborted) connection.close();
    else connection.quit();
  }
}

/** The content as a stream that knows whether the connection has begun to take it. */
function observed(content: Uint8Array): { stream: Readable; begun: () => boolean } {
  let begun = false;
  const stream = new Readable({
    read() {
      begun = true;
      this.push(content);
      this.push(null);
    },
  });
  return { stream, begun: () => begun };
}

interface SendInfo {
  readonly accepted: readonly string[];
  readonly rejectedErrors?: readonly SmtpError[] | undefined;
  readonly response: string;
}

const deliveryOf = ({ accepted, rejectedErrors = [], response }: SendInfo): Delivery => ({
  accepted,
  rejected: rejectedErrors.map(({ recipient, response: reason, message }) => ({
    address: recipient ?? '',
    reason: reason ?? message,
  })),
  response,
});

function failureOf(thrown: unknown, settings: SmtpSettings, begun: boolean): EffectFailure {
  const { host, port, user } = settings;
  const error = thrown as SmtpError;
  // No server should repeat a password; one that does tells it to nobody.
  const why = without(thrownMessage(thrown), user);
  const server = `the mail server ${host}:${port}`;
  if (error.responseCode !== undefined) {
    const passing = error.responseCode < 500;
    const hint = passing ? hints.later : hintFor(error);
    return new EffectFailure(passing ? 'PV4785' : 'PV4786', `${server} refused: ${why}`, {
      ...{ answered: true, mayHaveActed: false, retryable: passing, hint },
    });
  }
  if (begun) {
    return new EffectFailure('PV4787', `${server} broke off while it took the message: ${why}`, {
      ...{ retryable: true, unavailable: true, hint: hints.look },
    });
  }
  const settled = error.code !== undefined && wrong.has(error.code);
  return new EffectFailure(settled ? 'PV4786' : 'PV4784', `${server} cannot be used: ${why}`, {
    mayHaveActed: false,
    answered: settled,
    retryable: !settled,
    hint: settled ? hintFor(error) : hints.reach,
  });
}

/** Errors that another attempt meets again. */
const wrong: ReadonlySet<string> = new Set(['EAUTH', 'ENOAUTH', 'ETLS', 'EENVELOPE', 'EMESSAGE']);

const hints = {
  later: 'it may take it later: resume the run in some minutes',
  look: 'look whether it has arrived, then decide: done, failed or retry',
  reach: 'check SMTP_URL or SMTP_HOST, and the network',
  login: 'check SMTP_USER and SMTP_PASSWORD, or the name and password in SMTP_URL',
  tls: 'the server has to offer STARTTLS with a valid certificate, or use smtps://',
};

function hintFor({ code }: SmtpError): string | undefined {
  if (code === 'EAUTH' || code === 'ENOAUTH') return hints.login;
  return code === 'ETLS' ? hints.tls : undefined;
}

function without(text: string, user: SmtpSettings['user']): string {
  if (!user) return text;
  const { name, password } = user;
  const sent = [password, `\0${name}\0${password}`].filter((one) => one !== '');
  const coded = sent.map((one) => Buffer.from(one).toString('base64'));
  return [...sent, ...coded].reduce((shown, secret) => shown.replaceAll(secret, '***'), text);
}
