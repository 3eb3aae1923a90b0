/**
 * Drops for good what no run of a journal reaches any more. Works in short transactions, so that
 * others can write in between, and may be killed between any two: what it has not come to is found
 * again the next time. And how large a journal is, for whoever wants to sweep it.
 */
import type { DatabaseSync } from 'node:sqlite';
import { reachOf } from '../lineage.ts';
import { type Sizes, type SweepOptions, type Swept, wholeSizes } from '../sweep.ts';

export interface Sweeping extends Omit<SweepOptions, 'runs'> {
  readonly database: DatabaseSync;
  /** Removes the runs that are to go. */
  readonly remove: () => void;
  /** Whether no process has any run. */
  readonly isAlone: () => boolean;
  /** Runs its body in a transaction; all bodies of a trial share one, which is undone. */
  readonly atOnce: <T>(body: () => T) => T;
}

interface Dead {
  readonly run: string;
  readonly base: string | null;
  readonly base_seq: number | null;
}

/** Rows per transaction. */
const chunkRows = 5000;
/** Pages per transaction, of 4 KiB. */
const chunkPages = 500;

export function sweep(sweeping: Sweeping): Swept {
  const { database, atOnce, remove, isAlone, dryRun = false, snapshotsBefore } = sweeping;
  const before = pagesOf(database);
  const drop = (sql: string, ...values: (string | number)[]): number =>
    Number(database.prepare(sql).run(...values).changes);
  const change: typeof drop = (...given) => atOnce(() => drop(...given));

  // What is dropped for good is overwritten, too, while this connection lasts.
  if (!dryRun) database.exec('pragma secure_delete = on');
  // From here on they cannot be restored: their history is there for forks only.
  const runs = atOnce(() => {
    remove();
    return drop('delete from removed');
  });
  change('delete from posts where run not in (select id from runs)');

  let events = 0;
  let snapshots = snapshotsBefore === undefined ? 0 : change(endedSnapshots, snapshotsBefore);
  const { dead, reach } = atOnce(() => unread(database));
  for (const { run } of dead) {
    const keep = reach.get(run) ?? 0;
    snapshots += change('delete from snapshots where run = ? and seq > ?', run, keep);
    for (let dropped = chunkRows; dropped > 0; events += dropped) {
      dropped = change(lastEvents, run, keep, chunkRows);
    }
    // Last, so that a sweep that was cut off finds it again.
    if (!reach.has(run)) change('delete from records where run = ?', run);
  }
  const texts = atOnce(() => sweepTexts(database));
  if (!dryRun) shrink(database, isAlone);
  const after = pagesOf(database);
  return { runs, events, snapshots, texts, bytes: (before.used - after.used) * before.size };
}

const endedSnapshots = `delete from snapshots where run in
  (select id from runs where status in ('done', 'failed', 'invalid', 'cancelled')
   and updated_at < ?)`;

const lastEvents = `delete from events where run = ?1 and seq in
  (select seq from events where run = ?1 and seq > ?2 order by seq desc limit ?3)`;

/** The runs that are no more, and how far forks still read them. */
function unread(database: DatabaseSync): { dead: Dead[]; reach: Map<string, number> } {
  const select = (condition: string): Dead[] =>
    database
      .prepare(`select run, base, base_seq from records where ${condition}`)
      .all() as unknown as Dead[];
  const dead = select('run not in (select id from runs) and run not in (select id from removed)');
  if (dead.length === 0) return { dead, reach: new Map() };
  const gone = new Set(dead.map(({ run }) => run));
  const forks = select('base is not null').filter(({ run }) => !gone.has(run));
  const ancestors = [...dead, ...forks].map(({ run, base, base_seq: seq }) => ({
    id: run,
    base: base === null || seq === null ? undefined : { run: base, seq },
    kept: !gone.has(run),
  }));
  return { dead, reach: reachOf(ancestors) };
}

/** Marks and drops in one transaction: an append could mention a text again in between. */
function sweepTexts(database: DatabaseSync): number {
  database.exec(`create temp table reached (hash text primary key) without rowid;
    insert or ignore into temp.reached
      select json_extract(value, '$[1]') from events, json_each(large) where large is not null;
    insert or ignore into temp.reached
      select json_extract(value, '$[1]') from records, json_each(large) where large is not null`);
  const dropped = database
    .prepare('delete from content where hash not in (select hash from temp.reached)')
    .run().changes;
  database.exec('drop table temp.reached');
  return Number(dropped);
}

/**
 * Lets a sweep work where the disk has no room for the log of what it changes: alone, in the file
 * itself, and what it needs to undo a change in memory. Throws where others have the file open.
 */
export function withoutLog(database: DatabaseSync, body: () => Swept): Swept {
  database.exec('pragma locking_mode = exclusive');
  database.exec('pragma journal_mode = memory');
  database.exec('pragma temp_store = memory');
  try {
    return body();
  } finally {
    database.exec('pragma locking_mode = normal');
    // The next to open the file sets its log up again; nobody writes without one.
    database.exec('pragma journal_mode = delete');
  }
}

/** Gives free pages back to the file system, a few at a time. */
function shrink(database: DatabaseSync, isAlone: () => boolean): void {
  const { free, used } = pagesOf(database);
  const isIncremental = database.prepare('pragma auto_vacuum').get()?.auto_vacuum === 2;
  if (isIncremental) {
    for (let left = free; left > 0; left -= chunkPages) {
      database.exec(`pragma incremental_vacuum(${chunkPages})`);
    }
  } else if (free > used && isAlone()) {
    // A file from before that was possible is written anew, once, which keeps writers waiting.
    database.exec('pragma auto_vacuum = incremental');
    database.exec('vacuum');
  }
  // Where others read just now, the last of them to close does it.
  database.exec('pragma wal_checkpoint(truncate)');
}

// How large a journal in a file is, and what of that each run has written.

interface Pages {
  /** Bytes. */
  readonly size: number;
  readonly used: number;
  readonly free: number;
}

function pagesOf(database: DatabaseSync): Pages {
  const read = (name: string): number => Number(database.prepare(`pragma ${name}`).get()?.[name]);
  const free = read('freelist_count');
  return { size: read('page_size'), used: read('page_count') - free, free };
}

/** Reads every event's length: for those who want to drop something. */
export function sizesOf(database: DatabaseSync): Sizes {
  const { size, used } = pagesOf(database);
  const runs = new Map<string, number>();
  for (const sql of [ownText, largeText]) {
    for (const { run, bytes } of database.prepare(sql).all()) {
      const id = String(run);
      runs.set(id, (runs.get(id) ?? 0) + Number(bytes));
    }
  }
  const parents = new Map<string, string>();
  for (const { run, parent } of database.prepare(inner).all()) {
    parents.set(String(run), String(parent));
  }
  return { total: size * used, runs: wholeSizes(runs, parents) };
}

const inner = 'select run, parent from records where parent is not null';

const ownText = `select run, sum(octet_length(body)) as bytes from events
  where run in (select id from runs) group by run`;

const largeText = `select run, sum(octet_length(text)) as bytes
  from (select distinct run, json_extract(value, '$[1]') as hash from events, json_each(large)
        where large is not null and run in (select id from runs))
  join content using (hash) group by run`;
