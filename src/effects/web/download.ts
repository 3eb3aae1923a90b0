/** `download`: what an address or a file has, as text; see spec.ts. */
import {
  type AttemptContext,
  type EffectFailure,
  type Handler,
  refusal,
} from '../../engine/handler.ts';
import type { ToolSpec } from '../../program/effect.ts';
import type { PageRange } from '../pdf/pdf.ts';
import { shownUrl } from './failures.ts';
import { shownContent } from './part.ts';
import { type Read, readContent } from './read-content.ts';
import { type Content, contentAt, type Places } from './source.ts';

export interface DownloadOptions extends Places {
  /** Of a PDF file, in one call. */
  readonly pagesMax: number;
  /** Opens a page in a browser. */
  readonly render: Render;
  /** A program that reads scans. */
  readonly ocr?: string;
}

/** The page at an address after its scripts; undefined where a file is there. */
export type Render = (
  url: string,
  context: AttemptContext,
) => Promise<{ readonly html: string; readonly url: string } | undefined>;

/** Pages that lead on by themselves within so many seconds are followed. */
const refreshSecondsMax = 10;
const refreshesMax = 5;

/** `spec` says what it is called, and whether it takes pages, a whole page and parts of it. */
export function downloadHandler(spec: ToolSpec, options: DownloadOptions): Handler {
  return {
    spec,
    async perform(args, context) {
      const pages = rangeOf(args.pages);
      const { signal } = context;
      let got: Content;
      const rendered = async (url: string): Promise<Content | undefined> => {
        const page = await renderedAt(url, options, context);
        if (page) got = page;
        return page;
      };
      const reading = {
        rendered,
        ...{ signal, warn: (message: string) => context.warn(message) },
        ...{ whole: args.whole === true, ...(pages && { pages }) },
        picture: args.picture === true,
        pdf: { fileBytes: options.fileBytes, pages: options.pagesMax },
        ...(options.ocr !== undefined && { ocr: options.ocr }),
      };
      const first = String(args.url).trim();
      const opened =
        args.browser === true && isWebAddress(first)
          ? await renderedAt(first, options, context)
          : undefined;
      got = opened ?? (await contentAt(first, options, context));
      let read = await readContent(got, reading);
      const seen = [got.url];
      for (let next = refreshOf(read); next; next = refreshOf(read)) {
        if (seen.includes(next) || seen.length > refreshesMax) throw leadsOn(got.url, seen, next);
        seen.push(next);
        got = await contentAt(next, options, context);
        read = await readContent(got, reading);
      }
      return shownContent(got, read, args, context);
    },
  };
}

async function renderedAt(
  address: string,
  { render }: DownloadOptions,
  context: AttemptContext,
): Promise<Content | undefined> {
  const page = await render(address, context);
  if (!page) return undefined;
  const bytes = new TextEncoder().encode(page.html);
  const contentType = 'text/html; charset=utf-8';
  return { bytes, contentType, name: page.url, url: page.url, fetchedAt: Date.now() };
}

const isWebAddress = (text: string): boolean => /^https?:/i.test(text);

const refreshOf = ({ page }: Read): string | undefined =>
  page?.refresh && page.refresh.seconds <= refreshSecondsMax ? page.refresh.url : undefined;

/** `3`, `2-5`, `7-`; a number, too. */
function rangeOf(given: unknown): PageRange | undefined {
  if (given === undefined || given === null || given === '') return undefined;
  const match = /^(\d+)(?:\s*(-)\s*(\d*))?$/.exec(String(given).trim());
  const first = Number(match?.[1]);
  const last = match?.[2] === undefined ? first : match[3] === '' ? undefined : Number(match[3]);
  if (match && first >= 1 && (last === undefined || last >= first)) {
    return { first, ...(last !== undefined && { last }) };
  }
  throw badArgument(`pages: got ${JSON.stringify(given)}, want "3", "2-5" or "7-"`);
}

const badArgument = (message: string, hint?: string): EffectFailure =>
  refusal('PV4751', message, { hint });

function leadsOn(url: string, seen: readonly string[], next: string): EffectFailure {
  const why = seen.includes(next) ? 'in a circle' : `more than ${refreshesMax} times`;
  return refusal('PV4742', `${shownUrl(new URL(url))} leads on by itself ${why}`, {
    hint: 'open it in a browser: get_url_firefox of planvm:browser',
  });
}
