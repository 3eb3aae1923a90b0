/**
 * Rows of cells as a table: names for columns, as many cells in each row, and types where a whole
 * column says so. What a cell says is never changed for less: `007` and `1,234` stay text.
 */
import { refusal } from '../../engine/handler.ts';
import { type Cell, type CellType, type Column, type Table, tableLimits } from './table.ts';

export interface Grid {
  readonly rows: readonly (readonly Cell[])[];
  /** The names of the columns, where the rows do not hold them. */
  readonly names?: readonly string[];
  /** Whether cells are texts that may stand for something else. */
  readonly untyped: boolean;
  readonly sheet?: string;
  readonly sheets?: readonly string[];
  readonly warnings?: readonly string[];
}

export interface GridOptions {
  readonly headerRow: number;
  readonly types: boolean;
}

/** Throws `EffectFailure` PV4930, PV4931. */
export function tableOf(grid: Grid, options: GridOptions): Omit<Table, 'format'> {
  const { sheet, sheets } = grid;
  const warnings = [...(grid.warnings ?? [])];
  const { header, body } = partsOf(grid, options.headerRow);
  const width = widthOf(body, header);
  if (width > tableLimits.columns || body.length > tableLimits.rows) {
    const got = `${body.length} rows of ${width} columns`;
    throw refusal(
      'PV4931',
      `got ${got}, want at most ${tableLimits.rows} of ${tableLimits.columns}`,
    );
  }
  const names = namesOf(header, width, warnings);
  if (header) warnings.push(...unevenIn(body, header.length));
  const isTyped = options.types && grid.untyped;
  const types = names.map((_, at) =>
    isTyped ? typeOfTexts(body, at) : joint(body, (row) => typeOfCell(row[at])),
  );
  const rows = body.map((row) =>
    types.map((type, at) =>
      grid.untyped ? readText(row[at], isTyped ? type : 'text') : own(row[at]),
    ),
  );
  const columns = names.map((name, at): Column => ({ name, type: types[at] ?? 'null' }));
  return {
    columns,
    rows,
    ...(sheet !== undefined && { sheet }),
    ...(sheets && { sheets }),
    warnings,
  };
}

function partsOf(
  { rows, names }: Grid,
  headerRow: number,
): { header: readonly Cell[] | undefined; body: readonly (readonly Cell[])[] } {
  if (names) return { header: names, body: rows };
  if (headerRow === 0) return { header: undefined, body: rows };
  if (rows.length === 0) return { header: [], body: [] };
  const header = rows[headerRow - 1];
  if (header) return { header, body: rows.slice(headerRow) };
  throw refusal('PV4930', `header_row: got ${headerRow}, but there are ${rows.length} rows`);
}

function widthOf(body: readonly (readonly Cell[])[], header: readonly Cell[] = []): number {
  let width = header.length;
  for (const row of body) if (row.length > width) width = row.length;
  return width;
}

/** A name for each column: what has none is counted, what has another's is numbered. */
function namesOf(
  header: readonly Cell[] | undefined,
  width: number,
  warnings: string[],
): readonly string[] {
  const taken = new Set<string>();
  return Array.from({ length: width }, (_, at) => {
    const own = String(header?.[at] ?? '').trim();
    const given = own === '' ? `column ${at + 1}` : own;
    let name = given;
    for (let count = 2; taken.has(name.toLowerCase()); count++) name = `${given} ${count}`;
    taken.add(name.toLowerCase());
    if (name !== given) warnings.push(`two columns are called ${given}: the second is ${name}`);
    return name;
  });
}

function unevenIn(body: readonly (readonly Cell[])[], width: number): string[] {
  const said = (rows: number[], what: string): string[] => {
    const count = rows.length === 1 ? 'a row has' : `${rows.length} rows have`;
    return rows.length === 0 ? [] : [`${count} ${what} (the first is row ${rows[0]})`];
  };
  const short: number[] = [];
  const long: number[] = [];
  body.forEach((row, at) => {
    if (row.length < width) short.push(at + 1);
    if (row.length > width) long.push(at + 1);
  });
  return [
    ...said(short, `fewer cells than the header, ${width}: the others are null`),
    ...said(long, `more cells than the header, ${width}: they have columns of their own`),
  ];
}

const int = /^(?!-0+$)-?(0|[1-9]\d*)$/;
const float = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
const bool = /^(true|false)$/i;

/** Digits that a float keeps. */
const digitsMax = 15;

function typeOfTexts(body: readonly (readonly Cell[])[], at: number): CellType {
  const type = joint(body, (row) => typeOfText(textOf(row[at]).trim()));
  return type === 'mixed' || (type === 'float' && !floatsFit(body, at)) ? 'text' : type;
}

/** What all that is there is of; `mixed` where it is of several. */
function joint(
  body: readonly (readonly Cell[])[],
  typeIn: (row: readonly Cell[]) => CellType,
): CellType {
  let type: CellType = 'null';
  for (const row of body) {
    const own = typeIn(row);
    if (own === 'null' || type === own) continue;
    if (type === 'null') type = own;
    else if ([type, own].every((one) => one === 'int' || one === 'float')) type = 'float';
    else return 'mixed';
  }
  return type;
}

function typeOfText(text: string): CellType {
  if (text === '') return 'null';
  if (int.test(text)) return 'int';
  if (float.test(text) && Number.isFinite(Number(text))) return 'float';
  return bool.test(text) ? 'bool' : 'text';
}

/** Whether none of a column of numbers would lose digits. */
const floatsFit = (body: readonly (readonly Cell[])[], at: number): boolean =>
  body.every((row) => {
    const [digits = ''] = textOf(row[at]).trim().split(/e/i);
    return digits.replace(/^-?0*\.?0*|\./g, '').length <= digitsMax;
  });

function typeOfCell(cell: Cell): CellType {
  if (cell === null || cell === undefined) return 'null';
  if (typeof cell === 'bigint') return 'int';
  if (typeof cell === 'number') return Number.isInteger(cell) ? 'int' : 'float';
  if (typeof cell === 'boolean') return 'bool';
  return typeof cell === 'string' ? 'text' : 'mixed';
}

function readText(cell: Cell, type: CellType): Cell {
  const text = textOf(cell);
  if (text.trim() === '') return null;
  switch (type) {
    case 'int': {
      const value = Number(text);
      return Number.isSafeInteger(value) ? value : BigInt(text.trim());
    }
    case 'float':
      return Number(text);
    case 'bool':
      return text.trim().toLowerCase() === 'true';
    default:
      return text;
  }
}

const textOf = (cell: Cell): string => (typeof cell === 'string' ? cell : '');

const own = (cell: Cell): Cell => cell ?? null;
