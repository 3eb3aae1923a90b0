/** Declarations of the tools that search, apart from what performs them. */
import { type JsonSchema, type ToolSpec, toolSpec } from '../../../program/effect.ts';
import { searchKeys } from './set-options.ts';

const query: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 400,
  description: 'The words to search for.',
};

const count: JsonSchema = {
  type: 'integer',
  'x-aliases': ['total_links_to_return'],
  minimum: 1,
  maximum: 50,
  description: 'How many results are wanted; 10 where it is left out.',
};

const goal: JsonSchema = {
  type: 'string',
  maxLength: 2000,
  description: 'What the results are for, in a sentence: those that fit it come first.',
};

const returns: JsonSchema = {
  type: 'object',
  properties: {
    results: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          url: { type: 'string' },
          title: { type: 'string' },
          snippet: { type: 'string', description: 'What the engine shows of the page.' },
          engine: { type: 'string', description: 'Which engine has found it.' },
          published: { type: 'string', description: 'As the engine says it, if it does.' },
        },
        required: ['url', 'title', 'snippet', 'engine'],
      },
    },
  },
  required: ['results'],
};

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
    sort: {
      type: 'string',
      enum: ['relevance', 'date'],
      description: 'date: the newest first. relevance where it is left out.',
    },
  }),
});

export const searchSpecs: readonly ToolSpec[] = [searchSpec, searchNewsSpec, hackerNewsSpec];
