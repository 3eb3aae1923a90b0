/** What was fetched, or read from a file, as text with what is known of it. */
import { EffectFailure, refusal } from '../../engine/handler.ts';
import { decodeAnswer } from '../files/charset.ts';
import { kindOf, mediaTypeOf } from '../files/kind.ts';
import { markedText, type PageRange, type PdfLimits, scanNote } from '../pdf/pdf.ts';
import { scannedText } from '../pdf/scan.ts';
import { type PageText, pageText } from './page/page.ts';
import type { Content } from './source.ts';

export interface ReadOptions {
  readonly signal: AbortSignal;
  warn(message: string): void;
  readonly pages?: PageRange;
  readonly pdf: Partial<PdfLimits>;
  readonly whole: boolean;
  /** A program that reads scans: see `scannedText`. */
  readonly ocr?: string;
  /** Whether a picture is as good as a text. */
  readonly picture?: boolean;
  /** The page after its scripts: asked for where it has no text without them. */
  readonly rendered?: (url: string) => Promise<Content | undefined>;
}

export interface Read {
  readonly text: string;
  readonly title: string;
  readonly contentType: string;
  readonly author?: string;
  readonly published?: string;
  readonly language?: string;
  /** Of a PDF file, whatever was read of it. */
  readonly pageCount?: number;
  /** What was not read for a bound, in a sentence. */
  readonly left?: string;
  readonly picture?: ReadPicture;
  readonly page?: PageText;
}

/** Throws `EffectFailure` PV4746, PV4748, and what reading a PDF file or a page throws. */
export async function readContent(content: Content, options: ReadOptions): Promise<Read> {
  const { bytes, contentType, url } = content;
  const kind = kindOf(bytes, contentType);
  if (kind.is === 'other') {
    const { what, image } = kind;
    if (!options.picture || image === undefined) throw noText(content, what);
    return { text: what, title: '', contentType: image, picture: pictureOf(bytes, image) };
  }
  if (kind.is === 'pdf') return { ...(await readPdf(content, options)), contentType: pdfType };
  const { text, note } = decodeAnswer(bytes, contentType);
  if (note !== undefined) options.warn(`${url}: ${note}`);
  const said = mediaTypeOf(contentType);
  if (kind.is === 'text') {
    return { text, title: '', contentType: said === '' ? 'text/plain' : said };
  }
  const page = await pageText({ html: text, url, whole: options.whole }, options.signal);
  const { refresh } = page;
  const isShell = page.scripted && !refresh && isPlaceholder(page.text);
  if (isShell && options.rendered && /^https?:/.test(url)) {
    const { rendered, ...later } = options;
    const opened = await rendered(url).catch(failureOf);
    if (opened && !(opened instanceof EffectFailure)) return await readContent(opened, later);
    if (page.text.trim() === '') throw emptyPage(url, page, opened);
    options.warn(`${url}: ${scriptsNote}${whyNot(opened)}`);
  }
  if (page.text.trim() === '' && !refresh) throw emptyPage(url, page);
  return { ...page, contentType: 'text/html', page };
}

/** As a server of MCP gives one. */
interface ReadPicture {
  readonly type: 'image';
  readonly mimeType: string;
  readonly bytes: number;
  /** Base64. */
  readonly data: string;
}

const pictureOf = (bytes: Uint8Array, mimeType: string): ReadPicture => ({
  ...{ type: 'image', mimeType, bytes: bytes.byteLength },
  data: Buffer.from(bytes).toString('base64'),
});

const pdfType = 'application/pdf';

async function readPdf(
  { bytes, url }: Content,
  options: ReadOptions,
): Promise<Omit<Read, 'contentType'>> {
  const { signal, pages, ocr, pdf: limits } = options;
  const read = await scannedText(bytes, { signal, ...(pages && { pages }), ocr, limits });
  const note = scanNote(read, { ocr, set: 'planvm:web' });
  if (note !== undefined) options.warn(`${url}: ${note}`);
  return { ...read, text: markedText(read.pages), title: read.title ?? '' };
}

function noText({ bytes, url }: Content, what: string): EffectFailure {
  const size = `${bytes.byteLength} bytes`;
  const isImage = what.startsWith('an image');
  const hint = isImage
    ? 'download(url, picture = True) returns it, for llm_call to show to a model that sees'
    : what.includes('XLSX')
      ? 'read_table of planvm:data reads spreadsheets'
      : 'find the same as a page, as text or as a PDF';
  const named = /^an? |^sound/.test(what) ? what : `of the type ${what}`;
  return refusal('PV4746', `${url} has no text to read: it is ${named}, ${size}`, { hint });
}

function emptyPage(url: string, { scripted }: PageText, failure?: EffectFailure): EffectFailure {
  return refusal('PV4748', `${url} has no text`, {
    hint: scripted ? `${scriptsNote}${whyNot(failure)}` : 'the page is empty; try another address',
  });
}

const scriptsNote = 'it makes its content by scripts';

const whyNot = (failure: EffectFailure | undefined): string =>
  failure === undefined
    ? ': get_url_firefox of planvm:browser runs them'
    : `, which were not run: ${[failure.message, failure.hint ?? []].flat().join('; ')}`;

/** Rejects with what is not the failure of an effect, such as the reason of a signal. */
function failureOf(thrown: unknown): EffectFailure {
  if (thrown instanceof EffectFailure) return thrown;
  throw thrown;
}

const placeholderCharactersMax = 200;

/** Whether a text is none, or stands there only until scripts have run. */
const isPlaceholder = (text: string): boolean =>
  text.trim() === '' ||
  (text.length <= placeholderCharactersMax &&
    /\b(?:loading|please wait|(?:enable|turn on|requires?|needs?) javascript)\b/i.test(text));
