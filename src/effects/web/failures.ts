/** What a request can fail with, as failures that say whether another attempt can help. */
import { EffectFailure, refusal } from '../../engine/handler.ts';
import { thrownMessage } from '../../program/diagnostic.ts';
import type { BadBody } from './body.ts';

/** An address as messages show it: what stands behind `?` may be somebody's key. */
export const shownUrl = (url: URL): string => `${url.origin}${url.pathname}`;

export const refusedUrl = (url: URL, problem: string): EffectFailure =>
  refusal('PV4741', `${shownAny(url)} may not be reached: ${problem}`, {
    hint: 'name an address of the public web, such as https://example.com/page',
  });

/** A scheme without hosts has no origin; what it carries may be long. */
const shownAny = (url: URL): string => (url.host === '' ? url.protocol : shownUrl(url));

export function tooLarge(url: URL, service: string | undefined, thrown: BadBody): EffectFailure {
  const who = service ?? shownUrl(url);
  const isSize = thrown.reason === 'size';
  const message = isSize ? `${who} sent too much: ${thrown.message}` : `${who}: ${thrown.message}`;
  return new EffectFailure(isSize ? 'PV4743' : 'PV4744', message, {
    answered: true,
    hint: isSize ? 'ask for less' : 'the server is wrong: open the page in a browser',
    cause: thrown,
  });
}

/** Errors after which nothing can have arrived. */
const before: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EACCES'],
  ...['UND_ERR_CONNECT_TIMEOUT', 'ERR_INVALID_URL', 'UND_ERR_INVALID_ARG'],
]);

/** The error inside is what says why. */
export function thrownFailure(
  url: URL,
  { service, hint }: { readonly service?: string; readonly hint?: string | undefined },
  thrown: unknown,
): EffectFailure {
  if (thrown instanceof EffectFailure) return thrown;
  const cause = innermost(thrown);
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const isTls = /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(code);
  const who = service === undefined ? url.origin : `${service} at ${url.origin}`;
  const said = silences[code] ?? thrownMessage(cause);
  const why = isTls ? `its certificate is not good: ${said}` : said;
  return new EffectFailure('PV4701', `${who} cannot be reached: ${why}`, {
    retryable: !isTls,
    mayHaveActed: !isTls && !before.has(code),
    hint: isTls ? trusted : (hint ?? 'check the address and the network'),
    cause: thrown,
  });
}

const trusted =
  'of a company: NODE_EXTRA_CA_CERTS names a file with the certificates that sign its own';

const silences: Readonly<Record<string, string>> = {
  UND_ERR_HEADERS_TIMEOUT: 'it was silent for too long before it answered',
  UND_ERR_BODY_TIMEOUT: 'it was silent for too long within its answer',
  UND_ERR_SOCKET: 'the connection broke',
};

function innermost(thrown: unknown): unknown {
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return thrown.errors[0];
  return thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
}
