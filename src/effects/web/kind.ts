/**
 * What bytes are: by their first ones where these tell, since servers say `text/html` of anything,
 * else by what was said of them. Pure.
 */

export type Kind =
  | { readonly is: 'html' | 'text' | 'pdf' }
  /** Nothing that has text; `what` names it for messages, `image` is a type such as `image/png`. */
  | { readonly is: 'other'; readonly what: string; readonly image?: string };

/** `image/png` of `image/png; q=1`, in lower case. */
export const mediaTypeOf = (contentType: string): string =>
  (contentType.split(';')[0] ?? '').trim().toLowerCase();

export function kindOf(bytes: Uint8Array, contentType: string): Kind {
  const type = mediaTypeOf(contentType);
  const start = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  // Some have a few bytes of another origin before their mark; a page may speak of it.
  if (start.includes('%PDF-') && !/^\s*</.test(start)) return { is: 'pdf' };
  const image = imageOf(bytes, start);
  if (image) return image;
  const known = magic.find(([mark, , at = 0]) => start.startsWith(mark, at))?.[1];
  if (known !== undefined) return { is: 'other', what: known };
  if (isBinary(bytes)) return { is: 'other', what: type === '' ? 'unknown' : type };
  if (type === 'text/html' || type === 'application/xhtml+xml') {
    return { is: /^(?:\xef\xbb\xbf)?\s*[[{]/.test(start) ? 'text' : 'html' };
  }
  if (type !== 'text/plain' && beginsPage(start)) return { is: 'html' };
  // It says to be what it is not, and nobody knows what it is.
  return textless.test(type) ? { is: 'other', what: type } : { is: 'text' };
}

/** Behind a mark, blanks and comments: one after the other, so that none can be cut in two ways. */
function beginsPage(start: string): boolean {
  let rest = start.replace(/^\u00ef\u00bb\u00bf/, '').trimStart();
  while (rest.startsWith('<!--')) {
    const end = rest.indexOf('-->', 4);
    if (end < 0) return false;
    rest = rest.slice(end + 3).trimStart();
  }
  return /^<(?:!doctype html|html|head|body|title)\b/i.test(rest);
}

const textless = /^(image\/(?!svg)|audio\/|video\/|font\/|application\/(pdf|zip|gzip|vnd\.))/;

/** What a file has at its beginning, or at a place near it, and what it then is. */
const magic: readonly (readonly [mark: string, what: string, at?: number])[] = [
  ['PK\u0003\u0004', 'an archive, as the files of offices are: XLSX, DOCX'],
  ['PK\u0005\u0006', 'an empty archive'],
  ['\u001f\u008b', 'an archive (gzip)'],
  ['7z\u00bc\u00af', 'an archive (7z)'],
  ['Rar!', 'an archive (rar)'],
  ['BZh', 'an archive (bzip2)'],
  ['\u00fd7zXZ', 'an archive (xz)'],
  ['(\u00b5/\u00fd', 'an archive (zstd)'],
  ['\u00d0\u00cf\u0011\u00e0', 'an old file of an office: XLS, DOC'],
  ['\u007fELF', 'a program'],
  ['MZ\u0090', 'a program'],
  ['ID3', 'sound'],
  ['OggS', 'sound'],
  ['fLaC', 'sound'],
  ['ftyp', 'a film', 4],
  ['\u001aE\u00df\u00a3', 'a film'],
  ['SQLite format 3', 'a database'],
];

/** Text has no zeros, except in UTF-16, which then has its mark. */
function isBinary(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, 4096);
  const [first, second] = start;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return false;
  return start.includes(0);
}

/** `an image (image/png, 640 × 480)` */
function imageOf(bytes: Uint8Array, start: string): Kind | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (start.startsWith('\u0089PNG\r\n\u001a\n') && bytes.length >= 24) {
    return sized('image/png', [view.getUint32(16), view.getUint32(20)]);
  }
  if (/^GIF8[79]a/.test(start) && bytes.length >= 10) {
    return sized('image/gif', [view.getUint16(6, true), view.getUint16(8, true)]);
  }
  if (start.startsWith('\u00ff\u00d8\u00ff')) return sized('image/jpeg', jpegSize(view));
  if (/^RIFF[\s\S]{4}WEBP/.test(start)) return sized('image/webp', webpSize(view, start));
  return /^[\s\S]{4}ftyp(avif|heic|mif1)/.test(start) ? sized('image/avif', undefined) : undefined;
}

type Size = readonly [width: number, height: number];

const sized = (image: string, size: Size | undefined): Kind => ({
  ...{ is: 'other', image },
  what: size ? `an image (${image}, ${size[0]} × ${size[1]})` : `an image (${image})`,
});

/** Of the frame, behind however many segments; each says how long it is (ITU T.81, B.1.1.4). */
function jpegSize(view: DataView): Size | undefined {
  for (let at = 2; at + 9 <= view.byteLength && view.getUint8(at) === 0xff; ) {
    const mark = view.getUint8(at + 1);
    // C4, C8 and CC are tables between the frames.
    if (mark >= 0xc0 && mark <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(mark)) {
      return [view.getUint16(at + 7), view.getUint16(at + 5)];
    }
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

/** By what the first chunk is: with losses, without, or with more than one picture (RFC 9649). */
function webpSize(view: DataView, start: string): Size | undefined {
  if (view.byteLength < 30) return undefined;
  const three = (at: number): number => view.getUint16(at, true) + (view.getUint8(at + 2) << 16);
  switch (start.slice(12, 16)) {
    case 'VP8 ':
      return [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff];
    case 'VP8L': {
      const bits = view.getUint32(21, true);
      return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
    }
    case 'VP8X':
      return [three(24) + 1, three(27) + 1];
    default:
      return undefined;
  }
}
