/** The bytes that a source leads to: a file in an allowed folder, or an address. */
import { extname } from 'node:path';
import { type AttemptContext, type EffectFailure, refusal } from '../../engine/handler.ts';
import { type Folders, openInside } from '../files/folders.ts';
import { contentOf } from '../files/read-file.ts';
import { memberOf, percentDecoded } from '../foreign-json.ts';
import type { Fetch } from './fetch-page.ts';

export interface Places {
  readonly folders: Folders;
  /** How addresses are fetched: as pages of the web are. */
  readonly fetch: Fetch;
  /** Of a file. */
  readonly fileBytes: number;
}

export interface Content {
  readonly bytes: Uint8Array;
  /** For messages and its ending: a path, or the last part of an address. */
  readonly name: string;
  /** `https:` or `file:`, after all redirects. */
  readonly url: string;
  /** As it was sent, or by the ending of a file; empty where nothing says it. */
  readonly contentType: string;
  /** Epoch milliseconds. */
  readonly fetchedAt: number;
}

/** Whether a source is an address, and not a path. */
export const isAddress = (source: string): boolean => /^https?:\/\//i.test(source.trim());

/**
 * Throws `EffectFailure`: PV4701, PV4702, PV4741 to PV4747, PV4751 of an address, PV4920 to PV4926
 * of a path. The content is not yet told as a source of the outcome.
 */
export async function contentAt(
  source: string,
  { folders, fetch, fileBytes }: Places,
  context: AttemptContext,
): Promise<Content> {
  const wanted = source.trim();
  if (/^[a-z][a-z0-9+.-]+:/i.test(wanted) && !wanted.startsWith('file:')) {
    const asked = URL.parse(wanted);
    if (!asked) throw noAddress(wanted, 'an address such as https://example.com/');
    const { bytes, url, headers, fetchedAt } = await fetch(asked, context);
    const name = percentDecoded(url.pathname.split('/').at(-1) ?? '') || url.host;
    const contentType = headers['content-type'] ?? '';
    return { bytes, name, url: url.href, contentType, fetchedAt };
  }
  if (looksLikeHost(wanted)) {
    throw noAddress(wanted, 'an address or a path', `write https://${wanted}`);
  }
  await using file = await openInside(wanted, folders);
  const bytes = await contentOf(file, fileBytes, context.signal);
  const contentType = memberOf(fileTypes, extname(file.name).toLowerCase()) ?? '';
  return { bytes, name: file.name, url: file.url, contentType, fetchedAt: Date.now() };
}

/** `example.com/page`: no file has such a name by chance. */
const looksLikeHost = (text: string): boolean =>
  /^(www\.|[\w-]+\.(com|org|net|gov|edu)(\/|$))/i.test(text);

const noAddress = (got: string, want: string, hint?: string): EffectFailure =>
  refusal('PV4751', `got ${got}, want ${want}`, { hint });

const fileTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.htm': 'text/html',
  '.xhtml': 'application/xhtml+xml',
  '.md': 'text/markdown',
  '.txt': 'text/plain',
  '.json': 'application/json',
  '.csv': 'text/csv',
  '.xml': 'application/xml',
};
