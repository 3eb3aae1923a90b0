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
  const form = /^(auto|serpapi|brave|tavily|searxng)$/;
  const wanted = text('engine', form, 'auto, serpapi, brave, tavily or searxng');
  const open = (name: Name): Engine | undefined => {
    if (name === 'searxng') {
      return text(name) === '' ? undefined : searxng({ url: address(name) });
    }
    const key = keys[name].map((variable) => env[variable]?.trim()).find(Boolean);
    if (key === undefined) return undefined;
    const make = { serpapi, brave, tavily }[name];
    return make({ url: address(name), key });
  };
  const asked = names.filter((name) => wanted === 'auto' || wanted === name);
  const others = { missing: missingOf(asked), hackerNewsUrl: address('hackerNews') };
  for (const name of asked) {
    const engine = open(name);
    if (engine) return { ...others, engine, price: prices[name] };
  }
  return { ...others, price: 0 };
}

function missingOf(asked: readonly Name[]): SearchOptions['missing'] {
  const variables = asked.map((name) =>
    name === 'searxng' ? 'PLANVM_SEARXNG_URL' : keys[name][0],
  );
  const [first, second] = asked;
  if (first && second === undefined) {
    return {
      message: `search asks ${first}, and ${variables[0]} is not set`,
      hint: `${places[first]} says how to get it; set it in the environment or in .env`,
    };
  }
  return {
    message: `no search engine is configured: none of ${variables.join(', ')} is set`,
    hint: 'set one in the environment or in .env; a SearXNG server of your own needs no key',
  };
}
