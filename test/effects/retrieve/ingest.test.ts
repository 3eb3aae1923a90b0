/** Loading files: what is taken, skipped with which reason, left alone, replaced and removed. */
import { chmodSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { queryGraph } from '../../../src/effects/retrieve/graph-answer.ts';
import { type IngestProgress, ingest } from '../../../src/effects/retrieve/ingest.ts';
import type { Knowledge } from '../../../src/effects/retrieve/knowledge.ts';
import { openKnowledge } from '../../../src/effects/retrieve/knowledge.ts';
import { searchChunks } from '../../../src/effects/retrieve/search.ts';
import { summary, workspace } from './workspace.ts';

const header = 'subject,predicate,object\n';
const context = { signal: new AbortController().signal, warn: () => {} };

const sourcesFor = async (knowledge: Knowledge, query: string): Promise<string[]> =>
  (await searchChunks(knowledge, query, 10, context)).map(({ source }) => source);

test('every type is loaded, sorted by path, with progress for each file', async () => {
  const space = workspace({
    'b.md': '# B\ntext',
    'a.txt': 'plain',
    'sub/c.csv': `${header}X,p,1\n`,
    'sub/d.tsv': 'subject\tpredicate\tobject\nX\tq\tY\n',
    'e.json': '[["X","r","Y"]]',
    'g.ttl': '<http://e.org/a> <http://e.org/p> 1 .',
    'h.nt': '<http://e.org/a> <http://e.org/p> "2" .\n',
  });
  const seen: IngestProgress[] = [];
  const knowledge = space.open();
  const report = await ingest(knowledge, [space.folder], { onProgress: (p) => seen.push(p) });
  expect(summary(report)).toEqual([
    'a.txt: loaded',
    'b.md: loaded',
    'e.json: loaded',
    'g.ttl: loaded',
    'h.nt: loaded',
    'sub/c.csv: loaded',
    'sub/d.tsv: loaded',
  ]);
  expect(report.files.map(({ chunks, facts }) => [chunks, facts])).toEqual([
    [1, 0],
    [1, 0],
    [0, 1],
    [0, 1],
    [0, 1],
    [0, 1],
    [0, 1],
  ]);
  expect(seen.map(({ done, total }) => `${done}/${total}`)).toEqual([
    '1/7',
    '2/7',
    '3/7',
    '4/7',
    '5/7',
    '6/7',
    '7/7',
  ]);
  expect(seen.map(({ file }) => file)).toEqual(report.files);
  expect(knowledge.counts()).toMatchObject({ documents: 7, chunks: 2, facts: 5 });
});

test('the same files again change nothing', async () => {
  const space = workspace({ 'a.md': '# A\ntext', 'b.csv': `${header}X,p,Y\n` });
  const knowledge = space.open();
  await ingest(knowledge, [space.folder]);
  const before = { ...knowledge.counts(), version: knowledge.version };
  const report = await ingest(knowledge, [space.folder, join(space.folder, 'a.md')]);
  expect(summary(report)).toEqual(['a.md: unchanged', 'b.csv: unchanged']);
  expect(report).toMatchObject({ loaded: 0, updated: 0, unchanged: 2, skipped: 0, removed: 0 });
  expect(report.files.map(({ chunks, facts }) => [chunks, facts])).toEqual([
    [1, 0],
    [0, 1],
  ]);
  expect({ ...knowledge.counts(), version: knowledge.version }).toEqual(before);
});

test('a changed file is replaced: its old text, facts and names are gone', async () => {
  const space = workspace({
    'a.md': '# Old heading\nzebra',
    'b.csv': `${header}Atlantis,capital,Poseidonis\nAtlantis,label,Sunken Land\n`,
    'c.csv': `${header}Spain,capital,Madrid\n`,
  });
  const knowledge = space.open();
  await ingest(knowledge, [space.folder]);
  space.write({ 'a.md': '# New heading\ngiraffe', 'b.csv': `${header}Spain,area,505990\n` });
  const report = await ingest(knowledge, [space.folder]);
  expect(summary(report)).toEqual(['a.md: updated', 'b.csv: updated', 'c.csv: unchanged']);
  expect(await sourcesFor(knowledge, 'zebra old')).toEqual([]);
  expect(await sourcesFor(knowledge, 'giraffe')).toEqual(['a.md#New heading']);
  expect(queryGraph(knowledge, 'Atlantis Poseidonis Sunken Land', 1).entities).toEqual([]);
  expect(queryGraph(knowledge, 'Spain', 1).entities[0]?.properties).toEqual({ area: 505990 });
  // Spain, Madrid, capital, area: what no file mentions any more is forgotten.
  expect(knowledge.counts()).toMatchObject({ documents: 3, chunks: 1, facts: 2, entities: 4 });
});

test('each skipped file has its reason, and the line where it is malformed', async () => {
  const space = workspace({
    'bad.csv': 'a,b\n1,"2\n',
    'bad.json': '[1,\n2',
    'bad.ttl': '\n\n<a> <b> .',
    'binary.md': new Uint8Array([0x23, 0x20, 0x00, 0x41]),
    'code.py': 'print(1)\n',
    'latin.txt': new Uint8Array([0x63, 0x6f, 0x6e, 0xe7, 0x75]),
    'page.html': '<p>x</p>',
    'paper.pdf': '%PDF-1.7',
    'good.md': 'text',
    '.env': 'SECRET=1',
    '.hidden/a.md': 'text',
    'node_modules/p/readme.md': 'text',
  });
  mkdirSync(join(space.folder, 'elsewhere'));
  symlinkSync(space.folder, join(space.folder, 'elsewhere', 'loop'));
  symlinkSync(join(space.folder, 'good.md'), join(space.folder, 'link.md'));
  const knowledge = space.open();
  const report = await ingest(knowledge, [space.folder]);
  const types = '.md .markdown .txt .text .csv .tsv .json .ttl .nt';
  expect(summary(report)).toEqual([
    'bad.csv:2: skipped PV4311 a quoted cell begins here and is never closed',
    expect.stringMatching(/^bad\.json:2: skipped PV4311 ./),
    'bad.ttl:3: skipped PV4311 Expected entity but got .',
    'binary.md: skipped PV4314 binary: it contains zero bytes',
    `code.py: skipped PV4312 got the type .py, want ${types}`,
    'elsewhere/loop: skipped PV4315 a link to a folder, or to nothing',
    'good.md: loaded',
    'latin.txt: skipped PV4314 not UTF-8: save it in that encoding',
    'link.md: loaded',
    'page.html: skipped PV4312 .html follows in a later version',
    'paper.pdf: skipped PV4312 .pdf follows in a later version',
  ]);
  expect(report.skipped).toBe(9);
  expect(knowledge.counts().documents).toBe(2);
});

test('a file that is too large is not read', async () => {
  const space = workspace({ 'large.txt': 'x'.repeat(32 * 2 ** 20 + 1) });
  expect(summary(await ingest(space.open(), [space.folder]))).toEqual([
    'large.txt: skipped PV4313 too large: got 33554433 bytes, want at most 33554432',
  ]);
});

test('a file that may not be read is skipped with the reason', async () => {
  const space = workspace({ 'a.md': 'text' });
  chmodSync(join(space.folder, 'a.md'), 0o000);
  const report = await ingest(space.open(), [space.folder]);
  // The superuser reads everything.
  const want = process.getuid?.() === 0 ? /^a\.md: loaded$/ : /^a\.md: skipped PV4315 .*EACCES/;
  expect(summary(report)).toEqual([expect.stringMatching(want)]);
});

test('a file named by itself is read as text whatever its type', async () => {
  const space = workspace({ 'notes.org': '* heading\nzebra' });
  const knowledge = space.open();
  expect(summary(await ingest(knowledge, [join(space.folder, 'notes.org')]))).toEqual([
    'notes.org: loaded',
  ]);
  expect(await sourcesFor(knowledge, 'zebra')).toEqual(['notes.org']);
});

test('a file that breaks keeps its last good version, and says so', async () => {
  const space = workspace({ 'a.csv': `${header}Spain,area,1\n` });
  const knowledge = space.open();
  await ingest(knowledge, [space.folder]);
  space.write({ 'a.csv': `${header}Spain,area\n` });
  const [file] = (await ingest(knowledge, [space.folder])).files;
  expect(file).toMatchObject({ status: 'skipped', kept: true, refusal: { line: 2 } });
  expect(queryGraph(knowledge, 'Spain', 1).entities[0]?.properties).toEqual({ area: 1 });
});

test('Windows line ends and a byte order mark make no difference', async () => {
  const space = workspace({ 'a.csv': '\ufeffsubject,predicate,object\r\nSpain,area,1\r\n' });
  const knowledge = space.open();
  await ingest(knowledge, [space.folder]);
  expect(queryGraph(knowledge, 'Spain', 1).entities).toEqual([
    { name: 'Spain', types: [], properties: { area: 1 }, source: 'a.csv:2' },
  ]);
});

test('prune removes what has vanished under the given paths, and nothing else', async () => {
  const space = workspace({ 'a/x.md': 'alpha', 'a/y.md': 'beta', 'b/z.md': 'gamma' });
  const knowledge = space.open();
  await ingest(knowledge, [space.folder]);
  space.remove('a/y.md');
  space.remove('b/z.md');
  expect((await ingest(knowledge, [space.folder])).removed).toBe(0);
  const report = await ingest(knowledge, [join(space.folder, 'a')], { prune: true });
  expect(summary(report)).toEqual(['a/y.md: removed', 'a/x.md: unchanged']);
  expect(await sourcesFor(knowledge, 'alpha beta gamma')).toEqual(['a/x.md', 'b/z.md']);
  // A path that is gone altogether can be pruned by its name.
  const gone = await ingest(knowledge, [join(space.folder, 'b', 'z.md')], { prune: true });
  expect(summary(gone)).toEqual(['b/z.md: removed']);
});

test('a path that does not exist, or none, is an error before anything is loaded', async () => {
  const space = workspace({ 'a.md': 'text' });
  const knowledge = space.open();
  const missing = join(space.folder, 'missing.md');
  await expect(ingest(knowledge, [space.folder, missing])).rejects.toMatchObject({
    code: 'PV4310',
    message: `${missing} does not exist`,
  });
  await expect(ingest(knowledge, [])).rejects.toMatchObject({ code: 'PV4310' });
  expect(knowledge.counts().documents).toBe(0);
});

test('files of one name in several folders are cited apart', async () => {
  const space = workspace({ 'a/README.md': 'alpha', 'b/README.md': 'alpha beta' });
  const knowledge = space.open();
  await ingest(knowledge, [join(space.folder, 'a'), join(space.folder, 'b')]);
  expect(await sourcesFor(knowledge, 'beta alpha')).toEqual(['b/README.md', 'README.md']);
});

test('files and database can move together', async () => {
  const space = workspace({ 'a.md': 'alpha' });
  const first = space.open();
  await ingest(first, [space.folder]);
  first.close();
  const moved = `${space.folder}-moved`;
  mkdirSync(moved);
  renameSync(space.folder, join(moved, 'files'));
  renameSync(join(space.database, '..'), join(moved, '.planvm'));
  const second = openKnowledge(join(moved, '.planvm', 'knowledge.db'));
  expect(summary(await ingest(second, [join(moved, 'files')]))).toEqual(['a.md: unchanged']);
  second.close();
});

test('an aborted load stops between files and keeps those that are done', async () => {
  const space = workspace({ 'a.md': 'alpha', 'b.md': 'beta', 'c.md': 'gamma' });
  const knowledge = space.open();
  const stop = new AbortController();
  const onProgress = ({ done }: IngestProgress): void => {
    if (done === 2) stop.abort(new Error('enough'));
  };
  const work = ingest(knowledge, [space.folder], { signal: stop.signal, onProgress });
  await expect(work).rejects.toThrow('enough');
  expect(knowledge.counts().documents).toBe(2);
  expect(await ingest(knowledge, [space.folder])).toMatchObject({ loaded: 1, unchanged: 2 });
});
