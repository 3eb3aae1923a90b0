/** Search engines in the formats that they publish. */
import { describe, expect, test } from 'vitest';
import { openSet } from '../../../src/effects/tool-set.ts';
import type { Result } from '../../../src/effects/web/search/engine.ts';
import { webSet } from '../../../src/effects/web-set.ts';
import { type Served, startWebServer, type WebAnswer } from '../../support/web-server.ts';
import { webTools } from './site.ts';

const answers: Readonly<Record<string, WebAnswer>> = {
  '/search.json': {
    body: {
      search_metadata: { status: 'Success' },
      organic_results: [
        {
          ...{ position: 1, title: 'Tides &amp; moons', link: 'https://tides.test/a' },
          ...{
            displayed_link: 'tides.test › a',
            snippet: 'High water comes twice.',
            date: '1 day ago',
          },
        },
        { position: 2, title: 'No page', link: 'javascript:alert(1)', snippet: 'x' },
        { position: 3, title: 'Ports', link: 'https://ports.test/', snippet: 'Ports by depth.' },
      ],
      news_results: [{ title: 'Flood', link: 'https://news.test/1', source: 'News', date: '2h' }],
    },
  },
  '/res/v1/web/search': {
    body: {
      type: 'search',
      web: {
        results: [
          {
            ...{ title: 'Tides', url: 'https://www.tides.test/a/?utm_source=x#top' },
            description: '<strong>Tides</strong> are long waves, moved by the moon&#39;s pull.',
            page_age: '2026-01-02T03:04:05',
          },
        ],
      },
    },
  },
  '/res/v1/news/search': {
    body: {
      results: [
        { title: 'Storm', url: 'https://news.test/2', description: 'Gale', age: '3 hours ago' },
      ],
    },
  },
  '/search': {
    body: {
      query: 'tides',
      results: [
        {
          ...{ title: 'Moon', url: 'https://moon.test/', content: 'The moon moves tides.' },
          ...{ score: 0.9, published_date: '2026-02-03', publishedDate: '2026-02-03', engine: 'x' },
        },
      ],
      unresponsive_engines: [],
    },
  },
  '/api/v1/search': {
    body: {
      hits: [
        {
          ...{ objectID: '7', title: 'Show HN: Tides', url: 'https://show.test/', points: 12 },
          ...{ num_comments: 3, created_at: '2026-01-01T00:00:00Z', story_text: null },
        },
        {
          objectID: '8',
          title: 'Ask HN: Moon?',
          points: 1,
          num_comments: 0,
          story_text: '<p>Why?',
        },
      ],
    },
  },
  '/api/v1/search_by_date': { body: { hits: [] } },
};

async function search(
  args: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string>>,
  options: {
    tool?: string;
    set?: Record<string, string>;
    answer?: (request: Served) => WebAnswer;
  } = {},
) {
  const { tool = 'search', set = {}, answer } = options;
  await using server = await startWebServer(
    answer ?? (({ url }) => answers[url.pathname] ?? { status: 404 }),
  );
  const urls = Object.fromEntries(
    ['serpapi', 'brave', 'tavily', 'hackerNews'].map((name) => [name, server.url]),
  );
  const searxng = env.SEARXNG === undefined ? {} : { searxng: server.url };
  const call = await webTools({ ...urls, ...searxng, ...set }, env);
  const called = await call(tool, { query: 'tides', ...args });
  return { ...called, requests: server.requests };
}

describe('one engine', () => {
  test('SerpAPI: results without what leads to no page', async () => {
    const { result, requests, sources } = await search({ count: 5 }, { SERPAPI_API_KEY: 'key-1' });
    expect(result).toEqual({
      results: [
        {
          ...{ url: 'https://tides.test/a', title: 'Tides & moons', engine: 'serpapi' },
          ...{ snippet: 'High water comes twice.', published: '1 day ago' },
        },
        {
          ...{ url: 'https://ports.test/', title: 'Ports', engine: 'serpapi' },
          snippet: 'Ports by depth.',
        },
      ],
    });
    expect(Object.fromEntries(requests[0]?.url.searchParams ?? [])).toEqual({
      ...{ engine: 'google', q: 'tides', num: '5', api_key: 'key-1' },
    });
    expect(sources.map(({ url }) => url)).toEqual(['https://tides.test/a', 'https://ports.test/']);
  });

  test('Brave: marks of found words are none of the text', async () => {
    const { result, requests } = await search({ count: 50 }, { BRAVE_API_KEY: 'key-2' });
    expect(result.results).toEqual([
      {
        ...{ url: 'https://www.tides.test/a/?utm_source=x#top', title: 'Tides', engine: 'brave' },
        snippet: "Tides are long waves, moved by the moon's pull.",
        published: '2026-01-02T03:04:05',
      },
    ]);
    expect(requests[0]?.url.searchParams.get('count')).toBe('20');
    expect(requests[0]?.headers['x-subscription-token']).toBe('key-2');
  });

  test('Tavily and SearXNG', async () => {
    const moon = { url: 'https://moon.test/', title: 'Moon', snippet: 'The moon moves tides.' };
    const tavily = await search({}, { TAVILY_API_KEY: 'key-3' });
    expect(tavily.result.results).toEqual([{ ...moon, engine: 'tavily', published: '2026-02-03' }]);
    expect(tavily.requests[0]?.headers.authorization).toBe('Bearer key-3');
    const searxng = await search({}, { SEARXNG: '1' });
    expect(searxng.result.results).toEqual([
      { ...moon, engine: 'searxng', published: '2026-02-03' },
    ]);
    expect(searxng.requests[0]?.url.search).toBe('?q=tides&format=json&categories=general');
  });

  test('the news of each', async () => {
    const news = { tool: 'search_news' };
    const serpapi = await search({}, { SERPAPI_API_KEY: 'k' }, news);
    expect(serpapi.requests[0]?.url.searchParams.get('tbm')).toBe('nws');
    expect(serpapi.result.results).toMatchObject([{ title: 'Flood', published: '2h' }]);
    const brave = await search({}, { BRAVE_API_KEY: 'k' }, news);
    expect(brave.result.results).toMatchObject([{ title: 'Storm', published: '3 hours ago' }]);
    const searxng = await search({}, { SEARXNG: '1' }, news);
    expect(searxng.requests[0]?.url.searchParams.get('categories')).toBe('news');
  });

  test('Hacker News needs no key, and says where a story is discussed', async () => {
    const { result } = await search({}, {}, { tool: 'search_hacker_news' });
    expect(result.results).toMatchObject([
      {
        url: 'https://show.test/',
        snippet: '12 points, 3 comments at https://news.ycombinator.com/item?id=7.',
      },
      {
        url: 'https://news.ycombinator.com/item?id=8',
        snippet: '1 points, 0 comments at https://news.ycombinator.com/item?id=8. Why?',
      },
    ]);
    const newest = await search({ sort: 'date' }, {}, { tool: 'search_hacker_news' });
    expect(newest.requests[0]?.url.pathname).toBe('/api/v1/search_by_date');
    expect(newest.result).toEqual({ results: [] });
  });
});

describe('which are asked', () => {
  const both = { BRAVE_API_KEY: 'b', TAVILY_API_KEY: 't' };
  test.each<[string | undefined, string[]]>([
    [undefined, ['/res/v1/web/search']],
    ['auto', ['/res/v1/web/search']],
    ['tavily', ['/search']],
  ])('%s', async (engine, paths) => {
    const set = engine === undefined ? {} : { engine };
    const { requests } = await search({}, both, { set });
    expect(requests.map(({ url }) => url.pathname).sort()).toEqual([...paths].sort());
  });

  test('where none has a key, what to set', async () => {
    expect((await search({}, {})).result).toMatchObject({
      ...{ code: 'PV4749', retryable: false },
      message: expect.stringContaining('SERPAPI_API_KEY, BRAVE_API_KEY, TAVILY_API_KEY'),
    });
    expect((await search({}, both, { set: { engine: 'serpapi' } })).result).toMatchObject({
      message: 'search asks serpapi, and SERPAPI_API_KEY is not set',
      hint: expect.stringContaining('https://serpapi.com/manage-api-key'),
    });
    await expect(search({}, {}, { set: { engine: 'gogle' } })).rejects.toThrow(
      'planvm:web: engine: got gogle, want auto, serpapi, brave',
    );
  });

  test('no key is in any failure', async () => {
    const keys = {
      SERPAPI_API_KEY: 'hidden-1',
      BRAVE_API_KEY: 'hidden-2',
      TAVILY_API_KEY: 'hidden-3',
    };
    for (const engine of ['serpapi', 'brave', 'tavily']) {
      for (const broken of [
        { status: 403, body: 'no' },
        { drop: true },
        { body: '<p>' },
      ] as const) {
        const { result } = await search({}, keys, { set: { engine }, answer: () => broken });
        expect(result).toMatchObject({ code: expect.stringMatching(/^PV470/) });
        expect(`${result.message} ${result.hint}`).not.toContain('hidden');
      }
    }
  });
});

test('SerpAPI says that nothing was found as an error, and errors as answers', async () => {
  const said = (error: string) =>
    search({}, { SERPAPI_API_KEY: 'k' }, { answer: () => ({ body: { error } }) });
  const nothing = await said("Google hasn't returned any results for this query.");
  expect(nothing.result).toEqual({ results: [] });
  expect((await said('Your account has run out of searches.')).result).toMatchObject({
    code: 'PV4704',
  });
});

test('a SearXNG server that gives no JSON says what to change', async () => {
  for (const answer of [{ status: 403, body: '' }, { body: '<html>' }]) {
    const { result } = await search({}, { SEARXNG: '1' }, { answer: () => answer });
    expect(result).toMatchObject({ hint: 'add json to search.formats in its settings.yml' });
  }
});

test('what fits the words of the goal comes first', async () => {
  const page = (url: string, title: string, description: string) => ({ url, title, description });
  const results = [
    page('https://1.test/', 'Jaguar cars', 'A maker of cars.'),
    page('https://2.test/', 'Jaguar', 'A cat of the Americas that swims and hunts.'),
    page('https://3.test/', 'Jaguar', 'A maker of cars.'),
  ];
  const answer = () => ({ body: { web: { results } } });
  const first = async (goal?: string) => {
    const args = goal === undefined ? {} : { goal };
    const { result } = await search(
      { query: 'jaguar', ...args },
      { BRAVE_API_KEY: 'k' },
      { answer },
    );
    return (result.results as Result[])[0]?.url;
  };
  expect(await first('what the cat hunts')).toBe('https://2.test/');
  expect(await first('maker of cars')).toBe('https://1.test/');
  expect(await first()).toBe('https://1.test/');
});

test.each<[string, Readonly<Record<string, string>>, object | undefined]>([
  ['the first engine', { SERPAPI_API_KEY: 'k', BRAVE_API_KEY: 'k' }, { perCall: 0.015 }],
  ["a server of one's own", { PLANVM_SEARXNG_URL: 'http://127.0.0.1:8888' }, undefined],
])('what a search costs, by %s', async (_what, env, price) => {
  const handlers = await openSet(webSet, {}, env);
  const specs = handlers.map(({ spec }) => spec);
  const priceOf = (name: string) => specs.find((spec) => spec.name === name)?.price;
  expect(priceOf('search')).toEqual(price);
  expect(priceOf('search_news')).toEqual(price);
  expect(priceOf('search_hacker_news')).toBeUndefined();
});

test('the keys that it can use are said, not what they are', async () => {
  const handlers = await openSet(webSet, {}, { BRAVE_API_KEY: 'not-for-anybody' });
  const spec = handlers.map((one) => one.spec).find(({ name }) => name === 'search');
  expect(spec?.keys).toContain('BRAVE_API_KEY');
  expect(JSON.stringify(spec)).not.toContain('not-for-anybody');
});
