/** The text of a PDF file; pages that are pictures of text are read by a program of the user's. */
import { recognise } from '../web/ocr.ts';
import { emptyPages, type PdfOptions, type PdfPage, type PdfText, pdfText } from './pdf.ts';

export interface ScanOptions extends PdfOptions {
  /** The program and its arguments, see `recognise`. Absent: pages without text stay so. */
  readonly ocr?: string | undefined;
}

/** Throws what `pdfText` throws, and `EffectFailure` PV4753 of the program. */
export async function scannedText(
  bytes: Uint8Array,
  { ocr, ...options }: ScanOptions,
): Promise<PdfText> {
  const read = await pdfText(bytes, options);
  if (ocr === undefined || emptyPages(read.pages).length === 0) return read;
  const found = await recognise(ocr, bytes, options.signal);
  return 'pdf' in found ? await pdfText(found.pdf, options) : withPages(read, found.pages);
}

/** What is a text already stays as it is. */
function withPages(read: PdfText, found: readonly PdfPage[]): PdfText {
  const byNumber = new Map(found.map(({ number, text }) => [number, text]));
  const pages = read.pages.map(({ number, text }) => ({
    number,
    text: text.trim() === '' ? (byNumber.get(number) ?? '') : text,
  }));
  return { ...read, pages };
}
