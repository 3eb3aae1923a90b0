/**
 * Bounds what a file unpacks to in the thread that reads it: some kilobytes may unpack to any size.
 * The reader has decoders of many kinds, and all of them let a buffer grow until they are done: so
 * buffers are bounded. What is packed as nearly all files are is looked at before it is read, since
 * a page that is read while it is unpacked may take long to come to its bound.
 */
import { inflateSync } from 'node:zlib';

type BufferType = Int8ArrayConstructor | Uint8ArrayConstructor;

/** Resolves when a buffer was asked for that is larger. The caller has its thread for itself. */
export function boundBuffers(bytesMax: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const exceed = (): RangeError => {
    resolve();
    return new RangeError(`a buffer may have ${bytesMax} bytes`);
  };
  const bounded = <T extends BufferType>(type: T): T =>
    new Proxy(type, {
      construct(target, args, made) {
        const [size] = args;
        if (typeof size === 'number' && size > bytesMax) throw exceed();
        return Reflect.construct(target, args, made);
      },
    });
  const { DecompressionStream } = globalThis;
  class BoundedStream {
    readonly readable: ReadableStream;
    readonly writable: WritableStream;

    constructor(format: ConstructorParameters<typeof DecompressionStream>[0]) {
      const stream = new DecompressionStream(format);
      let bytes = 0;
      const counter = new TransformStream<Uint8Array, Uint8Array>({
        transform(part, controller) {
          bytes += part.byteLength;
          if (bytes > bytesMax) controller.error(exceed());
          else controller.enqueue(part);
        },
      });
      this.readable = stream.readable.pipeThrough(counter);
      this.writable = stream.writable;
    }
  }
  Object.assign(globalThis, {
    Int8Array: bounded(Int8Array),
    Uint8Array: bounded(Uint8Array),
    DecompressionStream: BoundedStream,
  });
  return promise;
}

const mark = 'stream';
/** Longer descriptions of a part are read as that of no picture. */
const descriptionMax = 1000;

/** Whether a part that is packed by Flate, at any depth, is larger. Pictures are never unpacked. */
export function hasLargePart(file: Uint8Array, bytesMax: number): boolean {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) {
    const before = bytes.toString('latin1', Math.max(0, at - descriptionMax), at);
    const description = before.slice(Math.max(0, before.lastIndexOf('obj')));
    if (/\/Subtype\s*\/Image\b/.test(description)) continue;
    let start = at + mark.length;
    while (bytes[start] === 0x0d || bytes[start] === 0x0a) start++;
    if (isLarge(bytes.subarray(start), bytesMax)) return true;
  }
  return false;
}

function isLarge(packed: Uint8Array, bytesMax: number): boolean {
  const [first = 0, second = 0] = packed;
  // RFC 1950, 2.2: what does not begin so is not packed by Flate.
  if ((first & 0x0f) !== 8 || (first * 256 + second) % 31 !== 0) return false;
  try {
    return isLarge(inflateSync(packed, { maxOutputLength: bytesMax }), bytesMax);
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_BUFFER_TOO_LARGE';
  }
}
