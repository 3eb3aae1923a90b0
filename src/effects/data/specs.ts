/** Declarations of the tools for documents and data: `check` loads no more. */
import { type JsonSchema, type ToolSpec, toolSpec } from '../../program/effect.ts';
import { tableValue } from '../../program/json-schema.ts';
import { encodingParameter } from '../files/specs.ts';
import { rowsLimit } from '../set-limits.ts';
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
import { tableFormats } from './table.ts';

const source: JsonSchema = text(
  'A path in a folder that is allowed, or an address of http or https.',
  { minLength: 1, maxLength: 4096 },
);

const reading = allOptional({
  header_row: integer('The row with the names of the columns, from 1; 0: there is none.', {
    minimum: 0,
    default: 1,
  }),
  separator: text('What stands between cells of CSV. Default: found out.', {
    minLength: 1,
    maxLength: 1,
  }),
  at: text('Of a JSON document, the way to its list of rows: "result.items".'),
  types: flag('Whether columns of numbers become numbers. 007 and 1,234 stay text.', {
    default: true,
  }),
  offset: integer('How many rows to leave out.', { minimum: 0, default: 0 }),
  limit: integer('How many rows to return. Default: all; too many for one call is an error.', {
    minimum: 1,
    maximum: rowsLimit.limit.most,
  }),
});

const format: JsonSchema = text('How it is written. Default: found out.', { enum: tableFormats });

const rows: JsonSchema = arrayOf({ type: 'object' });

const table = {
  columns: arrayOf(text()),
  types: {
    type: 'object',
    description: 'By column: int, float, bool, text, mixed, or null where no cell holds anything.',
  },
  rows,
  total: integer('How many rows there are, returned or not.'),
};

export const readTableSpec: ToolSpec = toolSpec({
  name: 'read_table',
  aliases: ['DataHelpers.read_table', 'DataHelpers.read_csv', 'read_csv'],
  description:
    'Reads a table from a CSV, TSV, XLSX, JSON, NDJSON or Markdown file. Returns { columns, ' +
    'types, rows: [{ column: value }], total, format, name, url }, of XLSX also sheet and ' +
    'sheets. What is empty is null. Large files are better asked by sql.',
  kind: 'retrieve',
  effect: 'read',
  parameters: closed({
    source,
    sheet: optional({
      type: ['string', 'integer'],
      description: 'Of a workbook, a name or a number from 1. Default: the first.',
    }),
    format: optional(format),
    ...reading,
    encoding: optional(encodingParameter),
  }),
  returns: record({
    ...table,
    ...{ format, name: text(), url: text() },
    ...allOptional({ sheet: text(), sheets: arrayOf(text()) }),
  }),
  limits: { timeoutMs: 60_000, concurrency: 4 },
});

export const parseTableSpec: ToolSpec = toolSpec({
  name: 'parse_table',
  aliases: ['DataHelpers.parse_table', 'DataHelpers.parse_csv', 'parse_csv'],
  description:
    'Makes a table of a text that is CSV, TSV, JSON, NDJSON or Markdown. Returns { columns, ' +
    'types, rows: [{ column: value }], total, format }. What is empty is null.',
  effect: 'pure',
  parameters: closed({
    text: text('The text itself, no path.'),
    format: optional({ ...format, enum: tableFormats.filter((one) => one !== 'xlsx') }),
    ...reading,
  }),
  returns: record({ ...table, format }),
  limits: { timeoutMs: 60_000, concurrency: 4 },
});

export const formatTableSpec: ToolSpec = toolSpec({
  name: 'format_table',
  aliases: ['DataHelpers.format_table', 'DataHelpers.to_csv', 'to_csv'],
  description: 'Returns rows as text: CSV, TSV or a table of Markdown. Null is an empty cell.',
  effect: 'pure',
  parameters: closed({
    table: {
      type: ['array', 'object'],
      contentMediaType: tableValue,
      description: 'A list of dicts, a dict of columns and rows, or what read_table returns.',
    },
    format: optional({ type: 'string', enum: ['csv', 'tsv', 'markdown'], default: 'csv' }),
  }),
  returns: text(),
});

export const sqlLimits = {
  /** Characters and bytes of the cells of a result, for each row that it may have. */
  bytesPerRow: 400,
} as const;

export const sqlSpec: ToolSpec = toolSpec({
  name: 'sql',
  aliases: ['DataHelpers.sql'],
  description:
    'Asks tables in SQL (SQLite), reading only. Returns the rows of the result, [{ column: ' +
    'value }]. Names of columns are quoted where they are no words: "Unit price".',
  kind: 'retrieve',
  effect: 'read',
  parameters: closed({
    query: text('One SELECT, also with WITH. Values belong into parameters.', {
      minLength: 1,
      maxLength: 100_000,
    }),
    tables: optional({
      type: 'object',
      additionalProperties: { contentMediaType: tableValue },
      description:
        'By name: a list of dicts, a dict of columns and rows, what read_table returns, or a ' +
        'path or address of a file.',
      default: {},
    }),
    parameters: optional({
      type: ['array', 'object'],
      description: 'Values for ?, in their order, or by name for :name.',
    }),
  }),
  returns: rows,
  limits: { timeoutMs: 60_000, concurrency: 4 },
});

export const parsePdfSpec: ToolSpec = toolSpec({
  name: 'parse_pdf',
  aliases: ['PdfHelpers.parse_pdf'],
  description:
    'Reads the text of a PDF file. Returns { text, pages, first, last, name, url, title?, ' +
    'author? }; in text, [page 3] stands above each page. pages counts those of the file.',
  kind: 'retrieve',
  effect: 'read',
  parameters: closed({
    source: { ...source, 'x-aliases': ['url_or_file'] },
    first_page: optional(integer('From 1.', { minimum: 1, default: 1 })),
    last_page: optional(integer('Default: the last one.', { minimum: 1 })),
  }),
  returns: record({
    text: text(),
    pages: integer('How many the file has.'),
    first: integer('The first page of text.'),
    last: integer('The last page of text.'),
    name: text(),
    url: text(),
    title: optional(text()),
    author: optional(text()),
  }),
  limits: { timeoutMs: 120_000, concurrency: 4 },
});
