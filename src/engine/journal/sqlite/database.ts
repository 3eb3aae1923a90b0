/**
 * Opens the file of a journal: creates it where it is missing, checks it, brings it up to date; and
 * says what it means where SQLite or the file system fails.
 */
import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { makeFolder } from '../../folder.ts';
import { JournalError, journalClosed } from '../journal.ts';
import type { JournalCode } from '../journal-codes.ts';
import { migrate } from './schema.ts';

/** How long to wait for another process's transaction, in milliseconds. */
const busyMs = 5000;

/**
 * One that this user may only read can be read: each attempt to write to it is PV5015 then. Throws
 * `JournalError` with what to do about it, whatever is wrong with the file. `isAlone`: see
 * `JournalOptions`.
 */
export function openDatabase(
  path: string,
  waitMs: number = busyMs,
  isAlone: boolean = false,
): DatabaseSync {
  requireSqlite(process.versions.sqlite ?? 'none');
  requireFiles(path);
  try {
    return openWritable(path, waitMs, isAlone);
  } catch (error) {
    const failure = journalError(error, path);
    const found = failure.code === 'PV5015' ? openReadable(path, waitMs) : undefined;
    if (found) return found;
    throw failure;
  }
}

/** An empty database without a file. */
export function openMemory(): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  migrate(database, ':memory:');
  return database;
}

/** Opening a pipe would wait for ever for who writes to it; a device may never end. */
function requireFiles(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}-journal`]) {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined || found.isFile()) continue;
    const kind = found.isDirectory() ? 'a folder' : 'a pipe or a device';
    const message = `the journal ${path} cannot be opened: got ${kind} at ${file}, want a file`;
    throw new JournalError('PV5017', `${message}; move it away, or set PLANVM_HOME`);
  }
}

/** Undefined where it cannot be read either, or is older than what reads it. */
function openReadable(path: string, waitMs: number): DatabaseSync | undefined {
  if (!existsSync(path)) return undefined;
  // A log that nobody has left behind would be made anew, by a user who may not be its owner.
  const isAtRest = !existsSync(`${path}-wal`);
  const place = isAtRest ? new URL(`${pathToFileURL(path)}?immutable=1`) : path;
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(place, { readOnly: true, timeout: waitMs });
    migrate(database, path);
    return database;
  } catch (error) {
    database?.close();
    // Whose it is, and how old, was read.
    if (error instanceof JournalError) throw error;
    return undefined;
  }
}

function openWritable(path: string, waitMs: number, isAlone: boolean): DatabaseSync {
  try {
    createFile(path);
    const database = new DatabaseSync(path, { timeout: waitMs });
    try {
      if (isAlone) database.exec('pragma locking_mode = exclusive');
      if (isEmpty(database)) begin(database, path, waitMs);
      // Before anything else is set, so that the file of another program stays as it is.
      migrate(database, path);
      useWriteAheadLog(database, path, waitMs);
      database.exec(syncing);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    throw journalError(error, path);
  }
}

/**
 * SQLite before 3.51.3 can lose committed transactions when two connections write and checkpoint at
 * the same moment (https://www.sqlite.org/wal.html#walresetbug).
 */
export function requireSqlite(version: string): void {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  if (major * 1e6 + minor * 1e3 + patch >= 3_051_003) return;
  const versions = `got SQLite ${version} in Node ${process.versions.node}, want 3.51.3 or newer`;
  const message = `this Node can damage journals: ${versions}; run planvm with Node 24.15 or newer`;
  throw new JournalError('PV5010', message);
}

/**
 * What runs record is the user's own; SQLite gives the files beside this one its permissions. A
 * file that others may read, from a backup or a copy, is narrowed down where it is this user's.
 */
function createFile(path: string): void {
  makeFolder(dirname(path));
  closeSync(openSync(path, 'a', 0o600));
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    const { mode = 0, uid } = statSync(file, { throwIfNoEntry: false }) ?? {};
    if ((mode & 0o077) !== 0 && uid === process.getuid?.()) chmodSync(file, 0o600);
  }
}

const isEmpty = (database: DatabaseSync): boolean =>
  database.prepare('pragma page_count').get()?.page_count === 0;

/** Only macOS knows fullfsync; without it a synced commit can still be in the drive's cache. */
const syncing = 'pragma fullfsync = on; pragma synchronous = normal';

/**
 * What a file begins with. Its tables go through the write-ahead log: each migration would sync the
 * file several times without it, and the first run would have to wait until the log is made.
 */
function begin(database: DatabaseSync, path: string, waitMs: number): void {
  // A sweep can give back what it frees of a file that begins so.
  database.exec('pragma auto_vacuum = incremental');
  useWriteAheadLog(database, path, waitMs);
  database.exec(syncing);
}

/** The mode stays with the file, so that only the first process to open it has to switch. */
function useWriteAheadLog(database: DatabaseSync, path: string, waitMs: number): void {
  const switchMode = database.prepare('pragma journal_mode = wal');
  const deadline = Date.now() + waitMs;
  for (;;) {
    try {
      const mode = switchMode.get()?.journal_mode;
      if (mode === 'wal') return;
      const message = `${path} is on a file system without shared memory; use a local disk`;
      throw new JournalError('PV5017', `${message} (journal mode ${mode})`);
    } catch (error) {
      // Switching answers "busy" at once, without the wait that other statements have.
      if (!isBusy(error) || Date.now() >= deadline) throw error;
      pause(5);
    }
  }
}

function isBusy(error: unknown): boolean {
  return ((error as { errcode?: number }).errcode ?? 0) % 256 === 5;
}

/** Blocks this thread, as waiting inside SQLite does. */
function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

// Says what a failure of SQLite or of the file system means for a journal, and what to do.

interface Meaning {
  readonly code: JournalCode;
  /** After the path of the journal. */
  readonly says: string;
}

const readOnly: Meaning = {
  code: 'PV5015',
  says: 'cannot be written; give this user write access to it and its folder, or set PLANVM_HOME',
};
const full: Meaning = {
  code: 'PV5016',
  says: 'cannot grow, the disk is full; free some space and resume, nothing recorded is lost',
};
const noPlace: Meaning = {
  code: 'PV5017',
  says: 'cannot be opened; see that its folder exists and that it is a file, or set PLANVM_HOME',
};
const damaged: Meaning = {
  code: 'PV5013',
  says: 'is damaged; put a backup in its place, or save what is left with sqlite3 .recover',
};

const unforeseen: Meaning = {
  code: 'PV5018',
  says: 'failed; what is recorded in it stays, so try again, and report this if it happens again',
};

/** By primary result code: https://www.sqlite.org/rescode.html */
const ofSqlite: Readonly<Record<number, Meaning>> = {
  3: readOnly,
  5: {
    code: 'PV5014',
    says: 'is locked by another process that does not let go; end that process, or wait for it',
  },
  8: readOnly,
  10: { code: 'PV5017', says: 'cannot be read or written; check the disk it is on' },
  11: damaged,
  13: full,
  14: noPlace,
  18: { code: 'PV5005', says: 'cannot hold a value of this size; use a file for it' },
  26: { code: 'PV5011', says: 'is not a database; name another file, or move this one away' },
};

const ofSystem: Readonly<Record<string, Meaning>> = {
  EACCES: readOnly,
  EPERM: readOnly,
  EROFS: readOnly,
  ENOSPC: full,
  EDQUOT: full,
  EISDIR: noPlace,
  ENOTDIR: noPlace,
  EEXIST: noPlace,
  ENOENT: noPlace,
  ELOOP: noPlace,
  ENAMETOOLONG: noPlace,
};

/** The error as callers of the journal get it; a `JournalError` is returned as it is. */
export function journalError(error: unknown, path: string): JournalError {
  if (error instanceof JournalError) return error;
  const { message, code = '', errcode } = error as Error & { code?: string; errcode?: number };
  if (code === 'ERR_INVALID_STATE') return journalClosed();
  const meaning = errcode === undefined ? ofSystem[code] : ofSqlite[errcode & 0xff];
  if (meaning !== undefined) return failure(meaning, path, message, error);
  return failure(unforeseen, path, message, error);
}

/** Calls `body`; what it throws, callers of the journal get as a `JournalError`. */
export function guarded<T>(path: string, body: () => T): T {
  try {
    return body();
  } catch (error) {
    throw journalError(error, path);
  }
}

/** For what SQLite holds to be sound and this program does not. */
export function damage(path: string, what: string, cause?: unknown): JournalError {
  return failure(damaged, path, what, cause);
}

function failure(meaning: Meaning, path: string, detail: string, cause: unknown): JournalError {
  return new JournalError(meaning.code, `the journal ${path} ${meaning.says} (${detail})`, cause);
}
