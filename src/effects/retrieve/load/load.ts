/** One file's bytes → its content, by the loader for its extension. */
import { extname } from 'node:path';
import { Malformed } from '../../malformed.ts';
import type { Content } from '../content.ts';
import { loadCsv } from './csv.ts';
import { loadJson } from './json.ts';
import { loadMarkdown, loadText } from './markdown.ts';

/** Grows when a loader reads the same bytes differently: then every file counts as changed. */
export const loaderVersion = 1;

/** Larger files are skipped: they are read whole. */
export const fileBytesMax: number = 32 * 2 ** 20;

/** Why a file was not loaded. */
export interface Refusal {
  readonly code: string;
  readonly reason: string;
  /** Where its text is malformed; from 1. */
  readonly line?: number;
}

type Loader = (text: string, path: string) => Content | Promise<Content>;

const loaders: ReadonlyMap<string, Loader> = new Map<string, Loader>([
  ['.md', loadMarkdown],
  ['.markdown', loadMarkdown],
  ['.txt', loadText],
  ['.text', loadText],
  ['.csv', loadCsv],
  ['.tsv', loadCsv],
  ['.json', loadJson],
  ['.ttl', turtle],
  ['.nt', turtle],
]);

const later: ReadonlySet<string> = new Set(['.html', '.htm', '.xhtml', '.pdf']);

/**
 * Why nothing is loaded from a file of this name; undefined when something is. A file that was
 * asked for by its name may have any type: it is read as plain text.
 */
export function refusalOf(path: string, named: boolean): Refusal | undefined {
  const extension = extname(path).toLowerCase();
  const known = loaders.has(extension) || (named && !later.has(extension));
  if (known) return undefined;
  const got = extension === '' ? 'no extension' : `the type ${extension}`;
  const reason = later.has(extension)
    ? `${extension} follows in a later version`
    : `got ${got}, want ${[...loaders.keys()].join(' ')}`;
  return { code: 'PV4312', reason };
}

/** `path` names the file inside the knowledge base. */
export async function load(path: string, bytes: Uint8Array): Promise<Content | Refusal> {
  if (bytes.subarray(0, binaryBytes).includes(0)) {
    return { code: 'PV4314', reason: 'binary: it contains zero bytes' };
  }
  const text = decode(bytes);
  if (text === undefined) {
    return { code: 'PV4314', reason: 'not UTF-8: save it in that encoding' };
  }
  try {
    const loader = loaders.get(extname(path).toLowerCase()) ?? loadText;
    return await loader(text.replace(/\r\n?/g, '\n'), path);
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return { code: 'PV4311', reason: error.message, line: error.line };
  }
}

const binaryBytes = 8_192;

/** Without the byte order mark; undefined when the bytes are not UTF-8. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The parser is imported when the first such file comes. */
async function turtle(text: string, path: string): Promise<Content> {
  const { loadTurtle } = await import('./turtle.ts');
  return loadTurtle(text, `file:///${encodeURI(path)}`);
}
