/** The tables of promises in the guide: each row links a file of tests, by the title of a test of it. */
import { expect, test } from 'vitest';
import { filesUnder, textOf } from '../support/repo.ts';

const heading = '## What it promises, and the tests that hold it';
const pages = filesUnder('docs/guide').filter((path) => textOf(path).includes(heading));
const files = new Set(filesUnder('test'));

/** Whether a text of the file begins with the title; the rest of one may tell its cases apart. */
const hasTitle = (file: string, title: string): boolean =>
  ["'", '"', '`'].some((quote) => file.includes(quote + title));

/** The rows of the tables of a page, without their heads. */
function rowsOf(page: string): string[] {
  const [, section = ''] = textOf(page).split(heading);
  const lines = (section.split(/^## /m)[0] ?? '').split('\n');
  return lines.filter((line) => /^\| (?!-+ \||promise \|)/.test(line));
}

/** Whether each link of a row leads to a test. */
function isHeld(row: string): boolean {
  const links = [...row.matchAll(/\[([^\]]+)\]\(\.\.\/\.\.\/(test\/[^)]+)\)/g)];
  return (
    links.length > 0 &&
    links.every(([, title = '', path = '']) => files.has(path) && hasTitle(textOf(path), title))
  );
}

test('there are such tables', () => expect(pages.length).toBeGreaterThan(3));

test.each(pages)('every promise of %s names a test that there is', (page) => {
  const rows = rowsOf(page);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter((row) => !isHeld(row))).toEqual([]);
});
