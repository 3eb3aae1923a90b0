/** The declarations of the tools of EDGAR, apart from what performs them. */
import { type JsonSchema, type ToolSpec, toolSpec } from '../../program/effect.ts';

const symbol: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 40,
  description: 'The symbol of a company such as AAPL, or its number: CIK0000320193.',
};
const form = (name: string, alias: string): Readonly<Record<string, JsonSchema>> => ({
  [name]: {
    type: 'string',
    'x-aliases': [alias],
    minLength: 1,
    maxLength: 20,
    description: '10-K (a year), 10-Q (a quarter), 8-K (news), 20-F, 6-K, DEF 14A, …',
  },
});

/** Characters of a text that is returned where a call does not say. */
export const charactersDefault = 1_000_000;

const part: Readonly<Record<string, JsonSchema>> = {
  section: {
    type: ['string', 'null'],
    description: 'One item alone: 7, Item 1A, Part II, Item 1A, or words of its title.',
  },
  maxCharacters: {
    type: 'integer',
    minimum: 1,
    maximum: 4_000_000,
    default: charactersDefault,
    description: 'Of the text; what is longer is cut, with truncated and a warning.',
  },
};

const text: JsonSchema = { type: 'string' };
const filing: Readonly<Record<string, JsonSchema>> = {
  form: text,
  accessionNumber: text,
  filingDate: text,
  reportDate: { type: 'string', description: 'The end of the time that it is about, or empty.' },
  url: text,
};

const returns: JsonSchema = {
  type: 'object',
  properties: {
    text: { type: 'string', description: 'With tables as lines of cells.' },
    symbol: text,
    company: text,
    cik: { type: 'integer' },
    ...filing,
    indexUrl: text,
    section: { type: ['string', 'null'] },
    sections: {
      type: 'array',
      items: {
        type: 'object',
        properties: { id: text, title: text, characters: { type: 'integer' } },
      },
    },
    exhibits: {
      type: 'array',
      items: { type: 'object', properties: { type: text, title: text, url: text } },
      description: 'Of 8-K and 6-K; the text of those of type EX-99 is at the end of text.',
    },
    amendments: { type: 'array', items: { type: 'object', properties: filing } },
    truncated: { type: 'boolean' },
    fetchedAt: { type: 'integer', description: 'Epoch milliseconds.' },
  },
  required: ['text', 'company', 'form', 'accessionNumber', 'filingDate', 'url', 'sections'],
};

const read = { kind: 'retrieve', effect: 'read', keys: ['EDGAR_IDENTITY'] } as const;
const limits = { timeoutMs: 120_000, concurrency: 4 };

export const latestSpec: ToolSpec = toolSpec({
  name: 'get_latest_form_text',
  aliases: ['EdgarHelpers.get_latest_form_text'],
  description:
    'Returns the text of the latest form of a kind that a company has filed with the SEC, and ' +
    'where it is from. It fails where there is none, and says which forms there are.',
  ...read,
  parameters: {
    type: 'object',
    properties: { symbol, ...form('form', 'form_type'), ...part },
    required: ['symbol', 'form'],
    additionalProperties: false,
  },
  returns,
  limits,
});

export const reportSpec: ToolSpec = toolSpec({
  name: 'get_report',
  aliases: ['EdgarHelpers.get_report'],
  description:
    'Returns the text of the form of a kind that a company had filed last on a day, as ' +
    'get_latest_form_text does for today.',
  ...read,
  parameters: {
    type: 'object',
    properties: {
      symbol,
      ...form('form_type', 'form'),
      date: { type: 'string', description: 'The day, YYYY-MM-DD.' },
      ...part,
    },
    required: ['symbol', 'form_type', 'date'],
    additionalProperties: false,
  },
  returns,
  limits,
});

export const listSpec: ToolSpec = toolSpec({
  name: 'list_filings',
  aliases: ['EdgarHelpers.list_filings'],
  description: 'Returns what a company has filed with the SEC, the newest first, without text.',
  ...read,
  parameters: {
    type: 'object',
    properties: {
      symbol,
      form: {
        type: ['string', 'null'],
        'x-aliases': ['form_type'],
        description: 'Of this form alone, such as 10-K.',
      },
      count: { type: 'integer', minimum: 1, maximum: 200, default: 20 },
    },
    required: ['symbol'],
    additionalProperties: false,
  },
  returns: {
    type: 'object',
    properties: {
      symbol: text,
      company: text,
      cik: { type: 'integer' },
      filings: { type: 'array', items: { type: 'object', properties: filing } },
    },
    required: ['symbol', 'company', 'cik', 'filings'],
  },
  limits,
});

export const edgarSpecs: readonly ToolSpec[] = [latestSpec, reportSpec, listSpec];
