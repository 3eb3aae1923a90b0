/**
 * Bytes as text, in the encoding that they are in: by their mark, else by what was said of them,
 * else by what they say themselves, else as UTF-8. Servers are often wrong; where the bytes say
 * otherwise without doubt, they are believed, and it is said. Pure.
 */

export interface Decoded {
  readonly text: string;
  /** As the platform names it: `utf-8`, `windows-1252`. */
  readonly charset: string;
  /** What was odd, in a sentence. */
  readonly note?: string;
}

/** What is taken where nothing else fits: it gives every byte some character. */
const anyBytes = 'windows-1252';
/** How far a declaration within the text is looked for, in bytes, as browsers do. */
const declaredWithin = 4096;

/** `contentType` with parameters, as it was sent. Never throws. */
export function decode(bytes: Uint8Array, contentType: string): Decoded {
  const marked = markOf(bytes);
  if (marked !== undefined) return { text: textIn(bytes, marked) ?? '', charset: marked };
  const said = /;\s*charset\s*=\s*["']?([^\s;"']+)/i.exec(contentType)?.[1];
  const sent = labelOf(said);
  const written = labelOf(declaredIn(bytes));
  const utf8 = textIn(bytes, 'utf-8', true);
  const first = sent ?? written ?? 'utf-8';
  if (first === 'utf-8' && utf8 !== undefined) return { text: utf8, charset: 'utf-8' };
  // Text beyond ASCII that is right in UTF-8 is in UTF-8: nothing else looks so by chance.
  const isSure = utf8 !== undefined && hasMore(bytes) && !/^(utf-16|iso-2022)/.test(first);
  if (isSure) return { text: utf8, charset: 'utf-8', note: `it is in utf-8, not in ${first}` };
  const unknown = said !== undefined && sent === undefined ? `nobody knows ${said}` : undefined;
  if (first !== 'utf-8') return decodedAs(bytes, first, unknown);
  const other = written !== undefined && written !== 'utf-8' ? written : anyBytes;
  return decodedAs(bytes, other, unknown ?? `it is not in utf-8: read as ${other}`);
}

function decodedAs(bytes: Uint8Array, charset: string, note: string | undefined): Decoded {
  const exact = textIn(bytes, charset, true);
  const text = exact ?? textIn(bytes, charset) ?? '';
  const odd = exact === undefined ? `some of it is not in ${charset}` : undefined;
  const notes = [note, odd].filter((one) => one !== undefined).join('; ');
  return { text, charset, ...(notes !== '' && { note: notes }) };
}

function markOf(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
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

function textIn(bytes: Uint8Array, charset: string, fatal = false): string | undefined {
  try {
    return new TextDecoder(charset, { fatal }).decode(bytes);
  } catch {
    return undefined;
  }
}

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
