/**
 * The text of a PDF file, page by page. Files come from strangers: one is read in a thread of its
 * own, bounded in time by the signal, in memory, in pages and in characters, and what was not read
 * for a bound is said.
 */
import { type EffectFailure, refusal } from '../../engine/handler.ts';
import { apart, threadBeside } from '../apart/apart.ts';

export interface PdfOptions {
  readonly signal: AbortSignal;
  /** From 1; the whole file where it is absent. What it names beyond the end is not there. */
  readonly pages?: PageRange;
  readonly limits?: Partial<PdfLimits>;
}

export interface PageRange {
  readonly first: number;
  /** Included; the last of the file where it is absent. */
  readonly last?: number;
}

export interface PdfLimits {
  /** Size of a file. */
  readonly fileBytes: number;
  /** Size of one part of a file, unpacked: files of some kilobytes may unpack to any size. */
  readonly unpackedBytes: number;
  /** Pages that are read. */
  readonly pages: number;
  /** Characters of all pages that are read together. */
  readonly characters: number;
  readonly memoryBytes: number;
}

const pdfLimits: PdfLimits = {
  fileBytes: 64 * 2 ** 20,
  unpackedBytes: 32 * 2 ** 20,
  pages: 1_000,
  characters: 4_000_000,
  memoryBytes: 768 * 2 ** 20,
};

export interface PdfText {
  /** As the file says; absent where it says none. */
  readonly title?: string;
  readonly author?: string;
  /** Of the file, whatever was read of it. */
  readonly pageCount: number;
  readonly pages: readonly PdfPage[];
  /** Why pages that were asked for are missing, in a sentence. */
  readonly left?: string;
}

export interface PdfPage {
  /** From 1. */
  readonly number: number;
  /** Its lines; empty where there is none, as on a scanned page. */
  readonly text: string;
}

/** What the thread is given. */
export interface PdfInput {
  readonly bytes: Uint8Array;
  readonly first: number;
  readonly last: number | undefined;
  readonly pagesMax: number;
  readonly charactersMax: number;
  readonly unpackedBytesMax: number;
}

/** Throws `EffectFailure` PV4900 to PV4902 and PV4910 to PV4913, or the signal's reason. */
export async function pdfText(bytes: Uint8Array, options: PdfOptions): Promise<PdfText> {
  const { signal, pages = { first: 1 } } = options;
  const limits = { ...pdfLimits, ...options.limits };
  if (bytes.byteLength > limits.fileBytes) {
    const message = `the PDF has ${bytes.byteLength} bytes, want at most ${limits.fileBytes}`;
    throw refused('PV4912', message, 'split it, or read another edition');
  }
  if (!isPdf(bytes)) {
    const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
    const message = `got a file that begins with ${JSON.stringify(start)}, want a PDF`;
    throw refused('PV4910', message, 'check that the address leads to the document itself');
  }
  const input: PdfInput = {
    bytes,
    first: pages.first,
    last: pages.last,
    pagesMax: limits.pages,
    charactersMax: limits.characters,
    unpackedBytesMax: Math.max(limits.unpackedBytes, bytes.byteLength),
  };
  return await apart<PdfInput, PdfText>(threadBeside(import.meta.url), input, {
    signal,
    what: 'the PDF',
    memoryBytes: limits.memoryBytes,
  });
}

/** Some have a few bytes of another origin before their mark. */
export function isPdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 1024)).includes('%PDF-');
}

/**
 * Pages as one text, each under its mark, `[page 3]`. A line of the text itself that looks like a
 * mark has a backslash before it, so that no document says where its pages begin.
 */
export function markedText(pages: readonly PdfPage[]): string {
  return pages
    .map(({ number, text }) => `[page ${number}]\n${text.replace(/^\\*\[page /gm, '\\$&')}`)
    .join('\n\n');
}

/** What is said of pages that were read and have no text: the rest looks whole. */
export function scanNote(
  { pages }: PdfText,
  { ocr, set }: { readonly ocr: string | undefined; readonly set: string },
): string | undefined {
  const empty = emptyPages(pages);
  if (empty.length === 0) return undefined;
  const listed = empty.slice(0, 10).join(', ') + (empty.length > 10 ? ', …' : '');
  const which = empty.length === pages.length ? 'no page has text' : `no text on page ${listed}`;
  return ocr === undefined
    ? `${which}: pictures of text need a program that reads them, ${set}?ocr=…`
    : which;
}

/** Of the pages that were read, those with no text: pictures of text, as scanners make them. */
export const emptyPages = (pages: readonly PdfPage[]): readonly number[] =>
  pages.filter(({ text }) => text.trim() === '').map(({ number }) => number);

const refused = (code: string, message: string, hint: string): EffectFailure =>
  refusal(code, message, { hint });
