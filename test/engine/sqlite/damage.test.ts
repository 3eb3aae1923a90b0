/** A write-ahead log that a crash of the machine left cut, zeroed or scrambled. */
import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import type { RunEvent } from '../../../src/engine/journal/journal.ts';
import { sqliteJournal } from '../../../src/engine/journal/sqlite/journal.ts';
import { record } from '../events.ts';
import { floodEvents } from './flood.ts';
import { temporaryFolder } from './folder.ts';

const folder = temporaryFolder();
const path = `${folder}/whole.db`;
const appends = 25;

/** The events of the undamaged journal, and how long its log was after each append. */
let whole: RunEvent[];
const logSizes: number[] = [];
let log: Buffer;

beforeAll(() => {
  const journal = sqliteJournal(path, { now: () => 5 });
  const lease = journal.create(record('r1'), 'one');
  for (let i = 0; i < appends; i++) {
    journal.append(lease, floodEvents(2 * i));
    logSizes.push(statSync(`${path}-wal`).size);
  }
  whole = journal.events('r1');
  // As a crash leaves them: the log was not yet moved into the file.
  copyFileSync(path, `${folder}/crashed.db`);
  log = readFileSync(`${path}-wal`);
  journal.close();
  expect(logSizes.at(-1)).toBe(log.length);
});

/** 0 and up, below `end`: a fixed sequence, so that a failure can be repeated. */
function* offsets(end: number, count: number): Generator<number> {
  let state = 20_261_101;
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    yield Math.floor((state / 2 ** 32) * end);
  }
}

/** Opens the crashed journal with this log and returns the events it has. */
function recover(damaged: Buffer): RunEvent[] {
  const copy = `${folder}/copy.db`;
  copyFileSync(`${folder}/crashed.db`, copy);
  writeFileSync(`${copy}-wal`, damaged);
  const journal = sqliteJournal(copy);
  const events = journal.events('r1');
  expect(journal.find('r1')?.events ?? 0).toBe(events.length);
  journal.close();
  return events;
}

const damages: [string, (offset: number) => Buffer][] = [
  ['cut off', (offset) => log.subarray(0, offset)],
  ['zeroed to its end', (offset) => Buffer.from(log).fill(0, offset)],
  ['zeroed for one sector', (offset) => Buffer.from(log).fill(0, offset, offset + 512)],
  ['scrambled for one sector', (offset) => Buffer.from(log).fill(0xa5, offset, offset + 512)],
];

test.each(damages)('J2: a log that is %s gives all before the damage, whole', (_, damage) => {
  for (const offset of [...logSizes.slice(0, -1), ...offsets(log.length, 40)]) {
    const damaged = damage(offset);
    // A page has zeros of its own; zeroing those is no damage.
    if (damaged.equals(log)) continue;
    const events = recover(damaged);
    expect(events).toEqual(whole.slice(0, events.length));
    const before = logSizes.filter((size) => size <= offset).length;
    expect(events.length % 2).toBe(0);
    expect(events.length).toBeGreaterThanOrEqual(2 * before);
    expect(events.length).toBeLessThan(whole.length);
  }
});

test('an undamaged log gives everything', () => {
  expect(recover(log)).toEqual(whole);
});
