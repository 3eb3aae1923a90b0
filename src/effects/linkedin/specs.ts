/** The declarations of the tools of LinkedIn, apart from what performs them. */
import { type JsonSchema, type ToolSpec, toolSpec } from '../../program/effect.ts';
import { arrayOf, closed, integer, optional, record, text } from '../tool/fields.ts';
import { searchKeys } from '../web/search/set-options.ts';

const name = (description: string): JsonSchema =>
  text(description, { minLength: 1, maxLength: 100 });

export const searchProfileSpec: ToolSpec = toolSpec({
  name: 'search_linkedin_profile',
  aliases: ['WebHelpers.search_linkedin_profile', 'LinkedInHelpers.search_linkedin_profile'],
  description:
    'Searches the web for the profile of a person on LinkedIn, and returns its text, as ' +
    'get_linkedin_profile does. Where LinkedIn does not show it, text is what the search engine ' +
    'has of it, and note says so. url is null where nothing has the whole name.',
  kind: 'retrieve',
  effect: 'read',
  parameters: closed({
    first_name: name('Such as Ada.'),
    last_name: name('Such as Lovelace.'),
    company: optional({
      type: ['string', 'null'],
      'x-aliases': ['company_name'],
      maxLength: 100,
      description: 'Where the person works, which tells namesakes apart.',
    }),
  }),
  returns: record({
    url: { type: ['string', 'null'] },
    text: text('The profile, in Markdown; empty where url is null.'),
    note: optional(text('Why text is less than the profile, where it is.')),
    name: optional(text()),
    results: arrayOf(
      record({ url: text(), title: text(), snippet: text(), engine: text() }),
      'All that was found, the best first; others may be of namesakes.',
    ),
  }),
  limits: { timeoutMs: 150_000, concurrency: 2 },
  keys: searchKeys,
});

export const profileSpec: ToolSpec = toolSpec({
  name: 'get_linkedin_profile',
  aliases: ['WebHelpers.get_linkedin_profile', 'LinkedInHelpers.get_linkedin_profile'],
  description:
    'Opens a profile of LinkedIn in a browser that is signed in, and returns its name and all of ' +
    'its text.',
  kind: 'retrieve',
  effect: 'read',
  parameters: closed({
    url: text('Such as https://www.linkedin.com/in/ada-lovelace.', {
      'x-aliases': ['linkedin_url'],
      minLength: 1,
      maxLength: 500,
    }),
  }),
  returns: record({
    url: text(),
    name: text(),
    text: text('All of the page, in Markdown.'),
    fetchedAt: integer('Epoch milliseconds.'),
  }),
  // A person looks at some profiles a minute, and sites know that.
  limits: { timeoutMs: 120_000, concurrency: 1, callsPerMinute: 6 },
});

export const linkedInSpecs: readonly ToolSpec[] = [searchProfileSpec, profileSpec];
