/**
 * Answers that are kept between runs, by the rules of HTTP (RFC 9111): one that is fresh is used
 * again, one that is not is asked for with its mark (`ETag`, `Last-Modified`). What a server says
 * nothing about is asked for each time. A kept answer keeps the time at which it was fetched.
 *
 * - C1 One file an answer, in a folder of the user's own, written aside and moved: whoever reads
 *   one finds it whole. What cannot be read is as if it were not there.
 * - C2 What was fetched under one rule of what may be reached serves no request under another.
 * - C3 The folder has a bound; what was used longest ago goes first.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type CachePolicy from 'http-cache-semantics';
import type { CacheRequest } from 'http-cache-semantics';
import { answerBytesMax, keepFile, touchFile } from '../kept-files.ts';
import type { Inside } from './address.ts';
import type { Hop, Through } from './request.ts';

export interface CacheOptions {
  readonly folder: string;
  readonly inside: Inside;
  /** Of all answers together. Default: 256 MiB. */
  readonly bytesMax?: number;
}

interface Kept {
  readonly policy: CachePolicy;
  readonly hop: Hop;
}

/** Between the head of a file, which is JSON of one line, and the body. */
const lineEnd = 10;

/** For `RequestOptions.through`. Only answers to `GET` without a key are kept. */
export function cacheIn(options: CacheOptions): Through {
  return async ({ url, method, headers }, go) => {
    if (method !== 'GET' || 'authorization' in headers || 'cookie' in headers) return await go();
    const { default: Policy } = await import('http-cache-semantics');
    const file = join(options.folder, `${keyOf(url, options.inside)}.answer`);
    const asked = { url: url.pathname + url.search, method, headers };
    const kept = await read(file, url, Policy);
    if (kept?.policy.satisfiesWithoutRevalidation(asked)) {
      await touchFile(file);
      return kept.hop;
    }
    const hop = await go(kept && marksOf(kept, asked));
    const response = { status: hop.status, headers: hop.headers };
    if (kept && hop.status === 304) {
      const { policy, modified } = kept.policy.revalidatedPolicy(asked, response);
      // A server that says "not modified" of another version than ours is asked once more.
      if (modified) return await go();
      await write(file, { policy, hop: kept.hop }, options);
      return kept.hop;
    }
    const policy = new Policy(asked, response, { shared: false, cacheHeuristic: 0 });
    if (policy.storable() && hop.bytes.byteLength <= answerBytesMax) {
      await write(file, { policy, hop }, options);
    }
    return hop;
  };
}

const keyOf = (url: URL, inside: Inside): string =>
  createHash('sha256').update(`${inside} ${url.origin}${url.pathname}${url.search}`).digest('hex');

/** Only what the request has not: the policy repeats its headers. */
function marksOf({ policy }: Kept, asked: CacheRequest): Record<string, string> {
  const all = Object.entries(policy.revalidationHeaders(asked));
  return Object.fromEntries(all.filter(([name]) => name.startsWith('if-')));
}

async function read(file: string, url: URL, Policy: typeof CachePolicy): Promise<Kept | undefined> {
  try {
    const bytes = await readFile(file);
    const end = bytes.indexOf(lineEnd);
    const { policy, status, headers, fetchedAt } = JSON.parse(bytes.toString('utf8', 0, end));
    const body = new Uint8Array(bytes.subarray(end + 1));
    const hop = { status, url, headers, bytes: body, fetchedAt };
    return { policy: Policy.fromObject(policy), hop };
  } catch {
    return undefined;
  }
}

async function write(file: string, { policy, hop }: Kept, options: CacheOptions): Promise<void> {
  const { status, headers, fetchedAt } = hop;
  const head = JSON.stringify({ policy: policy.toObject(), status, headers, fetchedAt });
  await keepFile(file, Buffer.concat([Buffer.from(`${head}\n`), hop.bytes]), options);
}
