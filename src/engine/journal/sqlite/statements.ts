/** Every statement a journal runs, prepared once. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { metadataTerms, type RunFilter, type RunMetadata, withinAny } from '../run-identity.ts';
import type { RunReason, RunStatus } from '../run-state.ts';

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

const summaryColumns = 'status, reason, updated_at, events, owner, until, record, large';
const joinedRecords = 'from runs join records on run = id';
const held = 'where id = ? and epoch = ? and owner is not null';
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

/** The rows are what the STRICT tables hold, so their types can be stated. */
function queryIn<Row>(database: DatabaseSync, sql: string, arrays: boolean): Query<Row> {
  const statement = database.prepare(sql);
  if (arrays) statement.setReturnArrays(true);
  return {
    get: (...values) => statement.get(...values) as Row | undefined,
    all: (...values) => statement.all(...values) as Row[],
    run: (...values) => Number(statement.run(...values).changes),
  };
}

export function prepare(database: DatabaseSync): Statements {
  const query = <Row = never>(sql: string, arrays = false): Query<Row> =>
    queryIn(database, sql, arrays);
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
    find: query(`select ${summaryColumns} ${joinedRecords} where id = ?`),
    children: query(
      `select ${summaryColumns} ${joinedRecords} where base = ? order by runs.created_at, id`,
    ),

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

// The query behind a list of runs: newest first by an index, so that a limit ends the search.

/** Sorts behind every id that continues a prefix. */
const lastCharacter = '\u{10ffff}';

/** Few runs have an id that begins with this much: the time to some seconds. */
const telling = 7;

export interface ListQuery {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

/** Finds titles without going to the rows of those that do not fit. */
const searchedRecords = 'from records indexed by records_by_age cross join runs on id = run';

/** Goes through those alone that have metadata. */
const recordsWithMetadata =
  'from records indexed by records_with_metadata cross join runs on id = run';

/** What is kept of metadata to be found by. */
export const searchedMetadata = (metadata: RunMetadata): string =>
  JSON.stringify(metadataTerms(metadata));

/** What is kept of a title to be found by. */
export const searchedTitle = (title: string): string => title.slice(0, 1000).toLowerCase();

/** Whether a process has a run is found out for each row; the limit is then the caller's. */
export function listQuery(filter: RunFilter): ListQuery {
  const { status, reason, prefix = '', dialect, title, since, before, base, owned } = filter;
  const { within, metadata } = filter;
  const terms = metadataTerms(metadata ?? {});
  const searched = title !== undefined || dialect !== undefined || terms.length > 0;
  const records = terms.length > 0 ? recordsWithMetadata : searchedRecords;
  const from = searched ? records : joinedRecords;
  const [table, id] = searched ? ['records', 'run'] : ['runs', 'id'];
  const conditions: string[] = [];
  const values: SQLInputValue[] = [];
  const add = (condition: string, ...given: SQLInputValue[]): void => {
    conditions.push(condition);
    values.push(...given);
  };
  if (status !== undefined) add('status = ?', status);
  if (reason !== undefined) add('reason = ?', reason);
  if (since !== undefined) add(`${table}.created_at >= ?`, since);
  if (before !== undefined) add(`${table}.created_at < ?`, before);
  // A plus keeps the planner from an index: of the ids, or of the order.
  const byId = prefix.length >= telling && !searched;
  const own = byId ? id : `+${id}`;
  if (prefix !== '') add(`${own} >= ? and ${own} < ?`, prefix, prefix + lastCharacter);
  if (dialect !== undefined) add('dialect = ?', dialect);
  if (title !== undefined) add('instr(title, ?) > 0', title.toLowerCase());
  if (terms.length > 0) add('metadata is not null');
  for (const term of terms) {
    add('exists (select 1 from json_each(metadata) where value = ?)', term);
  }
  if (base !== undefined) add('base = ?', base);
  if (within === undefined) add('parent is null');
  else if (within !== withinAny) add('parent = ?', within);
  if (owned === true) add('owner is not null');
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
  const order = `order by ${byId ? '+' : ''}${table}.created_at desc, ${id} desc limit ?`;
  values.push(owned === undefined ? (filter.limit ?? -1) : -1);
  return { sql: `select ${summaryColumns} ${from} ${where} ${order}`, values };
}
