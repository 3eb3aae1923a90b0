/** Every statement a journal runs, prepared once. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { RunReason, RunStatus } from '../run-state.ts';
import { joinedRecords, summaryColumns } from './list.ts';

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

/** There may be very many, and rows as arrays take half the time of rows as objects. */
export type EventRow = readonly [seq: number, at: number, body: string, large: string | null];

export interface LeaseRow {
  readonly owner: string | null;
  readonly until: number;
}

/** Both or none. */
export interface BaseRow {
  readonly base: string | null;
  readonly base_seq: number | null;
}

export interface Query<Row = never> {
  get(...values: SQLInputValue[]): Row | undefined;
  all(...values: SQLInputValue[]): Row[];
  /** Number of rows changed. */
  run(...values: SQLInputValue[]): number;
}

/** Values are bound in the order of the question marks in the text. */
export interface Statements {
  readonly read: Query;
  readonly begin: Query;
  readonly commit: Query;
  readonly rollback: Query;

  readonly lease: Query<LeaseRow>;
  readonly leases: Query<LeaseRow>;
  readonly claim: Query<{ epoch: number }>;
  readonly renew: Query;
  readonly release: Query;
  readonly post: Query<{ id: number }>;
  readonly posts: Query<{ id: number; body: string }>;
  readonly take: Query;
  readonly takeCancels: Query;

  /**
   * Counts the events of one append, before they come in; gives nothing unless the lease is the
   * newest of the run: the fence (J3).
   */
  readonly advance: Query<{ events: number }>;
  readonly insertEvent: Query;
  readonly setStatus: Query;
  readonly eventsWithin: Query<EventRow>;
  readonly keepSnapshot: Query;
  readonly snapshotsWithin: Query<{ seq: number }>;
  readonly snapshot: Query<{ text: string }>;
  readonly keepText: Query;
  readonly textOf: Query<{ text: string }>;

  readonly insertRun: Query;
  readonly insertRecord: Query;
  readonly base: Query<BaseRow>;
  readonly find: Query<RunRow>;
  readonly children: Query<RunRow>;

  /** A run and those within its effects, and within theirs, whether they were removed or not. */
  readonly withInner: Query<{ run: string }>;
  readonly keepRemoved: Query;
  readonly dropRun: Query;
  readonly restoreRun: Query;
  readonly dropRemoved: Query;
  readonly removed: Query<RunRow & { removed_at: number }>;
  /** By its text, of which each filter makes another one. */
  readonly list: (sql: string) => Query<RunRow>;
}

const held = 'where id = ? and epoch = ? and owner is not null';
const summary = summaryColumns;
const joined = joinedRecords;
const row = 'id, created_at, status, reason, updated_at, events, epoch';

const innermost = `with recursive inner_of (run) as (
    select ? union all
    select records.run from records join inner_of on records.parent = inner_of.run)
  select run from inner_of`;

const removedRuns = `select status, reason, updated_at, events, null as owner, 0 as until,
    record, large, removed_at
  from removed join records on run = id
  where parent is null or parent not in (select id from removed)
  order by removed_at desc, id desc`;

export function prepare(database: DatabaseSync): Statements {
  // The rows are what the STRICT tables hold, so their types can be stated.
  const query = <Row = never>(sql: string, arrays = false): Query<Row> => {
    const statement = database.prepare(sql);
    if (arrays) statement.setReturnArrays(true);
    return {
      get: (...values) => statement.get(...values) as Row | undefined,
      all: (...values) => statement.all(...values) as Row[],
      run: (...values) => Number(statement.run(...values).changes),
    };
  };
  const lists = new Map<string, Query<RunRow>>();
  return {
    // A transaction that starts by reading could fail at its first write; this one waits here.
    read: query('begin'),
    begin: query('begin immediate'),
    commit: query('commit'),
    rollback: query('rollback'),

    lease: query('select owner, until from runs where id = ?'),
    leases: query('select owner, until from runs where owner is not null'),
    claim: query(
      'update runs set owner = ?, until = ?, epoch = epoch + 1 where id = ? returning epoch',
    ),
    renew: query(`update runs set until = ? ${held}`),
    release: query(`update runs set owner = null ${held}`),
    post: query(
      'insert into posts (run, kind, body) select id, ?, ? from runs where id = ? returning id',
    ),
    posts: query(
      `select posts.id, body from posts join runs on runs.id = posts.run
       where run = ? order by posts.id`,
    ),
    take: query('delete from posts where run = ? and id = ?'),
    takeCancels: query(`delete from posts where run = ? and kind = 'cancel'`),

    advance: query(
      `update runs set events = events + ?, updated_at = ?, until = ?
       ${held} returning events`,
    ),
    insertEvent: query('insert into events (run, seq, at, body, large) values (?, ?, ?, ?, ?)'),
    setStatus: query('update runs set status = ?, reason = ? where id = ?'),
    eventsWithin: query(
      `select seq, at, body, large from events
       where run = ? and seq > ? and seq <= ? order by seq`,
      true,
    ),
    keepSnapshot: query(
      `insert into snapshots (run, seq, text) select id, ?, ? from runs ${held}
       on conflict do update set text = excluded.text`,
    ),
    snapshotsWithin: query(
      'select seq from snapshots where run = ? and seq > ? and seq <= ? order by seq',
    ),
    snapshot: query('select text from snapshots where run = ? and seq = ?'),
    keepText: query('insert into content (hash, text) values (?, ?) on conflict do nothing'),
    textOf: query('select text from content where hash = ?'),

    insertRun: query(
      `insert into runs
       (id, created_at, status, updated_at, events, owner, until, epoch)
       values (?, ?, ?, ?, ?, ?, ?, 1)`,
    ),
    insertRecord: query(
      `insert into records
       (run, record, large, base, base_seq, created_at, dialect, title, parent, metadata)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
    ),
    base: query('select base, base_seq from records where run = ?'),
    find: query(`select ${summary} ${joined} where id = ?`),
    children: query(`select ${summary} ${joined} where base = ? order by runs.created_at, id`),

    withInner: query(innermost),
    keepRemoved: query(
      `insert into removed (${row}, removed_at) select ${row}, ? from runs where id = ?`,
    ),
    dropRun: query('delete from runs where id = ?'),
    restoreRun: query(
      `insert into runs (${row}, owner, until) select ${row}, null, 0 from removed where id = ?`,
    ),
    dropRemoved: query('delete from removed where id = ?'),
    removed: query(removedRuns),
    list: (sql) => {
      const known = lists.get(sql) ?? query<RunRow>(sql);
      lists.set(sql, known);
      return known;
    },
  };
}
