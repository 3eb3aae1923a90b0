/** `Search` against a wiki that speaks MediaWiki's own format. */
import { describe, expect, test } from 'vitest';
import { firstSentences } from '../../../src/effects/wikipedia/pages.ts';
import { searchHandler, type WikipediaOptions } from '../../../src/effects/wikipedia/search.ts';
import { EffectFailure } from '../../../src/engine/handler.ts';
import { type Attempt, attempt } from '../../support/attempt.ts';
import type { WebAnswer, WebServer } from '../../support/web-server.ts';
import { startWiki, type Wiki } from '../../support/wiki-server.ts';

const wiki: Wiki = {
  articles: {
    'Mount Everest': {
      extract:
        'Mount Everest is the highest mountain. Its height is 8,848.86 m (29,031.7 ft).\n\nIt was ' +
        'named after G. Everest. Many climb it. Some do not. It stands in Asia. It is cold.',
      links: ['Asia'],
    },
    'Paris (mythology)': { extract: 'Paris was a son of Priam.' },
    Paris: { extract: 'Paris is the capital of France.' },
    Mercury: {
      extract: 'Mercury may refer to:',
      isDisambiguation: true,
      links: ['Freddie Mercury', 'Mercury (planet)'],
    },
    'List of bears': { extract: '', whole: 'Brown bear. Black bear.' },
  },
  redirects: { Everest: 'Mount Everest' },
};

interface Searched {
  readonly result: unknown;
  readonly context: Attempt;
  readonly server: WebServer;
}

async function search(
  query: string,
  changes: Partial<WikipediaOptions & Wiki> = {},
): Promise<Searched> {
  const { instead, ...options } = changes;
  await using server = await startWiki({ ...wiki, ...(instead && { instead }) });
  const handler = searchHandler({
    ...{ url: new URL('/w/api.php', server.url), language: 'en', sentences: 5 },
    ...{ userAgent: 'test/1', ...options },
  });
  const context = attempt();
  const result = await handler.perform({ query }, context).catch((thrown: unknown) => thrown);
  return { result, context, server };
}

test('the first sentences of an article, and where they are from', async () => {
  const { result, server } = await search('mount_Everest');
  expect(result).toEqual({
    text:
      'Mount Everest is the highest mountain. Its height is 8,848.86 m (29,031.7 ft). It was ' +
      'named after G. Everest. Many climb it. Some do not.',
    title: 'Mount Everest',
    url: 'https://wiki.test/wiki/Mount_Everest',
    revision: 4711,
  });
  expect(server.requests).toHaveLength(1);
  expect(server.requests[0]?.headers).toMatchObject({
    'user-agent': 'test/1',
    'accept-language': 'en',
  });
});

test('as many sentences as wanted, by way of a redirect that is told', async () => {
  const { result } = await search('Everest', { sentences: 1 });
  expect(result).toMatchObject({
    text: 'Mount Everest is the highest mountain.',
    redirectedFrom: 'Everest',
  });
});

test('an article without an introduction is read from its beginning', async () => {
  const { result } = await search('List of bears');
  expect(result).toMatchObject({ text: 'Brown bear. Black bear.' });
});

describe('failures', () => {
  test('no such article: similar titles, or what was meant', async () => {
    expect((await search('Paris, France')).result).toMatchObject({
      ...{ code: 'PV4711', retryable: false, answered: true },
      message: 'could not find "Paris, France"',
      hint: 'similar: "Paris (mythology)", "Paris"',
    });
    expect((await search('Maunt Evrest')).result).toMatchObject({
      hint: 'did you mean mount everest? search for something else',
    });
  });

  test('a title of several articles names them', async () => {
    expect((await search('Mercury')).result).toMatchObject({
      code: 'PV4712',
      message: '"Mercury" may refer to several articles',
      hint: 'search for one of "Freddie Mercury", "Mercury (planet)"',
    });
  });

  test('what parts titles in the interface asks for no two of them', async () => {
    const { result, server } = await search('Paris|Mercury');
    expect(result).toMatchObject({ code: 'PV4711' });
    expect(server.requests.map(({ url }) => url.searchParams.has('titles'))).toEqual([false]);
  });

  test.each<[string, WebAnswer, object]>([
    [
      'a rate limit inside of an answer',
      { body: { error: { code: 'ratelimited', info: 'Slow down.' } } },
      { code: 'PV4702', retryable: true, message: 'Wikipedia answers ratelimited: Slow down.' },
    ],
    [
      'an error of the request',
      { body: { error: { code: 'badvalue', info: 'No.' } } },
      { code: 'PV4704', retryable: false },
    ],
    ['another interface', { body: { batch: true } }, { code: 'PV4703', retryable: false }],
    ['a broken answer', { body: '{"query"' }, { code: 'PV4703' }],
    ['too many requests', { status: 429, headers: { 'retry-after': '2' } }, { retryAfterMs: 2000 }],
    ['a fault', { status: 502 }, { code: 'PV4702', retryable: true }],
  ])('%s', async (_what, answer, failure) => {
    const { result } = await search('Paris', { instead: () => answer });
    expect(result).toBeInstanceOf(EffectFailure);
    expect(result).toMatchObject(failure);
  });
});

test.each([
  [
    'A. B. Smith left St. Louis. He came back. He slept.',
    2,
    'A. B. Smith left St. Louis. He came back.',
  ],
  ['Il fait 3,5 °C. Il neige ! Vraiment ?', 2, 'Il fait 3,5 °C. Il neige !'],
  ['Only one', 3, 'Only one'],
  ['', 3, ''],
])('first sentences of %j', (text, count, first) => {
  expect(firstSentences(text, count, 'en')).toBe(first);
});
