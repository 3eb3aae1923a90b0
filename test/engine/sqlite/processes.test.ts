/** Several processes on one database: who owns a run, and what is left when one of them dies. */
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { type Journal, LeaseLost, leaseMs, RunOwned } from '../../../src/engine/journal.ts';
import { openJournal } from '../../../src/engine/open-journal.ts';
import { isGone, processOwner } from '../../../src/engine/owner.ts';
import { floodEvents } from './flood.ts';
import { temporaryFolder } from './folder.ts';
import { startWorker } from './process.ts';

const folder = temporaryFolder();

test('several processes may open a new journal at the same moment', async () => {
  const path = `${folder}/new/runs.db`;
  const workers = await Promise.all(Array.from({ length: 3 }, () => startWorker(path)));
  for (let file = 0; file < 40; file++) {
    const answers = await Promise.all(workers.map((worker) => worker.ask(`open ${file}`)));
    expect(answers).toEqual(['opened', 'opened', 'opened']);
  }
});

test('what one process appends another sees, and learns who owns the run', async () => {
  const path = `${folder}/seen.db`;
  const worker = await startWorker(path);
  expect(await worker.ask('create r1')).toBe('epoch 1');
  expect(await worker.ask('append r1')).toBe('seq 2');
  const journal = openJournal(path);
  expect(journal.events('r1')).toMatchObject(floodEvents(0));
  expect(journal.find('r1')).toMatchObject({ owned: true, events: 2 });
  expect(() => journal.claim('r1', processOwner())).toThrow(RunOwned);
  journal.post('r1', { kind: 'cancel' });
  expect(await worker.ask('posts r1')).toBe('cancel');
  journal.close();
});

test('J3: a frozen process that goes on after its lease was taken over appends nothing', async () => {
  const path = `${folder}/frozen.db`;
  const worker = await startWorker(path);
  await worker.ask('create r1');
  await worker.ask('append r1');
  worker.signal('SIGSTOP');

  let now = Date.now();
  const journal = openJournal(path, { now: () => now });
  expect(isGone(worker.owner)).toBe(false);
  expect(() => journal.claim('r1', processOwner())).toThrow(RunOwned);
  now += leaseMs;
  const lease = journal.claim('r1', processOwner());
  journal.append(lease, floodEvents(2));
  worker.signal('SIGCONT');

  expect(await worker.ask('append r1')).toMatch(/^LeaseLost: run r1 was taken over/);
  expect(journal.events('r1')).toMatchObject([...floodEvents(0), ...floodEvents(2)]);
  expect(await worker.ask('claim r1')).toMatch(/^RunOwned: /);
  journal.release(lease);
  expect(await worker.ask('claim r1')).toBe('epoch 3');
  expect(() => journal.append(lease, floodEvents(4))).toThrow(LeaseLost);
  journal.close();
});

test('the run of a killed process is free at once', async () => {
  const path = `${folder}/killed.db`;
  const worker = await startWorker(path);
  await worker.ask('create r1');
  await worker.ask('append r1');
  await worker.kill();
  const journal = openJournal(path);
  expect(journal.find('r1')).toMatchObject({ owned: false, events: 2 });
  expect(journal.claim('r1', processOwner()).epoch).toBe(2);
  journal.close();
});

/** After how many acknowledged appends each writer is killed; it is in a later one by then. */
const kills = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89];

test('J2: whenever a writer is killed, what was acknowledged is there, whole, without gaps', async () => {
  const path = `${folder}/kills.db`;
  const journal = openJournal(path);
  let acknowledged = 0;
  for (const [round, count] of kills.entries()) {
    const worker = await startWorker(path);
    const epoch = await worker.ask(round === 0 ? 'create r1' : 'claim r1');
    expect(epoch).toBe(`epoch ${round + 1}`);
    worker.send('flood r1');
    for (let i = 0; i < count; i++) acknowledged = seqOf(await worker.next());
    const ended = worker.kill();
    for (let line = await worker.next(); line !== undefined; line = await worker.next()) {
      if (line.startsWith('seq ')) acknowledged = seqOf(line);
    }
    await ended;

    const written = checkWhole(journal);
    expect(written).toBeGreaterThanOrEqual(acknowledged);
    // One append of two events may have been committed before its answer was.
    expect(written).toBeLessThanOrEqual(acknowledged + 2);
  }
  expect(acknowledged).toBeGreaterThanOrEqual(2 * kills.reduce((sum, n) => sum + n));
  journal.close();
  const database = new DatabaseSync(path);
  expect(database.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
  database.close();
});

function seqOf(line: string | undefined): number {
  expect(line).toMatch(/^seq \d+$/);
  return Number(line?.slice('seq '.length));
}

/** Compares every event with the one it must be; returns how many there are. */
function checkWhole(journal: Journal): number {
  const events = journal.events('r1');
  const expected = Array.from({ length: events.length / 2 }, (_, i) => floodEvents(2 * i)).flat();
  expect(events.map(({ at: _, ...event }) => event)).toEqual(
    expected.map((event, i) => ({ ...event, seq: i + 1 })),
  );
  expect(journal.find('r1')?.events).toBe(events.length);
  return events.length;
}
