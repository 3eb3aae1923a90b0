/** What a set that searches may be told, apart from what reads it. */
import type { SetOption } from '../../tool-set.ts';

/** The variables that search engines are configured by: any of them will do. */
export const searchKeys: readonly string[] = [
  ...['SERPAPI_API_KEY', 'BRAVE_API_KEY', 'TAVILY_API_KEY', 'PLANVM_SEARXNG_URL'],
];

export const searchSetOptions: Readonly<Record<string, SetOption>> = {
  engine: {
    about: 'Who is asked: serpapi, brave, tavily, searxng. auto: the first that has a key.',
    variable: 'PLANVM_SEARCH_ENGINE',
    default: 'auto',
  },
  serpapi: {
    about: 'Where SerpAPI answers.',
    variable: 'PLANVM_SERPAPI_URL',
    default: 'https://serpapi.com',
  },
  brave: {
    about: 'Where Brave answers.',
    variable: 'PLANVM_BRAVE_URL',
    default: 'https://api.search.brave.com',
  },
  tavily: {
    about: 'Where Tavily answers.',
    variable: 'PLANVM_TAVILY_URL',
    default: 'https://api.tavily.com',
  },
  searxng: {
    about: 'Where a SearXNG server of your own answers: it needs no key.',
    variable: 'PLANVM_SEARXNG_URL',
  },
  hackerNews: {
    about: 'Where the search of Hacker News answers: it needs no key.',
    variable: 'PLANVM_HACKER_NEWS_URL',
    default: 'https://hn.algolia.com',
  },
};
