/** Declarations of the tools for documents and data: `check` loads no more. */
import { type JsonSchema, type ToolSpec, toolSpec } from '../../program/effect.ts';
import { tableValue } from '../../program/json-schema.ts';
import { encodingParameter } from '../files/specs.ts';
import { rowsLimit } from '../set-limits.ts';
import { tableFormats } from './table.ts';

const source: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 4096,
  description: 'A path in a folder that is allowed, or an address of http or https.',
};

const reading: Readonly<Record<string, JsonSchema>> = {
  header_row: {
    type: 'integer',
    minimum: 0,
    default: 1,
    description: 'The row with the names of the columns, from 1; 0: there is none.',
  },
  separator: {
    type: 'string',
    minLength: 1,
    maxLength: 1,
    description: 'What stands between cells of CSV. Default: found out.',
  },
  at: {
    type: 'string',
    description: 'Of a JSON document, the way to its list of rows: "result.items".',
  },
  types: {
    type: 'boolean',
    default: true,
    description: 'Whether columns of numbers become numbers. 007 and 1,234 stay text.',
  },
  offset: { type: 'integer', minimum: 0, default: 0, description: 'How many rows to leave out.' },
  limit: {
    type: 'integer',
    minimum: 1,
    maximum: rowsLimit.limit.most,
    description: 'How many rows to return. Default: all; too many for one call is an error.',
  },
};

const format: JsonSchema = {
  type: 'string',
  enum: tableFormats,
  description: 'How it is written. Default: found out.',
};

const rows: JsonSchema = { type: 'array', items: { type: 'object' } };

const table: Readonly<Record<string, JsonSchema>> = {
  columns: { type: 'array', items: { type: 'string' } },
  types: {
    type: 'object',
    description: 'By column: int, float, bool, text, mixed, or null where no cell holds anything.',
  },
  rows,
  total: { type: 'integer', description: 'How many rows there are, returned or not.' },
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
  parameters: {
    type: 'object',
    properties: {
      source,
      sheet: {
        type: ['string', 'integer'],
        description: 'Of a workbook, a name or a number from 1. Default: the first.',
      },
      format,
      ...reading,
      encoding: encodingParameter,
    },
    required: ['source'],
    additionalProperties: false,
  },
  returns: {
    type: 'object',
    properties: {
      ...table,
      format,
      name: { type: 'string' },
      url: { type: 'string' },
      sheet: { type: 'string' },
      sheets: { type: 'array', items: { type: 'string' } },
    },
    required: ['columns', 'types', 'rows', 'total', 'format', 'name', 'url'],
  },
  limits: { timeoutMs: 60_000, concurrency: 4 },
});

export const parseTableSpec: ToolSpec = toolSpec({
  name: 'parse_table',
  aliases: ['DataHelpers.parse_table', 'DataHelpers.parse_csv', 'parse_csv'],
  description:
    'Makes a table of a text that is CSV, TSV, JSON, NDJSON or Markdown. Returns { columns, ' +
    'types, rows: [{ column: value }], total, format }. What is empty is null.',
  effect: 'pure',
  parameters: {
    type: 'object',
    properties: {
      text: { type: 'string', description: 'The text itself, no path.' },
      format: { ...format, enum: tableFormats.filter((one) => one !== 'xlsx') },
      ...reading,
    },
    required: ['text'],
    additionalProperties: false,
  },
  returns: {
    type: 'object',
    properties: { ...table, format },
    required: ['columns', 'types', 'rows', 'total', 'format'],
  },
  limits: { timeoutMs: 60_000, concurrency: 4 },
});

export const formatTableSpec: ToolSpec = toolSpec({
  name: 'format_table',
  aliases: ['DataHelpers.format_table', 'DataHelpers.to_csv', 'to_csv'],
  description: 'Returns rows as text: CSV, TSV or a table of Markdown. Null is an empty cell.',
  effect: 'pure',
  parameters: {
    type: 'object',
    properties: {
      table: {
        type: ['array', 'object'],
        contentMediaType: tableValue,
        description: 'A list of dicts, a dict of columns and rows, or what read_table returns.',
      },
      format: { type: 'string', enum: ['csv', 'tsv', 'markdown'], default: 'csv' },
    },
    required: ['table'],
    additionalProperties: false,
  },
  returns: { type: 'string' },
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
  parameters: {
    type: 'object',
    properties: {
      query: {
        type: 'string',
        minLength: 1,
        maxLength: 100_000,
        description: 'One SELECT, also with WITH. Values belong into parameters.',
      },
      tables: {
        type: 'object',
        additionalProperties: { contentMediaType: tableValue },
        description:
          'By name: a list of dicts, a dict of columns and rows, what read_table returns, or a ' +
          'path or address of a file.',
        default: {},
      },
      parameters: {
        type: ['array', 'object'],
        description: 'Values for ?, in their order, or by name for :name.',
      },
    },
    required: ['query'],
    additionalProperties: false,
  },
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
  parameters: {
    type: 'object',
    properties: {
      source: { ...source, 'x-aliases': ['url_or_file'] },
      first_page: { type: 'integer', minimum: 1, default: 1, description: 'From 1.' },
      last_page: { type: 'integer', minimum: 1, description: 'Default: the last one.' },
    },
    required: ['source'],
    additionalProperties: false,
  },
  returns: {
    type: 'object',
    properties: {
      text: { type: 'string' },
      pages: { type: 'integer', description: 'How many the file has.' },
      first: { type: 'integer', description: 'The first page of text.' },
      last: { type: 'integer', description: 'The last page of text.' },
      name: { type: 'string' },
      url: { type: 'string' },
      title: { type: 'string' },
      author: { type: 'string' },
    },
    required: ['text', 'pages', 'first', 'last', 'name', 'url'],
  },
  limits: { timeoutMs: 120_000, concurrency: 4 },
});
