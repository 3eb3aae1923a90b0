/**
 * A wiki on the loopback interface that speaks the action API of MediaWiki (format version 2) as far
 * as `Search` uses it: titles with normalisation and redirects, extracts, page properties, links,
 * and the search for words. A parameter that the API does not have is a warning there and an error
 * here.
 */
import { startWebServer, type WebAnswer, type WebServer } from './web-server.ts';

export interface Article {
  readonly extract: string;
  /** The text without an introduction, where there is none. */
  readonly whole?: string;
  readonly isDisambiguation?: true;
  readonly links?: readonly string[];
}

export interface Wiki {
  readonly articles: Readonly<Record<string, Article>>;
  readonly redirects?: Readonly<Record<string, string>>;
  /** Answers in place of those of the wiki, by the number of the request, from 0. */
  readonly instead?: (index: number) => WebAnswer | undefined;
}

const known = new Set([
  ...['action', 'format', 'formatversion', 'prop', 'titles', 'redirects', 'explaintext', 'exintro'],
  ...['inprop', 'ppprop', 'plnamespace', 'pllimit'],
  ...['list', 'srsearch', 'srnamespace', 'srlimit', 'srprop', 'srinfo'],
]);

export const startWiki = (wiki: Wiki): Promise<WebServer> =>
  startWebServer(({ url, index }) => wiki.instead?.(index) ?? answer(wiki, url));

function answer(wiki: Wiki, { pathname, searchParams }: URL): WebAnswer {
  if (pathname !== '/w/api.php') return { status: 404, body: 'no such page' };
  const unknown = [...searchParams.keys()].find((name) => !known.has(name));
  if (unknown || searchParams.get('action') !== 'query') {
    return error('badvalue', `Unrecognized parameter: ${unknown ?? 'action'}.`);
  }
  if (searchParams.get('formatversion') !== '2') return error('badversion', 'want version 2');
  const query = searchParams.has('titles')
    ? pageQuery(wiki, searchParams)
    : searchQuery(wiki, searchParams);
  return { body: { batchcomplete: true, query } };
}

const error = (code: string, info: string): WebAnswer => ({
  headers: { 'mediawiki-api-error': code },
  body: { error: { code, info }, servedby: 'loopback' },
});

/** The first letter of a title is a capital; `_` is a space. */
function normal(title: string): string {
  const spaced = title.replaceAll('_', ' ');
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

function pageQuery({ articles, redirects = {} }: Wiki, given: URLSearchParams): object {
  const asked = given.get('titles') ?? '';
  const plain = normal(asked);
  const title = redirects[plain] ?? plain;
  const article = articles[title];
  const noted = {
    ...(plain === asked ? {} : { normalized: [{ fromencoded: false, from: asked, to: plain }] }),
    ...(title === plain ? {} : { redirects: [{ from: plain, to: title }] }),
  };
  const url = `https://wiki.test/wiki/${title.replaceAll(' ', '_')}`;
  const urls = { fullurl: url, editurl: `${url}?action=edit`, canonicalurl: url };
  if (!article) return { ...noted, pages: [{ ns: 0, title, missing: true, ...urls }] };
  const { extract, whole, isDisambiguation, links = [] } = article;
  return {
    ...noted,
    pages: [
      {
        ...{ pageid: 7, ns: 0, title },
        extract: given.has('exintro') ? extract : (whole ?? extract),
        ...{ contentmodel: 'wikitext', pagelanguage: 'en', lastrevid: 4711, length: 9 },
        ...urls,
        ...(isDisambiguation && { pageprops: { disambiguation: '' } }),
        ...(links.length > 0 && { links: links.map((link) => ({ ns: 0, title: link })) }),
      },
    ],
  };
}

/** Titles with any of the words. */
function searchQuery({ articles }: Wiki, given: URLSearchParams): object {
  const words = (given.get('srsearch') ?? '').toLowerCase().split(/\W+/).filter(Boolean);
  const found = Object.keys(articles).filter((title) =>
    words.some((word) => title.toLowerCase().includes(word)),
  );
  const hits = found.slice(0, Number(given.get('srlimit') ?? 10));
  return {
    searchinfo: found.length === 0 ? { suggestion: 'mount everest' } : {},
    search: hits.map((title, index) => ({ ns: 0, title, pageid: index + 1 })),
  };
}
