/** `read_file` and `list_files`. */
import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { type EffectFailure, type Handler, refusal } from '../../engine/handler.ts';
import { decodeText } from './charset.ts';
import {
  confirmInside,
  type Folders,
  type OpenFile,
  openInside,
  placeOf,
  shownPath,
  systemFailure,
} from './folders.ts';
import { matchesGlob } from './glob.ts';
import { type FileLimits, fileLimits, listFilesSpec, looksPerFile, readFileSpec } from './specs.ts';

export const readFileHandler = (folders: Folders, limits: FileLimits = fileLimits): Handler => ({
  spec: readFileSpec,
  async perform(args, context) {
    await using file = await openInside(String(args.path), folders);
    const bytes = await contentOf(file, limits.fileBytes, context.signal);
    const decoded = decodeText(bytes, file.name, encodingIn(args));
    if (decoded.note !== undefined) context.warn(decoded.note);
    const some = linesOf(decoded.text, args.first_line, args.last_line, file.name);
    if (some.text.length > limits.characters) {
      const most = limits.characters;
      const message = `${file.name}: got ${some.text.length} characters, want at most ${most}`;
      throw refusal('PV4922', message, {
        hint: 'ask for some of its lines: first_line, last_line',
      });
    }
    context.source({ url: file.url, title: file.name });
    return {
      ...some,
      path: file.name,
      encoding: decoded.encoding,
      modified: isoOf(file.modifiedAt),
    };
  },
});

/** The bytes of a file that may still grow: as many as it had when it was opened, and no more. */
export async function contentOf(
  file: OpenFile,
  bytesMax: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if (file.bytes > bytesMax) {
    throw refusal('PV4922', `${file.name} has ${file.bytes} bytes, want at most ${bytesMax}`);
  }
  const bytes = new Uint8Array(file.bytes);
  let length = 0;
  while (length < bytes.length) {
    signal.throwIfAborted();
    const { bytesRead } = await file.handle.read(bytes, length, bytes.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}

export const encodingIn = ({ encoding }: Readonly<Record<string, unknown>>): string =>
  typeof encoding === 'string' ? encoding : '';

interface Lines {
  readonly text: string;
  readonly lines: { readonly first: number; readonly last: number; readonly total: number };
}

function linesOf(text: string, first: unknown, last: unknown, name: string): Lines {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  // A line end at the very end closes the last line and opens none.
  if (starts.length > 1 && starts.at(-1) === text.length) starts.pop();
  const total = text === '' ? 0 : starts.length;
  const from = first === undefined ? 1 : Number(first);
  const to = last === undefined ? total : Math.min(Number(last), total);
  if (first === undefined && last === undefined)
    return { text, lines: { first: 1, last: total, total } };
  if (from > to) {
    const got = last === undefined ? `line ${from}` : `lines ${from} to ${last}`;
    const count = total === 1 ? 'one line' : `${total} lines`;
    throw refusal('PV4927', `got ${got}, but ${name} has ${count}`);
  }
  const end = to === total ? text.length : starts[to];
  return { text: text.slice(starts[from - 1], end), lines: { first: from, last: to, total } };
}

export const listFilesHandler = (
  folders: Folders,
  { listed }: FileLimits = fileLimits,
): Handler => ({
  spec: listFilesSpec,
  async perform(args, { signal }) {
    const pattern = String(args.pattern ?? '**').replace(/^\.\//, '');
    const tops =
      args.folder === undefined
        ? folders.read
        : [(await placeOf(String(args.folder), 'read', folders)).path];
    const found = new Map<string, Listed>();
    const walk: Walk = { folders, pattern, signal, found, most: listed, looked: 0 };
    for (const top of tops) await list(top, top, walk);
    return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  },
});

interface Listed {
  readonly path: string;
  readonly bytes: number;
  readonly modified: string;
}

interface Walk {
  readonly folders: Folders;
  readonly pattern: string;
  readonly signal: AbortSignal;
  readonly found: Map<string, Listed>;
  /** Files that may be listed. */
  readonly most: number;
  looked: number;
}

/** Links to folders are not followed; those to files are, where they lead to what may be read. */
async function list(folder: string, top: string, walk: Walk): Promise<void> {
  const { folders, pattern, signal, found, most } = walk;
  const lookedMax = most * looksPerFile;
  signal.throwIfAborted();
  for (const entry of await entriesOf(folder, top, folders)) {
    if (++walk.looked > lookedMax) throw tooMany('looked at', lookedMax);
    if (!folders.hidden && entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      await list(path, top, walk);
      continue;
    }
    const name = relative(top, path).split(sep).join('/');
    // A pattern without folders is of names, wherever they are.
    if (!matchesGlob(pattern.includes('/') ? name : entry.name, pattern)) continue;
    const stats = await openStats(path, entry, folders);
    if (!stats) continue;
    if (found.size >= most) throw tooMany('listed', most);
    const shown = shownPath(path, folders.base);
    found.set(shown, { path: shown, ...stats });
  }
}

async function entriesOf(folder: string, top: string, folders: Folders): Promise<Dirent[]> {
  try {
    if (folder === top) await confirmInside(await realpath(folder), folders, 'read', folder);
    return await readdir(folder, { withFileTypes: true });
  } catch (thrown) {
    // One that is closed to us is no file that fits; the top was asked for by name.
    if (folder !== top) return [];
    throw systemFailure(thrown, shownPath(folder, folders.base));
  }
}

async function openStats(
  path: string,
  entry: Dirent,
  folders: Folders,
): Promise<Omit<Listed, 'path'> | undefined> {
  if (!entry.isFile() && !entry.isSymbolicLink()) return undefined;
  try {
    if (entry.isSymbolicLink()) await confirmInside(await realpath(path), folders, 'read', path);
    const stats = await stat(path);
    if (!stats.isFile()) return undefined;
    return { bytes: stats.size, modified: isoOf(stats.mtimeMs) };
  } catch {
    return undefined;
  }
}

const isoOf = (ms: number): string => new Date(ms).toISOString();

const tooMany = (what: string, count: number): EffectFailure =>
  refusal('PV4928', `more than ${count} files were ${what}`, {
    hint: 'name a folder, or a narrower pattern',
  });
