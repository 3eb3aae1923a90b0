/** The bytes that a source leads to: a file in an allowed folder, or an address. */
import type { AttemptContext } from '../../engine/handler.ts';
import { type Folders, openInside } from '../files/folders.ts';
import { contentOf } from '../files/read-file.ts';
import type { Inside } from '../web/address.ts';
import { failed } from './failure.ts';

export interface SourceOptions {
  readonly folders: Folders;
  /** What addresses may lead to that is not public. */
  readonly inside: Inside;
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
 * Throws `EffectFailure`: PV4701 to PV4744 of an address, PV4920 to PV4926 of a path. The content
 * is not yet told as a source of the outcome.
 */
export async function contentAt(
  source: string,
  bytesMax: number,
  { folders, inside }: SourceOptions,
  context: AttemptContext,
): Promise<Content> {
  if (isAddress(source)) return await download(source.trim(), bytesMax, inside, context);
  if (/^[a-z][a-z\d+.-]+:\/\//i.test(source) && !source.startsWith('file:')) {
    throw failed('PV4933', `got ${source}, want a path or an address of http or https`);
  }
  await using file = await openInside(source, folders);
  const bytes = await contentOf(file, bytesMax, context.signal);
  return { bytes, name: file.name, url: file.url, fetchedAt: Date.now() };
}

async function download(
  address: string,
  bytesMax: number,
  inside: Inside,
  context: AttemptContext,
): Promise<Content> {
  const url = URL.parse(address);
  if (!url) throw failed('PV4933', `got ${address}, want an address`);
  const { request } = await import('../web/request.ts');
  const { refusal } = await import('../web/get-json.ts');
  const answer = await request(url, { context, inside, bytesMax });
  if (answer.status < 200 || answer.status > 299) {
    throw refusal(answer, url.host, Buffer.from(answer.bytes.subarray(0, 500)).toString('utf8'));
  }
  const name = decodeURIComponent(answer.url.pathname.split('/').at(-1) ?? '') || answer.url.host;
  return {
    bytes: answer.bytes,
    name,
    url: answer.url.href,
    mediaType: answer.headers['content-type'] ?? '',
    fetchedAt: answer.fetchedAt,
  };
}
