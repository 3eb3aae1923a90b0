/**
 * One request to a service over HTTP, as a tool makes it: bounded, cut off with its attempt, and
 * with failures that say whether another attempt can help. Retries are the engine's.
 */
import { type AttemptContext, EffectFailure, refusal } from '../../engine/handler.ts';
import { parseExactJson } from '../foreign-json.ts';
import { type Answer, request } from './request.ts';

/** Largest answer that is read, in bytes. */
const answerBytesMax: number = 8 * 2 ** 20;
/** How much of an answer that is no JSON is shown, in characters. */
const shownMax = 120;

export interface JsonAnswer {
  /** 2xx, or one of `accept`. */
  readonly status: number;
  readonly data: unknown;
}

export interface GetOptions {
  /** What the service is called in messages: `Wikipedia`. */
  readonly service: string;
  readonly context: Pick<AttemptContext, 'signal' | 'headers'>;
  readonly method?: string;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Default: 8 MiB. */
  readonly bytesMax?: number;
  /** Default: 5. */
  readonly redirectsMax?: number;
  /** A text that no message shows, although the service may repeat it. */
  readonly key?: string;
  /** Further statuses whose answer the caller reads: 400, 404. */
  readonly accept?: readonly number[];
  /** What to look at where nobody answers, or the service does not want to. */
  readonly hint?: string;
}

/** The address below that of a service, with parameters. */
export function addressAt(
  base: URL,
  path: string,
  parameters: Readonly<Record<string, string>> = {},
): URL {
  const url = new URL(`${base.pathname.replace(/\/$/, '')}${path}`, base.origin);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}

/**
 * The address is one that a person has configured, or that belongs to the service: it may be
 * anywhere. Throws `EffectFailure` PV4701, PV4702, PV4704; 429 and 5xx are retryable,
 * `Retry-After` is kept.
 */
export async function askService(
  url: URL,
  { bytesMax = answerBytesMax, ...options }: GetOptions,
): Promise<Answer> {
  const answer = await request(url, { ...options, configured: true, bytesMax });
  const { status } = answer;
  const isGood = (status >= 200 && status < 300) || options.accept?.includes(status) === true;
  if (isGood) return answer;
  throw statusFailure(answer, options.service, textOf(answer, options.key), options.hint);
}

/** The same for an answer that is JSON. Throws also PV4703. */
export async function getJson(url: URL, options: GetOptions): Promise<JsonAnswer> {
  const headers = { accept: 'application/json', ...options.headers };
  const answer = await askService(url, { ...options, headers });
  return { status: answer.status, data: jsonIn(textOf(answer), answer.status, options.service) };
}

/** JSON is in UTF-8, with or without a mark that says so. What it repeats of a key is taken out. */
export function textOf({ bytes }: Answer, key = ''): string {
  const text = new TextDecoder().decode(bytes);
  return key === '' ? text : text.replaceAll(key, '***');
}

/** Throws `EffectFailure` PV4703. */
export function jsonIn(text: string, status: number, service: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    const shown = text.trim().slice(0, shownMax);
    throw refusal(
      'PV4703',
      `${service} answered with no JSON (${status}): ${shown === '' ? 'nothing' : shown}`,
      { hint: 'check that the address is the one of its interface' },
    );
  }
}

/**
 * The failure that a status stands for, with the beginning of what was said. `elsewhere`: what to
 * look at where it is no matter of keys.
 */
export function statusFailure(
  answer: Answer,
  service: string,
  text: string,
  elsewhere?: string,
): EffectFailure {
  const { status } = answer;
  const shown = text.trim().slice(0, shownMax);
  const detail = shown === '' ? '' : `: ${shown}`;
  if (status === 408 || status === 429 || status >= 500) {
    const what = status === 429 ? 'is asked too often' : 'fails';
    return new EffectFailure('PV4702', `${service} ${what} (${status})${detail}`, {
      retryable: true,
      retryAfterMs: retryAfterMs(answer.headers),
      answered: true,
      unavailable: true,
      hint: 'try again later, or ask less often: limits.callsPerMinute',
    });
  }
  return refusal('PV4704', `${service} refused the request (${status})${detail}`, {
    hint: status === 401 || status === 403 ? 'check the key that it wants' : elsewhere,
  });
}

/** Milliseconds that `Retry-After` asks for: seconds, or a date. */
export function retryAfterMs(headers: Readonly<Record<string, string>>): number | undefined {
  const given = headers['retry-after'];
  if (given === undefined) return undefined;
  const seconds = Number(given);
  const ms = Number.isNaN(seconds) ? Date.parse(given) - Date.now() : seconds * 1000;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
