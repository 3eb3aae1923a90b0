/**
 * One request for JSON over HTTP, as a tool makes it: bounded, cut off with its attempt, and with
 * failures that say whether another attempt can help. Retries are the engine's.
 */
import { type AttemptContext, EffectFailure } from '../../engine/handler.ts';
import { thrownMessage } from '../../program/thrown.ts';

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
  readonly headers?: Readonly<Record<string, string>>;
  /** Further statuses whose answer the caller reads: 400, 404. */
  readonly accept?: readonly number[];
  /** What to look at where nobody answers. */
  readonly hint?: string;
}

/** Throws `EffectFailure` PV4701 to PV4704; 429 and 5xx are retryable, `Retry-After` is kept. */
export async function getJson(url: URL, options: GetOptions): Promise<JsonAnswer> {
  const { service, context, accept = [] } = options;
  let response: Response;
  let text: string;
  try {
    const headers = { accept: 'application/json', ...context.headers, ...options.headers };
    response = await fetch(url, { headers, signal: context.signal });
    text = await textOf(response, service);
  } catch (thrown) {
    context.signal.throwIfAborted();
    if (thrown instanceof EffectFailure) throw thrown;
    throw unreachable(url, options, thrown);
  }
  const { status } = response;
  if (!response.ok && !accept.includes(status)) throw refusal(response, service, text);
  return { status, data: parsed(text, status, service) };
}

async function textOf(response: Response, service: string): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.byteLength;
    if (bytes > answerBytesMax) {
      throw new EffectFailure('PV4703', `${service} sent more than ${answerBytesMax} bytes`, {
        answered: true,
        hint: 'ask for less',
      });
    }
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function parsed(text: string, status: number, service: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const shown = text.trim().slice(0, shownMax);
    throw new EffectFailure(
      'PV4703',
      `${service} answered with no JSON (${status}): ${shown === '' ? 'nothing' : shown}`,
      { answered: true, hint: 'check that the address is the one of its interface' },
    );
  }
}

/** The error inside is what says why: `fetch failed` alone says nothing. */
function unreachable(url: URL, { service, hint }: GetOptions, thrown: unknown): EffectFailure {
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
  const why = thrownMessage(cause);
  return new EffectFailure('PV4701', `${service} at ${url.origin} cannot be reached: ${why}`, {
    retryable: true,
    hint: hint ?? 'check the address and the network',
    cause: thrown,
  });
}

function refusal(response: Response, service: string, text: string): EffectFailure {
  const { status } = response;
  const shown = text.trim().slice(0, shownMax);
  const detail = shown === '' ? '' : `: ${shown}`;
  if (status === 408 || status === 429 || status >= 500) {
    const what = status === 429 ? 'is asked too often' : 'fails';
    return new EffectFailure('PV4702', `${service} ${what} (${status})${detail}`, {
      retryable: true,
      retryAfterMs: retryAfterMs(response),
      answered: true,
      unavailable: true,
      hint: 'try again later, or ask less often: limits.callsPerMinute',
    });
  }
  return new EffectFailure('PV4704', `${service} refused the request (${status})${detail}`, {
    answered: true,
    hint: status === 401 || status === 403 ? 'check the key that it wants' : undefined,
  });
}

/** Seconds, or a date. */
export function retryAfterMs({ headers }: Response): number | undefined {
  const given = headers.get('retry-after');
  if (given === null) return undefined;
  const seconds = Number(given);
  const ms = Number.isNaN(seconds) ? Date.parse(given) - Date.now() : seconds * 1000;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
