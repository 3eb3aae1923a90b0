/**
 * CSV, RFC 4180 with the separators that spreadsheets use: as triples where it is some, else as a
 * table whose rows are searched as text. Line ends are `\n`.
 */
import {
  type Chunk,
  type Content,
  emptyContent,
  type Fact,
  Malformed,
  madeAnew,
} from '../content.ts';
import { rowChunks } from './pieces.ts';
import { factOf } from './triple.ts';

export interface Row {
  readonly cells: readonly string[];
  /** Where it begins and ends; from 1. */
  readonly lines: readonly [first: number, last: number];
}

/** Throws `Malformed`. */
export function loadCsv(text: string): Content {
  const [header] = readRows(text);
  if (!header) return emptyContent;
  const areTriples = checkRows(header, text);
  const names = header.cells.map((cell) => cell.trim().toLowerCase());
  const roles = ['subject', 'predicate', 'object'];
  const isNamed = roles.every((name) => names.includes(name));
  if (isNamed || areTriples) {
    const order = isNamed ? names : roles;
    return { ...emptyContent, facts: madeAnew(() => factsIn(text, order, isNamed)) };
  }
  return { ...emptyContent, chunks: madeAnew(() => chunksIn(text)) };
}

function* factsIn(text: string, names: readonly string[], hasHeader: boolean): Generator<Fact> {
  let isHeader = hasHeader;
  for (const row of readRows(text)) {
    if (!isHeader) yield factOf(tripleOf(names, row));
    isHeader = false;
  }
}

function* chunksIn(text: string): Generator<Chunk> {
  let columns: readonly string[] | undefined;
  for (const row of readRows(text)) {
    if (columns) yield* chunksOf(columns, row);
    else columns = row.cells;
  }
}

function tripleOf(names: readonly string[], row: Row): Parameters<typeof factOf>[0] {
  const cell = (name: string): string => row.cells[names.indexOf(name)] ?? '';
  const others = names.flatMap((name, index) => {
    const value = row.cells[index]?.trim() ?? '';
    return isRole(name) || value === '' ? [] : [[name || `column ${index + 1}`, value]];
  });
  return {
    subject: cell('subject'),
    predicate: cell('predicate'),
    object: cell('object'),
    line: row.lines[0],
    qualifiers: Object.fromEntries(others),
  };
}

const isRole = (name: string): boolean => ['subject', 'predicate', 'object'].includes(name);

/**
 * Whether all are triples without a header: three columns, where what the first row says comes
 * again; a header names each of its columns once. Throws `Malformed`: all of a file is looked at
 * before any of it is written.
 */
function checkRows({ cells: first, lines: [line] }: Row, text: string): boolean {
  const [subject = '', predicate] = first.map((cell) => cell.trim());
  let [count, comesAgain] = [0, false];
  for (const { cells, lines } of readRows(text)) {
    if (cells.length !== first.length) {
      const message = `got ${cells.length} cells, want ${first.length} as in the first row`;
      throw new Malformed(message, lines[0]);
    }
    count++;
    if (lines[0] === line) continue;
    const [from, by, to] = cells.slice(0, 3).map((cell) => cell.trim());
    comesAgain ||= by === predicate || from === subject || to === subject;
  }
  const isWhole = first.length === 3 && first.every((cell) => cell.trim() !== '');
  return isWhole && (count === 1 || comesAgain);
}

/** A row as text: each value beside the name of its column. */
function chunksOf(columns: readonly string[], row: Row): Chunk[] {
  const pairs = row.cells.flatMap((cell, index) => {
    const column = columns[index]?.trim() || `column ${index + 1}`;
    return cell.trim() === '' ? [] : [`${column}: ${cell.trim()}`];
  });
  return rowChunks(pairs.join('\n'), row.lines);
}

/** Rows without those that are blank. Throws `Malformed` on a quote that does not fit. */
export function* readRows(text: string): Generator<Row> {
  const separator = separatorOf(text);
  let cells: string[] = [];
  let line = 1;
  let first = 1;
  let at = 0;
  while (at < text.length) {
    const cell = readCell(text, at, separator, line);
    cells.push(cell.value);
    at = cell.end;
    line += cell.breaks;
    if (text[at] === separator) {
      at++;
      // A separator at the very end still opens a cell.
      if (at < text.length) continue;
      cells.push('');
    }
    if (cells.some((value) => value.trim() !== '')) yield { cells, lines: [first, line] };
    cells = [];
    at++;
    line++;
    first = line;
  }
}

interface Cell {
  readonly value: string;
  /** The offset after it, where a separator or a line end stands. */
  readonly end: number;
  /** Line ends inside it. */
  readonly breaks: number;
}

function readCell(text: string, start: number, separator: string, line: number): Cell {
  if (text[start] !== '"') {
    let end = start;
    while (end < text.length && text[end] !== separator && text[end] !== '\n') end++;
    return { value: text.slice(start, end), end, breaks: 0 };
  }
  let close = text.indexOf('"', start + 1);
  while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
  if (close < 0) throw new Malformed('a quoted cell begins here and is never closed', line);
  const value = text.slice(start + 1, close).replaceAll('""', '"');
  const end = close + 1;
  const breaks = value.split('\n').length - 1;
  if (end < text.length && text[end] !== separator && text[end] !== '\n') {
    const got = JSON.stringify(text[end]);
    const message = `got ${got} after a closing quote, want ${shown(separator)}`;
    throw new Malformed(message, line + breaks);
  }
  return { value, end, breaks };
}

const shown = (separator: string): string =>
  `${separator === '\t' ? 'a tab' : JSON.stringify(separator)} or a line end`;

const headerCharsMax = 2 ** 20;

/** The separator that stands most often in the first line, outside quotes; else a comma. */
function separatorOf(text: string): string {
  const start = text.slice(0, headerCharsMax).replace(/"[^"]*"/g, '');
  const line = (/^[^\n]*/.exec(start.trimStart())?.[0] ?? '').split('');
  const count = (mark: string): number => line.filter((character) => character === mark).length;
  return [';', '\t'].reduce((best, mark) => (count(mark) > count(best) ? mark : best), ',');
}
