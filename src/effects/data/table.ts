/**
 * Tables of files: CSV, TSV, JSON, NDJSON and XLSX as columns and rows. Files come from strangers:
 * one is read in a thread of its own, bounded in time, memory, rows and columns.
 */
import { apart, threadBeside } from '../apart/apart.ts';

export interface TableOptions {
  /** How it is written; found out by name, media type and beginning where it is absent. */
  readonly format?: TableFormat | undefined;
  /** Name of the file, for messages and its ending. */
  readonly name: string;
  /** As an answer over HTTP says it: `text/csv; charset=latin1`. */
  readonly mediaType?: string | undefined;
  /** Of a text; by its mark, else UTF-8 where it is absent. */
  readonly encoding?: string | undefined;
  /** Between cells; found out where it is absent. */
  readonly separator?: string | undefined;
  /** The row with the names of the columns, from 1; 0: there is none. Those above are left out. */
  readonly headerRow: number;
  /** Of a workbook, a name or a number from 1; the first where it is absent. */
  readonly sheet?: string | number | undefined;
  /** Of a JSON document, the way to the list: `result.items`. */
  readonly at?: string | undefined;
  /** Whether cells of text become numbers and booleans where a whole column is some. */
  readonly types: boolean;
}

export const tableFormats = ['csv', 'tsv', 'json', 'ndjson', 'xlsx', 'markdown'] as const;

export type TableFormat = (typeof tableFormats)[number];

export interface Table {
  readonly columns: readonly Column[];
  /** As many cells as there are columns. Integers beyond 2^53 are `bigint`, dates are ISO texts. */
  readonly rows: readonly (readonly Cell[])[];
  readonly format: TableFormat;
  readonly sheet?: string;
  readonly sheets?: readonly string[];
  /** What was odd or mended. */
  readonly warnings: readonly string[];
}

export interface Column {
  readonly name: string;
  readonly type: CellType;
}

/** `mixed`: cells of several types, or lists and objects. `null`: nothing in any cell. */
export type CellType = 'int' | 'float' | 'bool' | 'text' | 'mixed' | 'null';

export type Cell = unknown;

export const tableLimits = {
  /** What a workbook unpacks to. */
  unpackedBytes: 268_435_456,
  columns: 2_000,
  /** Rows that are read of a file. */
  rows: 2_000_000,
  /** Cells that are returned, for each row that may be. */
  cellsPerRow: 20,
} as const;

/** What the thread is given. */
export interface TableInput extends TableOptions {
  /** Bytes of a file, or a text. */
  readonly content: Uint8Array | string;
  /** Rows to return: from this one, at most as many. */
  readonly offset: number;
  readonly limit: number | undefined;
  /** How many may be returned; more are an error. */
  readonly rowsMax: number;
}

/** A part of a table, and how many rows the whole has. */
export interface TablePart extends Table {
  readonly total: number;
}

/** Throws `EffectFailure` PV4901, PV4924, PV4930 to PV4934. */
export async function readTable(
  input: TableInput,
  signal: AbortSignal,
  memoryBytes: number,
): Promise<TablePart> {
  return await apart<TableInput, TablePart>(threadBeside(import.meta.url), input, {
    signal,
    what: 'the table',
    memoryBytes,
  });
}
