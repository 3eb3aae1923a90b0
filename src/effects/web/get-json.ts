/**
 * One request for JSON over HTTP, as a tool makes it: bounded, cut off with its attempt, and with
 * failures that say whether another attempt can help. Retries are the engine's.
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
  /** Further statuses whose answer the caller reads: 400, 404. */
  readonly accept?: readonly number[];
  /** What to look at where nobody answers, or the service does not want to. */
  readonly hint?: string;
}

/**
 * The address is one that a person has configured, or that belongs to the service: it may be
 * anywhere. Throws `EffectFailure` PV4701 to PV4704; 429 and 5xx are retryable, `Retry-After` is
 * kept.
 */
export async function getJson(url: URL, options: GetOptions): Promise<JsonAnswer> {
  const { service } = options;
  const headers = { accept: 'application/json', ...options.headers };
  const all = { ...options, headers, configured: true, bytesMax: answerBytesMax };
  const answer = await request(url, all);
  const text = textOf(answer);
  const { status } = answer;
  if (!isSuccess(status) && !options.accept?.includes(status)) {
    throw statusFailure(answer, service, text, options.hint);
  }
  return { status, data: parsed(text, status, service) };
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** JSON is in UTF-8, with or without a mark that says so. */
const textOf = ({ bytes }: Answer): string => new TextDecoder().decode(bytes);

function parsed(text: string, status: number, service: string): unknown {
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
