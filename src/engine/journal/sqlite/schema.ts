/**
 * The tables of a journal and how older files become newer ones. `PRAGMA user_version` counts the
 * migrations a file has had; a released migration never changes again, a new one goes to the end.
 */
import type { DatabaseSync } from 'node:sqlite';
import { JournalError } from '../journal.ts';

/** `plvm`, so that the file of another program is not taken for an empty journal. */
const applicationId = 0x706c766d;

export const migrations: readonly string[] = [
  `
  -- What changes with every append. Narrow, since each append writes the row anew.
  create table runs (
    id text primary key,
    created_at integer not null,
    status text not null,
    reason text,
    updated_at integer not null,
    -- Number of events, which is the seq of the last one.
    events integer not null,
    -- The lease: null once it is released, else host:pid:start of the process that holds it.
    owner text,
    until integer not null,
    epoch integer not null,
    cancel_requested integer not null
  ) strict, without rowid;
  create index runs_by_age on runs (created_at, id);
  create index runs_by_status on runs (status, created_at, id);

  -- What a run was created with, and what happened in it: JSON without its large strings, and
  -- where those belong: [[path, hash], ...], or null where there are none.
  create table records (
    run text primary key,
    record text not null,
    large text
  ) strict;
  create table events (
    run text not null,
    seq integer not null,
    at integer not null,
    body text not null,
    large text,
    primary key (run, seq)
  ) strict, without rowid;

  -- Large strings, each once, by the SHA-256 of its UTF-8.
  create table content (
    hash text primary key,
    text text not null
  ) strict;
  `,
  `
  -- Forks. A fork's own events are numbered on from base_seq; those before them are its base's.
  alter table records add column base text;
  alter table records add column base_seq integer;
  create index forks on records (base) where base is not null;

  -- Messages for the owner of a run, until it takes them. An id is never given again.
  create table posts (
    id integer primary key autoincrement,
    run text not null,
    kind text not null,
    body text not null
  ) strict;
  create index posts_by_run on posts (run);
  insert into posts (run, kind, body)
    select id, 'cancel', '{"kind":"cancel"}' from runs where cancel_requested = 1;
  alter table runs drop column cancel_requested;

  -- States of machines: a cache.
  create table snapshots (
    run text not null,
    seq integer not null,
    text text not null,
    primary key (run, seq)
  ) strict;

  -- Runs that were deleted and can be restored: what stood in their row of runs.
  create table removed (
    id text primary key,
    created_at integer not null,
    status text not null,
    reason text,
    updated_at integer not null,
    events integer not null,
    epoch integer not null,
    removed_at integer not null
  ) strict;

  -- What mentions large strings, for the search of those that nothing mentions any more.
  create index events_with_large on events (run, seq) where large is not null;
  `,
  `
  -- Plans that have served well (saved-plans.ts), as JSON.
  create table plans (
    id text primary key,
    saved_at integer not null,
    body text not null
  ) strict, without rowid;
  `,
  `
  -- Events in a table with rowids: without them, rows of more than a kilobyte take a page of their
  -- own, which made a journal of values of that size three times as large.
  create table events_by_rowid (
    run text not null,
    seq integer not null,
    at integer not null,
    body text not null,
    large text,
    primary key (run, seq)
  ) strict;
  insert into events_by_rowid select run, seq, at, body, large from events order by run, seq;
  drop table events;
  alter table events_by_rowid rename to events;
  create index events_with_large on events (run, seq) where large is not null;
  `,
  `
  -- What lists are searched by, in an index that has it all. The title: its beginning, in small
  -- letters.
  alter table records add column created_at integer;
  alter table records add column dialect text;
  alter table records add column title text;
  update records set
    created_at = json_extract(record, '$.createdAt'),
    dialect = json_extract(record, '$.dialect'),
    title = lower(substr(json_extract(record, '$.title'), 1, 1000));
  create index records_by_age on records (created_at, run, dialect, title);
  `,
  `
  -- Conversations (threads.ts), as JSON.
  create table threads (
    id text primary key,
    updated_at integer not null,
    version integer not null,
    body text not null
  ) strict;
  create index threads_by_age on threads (updated_at, id);
  `,
  `
  -- Runs within effects of others, which lists leave out: the run that each is within.
  alter table records add column parent text;
  create index inner_runs on records (parent) where parent is not null;
  drop index records_by_age;
  create index records_by_age on records (created_at, run, dialect, title, parent);
  `,
  `
  -- Metadata, as lists search it (run-identity.ts): a JSON list of a text for each key and value;
  -- null where a run has none, as all have that are older.
  alter table records add column metadata text;
  create index records_with_metadata on records (created_at, run, parent, metadata)
    where metadata is not null;
  `,
];

/**
 * Brings a file up to date, each migration in a transaction of its own. Throws `JournalError` for
 * the file of another program (PV5011) or of a newer planvm (PV5012), and leaves it untouched.
 */
export function migrate(
  database: DatabaseSync,
  path: string,
  steps: readonly string[] = migrations,
): void {
  // A journal that is up to date needs no lock to be seen as such.
  while (within(database, 'begin', () => versionOf(database, path, steps)) < steps.length) {
    within(database, 'begin immediate', () => {
      // Another process may have done it while this one waited for the lock.
      const version = versionOf(database, path, steps);
      const step = steps[version];
      if (step === undefined) return;
      database.exec(step);
      database.exec(`pragma application_id = ${applicationId}`);
      database.exec(`pragma user_version = ${version + 1}`);
    });
  }
}

function within<T>(database: DatabaseSync, begin: 'begin' | 'begin immediate', body: () => T): T {
  database.exec(begin);
  try {
    const result = body();
    database.exec('commit');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('rollback');
    throw error;
  }
}

/** Call within a transaction, so that what it compares belongs together. */
function versionOf(database: DatabaseSync, path: string, steps: readonly string[]): number {
  const id = pragma(database, 'application_id');
  const version = pragma(database, 'user_version');
  const tables = Number(database.prepare('select count(*) as n from sqlite_schema').get()?.n);
  const isNew = id === 0 && version === 0 && tables === 0;
  if (id !== applicationId && !isNew) {
    const message = `${path} is the database of another program, not a journal; name another file`;
    throw new JournalError('PV5011', message);
  }
  if (version > steps.length) {
    const versions = `got version ${version}, want at most ${steps.length}`;
    const message = `${path} was written by a newer planvm (${versions}); update planvm`;
    throw new JournalError('PV5012', message);
  }
  return version;
}

function pragma(database: DatabaseSync, name: 'application_id' | 'user_version'): number {
  return Number(database.prepare(`pragma ${name}`).get()?.[name]);
}
