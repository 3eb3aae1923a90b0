/**
 * Answers in files, one each, in a folder of the user's own: written aside and moved, so that
 * whoever reads one finds it whole. The folder has a bound; what was used longest ago goes first.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface KeptFolder {
  readonly folder: string;
  /** Of all files together. Default: 256 MiB. */
  readonly bytesMax?: number;
}

/** Largest answer that is kept. */
export const answerBytesMax: number = 32 * 2 ** 20;

/** A folder that cannot be written to costs the cache, never the answer. */
export async function keepFile(file: string, bytes: Uint8Array, kept: KeptFolder): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await mkdir(kept.folder, { recursive: true, mode: 0o700 });
    await writeFile(aside, bytes, { mode: 0o600 });
    await rename(aside, file);
    await evict(kept);
  } catch {
    await rm(aside, { force: true }).catch(() => undefined);
  }
}

/** It was used now. */
export async function touchFile(file: string): Promise<void> {
  const now = new Date();
  await utimes(file, now, now).catch(() => undefined);
}

interface KeptFile {
  readonly path: string;
  readonly size: number;
  readonly used: number;
}

/** What is there, with those that match a name; nothing where there is no folder. */
export async function keptFiles(
  folder: string,
  isMeant: (name: string) => boolean = () => true,
): Promise<KeptFile[]> {
  const names = await readdir(folder).catch(() => []);
  const found = await Promise.all(
    names.filter(isMeant).map(async (name) => {
      const path = join(folder, name);
      const known = await stat(path).catch(() => undefined);
      return known?.isFile() ? [{ path, size: known.size, used: known.mtimeMs }] : [];
    }),
  );
  return found.flat();
}

async function evict({ folder, bytesMax = 256 * 2 ** 20 }: KeptFolder): Promise<void> {
  const files = (await keptFiles(folder)).sort((one, other) => one.used - other.used);
  let bytes = files.reduce((sum, { size }) => sum + size, 0);
  for (const { path, size } of files) {
    if (bytes <= bytesMax) return;
    await rm(path, { force: true });
    bytes -= size;
  }
}
