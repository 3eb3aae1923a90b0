/** A process killed at any point of whatever the journal writes: all of it is there or nothing. */
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { exportRuns } from '../../../src/engine/journal/export.ts';
import { importRuns, readExport } from '../../../src/engine/journal/import.ts';
import type { Journal } from '../../../src/engine/journal/journal.ts';
import { memoryJournal } from '../../../src/engine/journal/open-journal.ts';
import { withinAny } from '../../../src/engine/journal/run-identity.ts';
import { openDatabase } from '../../../src/engine/journal/sqlite/database.ts';
import { sqliteJournal } from '../../../src/engine/journal/sqlite/journal.ts';
import { isPoint } from '../../support/depth.ts';
import { ending, record, settled, started } from '../events.ts';
import { crashPoints } from './crash-points.ts';
import { temporaryFolder } from './folder.ts';

const folder = temporaryFolder();
const v1 = readFileSync(new URL('./v1.sql', import.meta.url), 'utf8');
const large = (letter: string): string => letter.repeat(5000);

/** Of another machine, so that its process is never looked for. */
const owner = 'elsewhere:1:1';
const open = (path: string): Journal => sqliteJournal(path, { now: () => 7, isGone: () => true });

function elsewhere(): string {
  const journal = memoryJournal({ now: () => 7 });
  const [run, fork] = [record('i1'), record('i2', { base: { run: 'i1', seq: 2 } })];
  const outcome = settled('0#1', `"${large('i')}"`);
  journal.create(run, owner, [{ type: 'run.started', run }, started('0#1'), outcome]);
  const forked = { type: 'run.forked', run: fork, edit: { by: 'person' } } as const;
  journal.create(fork, owner, [forked, started('0#9')]);
  return exportRuns({ journal, run: 'i1', tree: true, now: 7 });
}

const exported = elsewhere();

/** Everything that a journal writes, one call each; each may be repeated by the next process. */
const writes: ((journal: Journal) => void)[] = [
  (journal) => journal.create(record('r1'), owner, [started('0#1')]),
  (journal) =>
    journal.append(journal.claim('r1', owner), [settled('0#1', large('a')), started('0#2')], {
      durable: true,
    }),
  (journal) => journal.keepSnapshot(journal.claim('r1', owner), { seq: 3, text: large('s') }),
  (journal) => journal.post('r1', { kind: 'deny', effect: '0#2', by: 'ada' }),
  (journal) => {
    const taken = journal.posts('r1').map(({ id }) => id);
    journal.append(journal.claim('r1', owner), [ending('run.finished')], { taken });
  },
  (journal) => {
    const base = { run: 'r1', seq: 2 };
    journal.create(record('r2', { base }), owner, [settled('0#2', large('b'))]);
  },
  (journal) => journal.release({ run: 'r2', epoch: 1 }),
  (journal) => {
    const parent = { run: 'r1', effect: '0#2' };
    journal.release(journal.create(record('r1.in', { parent }), owner, [started('0#1')]));
  },
  (journal) => journal.remove('r1'),
  (journal) => journal.restore('r1'),
  (journal) => journal.remove('r1'),
  (journal) => {
    journal.sweep();
  },
  (journal) => {
    importRuns(journal, readExport(exported, 'i1.json'));
  },
  (journal) => {
    journal.sweep({ runs: ['i1', 'r2'] });
  },
];

/** All that can be read. Leases are no part of it. */
function contentOf(journal: Journal): unknown {
  const runs = journal.list({ within: withinAny }).map(({ id }) => id);
  return {
    runs: runs.map((id) => [journal.find(id)?.status, id, journal.find(id)?.events]),
    events: runs.map((id) => journal.events(id)),
    snapshots: runs.map((id) => journal.snapshots(id).map((seq) => journal.snapshot(id, seq))),
    posts: runs.map((id) => journal.posts(id).map(({ post }) => post)),
    removed: journal.removed().map(({ id }) => id),
  };
}

/** What lies in the tables, reached or not; and whether SQLite finds it sound. */
function rowsOf(path: string): Record<string, unknown> {
  const database = openDatabase(path);
  const count = (table: string): unknown =>
    database.prepare(`select count(*) as n from ${table}`).get()?.n;
  const tables = ['runs', 'records', 'events', 'content', 'snapshots', 'posts', 'removed'];
  const rows = Object.fromEntries(tables.map((table) => [table, count(table)]));
  const check = database.prepare('pragma integrity_check').all();
  database.close();
  expect(check).toEqual([{ integrity_check: 'ok' }]);
  return rows;
}

test('a write is there or not, and the next process goes on to the same end', () => {
  const path = `${folder}/writes.db`;
  const journal = open(path);
  const states = [contentOf(journal)];
  const points: { copy: string; after: number }[] = [];
  for (const [after, write] of writes.entries()) {
    const copies = crashPoints(path, `${folder}/write${after}`, () => write(journal));
    points.push(...copies.map((copy) => ({ copy, after })));
    states.push(contentOf(journal));
  }
  journal.close();
  const rows = rowsOf(path);
  expect(points.length).toBeGreaterThan(100);
  for (const [index, { copy, after }] of points.entries()) {
    if (!isPoint(index, 3)) continue;
    const next = open(copy);
    const found = contentOf(next);
    const isBefore = isDeepStrictEqual(found, states[after]);
    if (!isBefore) expect(found).toEqual(states[after + 1]);
    for (const write of writes.slice(isBefore ? after : after + 1)) write(next);
    expect(contentOf(next)).toEqual(states.at(-1));
    next.sweep();
    next.close();
    expect(rowsOf(copy)).toEqual(rows);
  }
});

test('an older journal is brought up to date or stays as it was, for the next process to do', () => {
  const path = `${folder}/older.db`;
  const older = new DatabaseSync(path);
  older.exec(v1);
  older.close();
  const copies = crashPoints(path, `${folder}/migrated`, () => open(path).close());
  const whole = open(path);
  const expected = contentOf(whole);
  expect(whole.list({ title: 'COUNT' }).map(({ id }) => id)).toEqual(['r2']);
  whole.close();
  const rows = rowsOf(path);
  expect(rows).toMatchObject({ runs: 2, events: 7, content: 1 });
  expect(copies.length).toBeGreaterThan(30);
  for (const copy of copies) {
    const next = open(copy);
    expect(contentOf(next)).toEqual(expected);
    next.close();
    expect(rowsOf(copy)).toEqual(rows);
  }
});
