/** Declarations of the tools that search, apart from what performs them. */
import { type JsonSchema, type ToolSpec, toolSpec } from '../../../program/effect.ts';
import { arrayOf, integer, optional, record, text } from '../../tool/fields.ts';
import { searchKeys } from './set-options.ts';

const query: JsonSchema = text('The words to search for.', { minLength: 1, maxLength: 400 });

const count: JsonSchema = integer('How many results are wanted; 10 where it is left out.', {
  'x-aliases': ['total_links_to_return'],
  minimum: 1,
  maximum: 50,
});

const goal: JsonSchema = text(
  'What the results are for, in a sentence: those that fit it come first.',
  { maxLength: 2000 },
);

const returns: JsonSchema = record({
  results: arrayOf(
    record({
      url: text(),
      title: text(),
      snippet: text('What the engine shows of the page.'),
      engine: text('Which engine has found it.'),
      published: optional(text('As the engine says it, if it does.')),
    }),
  ),
});

const common = {
  kind: 'retrieve',
  effect: 'read',
  returns,
  limits: { timeoutMs: 30_000, concurrency: 4 },
} as const;

const parameters = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  ...{ type: 'object', properties, required: ['query'], additionalProperties: false },
});

export const searchSpec: ToolSpec = toolSpec({
  ...common,
  name: 'search',
  aliases: ['search_internet', 'WebHelpers.search', 'WebHelpers.search_internet'],
  description:
    'Searches the web. Returns { results: [{ url, title, snippet, engine, published? }] }, best ' +
    'first. Snippets are short: download reads a page.',
  parameters: parameters({ query, count, goal }),
  keys: searchKeys,
});

export const searchNewsSpec: ToolSpec = toolSpec({
  ...common,
  name: 'search_news',
  aliases: ['WebHelpers.search_news'],
  description:
    'Searches the news. Returns { results: [{ url, title, snippet, engine, published? }] }, best ' +
    'first; get_news_article reads one.',
  parameters: parameters({ query, count, goal }),
  keys: searchKeys,
});

export const hackerNewsSpec: ToolSpec = toolSpec({
  ...common,
  name: 'search_hacker_news',
  aliases: ['WebHelpers.search_hacker_news'],
  description:
    'Searches the stories of Hacker News. Returns { results: [{ url, title, snippet, engine, ' +
    'published }] }; snippets say points, comments and where they are discussed.',
  parameters: parameters({
    ...{ query, count },
    sort: text('date: the newest first. relevance where it is left out.', {
      enum: ['relevance', 'date'],
    }),
  }),
});

export const searchSpecs: readonly ToolSpec[] = [searchSpec, searchNewsSpec, hackerNewsSpec];
