/** Makes a page whole in itself: its addresses absolute, its frames said, its tables even. */
import type { PageDocument, PageElement } from './dom.ts';

/** Cells that a table is made even with. */
const cellsMax = 100_000;
/** Columns, or rows, that one cell may reach over. */
const spanMax = 200;

/** The address that relative ones of a page go by. */
export function baseOf(document: PageDocument, url: string): string {
  const given = document.querySelector('base[href]')?.getAttribute('href') ?? '';
  return absolute(given, url) ?? url;
}

/** Of the web, or of a letter; undefined for what runs, and for what carries its content along. */
export function absolute(given: string, base: string): string | undefined {
  const url = URL.parse(given.trim(), base);
  return url && /^(https?|mailto|tel|file):$/.test(url.protocol) ? url.href : undefined;
}

export function makeAddressesAbsolute(document: PageDocument, base: string): void {
  for (const [selector, name] of [
    ['a[href]', 'href'],
    ['img[src]', 'src'],
  ] as const) {
    for (const one of document.querySelectorAll(selector)) {
      const given = one.getAttribute(name) ?? '';
      const href = given.startsWith('#') ? undefined : absolute(given, base);
      if (href === undefined) one.removeAttribute(name);
      else one.setAttribute(name, href);
    }
  }
  for (const one of document.querySelectorAll('[srcset]')) one.removeAttribute('srcset');
}

/** A frame is a page of its own: a link takes its place. Returns their addresses. */
export function replaceFrames(document: PageDocument, base: string): string[] {
  const urls: string[] = [];
  for (const frame of [...document.querySelectorAll('iframe, frame')]) {
    const href = absolute(frame.getAttribute('src') ?? '', base);
    const name = frame.getAttribute('title') ?? frame.getAttribute('name') ?? '';
    if (href === undefined || !href.startsWith('http')) {
      frame.remove();
      continue;
    }
    urls.push(href);
    const link = document.createElement('a');
    link.setAttribute('href', href);
    link.textContent = name.trim() === '' ? 'Frame' : `Frame: ${name.trim().slice(0, 100)}`;
    const paragraph = document.createElement('p');
    paragraph.append(link);
    if (frame.localName === 'iframe') frame.replaceWith(paragraph);
    else document.body.append(paragraph);
  }
  for (const set of [...document.querySelectorAll('frameset')]) set.remove();
  return urls;
}

/** A cell that reaches over several stands once, with empty ones behind and below it. */
export function evenTables(document: PageDocument): void {
  for (const table of document.querySelectorAll('table')) {
    if (table.querySelector('[colspan], [rowspan]') === null) continue;
    const rows = [...table.querySelectorAll('tr')].filter((row) => tableOf(row) === table);
    evenRows(document, rows);
  }
}

function tableOf(element: PageElement): PageElement | null {
  let one = element.parentElement;
  while (one && one.localName !== 'table') one = one.parentElement;
  return one;
}

function evenRows(document: PageDocument, rows: readonly PageElement[]): void {
  /** By column, how many further rows a cell from above reaches over. */
  let above: number[] = [];
  let made = 0;
  for (const row of rows) {
    const below: number[] = [];
    const cells = [...row.childNodes].filter(
      (node): node is PageElement => 'localName' in node && /^t[dh]$/.test(String(node.localName)),
    );
    const all: PageElement[] = [];
    const fill = (): void => {
      while ((above[all.length] ?? 0) > 0 && made++ < cellsMax) {
        below[all.length] = (above[all.length] ?? 0) - 1;
        all.push(document.createElement('td'));
      }
    };
    for (const cell of cells) {
      fill();
      const columns = spanOf(cell, 'colspan');
      const down = spanOf(cell, 'rowspan') - 1;
      for (let column = 0; column < columns && made++ < cellsMax; column++) {
        if (down > 0) below[all.length] = down;
        all.push(column === 0 ? cell : document.createElement('td'));
      }
    }
    fill();
    for (const cell of cells) cell.remove();
    row.append(...all);
    above = below;
  }
}

function spanOf(cell: PageElement, name: string): number {
  const span = Number(cell.getAttribute(name) ?? 1);
  cell.removeAttribute(name);
  return Number.isInteger(span) && span > 0 ? Math.min(span, spanMax) : 1;
}
