/** `format_table`: rows as the text of a CSV or TSV file, or as a table of Markdown. */
import type { Handler } from '../../engine/handler.ts';
import { stringify } from '../../program/json.ts';
import { givenTable } from './given-table.ts';
import { formatTableSpec } from './specs.ts';
import type { Cell } from './table.ts';

export const formatTableHandler: Handler = {
  spec: formatTableSpec,
  async perform(args) {
    const { columns, rows } = givenTable('table', args.table);
    const lines = [columns, ...rows].map((row) => row.map(textOf));
    if (args.format === 'markdown') return markdown(lines);
    const separator = args.format === 'tsv' ? '\t' : ',';
    return lines.map((cells) => `${cells.map(inQuotes(separator)).join(separator)}\n`).join('');
  },
};

function textOf(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  return typeof cell === 'string' ? cell : stringify(cell);
}

/** RFC 4180: quotes where something would end the cell, or where a line would be blank. */
const inQuotes =
  (separator: string) =>
  (cell: string, _at: number, cells: readonly string[]): string => {
    const isBlankLine = cells.length === 1 && cell.trim() === '';
    const needsQuotes = isBlankLine || cell.includes(separator) || /["\r\n]/.test(cell);
    return needsQuotes ? `"${cell.replaceAll('"', '""')}"` : cell;
  };

function markdown(lines: readonly (readonly string[])[]): string {
  const [header = [], ...rows] = lines.map((cells) => `| ${cells.map(inCell).join(' | ')} |`);
  const rule = `|${' --- |'.repeat(lines[0]?.length ?? 0)}`;
  return [header, rule, ...rows].map((line) => `${line}\n`).join('');
}

const inCell = (cell: string): string => cell.replace(/[\\|]/g, '\\$&').replace(/\r?\n/g, '<br>');
