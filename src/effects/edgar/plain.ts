/**
 * A document of a filing as text, in one walk: paragraphs, and tables as lines of cells. Statements
 * are laid out for the eye, with cells for a currency sign, a bracket, a percent sign, and for
 * nothing: those join the number that they belong to. Pure.
 */
import { isElement, isText, type PageElement, type PageNode } from '../web/page/dom.ts';
import { blocks, cellsOf, oneLine, rowsOf } from '../web/page/markdown.ts';

const rules = /^(h[1-6r]|ol|ul|dl|tr|table)$/;

/** A cell with more than this is no cell: the table only places text on the page. */
const cellCharactersMax = 2000;
/** Deeper than this, elements are taken as their text. */
const depthMax = 400;

export const plainText = (root: PageElement): string =>
  textOf(root, 0)
    .replace(/[ \t\u00a0]+/g, ' ')
    .replace(/\n +/g, '\n')
    .replace(/(?<! ) +\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

function textOf(node: PageNode, depth: number): string {
  if (!isText(node) && !isElement(node)) return '';
  if (!isElement(node) || depth > depthMax) return (node.textContent ?? '').replace(/\s+/g, ' ');
  const name = node.localName;
  if (name === 'br') return '\n';
  if (name === 'pre') return `\n\n${node.textContent ?? ''}\n\n`;
  if (name === 'table') {
    const rows = cellTexts(node, depth);
    if (rows) return `\n\n${tableText(rows)}\n\n`;
  }
  let inner = '';
  for (const child of node.childNodes) inner += textOf(child, depth + 1);
  if (name === 'li') return `\n- ${inner.trim()}\n`;
  if (name === 'td' || name === 'th') return `${inner} `;
  return blocks.has(name) || rules.test(name) ? `\n\n${inner}\n\n` : inner;
}

/** The cells of a table; undefined where it only places text. */
function cellTexts(table: PageElement, depth: number): string[][] | undefined {
  const rows = rowsOf(table).map((row) =>
    cellsOf(row).map((cell) => oneLine(textOf(cell, depth + 1))),
  );
  const isTable = rows.flat().every((text) => text.length <= cellCharactersMax);
  return isTable ? rows.map(joined) : undefined;
}

/** Without cells of nothing, but for the first, which keeps columns in their places. */
function joined(cells: readonly string[]): string[] {
  const found: string[] = [];
  let before = '';
  for (const [index, cell] of cells.entries()) {
    if (cell === '' && index > 0) continue;
    if (/^[$€£¥(]+$/.test(cell)) before += cell;
    else if (/^[)%]+$/.test(cell) && found.length > 1) found.push(`${found.pop()}${cell}`);
    else {
      found.push(before + cell);
      before = '';
    }
  }
  return before === '' ? found : [...found, before];
}

/** Rows with two cells or more are a table; a bullet or a heading and its words are a line. */
function tableText(rows: readonly string[][]): string {
  const lines: string[] = [];
  let columns = 0;
  for (const row of rows) {
    const told = row.filter((cell) => cell !== '');
    const [first = ''] = told;
    const isLine = told.length < 2 || (told.length === 2 && isMark(first));
    if (told.length === 0) continue;
    if (isLine) {
      columns = 0;
      lines.push('', told.join(' '), '');
      continue;
    }
    const line = `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
    lines.push(line);
    if (columns === 0) lines.push(`|${' --- |'.repeat(row.length)}`);
    columns = row.length;
  }
  return lines.join('\n');
}

/** What stands before a paragraph: a bullet, a number, `Item 7.` */
const isMark = (text: string): boolean =>
  /^([•●▪◦·*–—-]|\(?[a-z\d]{1,4}[.)])$/i.test(text) ||
  /^(part\s+[iv]+,?\s*)?item\s+\d{1,2}(\.\d{2})?[a-c]?\s*[.:]?$/i.test(text);
