/** Where a journal is named by a path, as on a command line. */
import type { Journal } from './journal.ts';
import { memoryJournal } from './memory/journal.ts';
import type { JournalOptions } from './owner.ts';
import { sqliteJournal } from './sqlite/journal.ts';

/**
 * Opens the journal in a SQLite file, and creates it where it is missing; `:memory:` is one that
 * ends with the process. Throws `JournalError` with what to do about it.
 */
export function openJournal(path: string, options: JournalOptions = {}): Journal {
  return path === ':memory:' ? memoryJournal(options) : sqliteJournal(path, options);
}
