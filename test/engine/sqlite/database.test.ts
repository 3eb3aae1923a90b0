/** Files that cannot be a journal, or not now, and the sentence their owner reads. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { JournalError } from '../../../src/engine/journal/journal.ts';
import { codes } from '../../../src/engine/journal/journal-codes.ts';
import type { RunFilter } from '../../../src/engine/journal/run-identity.ts';
import {
  journalError,
  openDatabase,
  requireSqlite,
} from '../../../src/engine/journal/sqlite/database.ts';
import { SqliteJournal, sqliteJournal } from '../../../src/engine/journal/sqlite/journal.ts';
import { listQuery } from '../../../src/engine/journal/sqlite/statements.ts';
import { everyEvent, record, settled, started } from '../events.ts';
import { temporaryFolder } from './folder.ts';

const folder = temporaryFolder();
let count = 0;
const newPath = (): string => `${folder}/${count++}/runs.db`;

/** A journal with a run of some events, closed. */
function filled(): string {
  const path = newPath();
  const journal = sqliteJournal(path);
  const lease = journal.create(record('r1'), 'one');
  for (let i = 0; i < 100; i++) journal.append(lease, [settled(`0#${i}`, 'x'.repeat(1000))]);
  journal.close();
  return path;
}

function failureOf(attempt: () => unknown): JournalError {
  try {
    attempt();
  } catch (error) {
    expect(error).toBeInstanceOf(JournalError);
    return error as JournalError;
  }
  throw new Error('nothing was thrown');
}

/** What is thrown names the file and says what to do. */
function expectFailure(attempt: () => unknown, code: string, path: string, advice: RegExp): void {
  const failure = failureOf(attempt);
  expect(failure.code).toBe(code);
  expect(codes).toHaveProperty(code);
  expect(failure.message).toContain(path);
  expect(failure.message).toMatch(advice);
}

/** As somebody who may not write everywhere, with a folder and files that nobody may write. */
function asReader(path: string, act: () => void): void {
  const place = path.replace('/runs.db', '');
  const files = [path, `${path}-wal`, `${path}-shm`].filter((file) => existsSync(file));
  for (const file of files) chmodSync(file, 0o444);
  chmodSync(place, 0o555);
  const isSuperuser = process.getuid?.() === 0;
  if (isSuperuser) {
    chmodSync(folder, 0o755);
    process.seteuid?.(65_534);
  }
  try {
    act();
  } finally {
    if (isSuperuser) process.seteuid?.(0);
    chmodSync(place, 0o700);
  }
}

describe('the file', () => {
  test('is created with its folder, for this user only', () => {
    const before = process.umask(0);
    try {
      const path = `${folder}/a/b/runs.db`;
      const journal = sqliteJournal(path);
      journal.append(journal.create(record('r1'), 'one'), everyEvent);
      const modes = ['', '-wal', '-shm'].map((part) => statSync(path + part).mode & 0o777);
      expect(modes).toEqual([0o600, 0o600, 0o600]);
      expect(statSync(`${folder}/a/b`).mode & 0o777).toBe(0o700);
      expect(statSync(`${folder}/a`).mode & 0o777).toBe(0o700);
      journal.close();
    } finally {
      process.umask(before);
    }
  });

  test('that others may read, from a backup or a copy, is narrowed down to its owner', () => {
    const path = filled();
    const held = sqliteJournal(path);
    held.append(held.claim('r1', 'one'), [started('0#1')]);
    const files = ['', '-wal', '-shm'].map((part) => path + part);
    for (const file of files) chmodSync(file, 0o664);
    sqliteJournal(path).close();
    expect(files.map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600, 0o600]);
    held.close();
  });

  test('is one file once the journal is closed', () => {
    const path = filled();
    expect([existsSync(path), existsSync(`${path}-wal`)]).toEqual([true, false]);
    const journal = sqliteJournal(path);
    expect(journal.events('r1')).toHaveLength(100);
    journal.close();
  });

  test('may be empty, as after a crash while it was made', () => {
    const path = newPath();
    mkdirSync(path.replace('/runs.db', ''));
    writeFileSync(path, '');
    const journal = sqliteJournal(path);
    expect(journal.list()).toEqual([]);
    journal.close();
  });

  test('that is no database is refused and left alone', () => {
    const path = newPath();
    mkdirSync(path.replace('/runs.db', ''));
    writeFileSync(path, 'a diary\n'.repeat(1000));
    expectFailure(() => sqliteJournal(path), 'PV5011', path, /name another file/);
    expect(readFileSync(path, 'utf8')).toBe('a diary\n'.repeat(1000));
  });

  test('that is the database of another program is refused and left alone', () => {
    const path = newPath();
    mkdirSync(path.replace('/runs.db', ''));
    const other = new DatabaseSync(path);
    other.exec('create table songs (title text)');
    other.close();
    const before = readFileSync(path);
    expectFailure(() => sqliteJournal(path), 'PV5011', path, /another program.*name another file/);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test('that is a folder, or lies in a file, is refused', () => {
    const path = filled();
    expectFailure(() => sqliteJournal(folder), 'PV5017', folder, /PLANVM_HOME/);
    const within = `${path}/runs.db`;
    expectFailure(() => sqliteJournal(within), 'PV5017', within, /PLANVM_HOME/);
  });

  // The superuser may write everywhere.
  test.skipIf(process.getuid?.() === 0)('in a folder without write access is refused', () => {
    const path = newPath();
    mkdirSync(path.replace('/runs.db', ''), { mode: 0o500 });
    expectFailure(() => sqliteJournal(path), 'PV5015', path, /write access/);
    chmodSync(path.replace('/runs.db', ''), 0o700);
  });

  test('that may only be read is read, and left as it is', () => {
    const path = filled();
    const before = readFileSync(path);
    asReader(path, () => {
      const journal = sqliteJournal(path);
      expect(journal.events('r1')).toHaveLength(100);
      expect(journal.list()).toHaveLength(1);
      expectFailure(() => journal.create(record('r2'), 'two'), 'PV5015', path, /write access/);
      journal.close();
    });
    expect(readdirSync(path.replace('/runs.db', ''))).toEqual(['runs.db']);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test('that may only be read is read while somebody else writes it', () => {
    const path = filled();
    const other = sqliteJournal(path);
    other.append(other.claim('r1', 'one'), [settled('0#100', 'x')]);
    asReader(path, () => {
      const journal = sqliteJournal(path);
      expect(journal.events('r1')).toHaveLength(101);
      journal.close();
    });
    other.close();
  });

  test('that may only be read, and is of another program, is refused as such', () => {
    const path = newPath();
    mkdirSync(path.replace('/runs.db', ''));
    const other = new DatabaseSync(path);
    other.exec('create table songs (title text)');
    other.close();
    asReader(path, () => {
      expectFailure(() => sqliteJournal(path), 'PV5011', path, /another program/);
    });
  });

  test('whose pages are overwritten is reported as damaged', () => {
    const path = filled();
    const size = statSync(path).size;
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.alloc(size - 4096, 0xa5), 0, undefined, 4096);
    closeSync(file);
    const read = (): unknown => {
      const journal = sqliteJournal(path);
      try {
        return journal.events('r1');
      } finally {
        journal.close();
      }
    };
    expectFailure(read, 'PV5013', path, /backup/);
  });

  test('without one of its tables is reported, with what SQLite says of it', () => {
    const path = filled();
    const other = new DatabaseSync(path);
    other.exec('drop table records');
    other.close();
    expectFailure(() => sqliteJournal(path), 'PV5018', path, /no such table: records/);
  });

  test.each([
    ['delete from content', /no content/],
    [`update events set large = '[oops'`, /JSON/],
    [`update events set body = '{"type":'`, /JSON/],
  ])('that was changed behind its back, by %s, is reported as damaged', (sql, detail) => {
    const path = newPath();
    const journal = sqliteJournal(path);
    journal.append(journal.create(record('r1'), 'one'), [settled('0#1', 'x'.repeat(5000))]);
    const other = new DatabaseSync(path);
    other.exec(sql);
    other.close();
    expectFailure(() => journal.events('r1'), 'PV5013', path, detail);
    journal.close();
  });
});

describe('a failure later on', () => {
  test('another connection that writes: says so, and goes on once that is done', () => {
    const path = newPath();
    const journal = new SqliteJournal(openDatabase(path, 0), path);
    const lease = journal.create(record('r1'), 'one');
    const other = new DatabaseSync(path);
    other.exec('begin immediate');
    const append = (): unknown => journal.append(lease, [started('0#1')]);
    expectFailure(append, 'PV5014', path, /locked.*end that process/);
    expect(journal.events('r1')).toEqual([]);
    other.exec('rollback');
    expect(append()).toMatchObject({ seq: 1 });
    other.close();
    journal.close();
  });

  test('a new file that another process holds', () => {
    const path = newPath();
    mkdirSync(path.replace('/runs.db', ''));
    const other = new DatabaseSync(path);
    other.exec('begin exclusive');
    expectFailure(() => openDatabase(path, 0), 'PV5014', path, /locked/);
    other.close();
    openDatabase(path, 0).close();
  });

  test('a full disk: nothing of the append is written, and the run goes on with space', () => {
    const path = newPath();
    const database = openDatabase(path);
    const journal = new SqliteJournal(database, path);
    const lease = journal.create(record('r1'), 'one');
    journal.append(lease, [started('0#1')]);
    const pages = Number(database.prepare('pragma page_count').get()?.page_count);
    database.exec(`pragma max_page_count = ${pages + 3}`);
    const large = [started('0#2'), settled('0#2', 'x'.repeat(100_000))];
    expectFailure(() => journal.append(lease, large), 'PV5016', path, /free some space/);
    expect(journal.events('r1')).toHaveLength(1);
    expect(journal.find('r1')?.events).toBe(1);
    database.exec('pragma max_page_count = 1000000');
    expect(journal.append(lease, large)).toMatchObject({ seq: 3 });
    expect(database.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
    journal.close();
  });

  test('a disk without room for the log of a sweep, which makes room all the same', () => {
    const path = filled();
    const database = openDatabase(path);
    const isLogged = (): boolean =>
      database.prepare('pragma journal_mode').get()?.journal_mode === 'wal';
    const full = Object.assign(new Error('database or disk is full'), { errcode: 13 });
    const prepare = database.prepare.bind(database);
    database.prepare = (sql) => {
      const statement = prepare(sql);
      if (!sql.startsWith('delete')) return statement;
      const change = statement.run.bind(statement);
      statement.run = (...values: unknown[]) => {
        if (isLogged()) throw full;
        return change(...(values as never[]));
      };
      return statement;
    };
    const journal = new SqliteJournal(database, path, { isGone: () => true });
    expect(journal.sweep({ runs: ['r1'] })).toMatchObject({ runs: 1, events: 100 });
    journal.close();
    const again = sqliteJournal(path);
    expect(again.list()).toEqual([]);
    expect(again.create(record('r2'), 'one')).toMatchObject({ run: 'r2' });
    again.close();
    const checked = new DatabaseSync(path);
    expect(checked.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
    expect(checked.prepare('pragma journal_mode').get()).toEqual({ journal_mode: 'wal' });
    checked.close();
  });

  test.each([
    ['', 'a pipe', (path: string) => spawnSync('mkfifo', [path])],
    ['-wal', 'a pipe', (path: string) => spawnSync('mkfifo', [path])],
    ['', 'a device', (path: string) => symlinkSync('/dev/null', path)],
    ['', 'a folder', (path: string) => mkdirSync(path)],
  ])('%s that is %s, at once', (part, kind, make) => {
    const path = newPath();
    mkdirSync(path.replace('/runs.db', ''));
    make(path + part);
    const got = kind === 'a folder' ? kind : 'a pipe or a device';
    expectFailure(() => openDatabase(path), 'PV5017', path, new RegExp(`got ${got} at `));
  });

  test('a file that has become read-only', () => {
    const path = filled();
    const database = new DatabaseSync(path, { readOnly: true });
    const journal = new SqliteJournal(database, path);
    expect(journal.events('r1')).toHaveLength(100);
    const append = (): unknown => journal.append({ run: 'r1', epoch: 1 }, [started('0#1')]);
    expectFailure(append, 'PV5015', path, /write access/);
    journal.close();
  });

  test.each([
    ['EACCES', 'PV5015'],
    ['EROFS', 'PV5015'],
    ['ENOSPC', 'PV5016'],
    ['ENOTDIR', 'PV5017'],
    ['EMFILE', 'PV5018'],
  ])('%s of the file system is %s', (code, meaning) => {
    const cause = Object.assign(new Error('the system says no'), { code });
    const failure = journalError(cause, 'runs.db');
    expect(failure).toMatchObject({ code: meaning, cause });
    expect(failure.message).toContain('the system says no');
  });
});

test.each(['3.51.2', '3.50.4', '2.9.9', 'none'])('SQLite %s is refused', (version) => {
  const failure = failureOf(() => requireSqlite(version));
  expect(failure.code).toBe('PV5010');
  expect(failure.message).toMatch(`got SQLite ${version}`);
  expect(failure.message).toMatch(/run planvm with Node 24\.15 or newer/);
});

test.each(['3.51.3', '3.52.0', '3.53.4', '4.0.0'])('SQLite %s will do', (version) => {
  expect(() => requireSqlite(version)).not.toThrow();
});

test('a durable append is synced, an ordinary one is not (J2)', () => {
  const path = newPath();
  const database = openDatabase(path);
  const journal = new SqliteJournal(database, path);
  const lease = journal.create(record('r1'), 'one');
  // What the connection was set to when it committed: 1 leaves the log to the system, 2 syncs it.
  const synchronous = (durable: boolean): unknown => {
    journal.append(lease, [started('0#1')], { durable });
    return database.prepare('pragma synchronous').get()?.synchronous;
  };
  expect([false, true, true, false].map(synchronous)).toEqual([1, 2, 2, 1]);
  expect(database.prepare('pragma journal_mode').get()).toEqual({ journal_mode: 'wal' });
  journal.close();
});

test('a large text is stored once, whatever mentions it (J4)', () => {
  const path = newPath();
  const journal = sqliteJournal(path);
  const text = 'x'.repeat(1 << 20);
  for (const id of ['r1', 'r2']) {
    const lease = journal.create(record(id, { inputs: text }), 'one');
    for (let i = 0; i < 5; i++) {
      journal.append(lease, [{ ...started(`0#${i}`), request: text }, settled(`0#${i}`, text)]);
    }
  }
  journal.close();
  expect(statSync(path).size).toBeLessThan(1.2 * text.length);
});

test('a sweep gives back to the file system what it frees', () => {
  const path = filled();
  const before = statSync(path).size;
  const journal = sqliteJournal(path);
  const lease = journal.create(record('r2'), 'one');
  journal.append(lease, [settled('0#1', 'x'.repeat(1 << 20)), started('0#2')]);
  journal.release(lease);
  const { bytes } = journal.sweep({ runs: ['r2'] });
  expect(bytes).toBeGreaterThanOrEqual(1 << 20);
  journal.close();
  expect(statSync(path).size).toBeLessThanOrEqual(before);
  const again = sqliteJournal(path);
  expect(again.events('r1')).toHaveLength(100);
  again.close();
});

test('what a sweep has dropped is in no byte of the file', () => {
  const path = newPath();
  const journal = sqliteJournal(path);
  const add = (id: string, word: string): void => {
    const events = [settled('0#1', word), settled('0#2', word.repeat(1000))];
    const lease = journal.create(record(id, { title: word }), 'one', events);
    journal.post(id, { kind: 'answer', effect: '0#3', value: word, by: 'ada' });
    journal.keepSnapshot(lease, { seq: 1, text: `state ${word}` });
    journal.release(lease);
  };
  for (const i of [1, 2, 3]) add(`kept${i}`, 'harbour');
  add('dropped', 'whirlpool');
  add('kept4', 'harbour');
  journal.sweep({ runs: ['dropped'] });
  journal.close();
  const bytes = readFileSync(path, 'latin1');
  expect(bytes).toContain('harbour');
  expect(bytes).not.toContain('whirlpool');
});

test('a list of the newest needs no sorting, so that a limit ends its search', () => {
  const database = openDatabase(newPath());
  const plan = (filter: RunFilter): string =>
    database
      .prepare(`explain query plan ${listQuery(filter).sql}`)
      .all()
      .map(({ detail }) => detail)
      .join('; ');
  const since = { since: 1 };
  const short = { prefix: 'r0' };
  const searched = { title: 'x', dialect: 'starlark', ...short, ...since };
  expect(plan({})).toMatch(/^SCAN runs USING INDEX runs_by_age; SEARCH records/);
  expect(plan(short)).toMatch(/^SCAN runs USING INDEX runs_by_age; SEARCH records/);
  expect(plan(since)).toMatch(/^SEARCH runs USING INDEX runs_by_age \(created_at>\?\)/);
  expect(plan(searched)).toMatch(/^SEARCH records USING INDEX records_by_age \(created_at>\?\)/);
  const named = { metadata: { team: 'red', number: 1 }, title: 'x', ...since };
  expect(plan(named)).toMatch(
    /^SEARCH records USING INDEX records_with_metadata \(created_at>\?\)/,
  );
  const failed = plan({ status: 'failed', reason: 'limit', ...since });
  expect(failed).toMatch(/^SEARCH runs USING INDEX runs_by_status \(status=\? AND created_at>\?\)/);
  for (const filter of [
    {},
    short,
    since,
    searched,
    named,
    { status: 'failed' as const, ...since },
  ]) {
    expect(plan(filter)).not.toContain('TEMP B-TREE');
  }
  expect(plan({ prefix: 'r0123456' })).toMatch(/^SEARCH records .* \(run>\? AND run<\?\)/);
  expect(plan({ base: 'r1' })).toContain('USING INDEX forks');
  database.close();
});
