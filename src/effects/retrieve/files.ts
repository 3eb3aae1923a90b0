/** The files that a list of paths means, in an order that depends on their names only. */
import { type Dirent, readdirSync, type Stats, statSync } from 'node:fs';
import { basename, join, relative, resolve, sep } from 'node:path';
import { EffectFailure } from '../../engine/handler.ts';
import type { Refusal } from './load/load.ts';

export interface FoundFile {
  /** Absolute. */
  readonly path: string;
  /** Relative to the folder that was asked for, with forward slashes. */
  readonly name: string;
  /** Whether the file itself was asked for, not a folder around it. */
  readonly named: boolean;
  /** Set where it cannot even be looked at. */
  readonly refusal?: Refusal;
}

/**
 * Folders are entered, except `node_modules` and those whose names begin with a dot; links to
 * folders are not followed. Files whose names begin with a dot are passed over: they hold settings
 * and keys. Throws `EffectFailure` for a path that does not exist, unless `gone` knows it.
 */
export function findFiles(
  paths: readonly string[],
  gone: (path: string) => boolean = () => false,
): FoundFile[] {
  if (paths.length === 0) {
    throw new EffectFailure('PV4310', 'got no path, want files or folders to load');
  }
  const found = new Map<string, FoundFile>();
  for (const path of paths.map((given) => resolve(given))) {
    const stats = statOf(path);
    if (!stats && !gone(path)) {
      throw new EffectFailure('PV4310', `${path} does not exist`, { hint: 'check the spelling' });
    }
    const files = stats?.isDirectory() ? filesIn(path, path) : stats ? [fileAt(path)] : [];
    for (const file of files) if (!found.has(file.path)) found.set(file.path, file);
  }
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function fileAt(path: string): FoundFile {
  return { path, name: basename(path), named: true };
}

function filesIn(folder: string, top: string): FoundFile[] {
  const at = (path: string): FoundFile => ({
    path,
    name: relative(top, path).split(sep).join('/') || '.',
    named: false,
  });
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    return [{ ...at(folder), refusal: unreadable(error) }];
  }
  return entries.flatMap((entry): FoundFile[] => {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path, top);
    const isFile = entry.isFile() || (entry.isSymbolicLink() && statOf(path)?.isFile() === true);
    if (isFile) return [at(path)];
    return [{ ...at(path), refusal: { code: 'PV4315', reason: notFile(entry) } }];
  });
}

const notFile = (entry: Dirent): string =>
  entry.isSymbolicLink() ? 'a link to a folder, or to nothing' : 'not a regular file';

export function unreadable(error: unknown): Refusal {
  const why = error instanceof Error ? error.message : String(error);
  return { code: 'PV4315', reason: `cannot be read: ${why}` };
}

function statOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}
