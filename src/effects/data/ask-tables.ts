/**
 * A query over tables, in a database of its own. Tables are made first; from then on the database
 * itself refuses whatever does not read them. Runs apart: see `sql.ts`.
 */

import { constants, DatabaseSync, type StatementSync } from 'node:sqlite';
import { type EffectFailure, refusal } from '../../engine/handler.ts';
import { nearest, thrownMessage } from '../../program/diagnostic.ts';
import { stringify } from '../../program/json.ts';
import { loadTable } from './load-table.ts';
import { sqlLimits } from './specs.ts';
import type { SqlInput, SqlResult, SqlTable } from './sql.ts';
import { type Cell, tableLimits } from './table.ts';

interface Made {
  readonly name: string;
  readonly columns: readonly string[];
}

/** Throws `EffectFailure` PV4930 to PV4943. */
export async function askTables(input: SqlInput): Promise<SqlResult> {
  const { query, parameters, tables } = input;
  const db = new DatabaseSync(':memory:', { allowExtension: false });
  const warnings: string[] = [];
  const made: Made[] = [];
  for (const table of tables) {
    const twin = made.find(({ name }) => name.toLowerCase() === table.name.toLowerCase());
    if (twin) {
      throw refusal(
        'PV4943',
        `tables: got ${twin.name} and ${table.name}, which are one name in SQL`,
      );
    }
    made.push(await make(db, table, warnings));
  }
  const refused = guard(db);
  try {
    const statement = prepared(db, query);
    refuseMissing(query, parameters);
    return { rows: rowsOf(statement, input), warnings };
  } catch (thrown) {
    if (!refused()) throw wrong(thrown, made);
    const hint = 'write one SELECT; tables come from the argument of that name';
    throw refusal('PV4941', 'the query would do more than read: want SELECT', { hint });
  }
}

async function make(db: DatabaseSync, table: SqlTable, warnings: string[]): Promise<Made> {
  const { name } = table;
  const read = 'content' in table ? await loadTable(table.content, table.options) : undefined;
  warnings.push(...(read?.warnings ?? []));
  const given = read ? read.columns.map((column) => column.name) : columnsOf(table);
  const columns = distinct(given, name, warnings);
  const rows = read ? read.rows : 'rows' in table ? table.rows : [];
  if (columns.length === 0) {
    throw refusal('PV4943', `tables.${name}: got no column`, {
      hint: 'name the columns: {columns, rows}',
    });
  }
  try {
    // Columns without a type keep what is put into them.
    db.exec(`CREATE TABLE ${quoted(name)} (${columns.map(quoted).join(', ')})`);
    const marks = columns.map(() => '?').join(', ');
    const insert = db.prepare(`INSERT INTO ${quoted(name)} VALUES (${marks})`);
    db.exec('BEGIN');
    for (const row of rows) insert.run(...columns.map((_, at) => boundOf(row[at])));
    db.exec('COMMIT');
  } catch (thrown) {
    throw refusal('PV4943', `tables.${name}: ${thrownMessage(thrown)}`);
  }
  return { name, columns };
}

const columnsOf = (table: SqlTable): readonly string[] => ('columns' in table ? table.columns : []);

/** SQL takes names that differ in case for one. */
function distinct(names: readonly string[], table: string, warnings: string[]): string[] {
  const taken = new Set<string>();
  return names.map((given) => {
    let name = given;
    for (let count = 2; taken.has(name.toLowerCase()); count++) name = `${given} ${count}`;
    taken.add(name.toLowerCase());
    if (name !== given) warnings.push(`tables.${table}: the second column ${given} is "${name}"`);
    return name;
  });
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

type Bound = null | number | bigint | string | Uint8Array;

/** SQLite has integers of 64 bits and no booleans; lists and dicts are JSON, which it can read. */
function boundOf(cell: Cell): Bound {
  if (cell === null || cell === undefined) return null;
  if (typeof cell === 'boolean') return cell ? 1 : 0;
  if (typeof cell === 'string' || typeof cell === 'number') return cell;
  if (typeof cell === 'bigint') return BigInt.asIntN(64, cell) === cell ? cell : String(cell);
  return cell instanceof Uint8Array ? cell : stringify(cell);
}

const allowed: ReadonlySet<number> = new Set([
  ...[constants.SQLITE_SELECT, constants.SQLITE_READ],
  ...[constants.SQLITE_FUNCTION, constants.SQLITE_RECURSIVE],
]);

/** Tells whether anything was refused since: errors of SQLite say it in several ways. */
function guard(db: DatabaseSync): () => boolean {
  let refused = false;
  db.setAuthorizer((action) => {
    if (allowed.has(action)) return constants.SQLITE_OK;
    refused = true;
    return constants.SQLITE_DENY;
  });
  return () => refused;
}

function prepared(db: DatabaseSync, query: string): StatementSync {
  const statement = db.prepare(query);
  const rest = query.slice(query.indexOf(statement.sourceSQL) + statement.sourceSQL.length);
  if (bare(rest).replace(/[\s;]/g, '') !== '') {
    throw refusal('PV4941', 'got several statements, want one', { hint: 'call sql once for each' });
  }
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  return statement;
}

/** A query without its comments, and without what stands between quotes. */
const bare = (query: string): string =>
  query.replace(
    /--[^\n]*|\/\*[\s\S]*?(\*\/|$)|'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*(?:\]|$)/g,
    (part) => (/^(--|\/\*)/.test(part) ? ' ' : "''"),
  );

/** SQLite takes what is missing for NULL. */
function refuseMissing(query: string, parameters: SqlInput['parameters']): void {
  const signs = bare(query).match(/\?\d*|[:@$][A-Za-z_]\w*/g) ?? [];
  if (Array.isArray(parameters)) {
    const numbers = signs.filter((sign) => /^\?\d/.test(sign)).map((sign) => Number(sign.slice(1)));
    const want = Math.max(signs.filter((sign) => sign === '?').length, ...numbers, 0);
    const names = signs.filter((sign) => !sign.startsWith('?'));
    if (parameters.length === want && names.length === 0) return;
    const got = `parameters: got a list of ${parameters.length}`;
    const [name] = names;
    if (name !== undefined) throw refusal('PV4940', `${got}, want a dict: the query has ${name}`);
    throw refusal('PV4940', `${got}, want ${want}, one for each ? of the query`);
  }
  const given = new Set(Object.keys(parameters).map((name) => name.replace(/^[:@$]/, '')));
  const missing = signs.find((sign) => !given.has(sign.slice(1)));
  if (missing === undefined) return;
  throw refusal('PV4940', `parameters: got none for ${missing}, want one`);
}

function rowsOf(statement: StatementSync, { parameters, rowsMax }: SqlInput): SqlResult['rows'] {
  const names = distinct(
    statement.columns().map(({ name }) => name),
    '',
    [],
  );
  const rows: Record<string, Cell>[] = [];
  let bytes = 0;
  for (const row of iterate(statement, parameters)) {
    const cells = row.map(cellOf);
    for (const cell of cells) bytes += sizeOf(cell);
    rows.push(Object.fromEntries(names.map((name, at) => [name, cells[at] ?? null])));
    refuseLarge(rows.length, names.length, bytes, rowsMax);
  }
  return rows;
}

function iterate(
  statement: StatementSync,
  parameters: SqlInput['parameters'],
): Iterable<readonly unknown[]> {
  const found = Array.isArray(parameters)
    ? statement.iterate(...parameters.map(boundOf))
    : statement.iterate(
        Object.fromEntries(Object.entries(parameters).map(([key, cell]) => [key, boundOf(cell)])),
      );
  return found as Iterable<unknown> as Iterable<readonly unknown[]>;
}

const cellOf = (cell: unknown): Cell =>
  typeof cell === 'bigint' && BigInt.asIntN(53, cell) === cell ? Number(cell) : cell;

const sizeOf = (cell: Cell): number =>
  typeof cell === 'string' ? cell.length : cell instanceof Uint8Array ? cell.byteLength : 8;

function refuseLarge(rows: number, columns: number, bytes: number, rowsMax: number): void {
  const bytesMax = rowsMax * sqlLimits.bytesPerRow;
  const cells = rowsMax * tableLimits.cellsPerRow;
  const hint = 'add LIMIT, or let SQL count, sum and group';
  const more = (what: string): EffectFailure =>
    refusal('PV4942', `the result has more than ${what}`, { hint });
  if (rows > rowsMax) throw more(`${rowsMax} rows`);
  if (rows * columns > cells) throw more(`${cells} cells`);
  if (bytes > bytesMax) throw more(`${bytesMax} bytes`);
}

/** What SQLite says, and what there is instead. */
function wrong(thrown: unknown, made: readonly Made[]): unknown {
  if (!(thrown instanceof Error) || !('code' in thrown)) return thrown;
  if (!String(thrown.code).startsWith('ERR_')) return thrown;
  const tables = made.map(({ name, columns }) => `${name}(${columns.slice(0, 40).join(', ')})`);
  const there = made.length === 0 ? 'there are no tables' : `there is ${tables.join('; ')}`;
  const missing = /no such (table|column): (?:\w+\.)?(.+)$/.exec(thrown.message);
  const known =
    missing?.[1] === 'table'
      ? made.map(({ name }) => name)
      : made.flatMap(({ columns }) => columns);
  const meant = missing ? nearest(missing[2] ?? '', known) : undefined;
  const hint = meant === undefined ? there : `did you mean ${meant}? ${there}`;
  return refusal('PV4940', thrown.message, { hint });
}
