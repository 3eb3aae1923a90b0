/**
 * What journals cost. An append here is what the engine writes for one effect that has started and
 * settled: two events, a short request and a short value.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventBody, Journal } from '../src/engine/journal/journal.ts';
import { openJournal } from '../src/engine/journal/open-journal.ts';

export interface JournalFigures {
  /** Microseconds for an append of two events, averaged. */
  readonly memoryAppendUs: number;
  readonly sqliteAppendUs: number;
  /** The same, synced to the disk each time. */
  readonly sqliteDurableAppendUs: number;
  /** The same, with a value of 64 KiB that is new each time. */
  readonly sqliteLargeAppendUs: number;
  readonly memoryEventsReadPerSecond: number;
  readonly sqliteEventsReadPerSecond: number;
  /** Milliseconds to list the newest 20 of `runs` runs, and the newest 20 that are done. */
  readonly runs: number;
  readonly listMs: number;
  readonly listByStatusMs: number;
  /** Milliseconds to find the one with a certain title. */
  readonly listByTitleMs: number;
  readonly findMs: number;
}

/** Measures on a file in the system's temporary folder; takes some seconds. */
export function journalFigures(appends = 20_000, runs = 100_000): JournalFigures {
  const folder = mkdtempSync(join(tmpdir(), 'planvm-bench-'));
  try {
    const memory = openJournal(':memory:');
    const sqlite = openJournal(join(folder, 'runs.db'));
    const few = Math.ceil(appends / 20);
    const memoryAppendUs = appendUs(memory, 'a', appends);
    const sqliteAppendUs = appendUs(sqlite, 'a', appends);
    const figures = {
      memoryAppendUs,
      sqliteAppendUs,
      sqliteDurableAppendUs: appendUs(sqlite, 'b', few, { durable: true }),
      sqliteLargeAppendUs: appendUs(sqlite, 'c', few, { valueChars: 1 << 16 }),
      memoryEventsReadPerSecond: (2e6 * appends) / us(() => memory.events('a')),
      sqliteEventsReadPerSecond: (2e6 * appends) / us(() => sqlite.events('a')),
      ...listing(sqlite, runs),
    };
    sqlite.close();
    return figures;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function appendUs(
  journal: Journal,
  run: string,
  count: number,
  { durable = false, valueChars = 60 } = {},
): number {
  const lease = create(journal, run, 0);
  const write = (from: number, to: number): void => {
    for (let i = from; i < to; i++) {
      journal.append(lease, effect(i, valueChars), { durable });
    }
  };
  const warmUp = Math.ceil(count / 10);
  write(0, warmUp);
  return us(() => write(warmUp, count)) / (count - warmUp);
}

function listing(
  journal: Journal,
  runs: number,
): Pick<JournalFigures, 'runs' | 'listMs' | 'listByStatusMs' | 'listByTitleMs' | 'findMs'> {
  for (let i = 0; i < runs; i++) {
    const lease = create(journal, `r${i}`, i);
    if (i % 100 === 0) journal.append(lease, [{ type: 'run.finished', result: '{}' }]);
    journal.release(lease);
  }
  return {
    runs,
    listMs: us(() => journal.list({ limit: 20 })) / 1000,
    listByStatusMs: us(() => journal.list({ status: 'done', limit: 20 })) / 1000,
    listByTitleMs: us(() => journal.list({ title: `plan ${runs / 2}.json`, limit: 20 })) / 1000,
    findMs: us(() => journal.list({ prefix: 'r77', limit: 2 })) / 1000,
  };
}

function create(journal: Journal, id: string, createdAt: number): ReturnType<Journal['create']> {
  const texts = {
    title: `plan ${createdAt}.json`,
    dialect: 'stackvm-2',
    inputs: '{}',
    settings: '{}',
  };
  return journal.create({ id, createdAt, ...texts }, 'bench');
}

function effect(i: number, valueChars: number): EventBody[] {
  const same = { effect: `0#${i}`, tool: 'search', hash: 'c0ffee'.repeat(11).slice(0, 64) };
  const value = JSON.stringify(`${i} `.padEnd(valueChars, 'rivers of France '));
  return [
    {
      type: 'effect.started',
      ...same,
      attempt: 1,
      step: `${i % 40}@1`,
      request: `{"query":"the rivers of France","page":${i}}`,
      queuedAt: 1_750_000_000_000 + i,
    },
    {
      type: 'effect.settled',
      ...same,
      outcome: { ok: true, value },
      attempts: 1,
      startedAt: 1_750_000_000_000 + i,
    },
  ];
}

/** Microseconds that `work` takes. */
function us(work: () => unknown): number {
  const start = performance.now();
  work();
  return (performance.now() - start) * 1000;
}
