/**
 * The engines, each by the interface that it publishes: SerpAPI (https://serpapi.com/search-api),
 * Brave (https://api-dashboard.search.brave.com), Tavily (https://docs.tavily.com), SearXNG
 * (https://docs.searxng.org/dev/search_api.html), Hacker News (https://hn.algolia.com/api).
 */
import { EffectFailure, refusal } from '../../../engine/handler.ts';
import { type Data, dataOf, rowsOf } from '../../foreign-json.ts';
import { addressAt, type GetOptions, getJson } from '../get-json.ts';
import { type Engine, type EngineName, type Found, type Query, resultOf } from './engine.ts';

export interface EngineOptions {
  /** Where it answers. */
  readonly url: URL;
  readonly key: string;
}

/** How it is asked, and what is read of its answer. */
interface Asked extends Pick<GetOptions, 'method' | 'headers' | 'body' | 'accept'> {
  readonly path: string;
  readonly parameters?: Readonly<Record<string, string>>;
  rows(answer: Data, status: number): unknown;
  found(row: Data): Found;
}

const engine = (
  [name, service]: readonly [EngineName, string],
  url: URL,
  ask: (query: Query) => Asked,
): Engine => ({
  name,
  async find(query, context) {
    const { path, parameters, rows, found, ...rest } = ask(query);
    const variable = `PLANVM_${name.toUpperCase().replace('-', '_')}_URL`;
    const hint = `check the address and the network, or ${variable}`;
    const options = { ...rest, service, hint, context };
    const { data, status } = await getJson(addressAt(url, path, parameters), options);
    return rowsOf(rows(dataOf(data), status)).flatMap((row) => resultOf(name, found(row)) ?? []);
  },
});

/** It takes its key in the address, which therefore no message shows. */
export const serpapi = ({ url, key }: EngineOptions): Engine =>
  engine(['serpapi', 'SerpAPI'], url, ({ text, count, about }) => ({
    path: '/search.json',
    parameters: {
      ...{ engine: 'google', q: text, num: String(count), api_key: key },
      ...(about === 'news' && { tbm: 'nws' }),
    },
    rows({ error, organic_results: pages, news_results: articles }) {
      // That nothing was found comes as an error, too.
      if (typeof error === 'string' && !/hasn't returned any results/i.test(error)) {
        throw refusal('PV4704', `SerpAPI refused the request: ${error.slice(0, 200)}`);
      }
      return about === 'news' ? articles : pages;
    },
    found: ({ link, title, snippet, date }) => ({ url: link, title, snippet, published: date }),
  }));

/** Results of one request, at most. */
const braveCountMax = { web: 20, news: 50 };

export const brave = ({ url, key }: EngineOptions): Engine =>
  engine(['brave', 'Brave'], url, ({ text, count, about }) => ({
    path: `/res/v1/${about}/search`,
    parameters: { q: text, count: String(Math.min(count, braveCountMax[about])) },
    headers: { 'x-subscription-token': key },
    rows: ({ web, results }) => (about === 'news' ? results : dataOf(web).results),
    found: ({ url, title, description, page_age: dated, age }) => ({
      ...{ url, title, snippet: description, published: dated ?? age },
    }),
  }));

const tavilyCountMax = 20;

export const tavily = ({ url, key }: EngineOptions): Engine =>
  engine(['tavily', 'Tavily'], url, ({ text, count, about }) => ({
    ...{ path: '/search', method: 'POST' },
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ query: text, max_results: Math.min(count, tavilyCountMax) },
      topic: about === 'news' ? 'news' : 'general',
    }),
    rows: ({ results }) => results,
    found: ({ url, title, content, published_date: published }) => ({
      ...{ url, title, snippet: content, published },
    }),
  }));

export function searxng({ url }: Pick<EngineOptions, 'url'>): Engine {
  const asked = engine(['searxng', 'SearXNG'], url, ({ text, about }) => ({
    path: '/search',
    parameters: { q: text, format: 'json', categories: about === 'news' ? 'news' : 'general' },
    accept: [403],
    rows({ results }, status) {
      if (status === 403) throw withoutJson();
      return results;
    },
    found: ({ url, title, content, publishedDate: published }) => ({
      ...{ url, title, snippet: content, published },
    }),
  }));
  const find: Engine['find'] = (query, context) =>
    asked.find(query, context).catch((thrown: unknown) => {
      throw thrown instanceof EffectFailure && thrown.code === 'PV4703'
        ? withoutJson(thrown)
        : thrown;
    });
  return { ...asked, find };
}

/** A server that was not told to answers with a page, or not at all. */
const withoutJson = (cause?: EffectFailure): EffectFailure =>
  refusal('PV4704', 'SearXNG gives no results as JSON', {
    ...{ hint: 'add json to search.formats in its settings.yml', cause },
  });

/** Stories, by what they are about or by when they came. */
export const hackerNews = (
  { url }: Pick<EngineOptions, 'url'>,
  order: 'relevance' | 'date',
): Engine =>
  engine(['hacker-news', 'Hacker News'], url, ({ text, count }) => ({
    path: order === 'date' ? '/api/v1/search_by_date' : '/api/v1/search',
    parameters: { query: text, tags: 'story', hitsPerPage: String(count) },
    rows: ({ hits }) => hits,
    found(one) {
      const discussion = `https://news.ycombinator.com/item?id=${String(one.objectID)}`;
      const said = typeof one.story_text === 'string' ? ` ${one.story_text}` : '';
      const points = `${Number(one.points ?? 0)} points, ${Number(one.num_comments ?? 0)} comments`;
      return {
        // A question to the readers leads nowhere else.
        ...{ url: one.url ?? discussion, title: one.title, published: one.created_at },
        snippet: `${points} at ${discussion}.${said}`,
      };
    },
  }));
