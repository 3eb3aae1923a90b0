/**
 * `write_file`, `replace_file` and `append_file`.
 *
 * - A file is written whole or not at all: beside its place first, then moved there in one go.
 * - Nothing is written through a link that leads out: the folder is resolved and then held, and on
 *   Linux everything happens relative to what is held.
 */
import { randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import {
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  readFile,
  realpath,
  rename,
  stat,
  unlink,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type AttemptContext,
  type EffectFailure,
  type Handler,
  refusal,
} from '../../engine/handler.ts';
import {
  confirmInside,
  type Folders,
  notRegular,
  pathOfHandle,
  placeOf,
  shownPath,
  systemFailure,
} from './folders.ts';
import {
  appendFileSpec,
  type FileLimits,
  fileLimits,
  replaceFileSpec,
  writeFileSpec,
} from './specs.ts';

export function writeHandlers(
  folders: Folders,
  { writtenBytes }: FileLimits = fileLimits,
): readonly Handler[] {
  const place = { folders, bytesMax: writtenBytes };
  return [
    { spec: writeFileSpec, perform: (args, context) => writing(args, context, place, create) },
    { spec: replaceFileSpec, perform: (args, context) => writing(args, context, place, replace) },
    { spec: appendFileSpec, perform: (args, context) => writing(args, context, place, append) },
  ];
}

/** The place of a file, in a folder that is held open. */
interface Target {
  /** What to do it to: through the handle of the folder where the system can. */
  readonly folder: string;
  readonly path: string;
  /** As a person would write it. */
  readonly name: string;
  /** What is there. */
  readonly stats: Stats | undefined;
}

interface Written {
  readonly bytes: number;
  readonly created: boolean;
}

async function writing(
  args: Readonly<Record<string, unknown>>,
  context: AttemptContext,
  { folders, bytesMax }: { readonly folders: Folders; readonly bytesMax: number },
  act: (target: Target, bytes: Uint8Array) => Promise<Written>,
): Promise<Written & { readonly path: string }> {
  const bytes = Buffer.from(String(args.text), 'utf8');
  const { path, root } = await placeOf(String(args.path), 'write', folders);
  const name = shownPath(path, folders.base);
  if (bytes.length > bytesMax) {
    throw refusal('PV4922', `${name}: got ${bytes.length} bytes, want at most ${bytesMax}`);
  }
  if (path === root) throw refusal('PV4923', `${name} is a folder, want the path of a file`);
  const folder = await folderFor(path, root, folders, name);
  const holder = await held(folder, name);
  try {
    await confirmInside(await holder.where(), folders, 'write', name);
    const at = join(holder.at, basename(path));
    const stats = await lstat(at).catch(() => undefined);
    if (stats && !stats.isFile() && !stats.isSymbolicLink()) throw notRegular(name, stats);
    const target = { folder: holder.at, path: at, name, stats };
    const result = await act(target, bytes);
    context.source({ url: pathToFileURL(path).href, title: name });
    return { path: name, ...result };
  } catch (thrown) {
    context.signal.throwIfAborted();
    throw systemFailure(thrown, name);
  } finally {
    await holder.handle?.close();
  }
}

/** Leaves a file of the same content as it is, so that a second attempt does no harm. */
async function create(target: Target, bytes: Uint8Array): Promise<Written> {
  if (target.stats && (await isSame(target, bytes))) {
    return { bytes: bytes.length, created: false };
  }
  if (target.stats) throw isThere(target.name);
  await beside(target, bytes, async (temporary) => {
    // Fails where there is a file by now; a rename would replace it.
    await link(temporary, target.path);
    await unlink(temporary);
  }).catch((thrown) => {
    throw codeOf(thrown) === 'EEXIST' ? isThere(target.name) : thrown;
  });
  return { bytes: bytes.length, created: true };
}

async function replace(target: Target, bytes: Uint8Array): Promise<Written> {
  await beside(target, bytes, (temporary) => rename(temporary, target.path));
  return { bytes: bytes.length, created: target.stats === undefined };
}

async function append(target: Target, bytes: Uint8Array): Promise<Written> {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  if (target.stats?.isSymbolicLink()) {
    throw refusal('PV4923', `${target.name} is a link, want a regular file`);
  }
  const flags = O_WRONLY | O_APPEND | O_CREAT | (O_NOFOLLOW ?? 0) | O_NONBLOCK;
  const handle = await open(target.path, flags, 0o666);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw notRegular(target.name, stats);
    await handle.appendFile(bytes);
    await handle.datasync();
    return { bytes: (await handle.stat()).size, created: target.stats === undefined };
  } finally {
    await handle.close();
  }
}

/** Writes a file that nobody knows, in the same folder, and lets `place` give it its name. */
async function beside(
  { folder, stats }: Target,
  bytes: Uint8Array,
  place: (temporary: string) => Promise<void>,
): Promise<void> {
  const temporary = join(folder, `.planvm-${randomUUID()}.tmp`);
  const handle = await open(temporary, 'wx', stats?.isFile() ? stats.mode & 0o777 : 0o666);
  try {
    await handle.writeFile(bytes);
    await handle.datasync();
    await handle.close();
    await place(temporary);
  } catch (thrown) {
    await handle.close().catch(() => {});
    await unlink(temporary).catch(() => {});
    throw thrown;
  }
}

async function isSame({ path, stats }: Target, bytes: Uint8Array): Promise<boolean> {
  if (!stats?.isFile() || stats.size !== bytes.length) return false;
  return (await readFile(path)).equals(bytes);
}

/** Makes the folders that are missing, none of them behind a link that leads out. */
async function folderFor(
  path: string,
  root: string,
  folders: Folders,
  name: string,
): Promise<string> {
  const folder = dirname(path);
  const missing: string[] = [];
  try {
    await mkdir(root, { recursive: true });
    let there = folder;
    while (!(await isThereAt(there))) {
      missing.unshift(there);
      there = dirname(there);
    }
    await confirmInside(await realpath(there), folders, 'write', name);
    for (const one of missing) await mkdir(one).catch(unlessThere);
    const real = await realpath(folder);
    await confirmInside(real, folders, 'write', name);
    return real;
  } catch (thrown) {
    throw systemFailure(thrown, name);
  }
}

interface Holder {
  readonly handle: FileHandle | undefined;
  /** A path to the folder itself, wherever it is moved meanwhile. */
  readonly at: string;
  /** Where it is by now, without links. */
  where(): Promise<string>;
}

async function held(folder: string, name: string): Promise<Holder> {
  if (process.platform !== 'linux') {
    return { handle: undefined, at: folder, where: () => realpath(folder) };
  }
  try {
    const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
    const handle = await open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    return { handle, at: `/proc/self/fd/${handle.fd}`, where: () => pathOfHandle(handle) };
  } catch (thrown) {
    throw systemFailure(thrown, name);
  }
}

const isThereAt = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

const codeOf = (thrown: unknown): unknown =>
  thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;

function unlessThere(thrown: unknown): void {
  if (codeOf(thrown) !== 'EEXIST') throw thrown;
}

const isThere = (name: string): EffectFailure =>
  refusal('PV4925', `${name} is there already, with another content`, {
    hint: 'replace_file replaces it; or write to another path',
  });
