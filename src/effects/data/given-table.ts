/** Tables as programs hand them over: lists of dicts, columns with rows, what a tool returned. */
import { type EffectFailure, refusal } from '../../engine/handler.ts';
import { counted } from '../../program/diagnostic.ts';
import { isObject, memberOf } from '../foreign-json.ts';
import type { Cell } from './table.ts';

export interface GivenTable {
  readonly columns: readonly string[];
  /** As many cells as there are columns. */
  readonly rows: readonly (readonly Cell[])[];
}

/** `where` names the argument in messages: `tables.sales`. Throws `EffectFailure` PV4943. */
export function givenTable(where: string, value: unknown): GivenTable {
  if (Array.isArray(value)) return rowsOf(where, value, undefined);
  if (isRecord(value) && Array.isArray(value.rows)) {
    return rowsOf(where, value.rows, [value.columns, value.headers].find(Array.isArray));
  }
  const got = isRecord(value) ? 'a dict without rows' : value === null ? 'null' : typeof value;
  throw misfit(where, got, 'a list of dicts, or a dict of columns and rows');
}

function rowsOf(
  where: string,
  rows: readonly unknown[],
  named: readonly unknown[] | undefined,
): GivenTable {
  if (rows.length > 0 && rows.every(Array.isArray)) {
    if (!named) throw misfit(where, 'lists without columns', 'a dict of columns and rows');
    const columns = named.map(String);
    const odd = rows.findIndex((row) => row.length !== columns.length);
    if (odd < 0) return { columns, rows: rows as readonly (readonly Cell[])[] };
    const want = `${columns.length}, one for each column`;
    throw misfit(`${where}.rows[${odd}]`, counted(rows[odd]?.length ?? 0, 'cell'), want);
  }
  const odd = rows.findIndex((row) => !isRecord(row));
  if (odd >= 0) throw misfit(`${where}[${odd}]`, typeof rows[odd], 'a dict');
  const records = rows as readonly Readonly<Record<string, Cell>>[];
  const columns = named?.map(String) ?? [...new Set(records.flatMap((row) => Object.keys(row)))];
  return {
    columns,
    rows: records.map((row) => columns.map((column) => memberOf(row, column) ?? null)),
  };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && !(value instanceof Uint8Array);

export const misfit = (where: string, got: string, want: string): EffectFailure =>
  refusal('PV4943', `${where}: got ${got}, want ${want}`);
