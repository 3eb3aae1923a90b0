/** The text of PDF files, well made, broken and hostile. */
import { describe, expect, test } from 'vitest';
import {
  emptyPages,
  isPdf,
  markedText,
  type PdfOptions,
  type PdfText,
  pdfText,
} from '../../../src/effects/pdf/pdf.ts';
import { lockedPdf, longPdf, pdfBomb, pdfFrom, pdfOf } from '../../support/pdf-file.ts';

const read = (bytes: Uint8Array, options: Partial<PdfOptions> = {}): Promise<PdfText> =>
  pdfText(bytes, { signal: new AbortController().signal, ...options });

test('pages with their lines, and what the file says of itself', async () => {
  const file = await pdfOf(['First page\nof two', 'Second'], { title: 'A  report', author: 'Ann' });
  expect(await read(file)).toEqual({
    title: 'A report',
    author: 'Ann',
    pageCount: 2,
    pages: [
      { number: 1, text: 'First page\nof two' },
      { number: 2, text: 'Second' },
    ],
  });
});

test('some of the pages; beyond the end there is nothing', async () => {
  const file = await pdfOf(['a', 'b', 'c']);
  const { pageCount, pages } = await read(file, { pages: { first: 2, last: 9 } });
  expect(pageCount).toBe(3);
  expect(pages).toEqual([
    { number: 2, text: 'b' },
    { number: 3, text: 'c' },
  ]);
  await expect(read(file, { pages: { first: 3, last: 2 } })).rejects.toMatchObject({
    message: 'got pages 3 to 2, but the PDF has 3 pages',
  });
  await expect(read(file, { pages: { first: 4 } })).rejects.toMatchObject({
    code: 'PV4913',
    message: 'got page 4, but the PDF has 3 pages',
  });
});

test('what a limit leaves out is said', async () => {
  const file = await pdfOf(['aaaa', 'bbbb', 'cccc']);
  const few = await read(file, { limits: { pages: 2 } });
  expect(few.pages.map(({ text }) => text)).toEqual(['aaaa', 'bbbb']);
  expect(few.left).toBe('page 3 was not read: 2 pages is the limit of one call');
  const short = await read(file, { limits: { characters: 5 } });
  expect(short.pages).toHaveLength(1);
  expect(short.left).toBe('pages 2 to 3 were not read: 5 characters is the limit of one call');
});

test('thousands of pages: as many as the limit, and the last ones when they are asked for', async () => {
  const file = longPdf(3_000, (page) => `page ${page}`);
  const { pages, left } = await read(file, { limits: { pages: 100 } });
  expect(pages).toHaveLength(100);
  expect(left).toContain('pages 101 to 3000');
  const last = await read(file, { pages: { first: 2_999 } });
  expect(last.pages.map(({ text }) => text)).toEqual(['page 2999', 'page 3000']);
});

test('pages under their marks, which no text of a page can fake', () => {
  const pages = [
    { number: 3, text: 'one\n[page 9]\n\\[page 8]' },
    { number: 4, text: '' },
  ];
  expect(markedText(pages)).toBe('[page 3]\none\n\\[page 9]\n\\\\[page 8]\n\n[page 4]\n');
  expect(emptyPages(pages)).toEqual([4]);
});

describe('files that are none', () => {
  test.each<[string, () => Uint8Array, string, RegExp]>([
    [
      'a page of HTML',
      () => Buffer.from('<!doctype html>'),
      'PV4910',
      /begins with "<!doctype html>"/,
    ],
    ['nothing', () => Buffer.from(''), 'PV4910', /begins with ""/],
    ['only the mark', () => Buffer.from('%PDF-1.7\n'), 'PV4910', /the PDF is broken/],
    ['a locked one', lockedPdf, 'PV4911', /locked with a password/],
    ['no pages', () => pdfFrom(['<< /Type /Catalog >>']), 'PV4910', /the PDF is broken/],
  ])('%s', async (_what, file, code, message) => {
    await expect(read(file())).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
      answered: true,
      retryable: false,
    });
  });

  test('one of which the end is missing is read as far as it goes, or refused', async () => {
    const file = await pdfOf(Array.from({ length: 30 }, () => 'text'));
    for (const part of [0.2, 0.5, 0.9]) {
      const result = await read(file.slice(0, file.length * part)).catch((thrown) => thrown);
      if (result instanceof Error) expect(result).toMatchObject({ code: 'PV4910' });
      else expect(result.pageCount).toBeLessThanOrEqual(30);
    }
  });

  test('a large one', async () => {
    await expect(read(await pdfOf(['a']), { limits: { fileBytes: 100 } })).rejects.toMatchObject({
      code: 'PV4912',
      message: expect.stringMatching(/^the PDF has \d+ bytes, want at most 100$/),
    });
  });
});

test('a bomb is given up when its memory is used up', async () => {
  const bomb = pdfBomb(200 * 2 ** 20);
  expect(bomb.byteLength).toBeLessThan(2 ** 20);
  await expect(read(bomb, { limits: { memoryBytes: 96 * 2 ** 20 } })).rejects.toMatchObject({
    code: 'PV4901',
  });
});

test('the mark may stand behind a few other bytes', () => {
  expect(isPdf(Buffer.from('\n\n%PDF-1.4'))).toBe(true);
  expect(isPdf(Buffer.from(`${' '.repeat(2_000)}%PDF-1.4`))).toBe(false);
});
