/**
 * A section that is a table: each row is a line where its columns say what is to be done, and
 * perhaps when. Any other table is one line, with all its rows.
 */
import type { Line } from './markdown.ts';

type Text = Extract<Line, { readonly kind: 'text' }>;

export function withTable(lines: readonly Line[]): readonly Line[] {
  const from = lines.findIndex(({ kind }) => kind !== 'blank' && kind !== 'rule');
  const rest = lines.slice(Math.max(0, from));
  const end = rest.findIndex((line) => !isRow(line));
  const rows = rest.slice(0, end < 0 ? rest.length : end).filter(isRow);
  const [head, under] = rows;
  if (!head || !under || !/^[\s|:-]+$/.test(under.text)) return lines;
  const made = rowsAsItems(rows) ?? rows.map((row, at) => (at === 0 ? itemOf(row, 0) : row));
  return [...lines.slice(0, from), ...made, ...rest.slice(rows.length)];
}

const isRow = (line: Line): line is Text => line.kind === 'text' && line.text.startsWith('|');

interface Cell {
  readonly text: string;
  /** How far in its row it begins. */
  readonly at: number;
}

function rowsAsItems([head, , ...rows]: readonly Text[]): Line[] | undefined {
  const heads = head ? cellsOf(head.text) : [];
  const all = rows.map((row) => ({ row, cells: cellsOf(row.text) }));
  const isNumber = (column: number): boolean =>
    /^(?:#|n[or°]?\.?|number|step|étape|schritt)?$/i.test(heads[column]?.text ?? '') &&
    all.every(({ cells }) => /^\d+(?:\.\d+)*[.)]?$/.test(cells[column]?.text ?? ''));
  const columns = heads.flatMap((cell, column) => (isNumber(column) ? [] : [{ cell, column }]));
  const [first, second] = columns;
  if (!first || columns.length > 2) return undefined;
  const word = second && conditionWords.exec(first.cell.text)?.[0];
  if (second && word === undefined) return undefined;
  const items = all.map(({ row, cells }) => {
    const [one, other] = [cells[first.column], second && cells[second.column]];
    if (cells.length > heads.length || !one) return itemOf(row, 0, '');
    if (!second) return itemOf(row, one.at, one.text);
    const when = isAlways.test(one.text) ? '' : `${conditionOf(one.text, word ?? '')}, `;
    return itemOf(row, one.at, other?.text ? `${when}${other.text}` : '');
  });
  return items.every(({ text }) => text !== '') ? items : undefined;
}

const conditionWords = /^(?:if|when|unless|si|quand)$/i;
const isAlways = /^(?:|[-–—]|always)$/i;

const conditionOf = (text: string, word: string): string =>
  /^(?:if|when|unless|otherwise|else|in all other cases|si|quand|sinon)(?!\p{L})/iu.test(text)
    ? text
    : `${word} ${text}`;

const itemOf = (row: Text, at: number, text = row.text): Extract<Line, { kind: 'item' }> => ({
  ...{ kind: 'item', indent: 0, inner: 2, marker: '-', text, raw: row.raw, places: row.places },
  place: { ...row.place, column: row.place.column + at },
});

function cellsOf(row: string): Cell[] {
  const cells: Cell[] = [];
  for (const { 0: written, index } of row.matchAll(/(?<=\|)(?:\\.|`[^`]*`|[^|\\])*(?=\||$)/g)) {
    const text = written.trim().replace(/\\\|/g, '|');
    cells.push({ text, at: index + written.length - written.trimStart().length });
  }
  return cells.at(-1)?.text === '' ? cells.slice(0, -1) : cells;
}
