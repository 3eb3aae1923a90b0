/** Declarations of the tools that read pages, apart from what performs them. */
import { type JsonSchema, type ToolSpec, toolSpec } from '../../program/effect.ts';
import {
  allOptional,
  arrayOf,
  closed,
  type Fields,
  flag,
  integer,
  optional,
  record,
  text,
} from '../tool/fields.ts';

const returns: JsonSchema = record({
  text: text('Markdown of a page; of a PDF file, its text under marks: [page 3].'),
  title: text('Empty where it has none.'),
  url: text('Where it is from, after all redirects.'),
  contentType: text('What it is: "text/html", "application/pdf".'),
  fetchedAt: text('When it was fetched, as a date of ISO 8601.'),
  author: optional(text('As it says itself.')),
  published: optional(text('As it says itself.')),
  language: optional(text('As it says itself.')),
  pageCount: optional(integer('Of a PDF file, whatever was read of it.')),
  truncated: optional(text('Present where the text is not all of it: what is missing.')),
  frames: optional(arrayOf(text(), 'Addresses of pages that the page shows within itself.')),
  picture: optional({
    ...record({
      ...{ type: { enum: ['image'] }, mimeType: text(), bytes: integer() },
      data: text('Base64.'),
    }),
    description: 'Where a picture was asked for, and is one: text says its kind and size.',
  }),
  hidden: optional(integer('Parts left out that no reader sees.')),
  links: optional(arrayOf(record({ text: text(), url: text() }))),
});

/** How much of a text is returned. */
export const amount: Fields = allOptional({
  maxCharacters: integer('How much of the text is returned; 100000 where it is left out.', {
    minimum: 100,
    maximum: 4_000_000,
  }),
  offset: integer('Where the returned text begins, in characters: to go on where one call ended.', {
    minimum: 0,
  }),
});

/** How much of a page is read. */
export const extent: Fields = allOptional({
  whole: flag('Of a page: all of it, with menus and margins, not only its content.'),
  links: flag('Of a page: its links are returned as a list, too.'),
});

export const addressParameter = (description: string): JsonSchema =>
  text(description, { minLength: 1, maxLength: 8192 });

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
  parameters: closed({
    url: addressParameter('An address, "https://example.com/page", or the path of a file.'),
    browser: optional(
      flag('A browser opens the page at once, not only where it has no text without.', {
        'x-aliases': ['force_firefox'],
      }),
    ),
    pages: optional(text('Of a PDF file: "3", "2-5", "7-". All where it is left out.')),
    ...extent,
    picture: optional(
      flag('A picture is no failure: it is returned, for llm_call to show to a model.'),
    ),
    ...amount,
  }),
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
  parameters: closed({
    url: addressParameter('Its address, "https://example.com/news/1".'),
    ...amount,
  }),
  returns,
  limits,
});
