/** Every statement a journal runs, prepared once. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { RunReason, RunStatus } from '../journal.ts';

export interface RunRow {
  readonly status: RunStatus;
  readonly reason: RunReason | null;
  readonly updated_at: number;
  readonly events: number;
  readonly owner: string | null;
  readonly until: number;
  readonly record: string;
  readonly large: string | null;
}

export interface EventRow {
  readonly seq: number;
  readonly at: number;
  readonly body: string;
  readonly large: string | null;
}

export interface LeaseRow {
  readonly owner: string | null;
  readonly until: number;
}

export interface Query<Row = never> {
  get(...values: SQLInputValue[]): Row | undefined;
  all(...values: SQLInputValue[]): Row[];
  /** Number of rows changed. */
  run(...values: SQLInputValue[]): number;
}

/** Values are bound in the order of the question marks in the text. */
export interface Statements {
  readonly begin: Query;
  readonly commit: Query;
  readonly rollback: Query;

  readonly lease: Query<LeaseRow>;
  readonly claim: Query<{ epoch: number }>;
  readonly renew: Query;
  readonly release: Query;
  readonly requestCancel: Query;
  readonly cancelRequested: Query<{ cancel_requested: number }>;

  /** Inserts nothing unless the lease is the newest of the run: the fence (J3). */
  readonly insertEvent: Query;
  /** Counts the events of one append, after they are in. */
  readonly advance: Query<{ events: number }>;
  readonly setStatus: Query;
  readonly eventsAfter: Query<EventRow>;
  readonly keepText: Query;
  readonly textOf: Query<{ text: string }>;

  readonly insertRun: Query;
  readonly insertRecord: Query;
  readonly find: Query<RunRow>;
  readonly list: Query<RunRow>;
  readonly listByStatus: Query<RunRow>;
}

const held = 'where id = ? and epoch = ? and owner is not null';
const summary = 'status, reason, updated_at, events, owner, until, record, large';
const joined = 'from runs join records on run = id';
// The plus keeps the planner on the index that has the order, where a limit ends the search.
const page = '+id >= ? and +id < ? order by created_at desc, id desc limit ?';
export const listSql: string = `select ${summary} ${joined} where ${page}`;
export const listByStatusSql: string = `select ${summary} ${joined} where status = ? and ${page}`;

export function prepare(database: DatabaseSync): Statements {
  // The rows are what the STRICT tables hold, so their types can be stated.
  const query = <Row = never>(sql: string): Query<Row> => {
    const statement = database.prepare(sql);
    return {
      get: (...values) => statement.get(...values) as Row | undefined,
      all: (...values) => statement.all(...values) as Row[],
      run: (...values) => Number(statement.run(...values).changes),
    };
  };
  return {
    // A transaction that starts by reading could fail at its first write; this one waits here.
    begin: query('begin immediate'),
    commit: query('commit'),
    rollback: query('rollback'),

    lease: query('select owner, until from runs where id = ?'),
    claim: query(
      `update runs set owner = ?, until = ?, epoch = epoch + 1, cancel_requested = 0
       where id = ? returning epoch`,
    ),
    renew: query(`update runs set until = ? ${held}`),
    release: query(`update runs set owner = null ${held}`),
    requestCancel: query('update runs set cancel_requested = 1 where id = ?'),
    cancelRequested: query('select cancel_requested from runs where id = ?'),

    insertEvent: query(
      `insert into events (run, seq, at, body, large)
       select id, events + ?, ?, ?, ? from runs ${held}`,
    ),
    advance: query(
      `update runs set events = events + ?, updated_at = ?, until = ?
       where id = ? returning events`,
    ),
    setStatus: query('update runs set status = ?, reason = ? where id = ?'),
    eventsAfter: query(
      'select seq, at, body, large from events where run = ? and seq > ? order by seq',
    ),
    keepText: query('insert into content (hash, text) values (?, ?) on conflict do nothing'),
    textOf: query('select text from content where hash = ?'),

    insertRun: query(
      `insert into runs
       (id, created_at, status, updated_at, events, owner, until, epoch, cancel_requested)
       values (?, ?, ?, ?, 0, ?, ?, 1, 0) on conflict do nothing`,
    ),
    insertRecord: query('insert into records (run, record, large) values (?, ?, ?)'),
    find: query(`select ${summary} ${joined} where id = ?`),
    list: query(listSql),
    listByStatus: query(listByStatusSql),
  };
}
