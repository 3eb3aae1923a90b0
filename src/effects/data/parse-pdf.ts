/** `parse_pdf`: the text of a PDF file, with its pages marked. */
import type { Handler } from '../../engine/handler.ts';
import { defined } from '../foreign-json.ts';
import { markedText, scanNote } from '../pdf/pdf.ts';
import { scannedText } from '../pdf/scan.ts';
import { type SourceOptions, sourceAt } from './source.ts';
import { parsePdfSpec } from './specs.ts';

export const parsePdfHandler = (options: SourceOptions): Handler => ({
  spec: parsePdfSpec,
  async perform(args, context) {
    const file = await sourceAt(String(args.source), options, context);
    const first = Number(args.first_page ?? 1);
    const last = args.last_page === undefined ? undefined : Number(args.last_page);
    const read = await scannedText(file.bytes, {
      signal: context.signal,
      pages: { first, ...(last !== undefined && { last }) },
      ...{ ocr: options.ocr, limits: options.limits },
    });
    const { name, url, fetchedAt } = file;
    if (read.left !== undefined)
      context.warn(`${name}: ${read.left}; first_page says where to go on`);
    const note = scanNote(read, { ocr: options.ocr, set: 'planvm:data' });
    if (note !== undefined) context.warn(`${name}: ${note}`);
    context.source({ url, title: read.title ?? name, fetchedAt });
    const { title, author, pageCount: pages } = read;
    const end = read.pages.at(-1)?.number ?? first;
    return defined({
      ...{ text: markedText(read.pages), pages, first, last: end, name, url, title, author },
    });
  },
});
