/** The thread that reads a PDF file for `pdfText`. */
import { type EffectFailure, refusal } from '../../engine/handler.ts';
import { thrownMessage } from '../../program/diagnostic.ts';
import { serve } from '../apart/serve.ts';
import { importOptional } from '../optional-package.ts';
import type { PdfInput, PdfPage, PdfText } from './pdf.ts';
import { boundBuffers, hasLargePart } from './unpacking.ts';

type Unpdf = typeof import('unpdf');
type Document = Awaited<ReturnType<Unpdf['getDocumentProxy']>>;
type Page = Awaited<ReturnType<Document['getPage']>>;
type TextContent = Awaited<ReturnType<Page['getTextContent']>>;
type Items = TextContent['items'];

serve<PdfInput>(async (input) => {
  const { bytes, unpackedBytesMax: most } = input;
  const message = `a part of the PDF unpacks to more than ${most} bytes, the most that is read`;
  const tooLarge = failure('PV4912', message, 'read another edition');
  if (hasLargePart(bytes, most)) throw tooLarge;
  const exceeded = boundBuffers(most).then(() => {
    throw tooLarge;
  });
  return await Promise.race([exceeded, textIn(input)]);
});

async function textIn(input: PdfInput): Promise<PdfText> {
  const unpdf = await importOptional<typeof import('unpdf')>('unpdf');
  const document = await opened(unpdf, input.bytes);
  const { first, last = Math.max(first, document.numPages) } = input;
  if (first > document.numPages || last < first) {
    const count = document.numPages === 1 ? 'one page' : `${document.numPages} pages`;
    const got = last < first ? `pages ${first} to ${last}` : `page ${first}`;
    throw failure('PV4913', `got ${got}, but the PDF has ${count}`);
  }
  return { ...(await about(document)), ...(await read(document, { ...input, last })) };
}

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
    const text = await textOf(document, number, charactersMax - characters);
    characters += text?.length ?? 0;
    const isOver = text === undefined;
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

/** Undefined where there is more than `charactersMax` of it. */
async function textOf(
  document: Document,
  number: number,
  charactersMax: number,
): Promise<string | undefined> {
  let page: Page | undefined;
  try {
    page = await document.getPage(number);
    const items: Items = [];
    let characters = 0;
    // A page may have more text than there is memory for: it is taken as it comes.
    const reader: ReadableStreamDefaultReader<TextContent> = page.streamTextContent().getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      items.push(...part.value.items);
      for (const item of part.value.items) characters += 'str' in item ? item.str.length : 0;
      if (characters <= charactersMax) continue;
      await reader.cancel(new Error('there is enough'));
      return undefined;
    }
    const text = linesOf(items);
    return text.length > charactersMax ? undefined : text;
  } catch (thrown) {
    throw broken(thrown, `page ${number}`);
  } finally {
    page?.cleanup();
  }
}

function linesOf(items: Items): string {
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
  refusal(code, message, { hint });
