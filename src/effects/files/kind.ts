/**
 * What bytes are: by their first ones where these tell, since servers say `text/html` of anything,
 * else by what was said of them.
 */
import { imageSize } from 'image-size';

export type Kind =
  | { readonly is: 'html' | 'text' | 'pdf' }
  /** Nothing that has text; `what` names it for messages, `image` is a type such as `image/png`. */
  | { readonly is: 'other'; readonly what: string; readonly image?: string };

/** `image/png` of `image/png; q=1`, in lower case. */
export const mediaTypeOf = (contentType: string): string =>
  (contentType.split(';')[0] ?? '').trim().toLowerCase();

/** `what` where nothing says it. */
export const unknownKind = 'unknown';

export function kindOf(bytes: Uint8Array, contentType = ''): Kind {
  const type = mediaTypeOf(contentType);
  const start = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  // Some have a few bytes of another origin before their mark; a text may speak of it.
  if (/(?:^|[^\t\x20-\x7e])%PDF-\d/.test(start) && !/^\s*</.test(start)) return { is: 'pdf' };
  const image = images.find(([mark]) => mark.test(start))?.[1];
  if (image !== undefined) return { is: 'other', image, what: shownImage(bytes, image) };
  const known = marks.find(([mark, , at = 0]) => start.startsWith(mark, at))?.[1];
  if (known !== undefined) return { is: 'other', what: known };
  if (isBinary(bytes)) return { is: 'other', what: type === '' ? unknownKind : type };
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

/** Files of offices are archives, too: DOCX, XLSX. */
export const isZip = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(0, 4)).toString('latin1') === zipMark;

const zipMark = 'PK\u0003\u0004';

/** What a file has at its beginning, or at a place near it, and what it then is. */
const marks: readonly (readonly [mark: string, what: string, at?: number])[] = [
  [zipMark, 'an archive, as the files of offices are: XLSX, DOCX'],
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

const images: readonly (readonly [mark: RegExp, type: string])[] = [
  [/^\u0089PNG\r\n/, 'image/png'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^\u00ff\u00d8\u00ff/, 'image/jpeg'],
  [/^RIFF[\s\S]{4}WEBP/, 'image/webp'],
  [/^[\s\S]{4}ftyp(avif|heic|mif1)/, 'image/avif'],
];

/** Text has no zeros, except in UTF-16, which then has its mark. */
function isBinary(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, 8192);
  const [first, second] = start;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return false;
  return start.includes(0);
}

/** `an image (image/png, 640 × 480)`; of one that is cut off, no size. */
function shownImage(bytes: Uint8Array, type: string): string {
  try {
    const { width, height } = imageSize(bytes);
    return `an image (${type}, ${width} × ${height})`;
  } catch {
    return `an image (${type})`;
  }
}
