/** Declarations of the tools that read pages, apart from what performs them. */
import { type JsonSchema, type ToolSpec, toolSpec } from '../../program/effect.ts';

const text = (description: string): JsonSchema => ({ type: 'string', description });

const returns: JsonSchema = {
  type: 'object',
  properties: {
    text: text('Markdown of a page; of a PDF file, its text under marks: [page 3].'),
    title: text('Empty where it has none.'),
    url: text('Where it is from, after all redirects.'),
    contentType: text('What it is: "text/html", "application/pdf".'),
    fetchedAt: text('When it was fetched, as a date of ISO 8601.'),
    author: text('As it says itself.'),
    published: text('As it says itself.'),
    language: text('As it says itself.'),
    pageCount: { type: 'integer', description: 'Of a PDF file, whatever was read of it.' },
    truncated: text('Present where the text is not all of it: what is missing.'),
    frames: {
      type: 'array',
      items: { type: 'string' },
      description: 'Addresses of pages that the page shows within itself.',
    },
    picture: {
      type: 'object',
      properties: {
        type: { enum: ['image'] },
        mimeType: { type: 'string' },
        bytes: { type: 'integer' },
        data: text('Base64.'),
      },
      required: ['type', 'mimeType', 'bytes', 'data'],
      description: 'Where a picture was asked for, and is one: text says its kind and size.',
    },
    hidden: { type: 'integer', description: 'Parts left out that no reader sees.' },
    links: {
      type: 'array',
      items: {
        type: 'object',
        properties: { text: { type: 'string' }, url: { type: 'string' } },
        required: ['text', 'url'],
      },
    },
  },
  required: ['text', 'title', 'url', 'contentType', 'fetchedAt'],
};

const amount: Readonly<Record<string, JsonSchema>> = {
  maxCharacters: {
    type: 'integer',
    minimum: 100,
    maximum: 4_000_000,
    description: 'How much of the text is returned; 100000 where it is left out.',
  },
  offset: {
    type: 'integer',
    minimum: 0,
    description: 'Where the returned text begins, in characters: to go on where one call ended.',
  },
};

export const addressParameter = (description: string): JsonSchema => ({
  type: 'string',
  minLength: 1,
  maxLength: 8192,
  description,
});

// A browser may have to open the page a second time.
const limits = { timeoutMs: 120_000, concurrency: 8 };

export const downloadSpec: ToolSpec = toolSpec({
  name: 'download',
  aliases: ['get_url', 'WebHelpers.get_url', 'WebHelpers.download'],
  description:
    'Fetches a page, a PDF file or another text from the web, or reads it from a file, and ' +
    'returns it as text: pages as Markdown with their tables and absolute links. A page that has ' +
    'no text without scripts is opened in a browser, where there is one. Pictures, archives and ' +
    'pages without text are failures, but for pictures where picture is true.',
  kind: 'retrieve',
  effect: 'read',
  parameters: {
    type: 'object',
    properties: {
      url: addressParameter('An address, "https://example.com/page", or the path of a file.'),
      browser: {
        type: 'boolean',
        'x-aliases': ['force_firefox'],
        description: 'A browser opens the page at once, not only where it has no text without.',
      },
      pages: {
        type: 'string',
        description: 'Of a PDF file: "3", "2-5", "7-". All where it is left out.',
      },
      whole: {
        type: 'boolean',
        description: 'Of a page: all of it, with menus and margins, not only its content.',
      },
      links: { type: 'boolean', description: 'Of a page: its links are returned as a list, too.' },
      picture: {
        type: 'boolean',
        description: 'A picture is no failure: it is returned, for llm_call to show to a model.',
      },
      ...amount,
    },
    required: ['url'],
    additionalProperties: false,
  },
  returns,
  limits,
});

export const newsArticleSpec: ToolSpec = toolSpec({
  name: 'get_news_article',
  aliases: ['WebHelpers.get_news_article'],
  description:
    'Fetches an article from the web and returns its text as Markdown, with title, author and ' +
    'date as far as the page says them.',
  kind: 'retrieve',
  effect: 'read',
  parameters: {
    type: 'object',
    properties: {
      url: addressParameter('Its address, "https://example.com/news/1".'),
      ...amount,
    },
    required: ['url'],
    additionalProperties: false,
  },
  returns,
  limits,
});
