/**
 * Profiles of LinkedIn: found by a search engine, read by a browser with the session of the user.
 * No program has the password or the session, and none can have them used anywhere else.
 */
import { type AttemptContext, EffectFailure, type Handler } from '../../engine/handler.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { renderedHtml } from '../browser/rendered.ts';
import { type BrowserOptions, type Session, withBrowser } from '../browser/session.ts';
import { visit } from '../browser/visit.ts';
import { percentDecoded } from '../foreign-json.ts';
import { pageText } from '../web/page/page.ts';
import type { Result } from '../web/search/engine.ts';
import { checkPlace, isLinkedIn, missing, profileUrl } from './profile.ts';
import { profileSpec, searchProfileSpec } from './specs.ts';

export interface LinkedInOptions {
  /** Where LinkedIn is. */
  readonly base: URL;
  readonly browser: BrowserOptions;
  /** The tool that searches the web. */
  readonly search: Handler;
  /** Profiles that one search returns. */
  readonly resultsMax: number;
}

export const linkedInHandlers = (options: LinkedInOptions): Handler[] => [
  {
    spec: searchSpecFor(options),
    async perform(args, context) {
      const names = [args.first_name, args.last_name].map((name) => String(name).trim());
      const company = typeof args.company === 'string' ? args.company.trim() : '';
      const { url, results } = await searchProfile(names, company, options, context);
      const [best] = results;
      if (url === null || !best) {
        const note = `no profile of ${names.join(' ')} was found on LinkedIn`;
        context.warn(note);
        return { url, text: '', note, results };
      }
      return { ...(await profileOrSnippet(url, best, options, context)), results };
    },
  },
  {
    spec: profileSpec,
    perform: (args, context) => readProfile(String(args.url), options, context),
  },
];

/** Who looks at profiles with a session keeps to what a person does in a minute. */
function searchSpecFor({ search, browser }: LinkedInOptions): ToolSpec {
  const { limits, ...spec } = searchProfileSpec;
  const { price } = search.spec;
  return {
    ...spec,
    ...(price && { price }),
    limits: { ...limits, ...(browser.profile !== undefined && profileSpec.limits) },
  };
}

async function readProfile(
  given: string,
  { base, browser }: LinkedInOptions,
  context: AttemptContext,
): Promise<Record<string, unknown>> {
  const url = profileUrl(given, base);
  return await withBrowser(browser, context, async (session) => {
    await open(session, url);
    checkPlace(new URL(session.page.url()), url, browser.profile);
    return await read(session, url, context);
  });
}

/** The profile; what the engine shows of it where no browser can read it. */
async function profileOrSnippet(
  url: string,
  { title, snippet }: Result,
  options: LinkedInOptions,
  context: AttemptContext,
): Promise<Record<string, unknown>> {
  try {
    return await readProfile(url, options, context);
  } catch (thrown) {
    if (!(thrown instanceof EffectFailure)) throw thrown;
    const advice = thrown.hint === undefined ? '' : ` (${thrown.hint})`;
    const note = `text is what the search engine has of it: ${thrown.message}${advice}`;
    context.warn(note);
    return { url, text: `${title}\n${snippet}`.trim(), note };
  }
}

async function searchProfile(
  names: readonly string[],
  company: string,
  { base, search, resultsMax }: LinkedInOptions,
  context: AttemptContext,
): Promise<{ readonly url: string | null; readonly results: readonly Result[] }> {
  const name = names.join(' ').replaceAll('"', '');
  const query = `site:linkedin.com/in "${name}" ${company.replaceAll('"', '')}`.trim();
  const found = (await search.perform({ query, count: 2 * resultsMax }, context)) as {
    readonly results: readonly Result[];
  };
  const results = found.results
    .filter(({ url }) => isProfile(url, base))
    .map((one) => ({ one, fitness: fitness(one, names, company) }))
    .toSorted((one, other) => other.fitness - one.fitness)
    .slice(0, resultsMax);
  const [best] = results;
  const url = best && best.fitness >= names.length ? best.one.url : null;
  return { url, results: results.map(({ one }) => one) };
}

function isProfile(given: string, base: URL): boolean {
  const url = URL.parse(given);
  if (!url || !/^\/in\/[^/]+/.test(url.pathname)) return false;
  return isLinkedIn(url.hostname) || url.host === base.host;
}

/** How many of the names stand in the title or the address; a company that fits is a half more. */
function fitness(
  { url, title, snippet }: Result,
  names: readonly string[],
  company: string,
): number {
  const [, slug = ''] = /\/in\/([^/?#]+)/.exec(url) ?? [];
  const told = plain(`${title} ${percentDecoded(slug)}`);
  const count = names.filter((name) => told.includes(plain(name))).length;
  const works = company !== '' && plain(`${title} ${snippet}`).includes(plain(company));
  return count + (works ? 0.5 : 0);
}

/** Without marks on letters and without case: Müller is muller. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ');

/** Throws `EffectFailure` PV4793 in place of an answer that there is no such page. */
async function open(session: Session, url: URL): Promise<void> {
  try {
    await visit(session, url.href);
  } catch (thrown) {
    const isGone =
      thrown instanceof EffectFailure && / answers with (404|410)$/.test(thrown.message);
    throw isGone ? missing(url) : thrown;
  }
}

async function read(
  { page }: Session,
  url: URL,
  context: AttemptContext,
): Promise<Record<string, unknown>> {
  const html = await renderedHtml(page);
  const at = page.url();
  const { title, text } = await pageText({ html, url: at, whole: true }, context.signal);
  if (nobody.test(text)) throw missing(url);
  const name = title.replace(/^\(\d+\) | \| LinkedIn$/g, '');
  const fetchedAt = Date.now();
  context.source({ url: at, title: `LinkedIn: ${name}`, fetchedAt });
  return { url: at, name, text, fetchedAt };
}

/** The heading of a page in place of a profile. */
const nobody = /^#+ .*(?:page (?:not found|doesn.t exist)|profile.*(?:not|isn.t) available)/im;
