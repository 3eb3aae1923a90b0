/**
 * A knowledge base: one SQLite file with documents, their chunks, and the facts they state.
 *
 * Owns the connection, its statements and its transactions; what the tables mean is known to the
 * files beside it, which read and write through this class only.
 * - K1 A document is there whole or not at all: it is written in one transaction.
 * - K2 The file and the folders made for it are readable by their owner only.
 * - K3 Reading never changes anything, and one `read` sees one state, whatever others write.
 */
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { EffectFailure, refusal } from '../../engine/handler.ts';
import type { Embedder } from '../model/embedder.ts';
import { migrate } from './schema.ts';

export interface KnowledgeOptions {
  /** Makes vectors of what is loaded and of queries; words alone are compared without one. */
  readonly embedder?: Embedder | undefined;
  /** Whether a missing file is an error rather than a new knowledge base. */
  readonly mustExist?: boolean;
}

export interface KnowledgeCounts {
  readonly documents: number;
  readonly chunks: number;
  readonly facts: number;
  readonly entities: number;
  /** By the name of the embedding model. */
  readonly vectors: Readonly<Record<string, number>>;
}

/** What a parameter of a query can be. */
type Bound = null | number | bigint | string | Uint8Array;

/** Opens or creates the file; `:memory:` keeps everything in memory. Throws `EffectFailure`. */
export function openKnowledge(path: string, options: KnowledgeOptions = {}): Knowledge {
  return new Knowledge(path, options);
}

/** How long a writer waits for another process to finish its transaction. */
const busyMs = 5_000;

export class Knowledge {
  readonly path: string;
  /** The folder that the paths of documents are relative to. */
  readonly folder: string;
  readonly embedder: Embedder | undefined;
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #writes = 0;

  constructor(path: string, options: KnowledgeOptions) {
    const inMemory = path === ':memory:';
    this.path = inMemory ? path : resolve(path);
    this.folder = inMemory ? process.cwd() : dirname(this.path);
    this.embedder = options.embedder;
    if (!inMemory) prepareFile(this.path, options.mustExist === true);
    this.#db = connect(this.path);
  }

  /** Every row of a query. */
  all<Row>(sql: string, ...values: Bound[]): Row[] {
    return this.#statement(sql).all(...values) as Row[];
  }

  /** The first row of a query. */
  get<Row>(sql: string, ...values: Bound[]): Row | undefined {
    return this.#statement(sql).get(...values) as Row | undefined;
  }

  /** The rows of a query, one at a time. */
  each<Row>(sql: string, ...values: Bound[]): Iterable<Row> {
    return this.#statement(sql).iterate(...values) as Iterable<Row>;
  }

  /** Changes something and gives the id of the row that was inserted last. */
  run(sql: string, ...values: Bound[]): number {
    return Number(this.#statement(sql).run(...values).lastInsertRowid);
  }

  /** Adds a row, and gives its id. */
  insert(table: string, row: Readonly<Record<string, Bound>>): number {
    const names = Object.keys(row);
    const marks = names.map(() => '?');
    return this.run(`INSERT INTO ${table} (${names}) VALUES (${marks})`, ...Object.values(row));
  }

  /** All that `change` does, or nothing of it. */
  transaction<Result>(change: () => Result): Result {
    const result = this.#within('BEGIN IMMEDIATE', change);
    this.#writes++;
    return result;
  }

  /** What `look` sees is of one moment. */
  read<Result>(look: () => Result): Result {
    return this.#within('BEGIN', look);
  }

  /** Changes whenever the content may have, by this process or by another. */
  get version(): string {
    const row = this.get<{ data_version: number }>('PRAGMA data_version');
    return `${row?.data_version}.${this.#writes}`;
  }

  counts(): KnowledgeCounts {
    const count = (table: string): number =>
      this.get<{ count: number }>(`SELECT count(*) AS count FROM ${table}`)?.count ?? 0;
    const models = this.all<{ model: string; count: number }>(
      'SELECT model, count(*) AS count FROM vectors GROUP BY model ORDER BY model',
    );
    return {
      documents: count('documents'),
      chunks: count('chunks'),
      facts: count('facts'),
      entities: count('entities'),
      vectors: Object.fromEntries(models.map((row) => [row.model, row.count])),
    };
  }

  close(): void {
    this.#statements.clear();
    if (this.#db.isOpen) this.#db.close();
  }

  #within<Result>(begin: string, act: () => Result): Result {
    guard(this.path, () => this.#db.exec(begin));
    try {
      const result = act();
      this.#db.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw failure(this.path, error);
    }
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/** Makes the file before SQLite opens it, which gives its other files the same mode. */
function prepareFile(path: string, mustExist: boolean): void {
  if (existsSync(path)) return;
  if (mustExist) {
    throw refusal('PV4300', `there is no knowledge base at ${path}`, {
      hint: 'load files into it first: planvm ingest PATHS…',
    });
  }
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    closeSync(openSync(path, 'a', 0o600));
  } catch (error) {
    throw failure(path, error);
  }
}

function connect(path: string): DatabaseSync {
  const db = guard(path, () => new DatabaseSync(path, { timeout: busyMs }));
  try {
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON');
    migrate(db, path);
    return db;
  } catch (error) {
    db.close();
    throw failure(path, error);
  }
}

function guard<Result>(path: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    throw failure(path, error);
  }
}

/** SQLITE_BUSY and SQLITE_LOCKED. */
const busy: ReadonlySet<number> = new Set([5, 6]);
/** SQLITE_ERROR, _CONSTRAINT and _MISUSE: mistakes of this program, which must show as such. */
const mistakes: ReadonlySet<number> = new Set([1, 19, 21]);

/** What SQLite or the file system says, in words; anything that is not theirs stays as it is. */
export function failure(path: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
  if (code !== undefined && busy.has(code)) {
    return new EffectFailure('PV4304', `another process is writing to ${path}`, {
      retryable: true,
      mayHaveActed: false,
      hint: 'wait for the other planvm ingest to end',
      cause: error,
    });
  }
  if (code === undefined ? !('syscall' in error) : mistakes.has(code)) return error;
  return new EffectFailure('PV4302', `cannot use ${path} as a knowledge base: ${error.message}`, {
    hint: 'name a file that planvm ingest has made, in a folder that may be written',
    cause: error,
  });
}
