/**
 * Fetches what an address has, for a tool that reads it: by the one way out, with the rules of the
 * site and what is kept of earlier runs. Any answer but a good one is a failure that says what the
 * site said.
 */
import { type AttemptContext, type EffectFailure, refusal } from '../../engine/handler.ts';
import type { Inside } from './address.ts';
import { shownUrl } from './failures.ts';
import { statusFailure } from './get-json.ts';
import { type Answer, type RequestOptions, request, type Through } from './request.ts';
import type { Robots } from './robots.ts';
import type { Way } from './way.ts';

export interface FetchOptions {
  readonly inside: Inside;
  readonly userAgent: string;
  readonly bytesMax: number;
  /** Absent: whatever a site says of programs, its pages are fetched. */
  readonly robots?: Robots;
  readonly cache?: Through;
  /** What kinds of files are wanted. Default: pages before others. */
  readonly accept?: string;
  /** Default: the one of `inside`. */
  readonly way?: Way;
}

export type Fetch = (url: URL, context: AttemptContext) => Promise<Answer>;

const accepted = 'text/html,application/xhtml+xml,application/pdf;q=0.9,text/*;q=0.8,*/*;q=0.5';

/** Throws `EffectFailure` as `request` does, and PV4702, PV4745, PV4747. */
export function openFetch(options: FetchOptions): Fetch {
  const { inside, userAgent, bytesMax, robots, cache, way, accept = accepted } = options;
  return async (url, context) => {
    const bare: RequestOptions = {
      ...{ context, inside, bytesMax },
      headers: { accept, 'user-agent': userAgent },
      ...(cache && { through: cache }),
      ...(way && { way }),
    };
    const visit = robots && ((next: URL): Promise<void> => robots.visit(next, bare));
    const answer = await request(url, visit ? { ...bare, visit } : bare);
    if (answer.status === 200 || answer.status === 203) return answer;
    throw unwelcome(answer);
  };
}

function unwelcome(answer: Answer): EffectFailure {
  const { status, url, headers } = answer;
  const shown = shownUrl(url);
  if (status === 408 || status === 429 || status >= 500) return statusFailure(answer, shown, '');
  const isChallenge = headers['cf-mitigated'] === 'challenge' || status === 403;
  const why = statuses[status] ?? 'there is no page';
  return refusal('PV4747', `${shown}: ${why} (${status})`, {
    hint: isChallenge
      ? 'sites that want a person let a browser in: get_url_firefox of planvm:browser'
      : status === 401
        ? 'pages behind a sign-in are read by a browser: browse of planvm:browser'
        : 'check the address; search finds the one that it has now',
  });
}

const statuses: Readonly<Record<number, string>> = {
  204: 'there is nothing in it',
  401: 'one has to sign in',
  402: 'one has to pay',
  403: 'the site refuses it',
  404: 'there is no such page',
  410: 'the page is gone',
  451: 'the page may not be shown, by law',
};
