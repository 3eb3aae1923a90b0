/** The text of PDF files, well made, broken and hostile. */
import { deflateSync } from 'node:zlib';
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

describe('a bomb', () => {
  const text = 'BT /F 12 Tf 9 9 Td (a) Tj ET\n';
  const large = Buffer.alloc(3 * 2 ** 20, text);
  const flate = '/Filter /FlateDecode';
  const stream = (data: Buffer, description: string): Buffer =>
    Buffer.concat([
      Buffer.from(`<< /Length ${data.length} ${description} >>\nstream\n`),
      ...[data, Buffer.from('\nendstream')],
    ]);
  const fileOf = (contents: string, more: readonly Buffer[], description = ''): Uint8Array =>
    pdfFrom([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents ${contents} /Resources ` +
        '<< /XObject << /X 6 0 R >> /Font << /F 4 0 R >> >> >>',
      `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica ${description} >>`,
      ...more,
    ]);
  /** Two bytes stand for 128. */
  const runs = Buffer.alloc((2 * large.length) / 128, Buffer.from([129, 32]));
  const empty = stream(Buffer.from(text), '');
  const form = `/Type /XObject /Subtype /Form /BBox [0 0 9 9] ${flate}`;
  const inner = deflateSync(deflateSync(large));

  test.each<[string, Uint8Array]>([
    ['of two hundred megabytes', pdfBomb(200 * 2 ** 20)],
    ['of text', fileOf('5 0 R', [stream(deflateSync(large), flate)])],
    [
      'that says it is a picture',
      fileOf('5 0 R', [stream(deflateSync(large), `${flate} /Subtype /Image`)]),
    ],
    ['packed twice', fileOf('5 0 R', [stream(inner, '/Filter [/FlateDecode /FlateDecode]')])],
    [
      'packed in two ways',
      fileOf('5 0 R', [stream(deflateSync(runs), '/Filter [/FlateDecode /RunLengthDecode]')]),
    ],
    [
      'in a form',
      fileOf('5 0 R', [stream(Buffer.from('/X Do'), ''), stream(deflateSync(large), form)]),
    ],
    ['in a font', fileOf('5 0 R', [empty, stream(deflateSync(large), flate)], '/ToUnicode 6 0 R')],
    [
      'of many parts',
      fileOf(`[${'5 0 R '.repeat(9)}]`, [stream(deflateSync(large.subarray(0, 2 ** 19)), flate)]),
    ],
  ])('%s is stopped at the limit of what is unpacked', async (_, file) => {
    expect(file.byteLength).toBeLessThan(2 ** 20);
    await expect(read(file, { limits: { unpackedBytes: 2 ** 20 } })).rejects.toMatchObject({
      code: 'PV4912',
      message: 'a part of the PDF unpacks to more than 1048576 bytes, the most that is read',
    });
  });

  test('is no file with pictures, nor one that is packed twice', async () => {
    const picture = `/Type /XObject /Subtype /Image /Width 9 /Height 9 ${flate}`;
    const packed = stream(
      deflateSync(deflateSync(Buffer.from(`${text}/X Do`))),
      '/Filter [/FlateDecode /FlateDecode]',
    );
    const file = fileOf('5 0 R', [packed, stream(deflateSync(large), picture)]);
    const { pages } = await read(file, { limits: { unpackedBytes: 2 ** 20 } });
    expect(pages).toEqual([{ number: 1, text: 'a' }]);
  });

  test('of text is given up with its page', async () => {
    const file = fileOf('5 0 R', [stream(deflateSync(large.subarray(0, 2 ** 19)), flate)]);
    const { pages, left } = await read(file, { limits: { characters: 1000 } });
    expect([pages, left]).toEqual([
      [],
      'page 1 was not read: 1000 characters is the limit of one call',
    ]);
  });
});

test('the mark may stand behind a few other bytes', () => {
  expect(isPdf(Buffer.from('\n\n%PDF-1.4'))).toBe(true);
  expect(isPdf(Buffer.from(`${' '.repeat(2_000)}%PDF-1.4`))).toBe(false);
});
