/** Several processes on one database: who owns a run, and what is left when one of them dies. */
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { type Journal, LeaseLost, leaseMs, RunOwned } from '../../../src/engine/journal/journal.ts';
import { openJournal } from '../../../src/engine/journal/open-journal.ts';
import { isGone, processOwner } from '../../../src/engine/journal/owner.ts';
import { isDeep } from '../../support/depth.ts';
import { record } from '../events.ts';
import { floodEvents } from './flood.ts';
import { temporaryFolder } from './folder.ts';
import { startWorker, type Worker } from './process.ts';

const folder = temporaryFolder();

test('several processes may open a new journal at the same moment', async () => {
  const path = `${folder}/new/runs.db`;
  const workers = await Promise.all(Array.from({ length: 3 }, () => startWorker(path)));
  for (let file = 0; file < (isDeep ? 40 : 10); file++) {
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

test('of processes that start the same run under one id at once, one starts it', async () => {
  const path = `${folder}/named.db`;
  const workers = await Promise.all(Array.from({ length: 2 }, () => startWorker(path)));
  const ids = Array.from({ length: 25 }, (_, i) => `ticket-${i}`);
  for (const id of ids) {
    const answers = await Promise.all(workers.map((worker) => worker.ask(`start ${id} hello`)));
    const [first, second] = answers.toSorted((one, other) => (one < other ? 1 : -1));
    expect(first).toBe(`started ${id}`);
    expect(second).toMatch(`RunExists: run ${id} exists already`);
    const [worker] = workers;
    expect(await worker?.ask(`start ${id} other`)).toMatch(/^RunError: .* got another text/);
  }
  const journal = openJournal(path);
  const listed = journal.list().map(({ id }) => id);
  expect(listed.sort()).toEqual(ids.sort());
  const starts = ids.map((id) => journal.events(id).filter(({ type }) => type === 'run.started'));
  expect(starts.map(({ length }) => length)).toEqual(ids.map(() => 1));
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

test('J3: processes that take a run from each other, frozen now and then, lose and double nothing', async () => {
  const path = `${folder}/fight.db`;
  const workers = await Promise.all(Array.from({ length: 4 }, () => startWorker(path)));
  expect(await workers[0]?.ask('create r1')).toBe('epoch 1');
  const marked: string[] = [];
  const refused: string[] = [];
  const frozen = new Set<Worker>();
  const answers: Promise<void>[] = [];
  const random = numbers(4711);
  for (let i = 0; i < (isDeep ? 600 : 150); i++) {
    const worker = workers[random() % workers.length] as Worker;
    const others = workers.filter((one) => one !== worker && !frozen.has(one));
    const chance = random() % 10;
    if (chance === 0 && others.length > 1) {
      worker.signal('SIGSTOP');
      frozen.add(worker);
    } else if (chance === 1) {
      for (const one of frozen) one.signal('SIGCONT');
      frozen.clear();
    } else if (chance < 5) {
      // To it, the leases of those whose clocks are behind have expired.
      for (const command of [`hurry ${leaseMs}`, 'claim r1']) {
        worker.send(command);
        answers.push(
          worker.next().then((line) => expect(line).toMatch(/^(hurried|epoch|RunOwned)/)),
        );
      }
    } else {
      const name = `m${i}`;
      worker.send(`mark r1 ${name}`);
      const heard = (line = ''): void => {
        expect(line).toMatch(/^(marked|LeaseLost)/);
        (line.startsWith('marked') ? marked : refused).push(name);
      };
      answers.push(worker.next().then(heard));
    }
  }
  for (const one of frozen) one.signal('SIGCONT');
  await Promise.all(answers);
  const journal = openJournal(path);
  const events = journal.events('r1');
  journal.close();
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
  const names = events.map((event) => ('effect' in event ? event.effect : ''));
  expect([...names].sort()).toEqual([...marked].sort());
  expect(Math.min(marked.length, refused.length)).toBeGreaterThan(10);
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

test('J7: a sweep beside a process that writes drops no text that it has just mentioned', async () => {
  const path = `${folder}/swept.db`;
  const worker = await startWorker(path);
  await worker.ask('create r1');
  const journal = openJournal(path);
  worker.send('flood r1');
  let swept = 0;
  for (let round = 0; round < 40; round++) {
    await worker.next();
    const last = journal.find('r1')?.events ?? 0;
    // The texts that the other process is about to write; they go, and are to be there all the same.
    const ahead = Array.from({ length: 40 }, (_, i) => floodEvents(last + 2 * i)).flat();
    const lease = journal.create(record(`g${round}`), processOwner(), ahead);
    journal.release(lease);
    swept += journal.sweep({ runs: [lease.run] }).texts;
  }
  await worker.kill();
  expect(swept).toBeGreaterThan(100);
  expect(checkWhole(journal)).toBeGreaterThanOrEqual(80);
  expect(journal.list().map(({ id }) => id)).toEqual(['r1']);
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

/** A fixed sequence, so that a failure can be repeated. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 8;
  };
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
