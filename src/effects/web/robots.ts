/**
 * What a site says of programs that fetch its pages (RFC 9309): asked once for each site, and kept
 * to. A site that says nothing forbids nothing; one whose rules cannot be had just now is not
 * fetched from.
 */
import { EffectFailure, refusal } from '../../engine/handler.ts';
import { shownUrl } from './failures.ts';
import { retryAfterMs } from './get-json.ts';
import { userAgent as ownAgent, type RequestOptions, request } from './request.ts';

/** How long the rules of a site are known, in milliseconds; in the cache they may be older. */
const knownMs = 30 * 60_000;
/** Sites whose rules are known at the same time. */
const sitesMax = 500;
/** RFC 9309, 2.5: at least what has to be read. */
const bytesMax: number = 512 * 2 ** 10;
/** Each is held against an address, here and at once: a site could make that take long. */
const linesMax = 5_000;
const pathMax = 1_024;

interface Site {
  readonly allows: (url: URL) => boolean;
  readonly until: number;
}

export interface Robots {
  /** Throws `EffectFailure` PV4745 where the site does not want the page to be fetched. */
  visit(url: URL, options: RequestOptions): Promise<void>;
}

type ParseRobots = (
  url: string,
  text: string,
) => { isAllowed(url: string, name: string): boolean | undefined };

export function openRobots(userAgent: string = ownAgent): Robots {
  const sites = new Map<string, Promise<Site>>();
  /** What rules are written for: the name alone, without a version. */
  const name = /^[A-Za-z_-]+/.exec(userAgent)?.[0] ?? 'planvm';
  return {
    async visit(url, options) {
      if (url.pathname === '/robots.txt') return;
      const asked = sites.get(url.origin) ?? siteOf(url, name, options);
      sites.set(url.origin, asked);
      const known = await asked.catch((thrown: unknown) => {
        if (sites.get(url.origin) === asked) sites.delete(url.origin);
        // Whoever asked first was given up, and we are not.
        const isOurs = thrown instanceof EffectFailure || options.context.signal.aborted;
        if (isOurs) throw thrown;
        return siteOf(url, name, options);
      });
      if (known.until < Date.now() || sites.size > sitesMax) sites.delete(url.origin);
      if (known.allows(url)) return;
      throw refusal('PV4745', `${shownUrl(url)} is not to be fetched by programs`, {
        hint: `${url.origin}/robots.txt says so; for sites of one's own: the option robots=ignore`,
      });
    },
  };
}

async function siteOf(url: URL, name: string, options: RequestOptions): Promise<Site> {
  const until = Date.now() + knownMs;
  const address = new URL('/robots.txt', url.origin);
  // Its own rules do not hold for the rules; and what belongs to one address is none of another's.
  const { visit: _visit, method: _method, body: _body, headers: _headers, ...rest } = options;
  const headers = { 'user-agent': options.headers?.['user-agent'] ?? ownAgent };
  const answer = await request(address, { ...rest, headers, bytesMax }).catch((thrown: unknown) => {
    // More of them than anybody has to read.
    if (thrown instanceof EffectFailure && thrown.code === 'PV4743') return undefined;
    throw thrown;
  });
  if (answer && (answer.status >= 500 || answer.status === 429)) {
    throw new EffectFailure('PV4702', `${address.href} fails (${answer.status})`, {
      retryable: true,
      answered: true,
      mayHaveActed: false,
      retryAfterMs: retryAfterMs(answer.headers),
      hint: 'without its rules nothing is fetched from a site; try again later',
    });
  }
  if (answer?.status !== 200) return { allows: () => true, until };
  // Its types say that the module has a default export; it is one.
  const parse = (await import('robots-parser')).default as unknown as ParseRobots;
  const lines = new TextDecoder().decode(answer.bytes).split(/\r?\n|\r/, linesMax);
  const rules = parse(address.href, lines.join('\n'));
  return {
    allows: ({ origin, pathname, search }) =>
      rules.isAllowed(origin + (pathname + search).slice(0, pathMax), name) !== false,
    until,
  };
}
