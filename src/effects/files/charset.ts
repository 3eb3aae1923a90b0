/**
 * Bytes as text, in the encoding that they are in: by their mark, else by what is said of them,
 * else as UTF-8. Of files the encoding is what the caller says, or it is guessed. Servers are often
 * wrong: where the bytes of an answer say otherwise without doubt, they are believed.
 */
import { type EffectFailure, refusal } from '../../engine/handler.ts';
import { kindOf, unknownKind } from './kind.ts';

export interface Decoded {
  readonly text: string;
  /** As the platform names it: `utf-8`, `windows-1252`. */
  readonly encoding: string;
  /** What was odd or guessed, in a sentence. */
  readonly note?: string;
}

/** What is taken where nothing else fits: it gives every byte some character. */
const anyBytes = 'windows-1252';

/**
 * The text of a file. Throws `EffectFailure` PV4924 where the bytes are not text, where no encoding
 * has the name that is given, and where the bytes are not in it.
 */
export function decodeText(bytes: Uint8Array, name: string, encoding = ''): Decoded {
  const given = markOf(bytes) ?? encoding;
  if (given !== '') return exactly(given, bytes, name);
  const wide = wideOf(bytes);
  if (wide !== undefined) {
    const note = `${name} has no byte order mark: it was read as ${wide}`;
    return { ...exactly(wide, bytes, name), note };
  }
  const kind = kindOf(bytes);
  if (kind.is === 'pdf') throw noText(name, 'a PDF', 'parse_pdf reads it');
  if (kind.is === 'other') throw noText(name, kind.what);
  const text = textIn(bytes, 'utf-8', true);
  if (text !== undefined) return { text, encoding: 'utf-8' };
  const note = `${name} is not UTF-8: it was read as ${anyBytes}; encoding names another`;
  return { ...exactly(anyBytes, bytes, name), note };
}

function noText(name: string, what: string, hint?: string): EffectFailure {
  const isOffice = what.includes('XLSX');
  const other = isOffice ? 'read_table reads the sheets of an XLSX file' : 'name a text file';
  const shown = what === unknownKind ? 'binary' : what;
  return refusal('PV4924', `${name} is ${shown}, want text`, { hint: hint ?? other });
}

function exactly(given: string, bytes: Uint8Array, name: string): Decoded {
  const encoding = labelOf(given);
  if (encoding === undefined) {
    throw refusal('PV4924', `encoding: got ${JSON.stringify(given)}, want the name of one`, {
      hint: 'such as utf-8, windows-1252, utf-16le, shift_jis',
    });
  }
  const text = textIn(bytes, encoding, true);
  if (text !== undefined) return { text, encoding };
  throw refusal('PV4924', `${name} is not ${encoding}`, { hint: 'encoding names another' });
}

/** The text of an answer over HTTP; `contentType` with parameters, as it was sent. Never throws. */
export function decodeAnswer(bytes: Uint8Array, contentType: string): Decoded {
  const marked = markOf(bytes);
  if (marked !== undefined) return { text: textIn(bytes, marked) ?? '', encoding: marked };
  const said = charsetIn(contentType);
  const sent = labelOf(said);
  const written = labelOf(declaredIn(bytes));
  const utf8 = textIn(bytes, 'utf-8', true);
  const first = sent ?? written ?? 'utf-8';
  if (first === 'utf-8' && utf8 !== undefined) return { text: utf8, encoding: 'utf-8' };
  // Text beyond ASCII that is right in UTF-8 is in UTF-8: nothing else looks so by chance.
  const isSure = utf8 !== undefined && hasMore(bytes) && !/^(utf-16|iso-2022)/.test(first);
  if (isSure) return { text: utf8, encoding: 'utf-8', note: `it is in utf-8, not in ${first}` };
  const unknown = said !== undefined && sent === undefined ? `nobody knows ${said}` : undefined;
  if (first !== 'utf-8') return loosely(first, bytes, unknown);
  const other = written !== undefined && written !== 'utf-8' ? written : anyBytes;
  return loosely(other, bytes, unknown ?? `it is not in utf-8: read as ${other}`);
}

/** `latin1` of `text/csv; charset=latin1` */
export const charsetIn = (contentType: string): string | undefined =>
  /;\s*charset\s*=\s*["']?([^\s;"']+)/i.exec(contentType)?.[1];

function loosely(encoding: string, bytes: Uint8Array, note: string | undefined): Decoded {
  const exact = textIn(bytes, encoding, true);
  const odd = exact === undefined ? `some of it is not in ${encoding}` : undefined;
  const notes = [note, odd].filter((one) => one !== undefined).join('; ');
  const text = exact ?? textIn(bytes, encoding) ?? '';
  return { text, encoding, ...(notes !== '' && { note: notes }) };
}

function markOf(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** Two bytes a letter without a mark: every other byte is nothing. */
function wideOf(bytes: Uint8Array): string | undefined {
  const some = bytes.subarray(0, 512);
  if (some.length < 4 || some.length % 2 !== 0) return undefined;
  const nothing = (from: number): number =>
    some.filter((byte, at) => at % 2 === from && byte === 0).length / (some.length / 2);
  if (nothing(1) > 0.9 && nothing(0) === 0) return 'utf-16le';
  return nothing(0) > 0.9 && nothing(1) === 0 ? 'utf-16be' : undefined;
}

/** The platform's name of an encoding; undefined for one that it does not know. */
function labelOf(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  try {
    return new TextDecoder(given).encoding;
  } catch {
    return undefined;
  }
}

function textIn(bytes: Uint8Array, encoding: string, fatal = false): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** How far a declaration within the text is looked for, in bytes, as browsers do. */
const declaredWithin = 4096;

/** `<meta charset>`, `<meta http-equiv … content="…; charset=…">`, `<?xml encoding="…"?>` */
function declaredIn(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, declaredWithin)).toString('latin1');
  const xml = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([^"']+)/i.exec(start)?.[1];
  if (xml !== undefined) return xml;
  const meta = /<meta[^>]*\bcharset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(start)?.[1];
  // A page that could be read thus far is not in it.
  return meta !== undefined && /^utf-?16/i.test(meta) ? 'utf-8' : meta;
}

const hasMore = (bytes: Uint8Array): boolean => bytes.some((byte) => byte > 127);
