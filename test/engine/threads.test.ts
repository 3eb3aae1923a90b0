/** The store of conversations. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { sqliteThreads } from '../../src/engine/journal/sqlite/threads.ts';
import type { Thread } from '../../src/engine/journal/threads.ts';

const folder = mkdtempSync(join(tmpdir(), 'planvm-threads-'));
afterAll(() => rmSync(folder, { recursive: true }));

const thread = (id: string, updatedAt: number): Thread => ({
  ...{ id, title: `about ${id}`, createdAt: 1, updatedAt, version: 0, mode: 'program' },
  ...{ messages: [{ role: 'user', content: 'é\u0000𝄞', at: 1 }], definitions: [], variables: {} },
});

test('threads are saved, found, listed by age and removed', () => {
  const store = sqliteThreads(join(folder, 'runs.db'));
  const first = store.save(thread('ta', 1));
  expect(first).toMatchObject({ version: 1 });
  store.save(thread('tb', 2));
  expect(store.find('ta')).toEqual(first);
  expect(store.list().map(({ id }) => id)).toEqual(['tb', 'ta']);
  expect(first && store.save({ ...first, updatedAt: 3 })).toMatchObject({ version: 2 });
  expect(store.list().map(({ id }) => id)).toEqual(['ta', 'tb']);
  expect(store.remove('ta')).toBe(true);
  expect(store.remove('ta')).toBe(false);
  expect(store.find('ta')).toBeUndefined();
  store.close();
});

test('of two who go on from the same version one is told', () => {
  const path = join(folder, 'two.db');
  const [one, other] = [sqliteThreads(path), sqliteThreads(path)];
  const start = one.save(thread('ta', 1));
  if (!start) throw new Error('a new thread is saved');
  expect(other.save(thread('ta', 5))).toBeUndefined();
  expect(one.save({ ...start, title: 'mine' })).toMatchObject({ version: 2 });
  expect(other.save({ ...start, title: 'theirs' })).toBeUndefined();
  expect(other.find('ta')).toMatchObject({ title: 'mine', version: 2 });
  one.close();
  other.close();
});
