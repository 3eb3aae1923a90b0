/**
 * CSV: as triples where its header names subject, predicate and object, else as a table whose rows
 * are searched as text.
 */
import { type CsvRow, csvRows } from '../../csv.ts';
import { Malformed } from '../../malformed.ts';
import { type Chunk, type Content, emptyContent, type Fact, madeAnew } from '../content.ts';
import { rowChunks } from './pieces.ts';
import { factOf } from './triple.ts';

const roles: readonly string[] = ['subject', 'predicate', 'object'];

/** Throws `Malformed`: all of a file is looked at before any of it is written. */
export function loadCsv(text: string): Content {
  let header: CsvRow | undefined;
  for (const row of rowsIn(text)) {
    header ??= row;
    const [got, want] = [row.cells.length, header.cells.length];
    if (got === want) continue;
    throw new Malformed(`got ${got} cells, want ${want} as in the first row`, row.lines[0]);
  }
  if (!header) return emptyContent;
  const names = header.cells.map((cell) => cell.trim());
  const known = names.map((name) => name.toLowerCase());
  return roles.every((name) => known.includes(name))
    ? { ...emptyContent, facts: madeAnew(() => factsIn(text, known)) }
    : { ...emptyContent, chunks: madeAnew(() => chunksIn(text, names)) };
}

function* factsIn(text: string, names: readonly string[]): Generator<Fact> {
  for (const { cells, lines } of bodyOf(text)) {
    const cell = (name: string): string => cells[names.indexOf(name)] ?? '';
    const others = names.flatMap((name, index) => {
      const value = cells[index]?.trim() ?? '';
      return roles.includes(name) || value === '' ? [] : [[name || `column ${index + 1}`, value]];
    });
    yield factOf({
      ...{ subject: cell('subject'), predicate: cell('predicate'), object: cell('object') },
      ...{ line: lines[0], qualifiers: Object.fromEntries(others) },
    });
  }
}

/** Rows as text: each value beside the name of its column. */
function* chunksIn(text: string, columns: readonly string[]): Generator<Chunk> {
  for (const { cells, lines } of bodyOf(text)) {
    const pairs = cells.flatMap((cell, index) => {
      const column = columns[index] || `column ${index + 1}`;
      return cell.trim() === '' ? [] : [`${column}: ${cell.trim()}`];
    });
    yield* rowChunks(pairs.join('\n'), lines);
  }
}

function* rowsIn(text: string): Generator<CsvRow> {
  for (const row of csvRows(text)) if (row.cells.some((cell) => cell.trim() !== '')) yield row;
}

function* bodyOf(text: string): Generator<CsvRow> {
  const rows = rowsIn(text);
  rows.next();
  yield* rows;
}
