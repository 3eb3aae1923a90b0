/** The database file: permissions, versions, other files in its place, several processes, crashes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { ingest } from '../../../src/effects/retrieve/ingest.ts';
import { openKnowledge } from '../../../src/effects/retrieve/knowledge.ts';
import { schemaVersion } from '../../../src/effects/retrieve/schema.ts';
import { root } from '../../support/repo.ts';
import { workspace } from './workspace.ts';

test('the files and the folder made for them belong to their owner only', async () => {
  const space = workspace({ 'a.md': 'text' });
  await ingest(space.open(), [space.folder]);
  const folder = join(space.database, '..');
  const modes = readdirSync(folder).map((name) => [
    name,
    (statSync(join(folder, name)).mode & 0o777).toString(8),
  ]);
  expect(Object.fromEntries(modes)).toEqual({
    'knowledge.db': '600',
    'knowledge.db-shm': '600',
    'knowledge.db-wal': '600',
  });
  expect((statSync(folder).mode & 0o777).toString(8)).toBe('700');
});

test('it writes ahead and keeps its version', () => {
  const space = workspace();
  const knowledge = space.open();
  expect(knowledge.get('PRAGMA journal_mode')).toEqual({ journal_mode: 'wal' });
  expect(knowledge.get('PRAGMA user_version')).toEqual({ user_version: schemaVersion });
});

test('a missing file is an error where it must exist, and is not made', () => {
  const { database } = workspace();
  expect(() => openKnowledge(database, { mustExist: true })).toThrow(
    expect.objectContaining({
      code: 'PV4300',
      message: `there is no knowledge base at ${database}`,
      hint: expect.stringContaining('planvm ingest'),
    }),
  );
  expect(existsSync(database)).toBe(false);
});

test('a newer version, another database and another file are told apart', () => {
  const space = workspace();
  space.open().close();
  const newer = new DatabaseSync(space.database);
  newer.exec('PRAGMA user_version = 99');
  newer.close();
  expect(() => openKnowledge(space.database)).toThrow(
    expect.objectContaining({ code: 'PV4303', message: expect.stringContaining('schema 99') }),
  );
  const other = join(space.folder, 'other.db');
  const foreign = new DatabaseSync(other);
  foreign.exec('CREATE TABLE t (x)');
  foreign.close();
  expect(() => openKnowledge(other)).toThrow(expect.objectContaining({ code: 'PV4302' }));
  const text = join(space.folder, 'text.db');
  writeFileSync(text, 'this is no database, but it is longer than a header of SQLite would be');
  expect(() => openKnowledge(text)).toThrow(expect.objectContaining({ code: 'PV4302' }));
  expect(() => openKnowledge(space.folder)).toThrow(expect.objectContaining({ code: 'PV4302' }));
});

test('a transaction that fails leaves nothing behind', () => {
  const knowledge = workspace().open();
  const insert = "INSERT INTO entities (key, kind, name, name_key) VALUES ('k','iri','n','n')";
  expect(() =>
    knowledge.transaction(() => {
      knowledge.run(insert);
      knowledge.run(insert);
    }),
  ).toThrow('UNIQUE');
  expect(knowledge.counts().entities).toBe(0);
});

test('what is read together is of one moment, whatever another process writes', async () => {
  const space = workspace({ 'a.md': 'text' });
  const reader = space.open();
  const writer = space.open();
  await ingest(writer, [space.folder]);
  const remove = (): void => {
    writer.transaction(() => writer.run('DELETE FROM documents'));
  };
  const seen = reader.read(() => {
    const before = reader.counts().documents;
    remove();
    return [before, reader.counts().documents];
  });
  expect(seen).toEqual([1, 1]);
  expect(reader.counts().documents).toBe(0);
});

test('what another process has written is seen', async () => {
  const space = workspace({ 'a.md': 'text' });
  const reader = space.open();
  const before = reader.version;
  await ingest(space.open(), [space.folder]);
  expect(reader.counts().documents).toBe(1);
  expect(reader.version).not.toBe(before);
});

/** Loads the folder and kills itself at the given statement, in the middle of a transaction. */
function killedAt(statement: number, space: { database: string; folder: string }): ChildProcess {
  const source = join(root, 'src/effects/retrieve');
  const program = `
    import { openKnowledge } from '${source}/knowledge.ts';
    import { ingest } from '${source}/ingest.ts';
    const knowledge = openKnowledge('${space.database}');
    const run = knowledge.run;
    let count = 0;
    knowledge.run = (...given) => {
      if (++count === ${statement}) process.kill(process.pid, 'SIGKILL');
      return run.apply(knowledge, given);
    };
    await ingest(knowledge, ['${space.folder}']);`;
  return spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' });
}

test.each([1, 50, 333])('a load killed at statement %i leaves whole files', async (statement) => {
  const text = Array.from({ length: 20 }, (_, i) => `## Part ${i}\n\nWords of ${i}.\n`).join('');
  const facts = `subject,predicate,object\n${'Spain,borders,France\n'.repeat(20)}`;
  const names = ['a', 'b', 'c', 'd', 'e'];
  const files = names.flatMap((name) => [
    [`${name}.csv`, facts],
    [`${name}.md`, text],
  ]);
  const space = workspace(Object.fromEntries(files));
  const [, signal] = await once(killedAt(statement, space), 'close');
  expect(signal).toBe('SIGKILL');
  const knowledge = space.open();
  const { documents, chunks, facts: stated } = knowledge.counts();
  expect(documents).toBeLessThan(10);
  expect(chunks).toBe(Math.floor(documents / 2) * 20);
  expect(stated).toBe(Math.ceil(documents / 2) * 20);
  expect(knowledge.get('SELECT count(*) AS count FROM chunk_words')).toEqual({ count: chunks });
  expect(knowledge.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' });
  const report = await ingest(knowledge, [space.folder]);
  expect(report).toMatchObject({ loaded: 10 - documents, unchanged: documents });
  expect(knowledge.counts()).toMatchObject({ chunks: 100, facts: 100, entities: 3 });
});
