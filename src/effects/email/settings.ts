/**
 * How mail leaves: by the server that the environment names, or into a folder. Keys come from the
 * environment alone; an option names no password.
 *
 * A password is never sent over a line that anybody can read: where the server offers no
 * encryption, that is a failure, except on this machine itself.
 */
import { type EffectFailure, refusal } from '../../engine/handler.ts';
import type { Environment } from '../tool-set.ts';

export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  /** Encrypted from the first byte on, as at port 465. */
  readonly implicitTls: boolean;
  /** Whether nothing is sent before the line is encrypted. */
  readonly requireTls: boolean;
  readonly user?: { readonly name: string; readonly password: string };
}

/**
 * `SMTP_URL`, or `SMTP_HOST` with `SMTP_PORT`, `SMTP_USER` and `SMTP_PASSWORD`; undefined where
 * neither is set. Throws `EffectFailure` PV4782, which repeats nothing of what may be a password.
 */
export function smtpSettings(env: Environment): SmtpSettings | undefined {
  const url = env.SMTP_URL?.trim() ?? '';
  if (url !== '') return fromUrl(url);
  const host = env.SMTP_HOST?.trim() ?? '';
  if (host === '') return undefined;
  const port = env.SMTP_PORT?.trim() ?? '';
  if (!/^\d*$/.test(port) || Number(port) > 65_535) {
    throw unusable(`SMTP_PORT: got ${port}, want a number such as 587`);
  }
  const name = env.SMTP_USER?.trim() ?? '';
  const password = env.SMTP_PASSWORD ?? '';
  return settings(host, Number(port), false, name, password);
}

function fromUrl(text: string): SmtpSettings {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '') {
    throw unusable('SMTP_URL: want an address such as smtps://user:password@mail.example.org');
  }
  const [name, password] = [url.username, url.password].map(decoded);
  const isTls = url.protocol === 'smtps:';
  return settings(url.hostname, Number(url.port), isTls, name ?? '', password ?? '');
}

function settings(
  host: string,
  port: number,
  isTls: boolean,
  name: string,
  password: string,
): SmtpSettings {
  const implicitTls = isTls || port === 465;
  const plain = host.replace(/^\[|\]$/g, '');
  return {
    host: plain,
    port: port || (implicitTls ? 465 : 587),
    implicitTls,
    requireTls: !implicitTls && !isHere(plain) && (port !== 25 || name !== ''),
    ...(name !== '' && { user: { name, password } }),
  };
}

const isHere = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw unusable(
      'SMTP_URL: its name or password is not encoded as in an address: write %25 for %',
    );
  }
}

const unusable = (message: string): EffectFailure =>
  refusal('PV4782', message, {
    hint: 'set SMTP_URL, or SMTP_HOST, SMTP_PORT, SMTP_USER and SMTP_PASSWORD',
  });
