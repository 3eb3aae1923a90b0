/** The thread that reads a PDF file for `pdfText`. */
import { EffectFailure } from '../../engine/handler.ts';
import { thrownMessage } from '../../program/thrown.ts';
import { serve } from '../apart/serve.ts';
import { importOptional } from '../optional-package.ts';
import type { PdfInput, PdfPage, PdfText } from './pdf.ts';

type Unpdf = typeof import('unpdf');
type Document = Awaited<ReturnType<Unpdf['getDocumentProxy']>>;
type Page = Awaited<ReturnType<Document['getPage']>>;

void serve<PdfInput>(async (input) => {
  const unpdf = await importOptional('unpdf', () => import('unpdf'));
  const document = await opened(unpdf, input.bytes);
  const { first, last = Math.max(first, document.numPages) } = input;
  if (first > document.numPages || last < first) {
    const count = document.numPages === 1 ? 'one page' : `${document.numPages} pages`;
    const got = last < first ? `pages ${first} to ${last}` : `page ${first}`;
    throw failure('PV4913', `got ${got}, but the PDF has ${count}`);
  }
  return { ...(await about(document)), ...(await read(document, { ...input, last })) };
});

async function opened(unpdf: Unpdf, bytes: Uint8Array): Promise<Document> {
  try {
    return await unpdf.getDocumentProxy(bytes, {
      // Nothing of a file is executed, fetched or drawn.
      ...{ isEvalSupported: false, disableFontFace: true, useSystemFonts: false },
      ...{ disableAutoFetch: true, enableXfa: false, verbosity: 0 },
    });
  } catch (thrown) {
    if (thrown instanceof Error && thrown.name === 'PasswordException') {
      throw failure('PV4911', 'the PDF is locked with a password', 'unlock it first');
    }
    throw broken(thrown);
  }
}

async function about(document: Document): Promise<Pick<PdfText, 'title' | 'author'>> {
  const { info } = await document.getMetadata().catch(() => ({ info: {} }));
  const { Title: title, Author: author } = info as Readonly<Record<string, unknown>>;
  return { ...named('title', title), ...named('author', author) };
}

/** Texts of a document's own description are as long as it likes. */
function named(name: string, value: unknown): Record<string, string> {
  const text = typeof value === 'string' ? value.replace(/\s+/g, ' ').trim().slice(0, 300) : '';
  return text === '' ? {} : { [name]: text };
}

async function read(
  document: Document,
  { first, last = Infinity, pagesMax, charactersMax }: PdfInput,
): Promise<Pick<PdfText, 'pageCount' | 'pages' | 'left'>> {
  const pageCount = document.numPages;
  const end = Math.min(last, pageCount);
  const pages: PdfPage[] = [];
  let characters = 0;
  for (let number = first; number <= end; number++) {
    const text = await textOf(document, number);
    characters += text.length;
    const isOver = characters > charactersMax;
    if (isOver || pages.length >= pagesMax) {
      const bound = isOver ? `${charactersMax} characters` : `${pagesMax} pages`;
      const missing = number === end ? `page ${end} was` : `pages ${number} to ${end} were`;
      const left = `${missing} not read: ${bound} is the limit of one call`;
      return { pageCount, pages, left };
    }
    pages.push({ number, text });
  }
  return { pageCount, pages };
}

async function textOf(document: Document, number: number): Promise<string> {
  let page: Page | undefined;
  try {
    page = await document.getPage(number);
    const { items } = await page.getTextContent();
    return linesOf(items);
  } catch (thrown) {
    throw broken(thrown, `page ${number}`);
  } finally {
    page?.cleanup();
  }
}

function linesOf(items: Awaited<ReturnType<Page['getTextContent']>>['items']): string {
  const parts = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : ''));
  // Fonts without a map to Unicode give controls, which mean nothing to anybody.
  return parts
    .join('')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .replace(/(?<![ \t])[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

const broken = (thrown: unknown, where = 'it'): EffectFailure =>
  failure('PV4910', `the PDF is broken: ${where} cannot be read: ${thrownMessage(thrown)}`);

const failure = (code: string, message: string, hint?: string): EffectFailure =>
  new EffectFailure(code, message, { answered: true, mayHaveActed: false, hint });
