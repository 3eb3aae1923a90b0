/** The declarations of the tools of EDGAR, apart from what performs them. */
import { type JsonSchema, type ToolSpec, toolSpec } from '../../program/effect.ts';
import {
  allOptional,
  arrayOf,
  closed,
  flag,
  integer,
  optional,
  record,
  text,
} from '../tool/fields.ts';

const symbol: JsonSchema = text(
  'The symbol of a company such as AAPL, or its number: CIK0000320193.',
  { minLength: 1, maxLength: 40 },
);
const form = (alias: string): JsonSchema =>
  text('10-K (a year), 10-Q (a quarter), 8-K (news), 20-F, 6-K, DEF 14A, …', {
    ...{ 'x-aliases': [alias], minLength: 1, maxLength: 20 },
  });

/** Characters of a text() that is returned where a call does not say. */
export const charactersDefault = 1_000_000;

const part = allOptional({
  section: {
    type: ['string', 'null'],
    description: 'One item alone: 7, Item 1A, Part II, Item 1A, or words of its title.',
  },
  maxCharacters: integer('Of the text; what is longer is cut, with truncated and a warning.', {
    minimum: 1,
    maximum: 4_000_000,
    default: charactersDefault,
  }),
});

const filing = {
  form: text(),
  accessionNumber: text(),
  filingDate: text(),
  reportDate: optional(text('The end of the time that it is about, or empty.')),
  url: text(),
};

const returns = record({
  text: text('With tables as lines of cells.'),
  symbol: optional(text()),
  company: text(),
  cik: optional(integer()),
  ...filing,
  indexUrl: optional(text()),
  section: optional({ type: ['string', 'null'] }),
  sections: arrayOf(record({ id: text(), title: text(), characters: integer() })),
  ...allOptional({
    exhibits: arrayOf(
      record({ type: text(), title: text(), url: text() }),
      'Of 8-K and 6-K; the text of those of type EX-99 is at the end of text.',
    ),
    amendments: arrayOf(record(filing)),
    truncated: flag(),
    fetchedAt: integer('Epoch milliseconds.'),
  }),
});

const read = { kind: 'retrieve', effect: 'read', keys: ['EDGAR_IDENTITY'] } as const;
const limits = { timeoutMs: 120_000, concurrency: 4 };

export const latestSpec: ToolSpec = toolSpec({
  name: 'get_latest_form_text',
  aliases: ['EdgarHelpers.get_latest_form_text'],
  description:
    'Returns the text of the latest form of a kind that a company has filed with the SEC, and ' +
    'where it is from. It fails where there is none, and says which forms there are.',
  ...read,
  parameters: closed({ symbol, form: form('form_type'), ...part }),
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
  parameters: closed({
    symbol,
    form_type: form('form'),
    date: text('The day, YYYY-MM-DD.'),
    ...part,
  }),
  returns,
  limits,
});

export const edgarSpecs: readonly ToolSpec[] = [latestSpec, reportSpec];
