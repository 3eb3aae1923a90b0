/**
 * Rows of a text whose cells stand between separators: CSV, RFC 4180, with the separators that
 * spreadsheets use. Rows are made while they are read: those of a file take many times its size.
 */
import { Malformed } from './malformed.ts';

export interface CsvRow {
  readonly cells: readonly string[];
  /** Where it begins and ends; from 1. */
  readonly lines: readonly [first: number, last: number];
}

export interface CsvOptions {
  /** Default: found out. */
  readonly separator?: string | undefined;
  /**
   * Told of quotes that stand within a cell, by their line: they are taken for letters. Without it
   * they are so before the quotes of a cell alone.
   */
  readonly onOddQuote?: ((line: number) => void) | undefined;
}

/** Without blank lines. Throws `Malformed`. */
export function* csvRows(text: string, options: CsvOptions = {}): Generator<CsvRow> {
  const separator = options.separator ?? separatorOf(text);
  const reading = { text, separator, onOddQuote: options.onOddQuote };
  let cells: string[] = [];
  let line = 1;
  let first = 1;
  let at = 0;
  let start = 0;
  while (at < text.length) {
    const cell = readCell(reading, at, line);
    cells.push(cell.value);
    at = cell.end;
    line += cell.breaks;
    if (text[at] === separator) {
      at++;
      // A separator at the very end still opens a cell.
      if (at < text.length) continue;
      cells.push('');
    }
    const isBlank = cells.length === 1 && text.slice(start, at).trim() === '';
    if (!isBlank) yield { cells, lines: [first, line] };
    cells = [];
    at = lineEndAt(text, at);
    line++;
    first = line;
    start = at;
  }
}

interface Reading extends CsvOptions {
  readonly text: string;
  readonly separator: string;
}

interface Cell {
  readonly value: string;
  /** The offset after it, where a separator or a line end stands. */
  readonly end: number;
  /** Line ends inside it. */
  readonly breaks: number;
}

function readCell(reading: Reading, start: number, line: number): Cell {
  const { text, onOddQuote } = reading;
  if (text[start] !== '"') {
    const end = plainEnd(reading, start);
    const value = text.slice(start, end);
    if (value.includes('"')) onOddQuote?.(line);
    return { value, end, breaks: 0 };
  }
  let close = text.indexOf('"', start + 1);
  while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
  if (close < 0) throw new Malformed('a quoted cell begins here and is never closed', line);
  const value = text.slice(start + 1, close).replaceAll('""', '"');
  const breaks = value.split('\n').length - 1;
  const end = plainEnd(reading, close + 1);
  if (end === close + 1) return { value, end, breaks };
  if (!onOddQuote) {
    const got = JSON.stringify(text[close + 1]);
    throw new Malformed(
      `got ${got} after a closing quote, want ${shown(reading.separator)}`,
      line + breaks,
    );
  }
  onOddQuote(line);
  return { value: text.slice(start, end), end, breaks };
}

/** Where a separator or a line end stands from there on. */
function plainEnd({ text, separator }: Reading, from: number): number {
  let end = from;
  for (; end < text.length; end++) {
    const sign = text[end];
    if (sign === separator || sign === '\n' || sign === '\r') break;
  }
  return end;
}

/** Behind the line end at this offset. */
const lineEndAt = (text: string, at: number): number =>
  text.startsWith('\r\n', at) ? at + 2 : at + 1;

const shown = (separator: string): string =>
  `${separator === '\t' ? 'a tab' : JSON.stringify(separator)} or a line end`;

const separators = [',', ';', '\t', '|'] as const;

/** The one that parts most lines of the beginning into as many cells, outside of quotes. */
function separatorOf(text: string): string {
  const lines = text
    .slice(0, 65_536)
    .replace(/"(?:[^"]|"")*"/g, '')
    .split(/\r\n?|\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, 20);
  let best: { sign: string; score: number } = { sign: ',', score: 0 };
  for (const sign of separators) {
    const counts = lines.map((line) => line.split(sign).length - 1);
    const first = counts[0] ?? 0;
    const alike = counts.filter((count) => count === first).length;
    const score = first === 0 ? 0 : (alike / lines.length) * 100 + Math.min(first, 50) / 100;
    if (score > best.score) best = { sign, score };
  }
  return best.sign;
}
