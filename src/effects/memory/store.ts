/**
 * What is remembered, in one SQLite file. Owns the connection and the tables. Each call is one
 * statement, so any number of processes may have the file open.
 */
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { EffectFailure } from '../../engine/handler.ts';
import { thrownMessage } from '../../program/diagnostic.ts';

export interface Remembered {
  readonly key: string;
  readonly summary: string;
  /** Epoch milliseconds. */
  readonly updatedAt: number;
}

export interface Todo {
  readonly id: number;
  readonly text: string;
  readonly done: boolean;
}

/** How long a writer waits for another process. */
const busyMs = 5_000;

export class MemoryStore {
  readonly #path: string;
  #open: DatabaseSync | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Opens the file when it is first needed, and makes it where there is none. PV4972. */
  get #db(): DatabaseSync {
    this.#open ??= opened(this.#path);
    return this.#open;
  }

  /** What `act` gives; where SQLite refuses, PV4972 that says why. */
  using<T>(act: () => T): T {
    try {
      return act();
    } catch (cause) {
      if (!isSqlite(cause)) throw cause;
      throw failed(this.#path, isBusy(cause), cause);
    }
  }

  /** `value` is text. */
  put({ key, summary, updatedAt }: Remembered, value: string): void {
    this.#db
      .prepare(
        `INSERT INTO memories (key, summary, value, updated_at) VALUES (?, ?, ?, ?)
         ON CONFLICT (key) DO UPDATE SET summary = excluded.summary, value = excluded.value,
           updated_at = excluded.updated_at`,
      )
      .run(key, summary, value, updatedAt);
  }

  get(key: string): string | undefined {
    const row = this.#db.prepare('SELECT value FROM memories WHERE key = ?').get(key);
    return row === undefined ? undefined : String(row.value);
  }

  /** Newest first. */
  list(): Remembered[] {
    return this.#db
      .prepare('SELECT key, summary, updated_at FROM memories ORDER BY updated_at DESC, key')
      .all()
      .map(({ key, summary, updated_at }) => ({
        ...{ key: String(key), summary: String(summary), updatedAt: Number(updated_at) },
      }));
  }

  /** Whether there was anything. */
  remove(key: string): boolean {
    return this.#db.prepare('DELETE FROM memories WHERE key = ?').run(key).changes > 0;
  }

  /** `origin` names whoever adds it: the same one adds it once. */
  addTodo(text: string, origin: string): Todo | undefined {
    this.#db.prepare('INSERT OR IGNORE INTO todos (text, origin) VALUES (?, ?)').run(text, origin);
    return todoIn(this.#db.prepare('SELECT * FROM todos WHERE origin = ?').get(origin));
  }

  /** Oldest first. */
  todos(): Todo[] {
    const rows = this.#db.prepare('SELECT * FROM todos ORDER BY id').all();
    return rows.flatMap((row) => todoIn(row) ?? []);
  }

  /** As it is then; undefined where there is none. */
  markTodo(id: number, done: boolean): Todo | undefined {
    this.#db.prepare('UPDATE todos SET done = ? WHERE id = ?').run(done ? 1 : 0, id);
    return todoIn(this.#db.prepare('SELECT * FROM todos WHERE id = ?').get(id));
  }
}

const todoIn = (row: Readonly<Record<string, unknown>> | undefined): Todo | undefined =>
  row && { id: Number(row.id), text: String(row.text), done: row.done === 1 };

function opened(path: string): DatabaseSync {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // What is remembered is nobody else's business.
    closeSync(openSync(path, 'a', 0o600));
    const db = new DatabaseSync(path, { timeout: busyMs });
    db.exec(`PRAGMA journal_mode = WAL;
      CREATE TABLE IF NOT EXISTS memories (key TEXT PRIMARY KEY, summary TEXT NOT NULL,
        value TEXT NOT NULL, updated_at INTEGER NOT NULL) STRICT;
      CREATE TABLE IF NOT EXISTS todos (id INTEGER PRIMARY KEY, text TEXT NOT NULL,
        done INTEGER NOT NULL DEFAULT 0, origin TEXT NOT NULL UNIQUE) STRICT;`);
    return db;
  } catch (cause) {
    throw failed(path, isSqlite(cause) && isBusy(cause), cause);
  }
}

/** A statement that fails has done nothing: each is a transaction of its own. */
function failed(path: string, retryable: boolean, cause: unknown): EffectFailure {
  const message = `${path} cannot be opened or written: ${thrownMessage(cause)}`;
  return new EffectFailure('PV4972', message, {
    ...{ answered: true, mayHaveActed: false, retryable, cause },
    hint: retryable
      ? 'another process holds it: end that one, or try again'
      : 'name a file that can be written to: planvm:memory?memory=./memory.db',
  });
}

interface SqliteError extends Error {
  readonly errcode: number;
}

const isSqlite = (thrown: unknown): thrown is SqliteError =>
  thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_SQLITE_ERROR';

/** The primary result code: https://www.sqlite.org/rescode.html */
const isBusy = ({ errcode }: SqliteError): boolean => (errcode & 0xff) === 5;
