/**
 * A page as Markdown, all of it, in one walk: for pages of which no part is the content, and for
 * those that are too large or too deep to be searched for it. Pure.
 */
import { isElement, isText, type PageElement, type PageNode } from './dom.ts';

/** Deeper than this, elements are taken as their text. */
const depthMax = 300;

const skipped: ReadonlySet<string> = new Set([
  ...['script', 'style', 'template', 'noscript', 'head', 'svg', 'select', 'dialog'],
]);
export const blocks: ReadonlySet<string> = new Set([
  ...['address', 'article', 'aside', 'blockquote', 'body', 'dd', 'details', 'div', 'dl', 'dt'],
  ...['fieldset', 'figcaption', 'figure', 'footer', 'form', 'header', 'hgroup', 'html', 'legend'],
  ...['main', 'nav', 'p', 'section', 'summary', 'center', 'caption', 'tbody', 'thead', 'tfoot'],
]);

export const markdownOf = (root: PageElement): string => tidied(blockOf(root, 0));

/** Runs of blanks are one, and of empty lines, too; except within code. */
const tidied = (text: string): string =>
  text
    .replace(/(?<![ \t])[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

function childrenOf(element: PageNode, depth: number): string {
  let text = '';
  for (const child of element.childNodes) {
    if (isText(child)) text += (child.textContent ?? '').replace(/\s+/g, ' ');
    else if (isElement(child)) text += blockOf(child, depth + 1);
  }
  return text;
}

function blockOf(element: PageElement, depth: number): string {
  const name = element.localName;
  if (skipped.has(name)) return '';
  if (depth > depthMax) return (element.textContent ?? '').replace(/\s+/g, ' ');
  const inner = (): string => childrenOf(element, depth);
  const heading = /^h([1-6])$/.exec(name)?.[1];
  if (heading !== undefined) return `\n\n${'#'.repeat(Number(heading))} ${oneLine(inner())}\n\n`;
  switch (name) {
    case 'br':
      return '\n';
    case 'hr':
      return '\n\n---\n\n';
    case 'pre':
      return `\n\n${fenced(element.textContent ?? '')}\n\n`;
    case 'code':
      return marked('`', inner());
    case 'b':
    case 'strong':
      return marked('**', inner());
    case 'i':
    case 'em':
      return marked('*', inner());
    case 'a':
      return linkOf(element, inner());
    case 'img':
      return imageOf(element);
    case 'ul':
    case 'ol':
      return `\n\n${listOf(element, depth)}\n\n`;
    case 'li':
      return `\n- ${inner().trim()}`;
    case 'table':
      return `\n\n${tableOf(element, depth)}\n\n`;
    case 'blockquote':
      return `\n\n${indented(tidied(inner()), '> ', '> ')}\n\n`;
    default:
      return blocks.has(name) ? `\n\n${inner()}\n\n` : inner();
  }
}

export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

function marked(mark: string, inner: string): string {
  const text = inner.trim();
  return text === '' || text.includes('\n') ? inner : inner.replace(text, () => mark + text + mark);
}

function fenced(code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${code.replace(/\n$/, '')}\n${fence}`;
}

function linkOf(element: PageElement, inner: string): string {
  const href = element.getAttribute('href');
  const text = oneLine(inner);
  if (href === null || text === '') return inner;
  return `[${text.replace(/[[\]]/g, '\\$&')}](${addressed(href)})`;
}

function imageOf(element: PageElement): string {
  const alt = oneLine(element.getAttribute('alt') ?? '');
  const src = element.getAttribute('src');
  return alt === '' || src === null
    ? alt
    : `![${alt.replace(/[[\]]/g, '\\$&')}](${addressed(src)})`;
}

/** As it stands between round brackets. */
const addressed = (url: string): string =>
  url.replace(/[()\s]/g, (one) => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`);

function listOf(list: PageElement, depth: number): string {
  const items: string[] = [];
  for (const child of list.childNodes) {
    if (!isElement(child)) continue;
    const mark = list.localName === 'ol' ? `${items.length + 1}. ` : '- ';
    const nested = /^[uo]l$/.test(child.localName);
    const text = tidied(nested ? listOf(child, depth + 1) : childrenOf(child, depth + 1));
    // Lists are close together, also where their items hold paragraphs.
    const close = text.replace(/\n{2,}/g, '\n');
    if (text !== '') items.push(indented(close, mark, ' '.repeat(mark.length)));
  }
  return items.join('\n');
}

const indented = (text: string, first: string, rest: string): string =>
  text
    .split('\n')
    .map((line, index) => `${index === 0 ? first : rest}${line}`)
    .join('\n');

function tableOf(table: PageElement, depth: number): string {
  const rows: string[][] = [];
  let caption = '';
  for (const row of rowsOf(table)) {
    if (row.localName === 'caption') caption = oneLine(childrenOf(row, depth));
    else rows.push(cellsOf(row).map((cell) => cellText(childrenOf(cell, depth + 1))));
  }
  const filled = rows.filter((row) => row.some((cell) => cell !== ''));
  const width = Math.max(0, ...filled.map((row) => row.length));
  // A table of one column only lays the page out.
  if (width < 2) return `${caption}\n\n${filled.map(([cell = '']) => cell).join('\n\n')}`;
  const lines = filled.map((row) => lineOf([...row, ...Array(width - row.length).fill('')]));
  const [head = '', ...body] = lines;
  const rule = lineOf(Array(width).fill('---'));
  return [...(caption === '' ? [] : [caption, '']), head, rule, ...body].join('\n');
}

const lineOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const cellText = (text: string): string => oneLine(text).replaceAll('|', '\\|');

/** Rows of the table itself, and its caption; those of tables within its cells are their own. */
export function rowsOf(table: PageElement): PageElement[] {
  return [...table.childNodes].filter(isElement).flatMap((child) => {
    if (child.localName === 'tr' || child.localName === 'caption') return [child];
    return /^t(body|head|foot)$/.test(child.localName) ? rowsOf(child) : [];
  });
}

export const cellsOf = (row: PageElement): PageElement[] =>
  [...row.childNodes].filter(isElement).filter(({ localName }) => /^t[dh]$/.test(localName));
