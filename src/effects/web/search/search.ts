/** `search`, `search_news` and `search_hacker_news`: pages for a question; see specs.ts. */
import {
  type Arguments,
  type AttemptContext,
  type Handler,
  refusal,
} from '../../../engine/handler.ts';
import { byWords, fused } from '../../retrieve/ranking.ts';
import type { Engine, Query, Result } from './engine.ts';
import { hackerNews } from './engines.ts';
import { hackerNewsSpec, searchNewsSpec, searchSpec } from './specs.ts';

export interface SearchOptions {
  /** Absent where none is configured. */
  readonly engine?: Engine;
  /** What is missing where there is none, and where to get it. */
  readonly missing: { readonly message: string; readonly hint: string };
  readonly hackerNewsUrl: URL;
  /** What one search costs, in USD. */
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
  { engine, missing }: SearchOptions,
  context: AttemptContext,
): Promise<unknown> {
  if (!engine) throw refusal('PV4749', missing.message, { hint: missing.hint });
  const found = await engine.find(query, context);
  // An engine knows its order better than its snippets do, unless one says what they are for.
  const results = typeof goal === 'string' ? ranked(found, `${query.text} ${goal}`) : found;
  return told(results.slice(0, query.count), context);
}

/** Best first: the places that the engine gave, and how well words fit, count alike. */
function ranked(results: readonly Result[], wanted: string): Result[] {
  // The title counts twice.
  const texts = results.map(({ title, snippet }) => `${title} ${title} ${snippet}`);
  const words = byWords(texts, wanted).flatMap((index) => results[index] ?? []);
  return fused([results, words]).map(({ item }) => item);
}

function told(results: readonly Result[], context: AttemptContext): unknown {
  const fetchedAt = Date.now();
  for (const { url, title } of results) context.source({ url, title, fetchedAt });
  return { results };
}
