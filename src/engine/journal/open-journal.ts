/** Where a journal is named by a path, as on a command line. */
import type { Journal } from './journal.ts';
import type { JournalOptions } from './owner.ts';
import { openMemory } from './sqlite/database.ts';
import { SqliteJournal, sqliteJournal } from './sqlite/journal.ts';

/**
 * Opens the journal in a SQLite file, and creates it where it is missing; `:memory:` is one that
 * ends with the process. Throws `JournalError` with what to do about it.
 */
export function openJournal(path: string, options: JournalOptions = {}): Journal {
  return path === inMemory ? memoryJournal(options) : sqliteJournal(path, options);
}

const inMemory = ':memory:';

/** An empty journal without a file: for tests, and for runs that nobody wants to keep. */
export const memoryJournal = (options: JournalOptions = {}): Journal =>
  new SqliteJournal(openMemory(), inMemory, options);
