/** The declarations of the tools of LinkedIn, apart from what performs them. */
import { type JsonSchema, type ToolSpec, toolSpec } from '../../program/effect.ts';
import { searchKeys } from '../web/search/set-options.ts';

const name = (description: string): JsonSchema => ({
  type: 'string',
  minLength: 1,
  maxLength: 100,
  description,
});

const text: JsonSchema = { type: 'string' };

export const searchProfileSpec: ToolSpec = toolSpec({
  name: 'search_linkedin_profile',
  aliases: ['WebHelpers.search_linkedin_profile', 'LinkedInHelpers.search_linkedin_profile'],
  description:
    'Searches the web for the profile of a person on LinkedIn. Returns { url, results }: url is ' +
    'the first result that has the whole name, or null; others may be of namesakes.',
  kind: 'retrieve',
  effect: 'read',
  parameters: {
    type: 'object',
    properties: {
      first_name: name('Such as Ada.'),
      last_name: name('Such as Lovelace.'),
      company: {
        type: ['string', 'null'],
        maxLength: 100,
        description: 'Where the person works, which tells namesakes apart.',
      },
    },
    required: ['first_name', 'last_name'],
    additionalProperties: false,
  },
  returns: {
    type: 'object',
    properties: {
      url: { type: ['string', 'null'] },
      results: {
        type: 'array',
        items: {
          type: 'object',
          properties: { url: text, title: text, snippet: text, engine: text },
          required: ['url', 'title', 'snippet', 'engine'],
        },
      },
    },
    required: ['url', 'results'],
  },
  limits: { timeoutMs: 30_000, concurrency: 2 },
  keys: searchKeys,
});

export const profileSpec: ToolSpec = toolSpec({
  name: 'get_linkedin_profile',
  aliases: ['WebHelpers.get_linkedin_profile', 'LinkedInHelpers.get_linkedin_profile'],
  description:
    'Opens a profile of LinkedIn in a browser that is signed in, and returns its name, headline ' +
    'and sections (about, experience, education), and all of its text.',
  kind: 'retrieve',
  effect: 'read',
  parameters: {
    type: 'object',
    properties: {
      url: {
        type: 'string',
        minLength: 1,
        maxLength: 500,
        description: 'Such as https://www.linkedin.com/in/ada-lovelace.',
      },
    },
    required: ['url'],
    additionalProperties: false,
  },
  returns: {
    type: 'object',
    properties: {
      url: text,
      name: text,
      headline: { type: 'string', description: 'Empty where there is none.' },
      sections: {
        type: 'array',
        items: {
          type: 'object',
          properties: { title: text, lines: { type: 'array', items: text } },
          required: ['title', 'lines'],
        },
      },
      text: { type: 'string', description: 'All of the page, in Markdown.' },
      fetchedAt: { type: 'integer', description: 'Epoch milliseconds.' },
    },
    required: ['url', 'name', 'headline', 'sections', 'text', 'fetchedAt'],
  },
  // A person looks at some profiles a minute, and sites know that.
  limits: { timeoutMs: 120_000, concurrency: 1, callsPerMinute: 6 },
});

export const linkedInSpecs: readonly ToolSpec[] = [searchProfileSpec, profileSpec];
