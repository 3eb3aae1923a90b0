/** Says what a failure of SQLite or of the file system means for a journal, and what to do. */
import { JournalError } from '../journal.ts';
import type { JournalCode } from '../journal-codes.ts';
import { journalClosed } from '../refusal.ts';

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
