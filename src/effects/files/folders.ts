/**
 * The folders that tools may read and write in, and how a file in them is opened. Paths come from
 * programs, which means from models and from what they have read.
 *
 * - F1 What is opened is inside of an allowed folder, whatever links and `..` stand in its path:
 *   the file itself is asked where it is, once it is open.
 * - F2 Only regular files are opened; nothing waits for the other end of a pipe.
 * - F3 Names that begin with a dot are closed unless they are allowed: settings, keys, histories.
 */
import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type EffectFailure, refusal } from '../../engine/handler.ts';
import { thrownMessage } from '../../program/diagnostic.ts';

export interface Folders {
  /** Absolute; what paths are relative to first. */
  readonly base: string;
  /** Absolute. */
  readonly read: readonly string[];
  /** Absolute; nothing is written where there is none. */
  readonly write: readonly string[];
  /** Whether names that begin with a dot are open. */
  readonly hidden: boolean;
}

export type Access = 'read' | 'write';

export interface Place {
  /** Absolute, as the path says it; links in it are not resolved. */
  readonly path: string;
  /** The allowed folder that it is in. */
  readonly root: string;
}

export interface OpenFile extends AsyncDisposable {
  readonly handle: FileHandle;
  /** As a person at the base would write it, with forward slashes. */
  readonly name: string;
  /** `file:` */
  readonly url: string;
  readonly bytes: number;
  /** Epoch milliseconds. */
  readonly modifiedAt: number;
}

/**
 * Where a path leads: from the base where that is allowed, else from the first allowed folder; what
 * is to be read, from the first of them where there is something. Throws `EffectFailure` PV4920.
 */
export async function placeOf(given: string, access: Access, folders: Folders): Promise<Place> {
  const roots = folders[access];
  if (roots.length === 0) {
    const message = `got ${given}, but no folder may be ${access === 'read' ? 'read' : 'written'}`;
    throw refusal('PV4920', message, { hint: `allow one: planvm:files?${access}=FOLDER` });
  }
  const places = candidates(pathOf(given), folders.base, roots);
  const [first] = places;
  if (!first) {
    const listed = roots.map((root) => shownPath(root, folders.base)).join(', ');
    const may = access === 'read' ? 'read from' : 'written to';
    throw refusal('PV4920', `got ${given}, want a path in what may be ${may}: ${listed}`);
  }
  // What is to be written has one place, whatever is there already.
  for (const place of access === 'read' ? places : []) {
    if (await exists(place.path)) return checked(place, given, folders);
  }
  return checked(first, given, folders);
}

/** Throws `EffectFailure` PV4920, PV4921, PV4923, PV4926. */
export async function openInside(given: string, folders: Folders): Promise<OpenFile> {
  const { path } = await placeOf(given, 'read', folders);
  const name = shownPath(path, folders.base);
  let handle: FileHandle;
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (thrown) {
    throw systemFailure(thrown, name);
  }
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw notRegular(name, stats);
    const real = await whereIs(handle, path, stats, name);
    await confirmInside(real, folders, 'read', given);
    return {
      ...{ handle, name, url: pathToFileURL(real).href, bytes: stats.size },
      modifiedAt: stats.mtimeMs,
      [Symbol.asyncDispose]: () => handle.close(),
    };
  } catch (thrown) {
    await handle.close();
    throw thrown;
  }
}

/** Relative to the base where it is inside, with forward slashes. */
export function shownPath(path: string, base: string): string {
  const within = relative(base, path);
  const isInside = within !== '..' && !within.startsWith(`..${sep}`) && !isAbsolute(within);
  return (isInside ? within || '.' : path).split(sep).join('/');
}

/**
 * That a real path is in one of the folders, which may be links themselves, and not hidden there: a
 * link with a plain name may lead to what is. Throws `EffectFailure` PV4920.
 */
export async function confirmInside(
  real: string,
  folders: Folders,
  access: Access,
  given: string,
): Promise<void> {
  for (const root of folders[access]) {
    const top = await realOf(root);
    if (!isWithin(real, top)) continue;
    if (!folders.hidden) refuseDots(relative(top, real), given);
    return;
  }
  throw refusal('PV4920', `got ${given}, which leads out of the folders that are allowed`);
}

/** What the system says, in words; what it does not say stays as it is. */
export function systemFailure(thrown: unknown, name: string): unknown {
  if (!(thrown instanceof Error) || !('syscall' in thrown) || !('code' in thrown)) return thrown;
  const code = String(thrown.code);
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return refusal('PV4921', `there is no ${name}`, {
        hint: 'list_files says which files there are',
      });
    case 'ENXIO':
      return refusal('PV4923', `${name} is a socket or a pipe, want a regular file`);
    case 'EISDIR':
      return refusal('PV4923', `${name} is a folder, want a regular file`);
    case 'ELOOP':
      return refusal('PV4920', `${name} is a link that leads nowhere`);
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return refusal('PV4926', `${name}: no permission (${code})`);
    default:
      return refusal('PV4926', `${name}: ${thrownMessage(thrown)}`);
  }
}

export const notRegular = (name: string, stats: Stats): EffectFailure =>
  refusal('PV4923', `${name} is ${kindOf(stats)}, want a regular file`);

function pathOf(given: string): string {
  if (given.includes('\0')) throw refusal('PV4920', 'got a path with a NUL, want a path');
  if (!given.startsWith('file:')) return given;
  try {
    return fileURLToPath(given);
  } catch (thrown) {
    throw refusal('PV4920', `got ${given}, want a path: ${thrownMessage(thrown)}`);
  }
}

function candidates(path: string, base: string, roots: readonly string[]): Place[] {
  const places = [base, ...roots].flatMap((from) => {
    const full = resolve(from, path);
    const root = roots.find((one) => isWithin(full, one));
    return root === undefined ? [] : [{ path: full, root }];
  });
  return places.filter((place, at) => places.findIndex((one) => one.path === place.path) === at);
}

function checked(place: Place, given: string, { hidden }: Folders): Place {
  if (!hidden) refuseDots(relative(place.root, place.path), given);
  return place;
}

function refuseDots(within: string, given: string): void {
  const dotted = within.split(sep).find((part) => part.startsWith('.') && part !== '.');
  if (dotted === undefined) return;
  throw refusal('PV4920', `got ${given}, but ${dotted} is closed: its name begins with a dot`);
}

/**
 * Where an open file is. Linux knows, whatever has become of its path. Elsewhere the path must lead
 * to the same file still, which somebody who exchanges folders at the right moment can feign.
 */
async function whereIs(
  handle: FileHandle,
  path: string,
  stats: Stats,
  name: string,
): Promise<string> {
  try {
    if (process.platform === 'linux') {
      if (stats.nlink > 0) return await pathOfHandle(handle);
    } else {
      const real = await realpath(path);
      const now = await stat(real);
      if (now.dev === stats.dev && now.ino === stats.ino) return real;
    }
  } catch (thrown) {
    throw systemFailure(thrown, name);
  }
  throw refusal('PV4920', `${name} was exchanged while it was opened`, { hint: 'try again' });
}

/** On Linux. */
export const pathOfHandle = ({ fd }: FileHandle): Promise<string> =>
  readlink(`/proc/self/fd/${fd}`);

const isWithin = (path: string, root: string): boolean =>
  path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);

const realOf = (path: string): Promise<string> => realpath(path).catch(() => path);

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a pipe';
  if (stats.isSocket()) return 'a socket';
  return 'a device';
}
