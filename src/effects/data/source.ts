/** The bytes that a source leads to: a file in an allowed folder, or an address. */
import { type AttemptContext, refusal } from '../../engine/handler.ts';
import { type Folders, openInside } from '../files/folders.ts';
import { contentOf } from '../files/read-file.ts';
import type { Fetch } from '../web/fetch-page.ts';

export interface SourceOptions {
  readonly folders: Folders;
  /** How addresses are fetched: as pages of the web are. */
  readonly fetch: Fetch;
  readonly limits: SourceLimits;
  /** A program that reads scanned pages. */
  readonly ocr?: string;
}

/** What one call reads at most, and returns. */
export interface SourceLimits {
  readonly fileBytes: number;
  readonly rows: number;
  readonly pages: number;
  /** Of one query. */
  readonly tables: number;
  readonly memoryBytes: number;
}

export interface Content {
  readonly bytes: Uint8Array;
  /** For messages and its ending: a path, or the last part of an address. */
  readonly name: string;
  /** `https:` or `file:`, after all redirects. */
  readonly url: string;
  readonly mediaType?: string;
  /** Epoch milliseconds. */
  readonly fetchedAt: number;
}

/** Whether a source is an address, and not a path. */
export const isAddress = (source: string): boolean => /^https?:\/\//i.test(source.trim());

/**
 * Throws `EffectFailure`: PV4701, PV4702, PV4741 to PV4747 of an address, PV4920 to PV4926 of a
 * path. The content is not yet told as a source of the outcome.
 */
export async function contentAt(
  source: string,
  { folders, fetch, limits }: SourceOptions,
  context: AttemptContext,
): Promise<Content> {
  if (isAddress(source)) return await download(source.trim(), fetch, context);
  if (/^[a-z][a-z\d+.-]+:\/\//i.test(source) && !source.startsWith('file:')) {
    throw refusal('PV4933', `got ${source}, want a path or an address of http or https`);
  }
  await using file = await openInside(source, folders);
  const bytes = await contentOf(file, limits.fileBytes, context.signal);
  return { bytes, name: file.name, url: file.url, fetchedAt: Date.now() };
}

async function download(address: string, fetch: Fetch, context: AttemptContext): Promise<Content> {
  const asked = URL.parse(address);
  if (!asked) throw refusal('PV4933', `got ${address}, want an address`);
  const { bytes, url, headers, fetchedAt } = await fetch(asked, context);
  const mediaType = headers['content-type'] ?? '';
  return { bytes, name: nameOf(url), url: url.href, mediaType, fetchedAt };
}

/** The last part of an address; as it is written where it is no text in percents. */
function nameOf({ pathname, host }: URL): string {
  const last = pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last) || host;
  } catch {
    return last;
  }
}
