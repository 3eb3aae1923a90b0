/** Which engines a set asks, by its options and by the keys that there are. */
import type { SetReader } from '../../tool-set.ts';
import type { Engine } from './engine.ts';
import { brave, searxng, serpapi, tavily } from './engines.ts';
import type { SearchOptions } from './search.ts';

/** In this order the first with a key is asked. */
const names = ['serpapi', 'brave', 'tavily', 'searxng'] as const;

type Name = (typeof names)[number];

const keys: Readonly<Record<Exclude<Name, 'searxng'>, readonly string[]>> = {
  serpapi: ['SERPAPI_API_KEY', 'SERPAPI_KEY'],
  brave: ['BRAVE_API_KEY', 'BRAVE_SEARCH_API_KEY'],
  tavily: ['TAVILY_API_KEY'],
};

/**
 * USD for a search, as the plans for few searches cost in 2026; a configuration that knows better
 * says so (`toolOverrides`). A server of one's own is free.
 */
const prices: Readonly<Record<Name, number>> = {
  serpapi: 0.015,
  brave: 0.005,
  tavily: 0.008,
  searxng: 0,
};

const places: Readonly<Record<Name, string>> = {
  serpapi: 'https://serpapi.com/manage-api-key',
  brave: 'https://api-dashboard.search.brave.com',
  tavily: 'https://app.tavily.com',
  searxng: 'https://docs.searxng.org',
};

/** Keys come from the environment alone. Throws `BadToolSet`. */
export function searchOptionsOf({ text, address, env }: SetReader): SearchOptions {
  const form = /^(auto|all|(serpapi|brave|tavily|searxng)(,(serpapi|brave|tavily|searxng))*)$/;
  const wanted = text('engine', form, 'auto, all, or some of serpapi, brave, tavily, searxng');
  const open = (name: Name): Engine | undefined => {
    if (name === 'searxng') {
      return text(name) === '' ? undefined : searxng({ url: address(name) });
    }
    const key = keys[name].map((variable) => env[variable]?.trim()).find(Boolean);
    if (key === undefined) return undefined;
    const make = { serpapi, brave, tavily }[name];
    return make({ url: address(name), key });
  };
  const asked = wanted === 'auto' || wanted === 'all' ? names : (wanted.split(',') as Name[]);
  const opened = asked.flatMap((name) => open(name) ?? []);
  const engines = wanted === 'auto' ? opened.slice(0, 1) : opened;
  return {
    engines,
    price: priceOf(engines),
    missing: missingOf(wanted, asked),
    hackerNewsUrl: address('hackerNews'),
  };
}

/** Without what adding fractions makes of them. */
const priceOf = (engines: readonly Engine[]): number => {
  const each = engines.map(({ name }) => (name === 'hacker-news' ? 0 : prices[name]));
  return Number(each.reduce((sum, one) => sum + one, 0).toFixed(6));
};

function missingOf(wanted: string, asked: readonly Name[]): SearchOptions['missing'] {
  const variables = asked.map((name) =>
    name === 'searxng' ? 'PLANVM_SEARXNG_URL' : keys[name][0],
  );
  const [first = 'serpapi'] = asked;
  const isOne = asked.length === 1;
  return {
    message: isOne
      ? `search asks ${wanted}, and ${variables[0]} is not set`
      : `no search engine is configured: none of ${variables.join(', ')} is set`,
    hint: isOne
      ? `${places[first]} says how to get it; set it in the environment or in .env`
      : 'set one in the environment or in .env; a SearXNG server of your own needs no key',
  };
}
