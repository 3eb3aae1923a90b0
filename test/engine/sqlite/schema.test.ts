/** Journals that older and newer versions of planvm wrote. */
import { readFileSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { sqliteJournal } from '../../../src/engine/journal/sqlite/journal.ts';
import { migrate, migrations } from '../../../src/engine/journal/sqlite/schema.ts';
import { everyEvent, record, settled } from '../events.ts';
import { temporaryFolder } from './folder.ts';

const folder = temporaryFolder();
const v1 = readFileSync(new URL('./v1.sql', import.meta.url), 'utf8');
let count = 0;

/** The database of the given text, and its path. */
function databaseOf(sql: string): { path: string; database: DatabaseSync } {
  const path = `${folder}/${count++}.db`;
  const database = new DatabaseSync(path);
  database.exec(sql);
  return { path, database };
}

function versionOf(database: DatabaseSync): unknown {
  return database.prepare('pragma user_version').get()?.user_version;
}

test('a journal of version 1 is read and goes on', () => {
  const { path, database } = databaseOf(v1);
  database.close();
  const journal = sqliteJournal(path, { now: () => 2_000_000 });
  const last = everyEvent.at(-1);
  const bodies = [...everyEvent.slice(0, 5), settled('0#9', 'v'.repeat(4096)), last];
  expect(journal.events('r1')).toMatchObject(bodies.map((body, i) => ({ ...body, seq: i + 1 })));
  expect(journal.list()).toMatchObject([
    { ...record('r2', { createdAt: 900_001, title: 'count' }), status: 'running', events: 0 },
    { ...record('r1'), status: 'done', events: 7, updatedAt: 1_000_003, owned: false },
  ]);
  const lease = journal.claim('r1', 'one');
  expect(lease.epoch).toBe(2);
  expect(journal.append(lease, [{ type: 'run.resumed' }])).toMatchObject({ seq: 8 });
  journal.close();
});

test('runs of a journal of version 1 have no metadata, and those that come after may', () => {
  const { path, database } = databaseOf(v1);
  database.close();
  const journal = sqliteJournal(path);
  const metadata = { team: 'red' };
  expect(journal.list({ metadata })).toEqual([]);
  journal.create(record('r3', { metadata }), 'one');
  expect(journal.list({ metadata })).toEqual([journal.find('r3')]);
  expect(journal.list()).toHaveLength(3);
  journal.close();
});

test('a request to cancel, as version 1 wrote it, becomes a post', () => {
  const { path, database } = databaseOf(v1);
  database.exec(`update runs set cancel_requested = 1 where id = 'r2'`);
  database.close();
  const journal = sqliteJournal(path);
  expect(journal.posts('r1')).toEqual([]);
  expect(journal.posts('r2')).toMatchObject([{ post: { kind: 'cancel' } }]);
  journal.close();
});

test('a journal of version 1 gives back the space of what is swept from now on', () => {
  const { path, database } = databaseOf(v1);
  database.close();
  const journal = sqliteJournal(path, { now: () => 2_000_000 });
  const add = (id: string): void => {
    const lease = journal.create(record(id), 'one', [settled('0#1', 'x'.repeat(1 << 20))]);
    journal.release(lease);
  };
  add('r3');
  journal.sweep({ runs: ['r3'] });
  add('r4');
  journal.sweep({ runs: ['r4'] });
  expect(journal.events('r1')).toHaveLength(7);
  journal.close();
  expect(statSync(path).size).toBeLessThan(1 << 18);
});

test('an older journal is brought up to date by the steps it lacks, with all it holds', () => {
  const { path, database } = databaseOf(v1);
  const next = 'alter table runs add column note text; update runs set note = id';
  const steps = ['not run again', next, 'create table later (x integer) strict'];
  migrate(database, path, steps);
  expect(versionOf(database)).toBe(3);
  expect(database.prepare('select note from runs order by id').all()).toEqual([
    { note: 'r1' },
    { note: 'r2' },
  ]);
  expect(database.prepare('select count(*) as n from events').get()).toEqual({ n: 7 });
  migrate(database, path, steps);
  expect(versionOf(database)).toBe(3);
  database.close();
});

test('a step that fails leaves the journal as it was before that step', () => {
  const { path, database } = databaseOf(v1);
  const steps = [
    'not run again',
    'create table good (x)',
    'drop table events; create tabel bad (x)',
  ];
  expect(() => migrate(database, path, steps)).toThrow(/tabel/);
  expect(versionOf(database)).toBe(2);
  expect(database.isTransaction).toBe(false);
  expect(database.prepare('select count(*) as n from events').get()).toEqual({ n: 7 });
  database.close();
});

test('the journal of a newer planvm is refused and left alone', () => {
  const newer = migrations.length + 1;
  const { path, database } = databaseOf(v1);
  database.exec(`pragma user_version = ${newer}`);
  database.close();
  const before = readFileSync(path);
  expect(() => sqliteJournal(path)).toThrow(
    expect.objectContaining({
      name: 'JournalError',
      code: 'PV5012',
      message: expect.stringMatching(`newer planvm .got version ${newer}, want at most`),
    }),
  );
  expect(readFileSync(path).equals(before)).toBe(true);
});

test('a new journal has the version of the last step', () => {
  const { path, database } = databaseOf('');
  database.close();
  sqliteJournal(path).close();
  const opened = new DatabaseSync(path);
  expect(versionOf(opened)).toBe(migrations.length);
  opened.close();
});

test('the first step makes the tables that version 1 has', () => {
  const schema = (database: DatabaseSync): unknown[] =>
    database
      .prepare(`select sql from sqlite_schema where sql is not null order by name`)
      .all()
      .map(({ sql }) => String(sql).replace(/\s+/g, ' '));
  const old = databaseOf(v1);
  const made = databaseOf('');
  migrate(made.database, made.path, migrations.slice(0, 1));
  expect(schema(made.database)).toEqual(schema(old.database));
  old.database.close();
  made.database.close();
});
