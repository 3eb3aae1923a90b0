/** Bytes as text: by their mark, by the encoding that is named, as UTF-8, or as what it may be. */
import { type EffectFailure, refusal } from '../../engine/handler.ts';

export interface Decoded {
  readonly text: string;
  /** As WHATWG names it: `utf-8`, `windows-1252`. */
  readonly encoding: string;
  /** What had to be guessed. */
  readonly note?: string;
}

/**
 * Throws `EffectFailure` PV4924: for bytes that are no text, for a name of no encoding, and for
 * bytes that are none of the encoding that is named.
 */
export function decodeText(bytes: Uint8Array, name: string, encoding = ''): Decoded {
  const marked = markOf(bytes);
  if (marked !== undefined) return decodedAs(marked, bytes, name);
  if (encoding !== '') return decodedAs(encoding, bytes, name);
  const wide = wideOf(bytes);
  if (wide !== undefined) {
    const note = `${name} has no byte order mark: it was read as ${wide}`;
    return { ...decodedAs(wide, bytes, name), note };
  }
  const kind = binaryKind(bytes);
  if (kind !== undefined) throw binary(name, kind);
  try {
    return decodedAs('utf-8', bytes, name);
  } catch {
    const note = `${name} is not UTF-8: it was read as windows-1252; encoding names another`;
    return { ...decodedAs('windows-1252', bytes, name), note };
  }
}

/** What a binary file begins with: `a PDF`; undefined for text. */
export function binaryKind(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 8)).toString('latin1');
  const known = signatures.find(([mark]) => start.startsWith(mark));
  if (known) return known[1];
  return bytes.subarray(0, 8192).includes(0) ? 'binary' : undefined;
}

const signatures: readonly (readonly [string, string])[] = [
  ['%PDF-', 'a PDF'],
  ['PK\u0003\u0004', 'a ZIP archive, as XLSX and DOCX files are'],
  ['\u00d0\u00cf\u0011\u00e0', 'an old Office file, such as XLS'],
  ['\u001f\u008b', 'packed by gzip'],
  ['\u0089PNG', 'a picture'],
  ['\u00ff\u00d8\u00ff', 'a picture'],
  ['GIF8', 'a picture'],
  ['SQLite f', 'a database'],
];

function binary(name: string, kind: string): EffectFailure {
  const hint = kind.includes('PDF')
    ? 'parse_pdf reads it'
    : kind.includes('XLSX')
      ? 'read_table reads the sheets of an XLSX file'
      : 'name a text file';
  return refusal('PV4924', `${name} is ${kind}, want text`, { hint });
}

function decodedAs(encoding: string, bytes: Uint8Array, name: string): Decoded {
  let decoder: InstanceType<typeof TextDecoder>;
  try {
    decoder = new TextDecoder(encoding, { fatal: true });
  } catch {
    const message = `encoding: got ${JSON.stringify(encoding)}, want the name of one`;
    throw refusal('PV4924', message, { hint: 'such as utf-8, windows-1252, utf-16le, shift_jis' });
  }
  try {
    return { text: decoder.decode(bytes), encoding: decoder.encoding };
  } catch {
    throw refusal('PV4924', `${name} is not ${decoder.encoding}`, {
      hint: 'encoding names another',
    });
  }
}

function markOf(bytes: Uint8Array): string | undefined {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  return a === 0xfe && b === 0xff ? 'utf-16be' : undefined;
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
