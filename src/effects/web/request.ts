/**
 * The one way out: a request over HTTP as a tool makes it, with one attempt. Owns redirects (each
 * is a request of its own, checked like the first), size and idle limits. The time limit is the
 * attempt's; retries are the engine's.
 *
 * - Nothing leaves for an address that `inside` does not open, at any hop.
 * - `configured` says that a person has set the address: its origin may be anywhere, also inside.
 *   Where it leads by redirects is what a stranger has set.
 * - What a caller puts into `headers` goes to the origin that it was given for, and no other.
 */
import { type AttemptContext, type EffectFailure, refusal } from '../../engine/handler.ts';
import { type Inside, urlProblem } from './address.ts';
import { acceptEncoding, BadBody, drop, readBody } from './body.ts';
import { refusedUrl, thrownFailure, tooLarge } from './failures.ts';
import { type Way, wayFor } from './way.ts';

export interface RequestOptions {
  readonly context: Pick<AttemptContext, 'signal' | 'headers'> &
    Partial<Pick<AttemptContext, 'warn'>>;
  /** What messages call it: `Wikipedia`. Default: its host. */
  readonly service?: string;
  /** What to look at where nobody answers. */
  readonly hint?: string | undefined;
  readonly method?: string;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** What may be reached that is not public. Default: nothing. */
  readonly inside?: Inside;
  /** Whether a person has set the address. Default: a program has. */
  readonly configured?: boolean;
  /** Of the unpacked body. Default: 8 MiB. */
  readonly bytesMax?: number;
  /** Default: 5. 0: a redirect is the answer. */
  readonly redirectsMax?: number;
  /** Longest silence, before the headers and within the body. Default: 30 000. */
  readonly idleMs?: number;
  /** Looks at each address before it is asked, and throws where it may not be. */
  readonly visit?: (url: URL) => Promise<void>;
  /** Answers a hop in place of the network, or after it: a cache. */
  readonly through?: Through;
  /** Default: the one of `inside`, and of `configured`. */
  readonly way?: Way;
}

/** What one address answered, before it is looked where it leads. */
export type Hop = Omit<Answer, 'redirects'>;

type Headers = Readonly<Record<string, string>>;

/** Has the headers of a request, and `go`, which makes it, with more headers if need be. */
export type Through = (
  asked: { readonly url: URL; readonly method: string; readonly headers: Headers },
  go: (more?: Headers) => Promise<Hop>,
) => Promise<Hop>;

export interface Answer {
  readonly status: number;
  /** After all redirects. */
  readonly url: URL;
  /** Names in lower case; several of one name are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
  /** The addresses that led on, in order. */
  readonly redirects: readonly string[];
  /** When it had come, epoch milliseconds. */
  readonly fetchedAt: number;
}

/** Any status is an answer. Throws `EffectFailure` PV4701, PV4741 to PV4744. */
export async function request(start: URL, options: RequestOptions): Promise<Answer> {
  const { redirectsMax = 5, context } = options;
  const redirects: string[] = [];
  let url = start;
  let { method = 'GET', body } = options;
  for (;;) {
    const hop = { ...options, method, ...(body !== undefined && { body }) };
    const answer = await ask(url, start, hop);
    const location = answer.headers.location;
    if (redirectsMax === 0 || !redirectStatus.has(answer.status) || location === undefined) {
      return { ...answer, redirects };
    }
    const next = nextOf(location, url);
    redirects.push(url.href);
    if (redirects.length > redirectsMax || redirects.includes(next.href)) {
      throw endless(start, redirects, next, redirectsMax);
    }
    if (url.protocol === 'https:' && next.protocol === 'http:') {
      context.warn?.(`${url.origin} leads on to ${next.origin}, which is not encrypted`);
    }
    // As browsers do: only 307 and 308 keep what was sent.
    if (answer.status < 304 && method !== 'GET' && method !== 'HEAD') {
      method = 'GET';
      body = undefined;
    }
    url = next;
  }
}

const redirectStatus: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Goes along wherever a request leads. */
const publicHeaders: ReadonlySet<string> = new Set([
  ...['accept', 'accept-language', 'content-type', 'user-agent'],
]);

async function ask(
  url: URL,
  start: URL,
  options: RequestOptions & { readonly method: string },
): Promise<Hop> {
  const { context, method, through } = options;
  const isOwn = url.origin === start.origin;
  const isConfigured = isOwn && options.configured === true;
  const problem = urlProblem(url, isConfigured);
  if (problem !== undefined) throw refusedUrl(url, problem);
  await options.visit?.(url);
  const given = Object.entries(options.headers ?? {});
  const headers = {
    ...{ 'accept-encoding': acceptEncoding, 'user-agent': userAgent },
    // Traces are joined by services that a person has named, and are no business of others.
    ...(isConfigured && context.headers),
    ...Object.fromEntries(given.filter(([name]) => isOwn || publicHeaders.has(name))),
  };
  const body = isOwn ? options.body : undefined;
  const go = (more?: Headers): Promise<Hop> =>
    exchange(url, { ...options, isConfigured, headers: { ...headers, ...more } }, body);
  return through ? await through({ url, method, headers }, go) : await go();
}

async function exchange(
  url: URL,
  options: RequestOptions & { readonly method: string; readonly isConfigured: boolean },
  body: string | Uint8Array | undefined,
): Promise<Hop> {
  const { context, method, headers, isConfigured } = options;
  const { inside = 'none', bytesMax = 8 * 2 ** 20, idleMs = 30_000 } = options;
  try {
    const undici = await import('undici');
    const way = options.way ?? (await wayFor(isConfigured ? 'anywhere' : inside));
    const answer = await undici.request(url, {
      ...{ dispatcher: way.dispatcherFor(url), method, headers: { ...headers } },
      ...(body !== undefined && { body }),
      ...{ signal: context.signal, headersTimeout: idleMs, bodyTimeout: idleMs },
    });
    const answered = headersOf(answer.headers);
    if (Number(answered['content-length'] ?? 0) > bytesMax && method !== 'HEAD') {
      drop(answer.body);
      throw new BadBody('size', `it is larger than ${bytesMax} bytes`);
    }
    const bytes = await readBody(answer.body, answered['content-encoding'] ?? '', bytesMax);
    return { status: answer.statusCode, url, headers: answered, bytes, fetchedAt: Date.now() };
  } catch (thrown) {
    context.signal.throwIfAborted();
    if (thrown instanceof BadBody) throw tooLarge(url, options.service, thrown);
    throw thrownFailure(url, options, thrown);
  }
}

/** How planvm names itself to those that it asks, where nobody says otherwise. */
export const userAgent = 'planvm/0.1';

function nextOf(location: string, from: URL): URL {
  const next = URL.parse(location, from.href);
  if (next) {
    next.hash ||= from.hash;
    return next;
  }
  throw refusal('PV4742', `${from.origin} leads on to no address: ${location.slice(0, 200)}`);
}

function endless(start: URL, seen: readonly string[], next: URL, most: number): EffectFailure {
  const isLoop = seen.includes(next.href);
  const why = isLoop ? `in a circle, by ${next.origin}${next.pathname}` : `more than ${most} times`;
  return refusal('PV4742', `${start.origin}${start.pathname} leads on ${why}`, {
    hint: isLoop ? 'such pages often want a cookie: open it in a browser' : 'name the last address',
  });
}

const headersOf = (
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
