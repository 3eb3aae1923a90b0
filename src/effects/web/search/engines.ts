/**
 * The engines, each by the interface that it publishes: SerpAPI (https://serpapi.com/search-api),
 * Brave (https://api-dashboard.search.brave.com), Tavily (https://docs.tavily.com), SearXNG
 * (https://docs.searxng.org/dev/search_api.html), Hacker News (https://hn.algolia.com/api).
 */
import { EffectFailure, refusal } from '../../../engine/handler.ts';
import { type Data, dataOf, rowsOf } from '../../foreign-json.ts';
import { addressAt, type GetOptions, getJson } from '../get-json.ts';
import { type Engine, type Query, resultOf } from './engine.ts';

export interface EngineOptions {
  /** Where it answers. */
  readonly url: URL;
  readonly key: string;
}

const service = (name: string, variable?: string): Pick<GetOptions, 'service' | 'hint'> => ({
  service: name,
  ...(variable !== undefined && { hint: `check the address and the network, or ${variable}` }),
});

const found = (list: readonly Data[], read: (one: Data) => ReturnType<typeof resultOf>) =>
  list.flatMap((one) => read(one) ?? []);

/** It takes its key in the address, which therefore no message shows. */
export const serpapi = ({ url, key }: EngineOptions): Engine => ({
  name: 'serpapi',
  async find({ text, count, about }, context) {
    const news = about === 'news';
    const { data } = await getJson(
      addressAt(url, '/search.json', {
        ...{ engine: 'google', q: text, num: String(count), api_key: key },
        ...(news && { tbm: 'nws' }),
      }),
      { ...service('SerpAPI', 'PLANVM_SERPAPI_URL'), context },
    );
    const { error, organic_results: pages, news_results: articles } = dataOf(data);
    // That nothing was found comes as an error, too.
    if (typeof error === 'string' && !/hasn't returned any results/i.test(error)) {
      throw refusal('PV4704', `SerpAPI refused the request: ${error.slice(0, 200)}`);
    }
    return found(rowsOf(news ? articles : pages), (one) =>
      resultOf('serpapi', {
        ...{ url: one.link, title: one.title, snippet: one.snippet, published: one.date },
      }),
    );
  },
});

/** Results of one request, at most. */
const braveCountMax = { web: 20, news: 50 };

export const brave = ({ url, key }: EngineOptions): Engine => ({
  name: 'brave',
  async find({ text, count, about }, context) {
    const parameters = { q: text, count: String(Math.min(count, braveCountMax[about])) };
    const { data } = await getJson(addressAt(url, `/res/v1/${about}/search`, parameters), {
      ...service('Brave', 'PLANVM_BRAVE_URL'),
      ...{ context, headers: { 'x-subscription-token': key } },
    });
    const { web, results } = dataOf(data);
    return found(rowsOf(about === 'news' ? results : dataOf(web).results), (one) =>
      resultOf('brave', {
        ...{ url: one.url, title: one.title, snippet: one.description },
        published: one.page_age ?? one.age,
      }),
    );
  },
});

const tavilyCountMax = 20;

export const tavily = ({ url, key }: EngineOptions): Engine => ({
  name: 'tavily',
  async find({ text, count, about }, context) {
    const { data } = await getJson(addressAt(url, '/search'), {
      ...service('Tavily', 'PLANVM_TAVILY_URL'),
      ...{ context, method: 'POST' },
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ query: text, max_results: Math.min(count, tavilyCountMax) },
        topic: about === 'news' ? 'news' : 'general',
      }),
    });
    return found(rowsOf(dataOf(data).results), (one) =>
      resultOf('tavily', {
        ...{ url: one.url, title: one.title, snippet: one.content },
        published: one.published_date,
      }),
    );
  },
});

export const searxng = ({ url }: Pick<EngineOptions, 'url'>): Engine => ({
  name: 'searxng',
  async find({ text, about }, context) {
    const categories = about === 'news' ? 'news' : 'general';
    const { status, data } = await getJson(
      addressAt(url, '/search', { q: text, format: 'json', categories }),
      { ...service('SearXNG', 'PLANVM_SEARXNG_URL'), context, accept: [403] },
    ).catch((thrown: unknown) => Promise.reject(withoutJson(thrown)));
    if (status === 403) throw withoutJson(undefined);
    return found(rowsOf(dataOf(data).results), (one) =>
      resultOf('searxng', {
        ...{ url: one.url, title: one.title, snippet: one.content },
        published: one.publishedDate,
      }),
    );
  },
});

/** A server that was not told to answers with a page, or not at all. */
function withoutJson(thrown: unknown): unknown {
  if (thrown !== undefined && !(thrown instanceof EffectFailure && thrown.code === 'PV4703')) {
    return thrown;
  }
  return new EffectFailure('PV4704', 'SearXNG gives no results as JSON', {
    answered: true,
    hint: 'add json to search.formats in its settings.yml',
    cause: thrown,
  });
}

/** Stories, by what they are about or by when they came. */
export const hackerNews = (
  { url }: Pick<EngineOptions, 'url'>,
  order: 'relevance' | 'date',
): Engine => ({
  name: 'hacker-news',
  async find({ text, count }: Query, context) {
    const path = order === 'date' ? '/api/v1/search_by_date' : '/api/v1/search';
    const parameters = { query: text, tags: 'story', hitsPerPage: String(count) };
    const { data } = await getJson(addressAt(url, path, parameters), {
      ...service('Hacker News', 'PLANVM_HACKER_NEWS_URL'),
      context,
    });
    return found(rowsOf(dataOf(data).hits), (one) => {
      const discussion = `https://news.ycombinator.com/item?id=${String(one.objectID)}`;
      const said = typeof one.story_text === 'string' ? ` ${one.story_text}` : '';
      const points = `${Number(one.points ?? 0)} points, ${Number(one.num_comments ?? 0)} comments`;
      return resultOf('hacker-news', {
        // A question to the readers leads nowhere else.
        ...{ url: one.url ?? discussion, title: one.title, published: one.created_at },
        snippet: `${points} at ${discussion}.${said}`,
      });
    });
  },
});
