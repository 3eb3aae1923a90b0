/** Which runs have been kept long enough. */
import { expect, test } from 'vitest';
import type { RunSummary } from '../../src/engine/journal/journal.ts';
import { expired, type Retention } from '../../src/engine/journal/retention.ts';
import type { RunStatus } from '../../src/engine/journal/run-state.ts';
import { record } from './events.ts';

const day = 86_400_000;
const now = 1000 * day;

const run = (id: string, ageDays: number, status: RunStatus, owned = false): RunSummary => ({
  ...record(id, { createdAt: now - ageDays * day }),
  status,
  updatedAt: now - ageDays * day,
  events: 1,
  owned,
});

/** Newest first, as a journal lists them. */
const runs = [
  run('a', 1, 'done'),
  run('b', 2, 'waiting'),
  run('c', 5, 'failed'),
  run('d', 10, 'done', true),
  run('e', 20, 'suspended'),
  run('f', 30, 'cancelled'),
  run('g', 40, 'done'),
];
const sizes = { total: 1000, runs: new Map(runs.map(({ id }) => [id, 100])) };

const rules: [string, Retention, string][] = [
  ['no rule', {}, ''],
  ['an age, up to the millisecond', { olderThanMs: 5 * day }, 'gfc'],
  ['one that nothing has', { olderThanMs: 41 * day }, ''],
  ['a number alone', { keep: 1 }, 'gfc'],
  ['none to keep', { keep: 0 }, 'gfca'],
  ['both', { olderThanMs: 5 * day, keep: 2 }, 'gf'],
  ['a size that the journal has', { bytesMax: 1000 }, ''],
  ['a smaller size', { bytesMax: 799 }, 'gfc'],
  ['a size that is out of reach', { bytesMax: 1 }, 'gfca'],
  ['a size and a number, which protects', { bytesMax: 1, keep: 3 }, 'g'],
  ['an age and a size that needs more', { olderThanMs: 35 * day, bytesMax: 700 }, 'gfc'],
  ['an age and a size that needs less', { olderThanMs: 5 * day, bytesMax: 950 }, 'gfc'],
  ['other statuses', { olderThanMs: 0, statuses: ['waiting', 'suspended'] }, 'eb'],
  ['a status that is its owner’s', { olderThanMs: 0, statuses: ['done'] }, 'ga'],
];

test.each(rules)('%s', (_, retention, gone) => {
  expect(expired(runs, sizes, retention, now).join('')).toBe(gone);
});
