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
const sections: JsonSchema = {
  type: 'array',
  items: {
    type: 'object',
    properties: { title: text, lines: { type: 'array', items: text } },
    required: ['title', 'lines'],
  },
};

export const searchProfileSpec: ToolSpec = toolSpec({
  name: 'search_linkedin_profile',
  aliases: ['WebHelpers.search_linkedin_profile', 'LinkedInHelpers.search_linkedin_profile'],
  description:
    'Searches the web for the profile of a person on LinkedIn, and returns its text, as ' +
    'get_linkedin_profile does. Where LinkedIn does not show it, text is what the search engine ' +
    'has of it, and note says so. url is null where nothing has the whole name.',
  kind: 'retrieve',
  effect: 'read',
  parameters: {
    type: 'object',
    properties: {
      first_name: name('Such as Ada.'),
      last_name: name('Such as Lovelace.'),
      company: {
        type: ['string', 'null'],
        'x-aliases': ['company_name'],
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
      text: { type: 'string', description: 'The profile, in Markdown; empty where url is null.' },
      note: { type: 'string', description: 'Why text is less than the profile, where it is.' },
      name: text,
      headline: text,
      sections,
      results: {
        description: 'All that was found, the best first; others may be of namesakes.',
        type: 'array',
        items: {
          type: 'object',
          properties: { url: text, title: text, snippet: text, engine: text },
          required: ['url', 'title', 'snippet', 'engine'],
        },
      },
    },
    required: ['url', 'text', 'results'],
  },
  limits: { timeoutMs: 150_000, concurrency: 2 },
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
        'x-aliases': ['linkedin_url'],
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
      sections,
      text: { type: 'string', description: 'All of the page, in Markdown.' },
      fetchedAt: { type: 'integer', description: 'Epoch milliseconds.' },
    },
    required: ['url', 'name', 'headline', 'sections', 'text', 'fetchedAt'],
  },
  // A person looks at some profiles a minute, and sites know that.
  limits: { timeoutMs: 120_000, concurrency: 1, callsPerMinute: 6 },
});

export const linkedInSpecs: readonly ToolSpec[] = [searchProfileSpec, profileSpec];
