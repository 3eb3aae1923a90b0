/** Forks in a file: how little they write. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { forkRun, makeFork } from '../../../src/engine/fork/fork.ts';
import { sqliteJournal } from '../../../src/engine/journal/sqlite/journal.ts';
import { compile } from '../../support/starlark-machine.ts';
import { byName, loading, quickTool, start } from '../support.ts';
import { temporaryFolder } from './folder.ts';

const folder = temporaryFolder();

/** Bytes of the database once everything is in its one file. */
function sizeOf(path: string): number {
  const database = new DatabaseSync(path);
  database.exec('pragma wal_checkpoint(truncate)');
  database.close();
  return statSync(path).size;
}

test('a fork writes what is its own: the size of what it shares does not count', async () => {
  const path = join(folder, 'runs.db');
  const journal = sqliteJournal(path);
  const program = compile(`
for i in range(300):
    last = read(x = i)
n = 1
done = read(x = n)
`);
  const read = quickTool('read', ({ x }) => `${String(x)} ${'.'.repeat(2000)}`);
  const parts = { journal, handlers: byName(read) };
  const base = start({ ...parts, program });
  await base.result;
  const before = sizeOf(path);
  const edit = { by: 'person', at: '4', set: { n: '7' } } as const;
  const options = { ...parts, run: base.id, load: loading(program), edit };
  const fork = forkRun(options);
  expect(await fork.result).toMatchObject({ status: 'done' });
  for (let i = 0; i < 9; i++) makeFork(options);
  const after = sizeOf(path);
  journal.close();
  expect(before).toBeGreaterThan(600_000);
  expect(after - before).toBeLessThan(60_000);
});
