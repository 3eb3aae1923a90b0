/** `search`, `search_news` and `search_hacker_news`: pages for a question; see specs.ts. */
import {
  type Arguments,
  type AttemptContext,
  type Handler,
  refusal,
} from '../../../engine/handler.ts';
import { thrownMessage } from '../../../program/diagnostic.ts';
import type { Engine, Query, Result } from './engine.ts';
import { hackerNews } from './engines.ts';
import { ranked } from './rank.ts';
import { hackerNewsSpec, searchNewsSpec, searchSpec } from './specs.ts';

export interface SearchOptions {
  /** Those that are asked, all of them; none where nothing is configured. */
  readonly engines: readonly Engine[];
  /** What is missing where there is none, and where to get it. */
  readonly missing: { readonly message: string; readonly hint: string };
  readonly hackerNewsUrl: URL;
  /** What one search costs at all of them, in USD. */
  readonly price: number;
}

const countDefault = 10;

export function searchHandlers(options: SearchOptions): Handler[] {
  const priced = options.price > 0 ? { price: { perCall: options.price } } : {};
  return [
    {
      spec: { ...searchSpec, ...priced },
      perform: (args, context) => searched(queryOf(args, 'web'), args, options, context),
    },
    {
      spec: { ...searchNewsSpec, ...priced },
      perform: (args, context) => searched(queryOf(args, 'news'), args, options, context),
    },
    {
      spec: hackerNewsSpec,
      async perform(args, context) {
        const order = args.sort === 'date' ? 'date' : 'relevance';
        const engine = hackerNews({ url: options.hackerNewsUrl }, order);
        const query = queryOf(args, 'web');
        return told((await engine.find(query, context)).slice(0, query.count), context);
      },
    },
  ];
}

const queryOf = (args: Arguments, about: Query['about']): Query => ({
  text: String(args.query).trim(),
  count: Number(args.count ?? countDefault),
  about,
});

async function searched(
  query: Query,
  { goal }: Arguments,
  { engines, missing }: SearchOptions,
  context: AttemptContext,
): Promise<unknown> {
  if (engines.length === 0) {
    throw refusal('PV4749', missing.message, { hint: missing.hint });
  }
  const asked = await Promise.allSettled(engines.map((engine) => engine.find(query, context)));
  context.signal.throwIfAborted();
  const lists = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  for (const [index, one] of asked.entries()) {
    if (one.status === 'fulfilled') continue;
    if (lists.length === 0) throw one.reason;
    context.warn(`${engines[index]?.name} was left out: ${thrownMessage(one.reason)}`);
  }
  const wanted = `${query.text} ${typeof goal === 'string' ? goal : ''}`;
  // One engine knows its order better than its snippets do, unless one says what they are for.
  const isRanked = lists.length > 1 || typeof goal === 'string';
  const results = isRanked ? ranked(lists, wanted) : lists.flat();
  return told(results.slice(0, query.count), context);
}

function told(results: readonly Result[], context: AttemptContext): unknown {
  const fetchedAt = Date.now();
  for (const { url, title } of results) context.source({ url, title, fetchedAt });
  return { results };
}
