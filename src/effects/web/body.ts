/**
 * Reads the body of an answer: unpacked, and counted while it is unpacked, so that one that
 * unpacks to more than anybody wants is given up early, whatever it has said of itself.
 */
import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib';

/** Encodings that requests accept. */
export const acceptEncoding = 'gzip, br, zstd';

/** A body packed more than twice is none that a server sends for our sake. */
const codingsMax = 2;

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/** Why a body was given up. */
export class BadBody extends Error {
  override readonly name = 'BadBody';
  readonly reason: 'size' | 'encoding';

  constructor(reason: 'size' | 'encoding', message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}

/** Throws `BadBody`, or what the stream throws. `bytesMax` counts what is unpacked. */
export async function readBody(
  body: Readable,
  encoding: string,
  bytesMax: number,
): Promise<Uint8Array> {
  const names = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  const codings = names.filter((name) => name !== '' && name !== 'identity').reverse();
  const unknown = codings.find((name) => !Object.hasOwn(decoders, name));
  if (unknown !== undefined || codings.length > codingsMax) {
    drop(body);
    throw new BadBody('encoding', `the encoding ${encoding} is not known`);
  }
  const parts: Uint8Array[] = [];
  let bytes = 0;
  const collect = async (source: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const part of source) {
      bytes += part.byteLength;
      if (bytes > bytesMax) throw new BadBody('size', `it is larger than ${bytesMax} bytes`);
      parts.push(part);
    }
  };
  try {
    const [first, second] = codings.map((name) => (decoders[name] ?? createGunzip)());
    if (first && second) await pipeline(body, first, second, collect);
    else if (first) await pipeline(body, first, collect);
    else await pipeline(body, collect);
  } catch (thrown) {
    // A truncated or wrong packing, as zlib calls it.
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
    const isPacking = /^(Z_|ERR__?(BROTLI|ZSTD)|ZSTD_)/i.test(code);
    if (isPacking) throw new BadBody('encoding', 'its packing is broken', thrown);
    throw thrown;
  }
  return Buffer.concat(parts);
}

/** Nobody reads it any more; that it was cut off is no error then. */
export function drop(body: Readable): void {
  body.once('error', () => undefined).destroy();
}
