/**
 * The files that a program names. It may come from anybody, or from a model, and what they hold
 * goes to models: so only a text beside the program or below is read, wherever links lead; no
 * folder, pipe or device; nothing whose name begins with a dot, such as settings and keys.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { limitTable } from '../../program/limits.ts';

export interface Beside {
  /** Without a byte order mark. */
  readonly text: string;
  /** Absolute, without links. */
  readonly file: string;
}

/** Undefined where there is no such file, or none that may be read. */
export function readBeside(folder: string, name: string): Beside | undefined {
  if (isAbsolute(name)) return undefined;
  try {
    const file = realpathSync(join(folder, name));
    const within = relative(realpathSync(folder), file);
    if (isAbsolute(within) || within.split(sep).some((part) => part.startsWith('.'))) {
      return undefined;
    }
    return { text: utf8.decode(regular(file)), file };
  } catch {
    return undefined;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Throws for what is no file, and for more than a program may have. */
function regular(file: string): Buffer {
  // Without waiting for the other end of a pipe.
  const opened = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(opened);
    if (!stats.isFile()) throw new Error(`${file} is no regular file`);
    if (stats.size > limitTable.sourceBytes.default) throw new Error(`${file} is too long`);
    return readFileSync(opened);
  } finally {
    closeSync(opened);
  }
}
