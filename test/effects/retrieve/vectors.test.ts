/** Searching by meaning: vectors of an embedding model that is spoken to over HTTP. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Embedder, openEmbedder } from '../../../src/effects/model/embedder.ts';
import { retrieveHandlers } from '../../../src/effects/retrieve/handlers.ts';
import { ingest } from '../../../src/effects/retrieve/ingest.ts';
import type { Knowledge } from '../../../src/effects/retrieve/knowledge.ts';
import { type FoundChunk, searchChunks } from '../../../src/effects/retrieve/search.ts';
import { type Attempt, attempt } from '../../support/attempt.ts';
import { type ModelServer, type Script, startModelServer } from '../../support/model-server.ts';
import { loaded, workspace } from './workspace.ts';

/** What the words of the little model mean: one number each in its vectors. */
const meanings = [
  ['car', 'automobile', 'vehicle', 'drive'],
  ['doctor', 'physician', 'hospital', 'medicine'],
  ['bank', 'money', 'loan'],
];

const embed = (text: string): number[] => {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const counts = meanings.map((group) => words.filter((word) => group.includes(word)).length);
  return [...counts, 0.1];
};

const meaning: Script = ({ texts }) => ({ vectors: texts.map(embed) });

let server: ModelServer;
let script: Script = meaning;
beforeAll(async () => {
  server = await startModelServer((request) => script(request));
});
afterAll(() => server.close());
beforeEach(() => {
  script = meaning;
});

const open = (name = 'openai/little'): Embedder => openEmbedder(name, { env: server.env.openai });

const files = {
  'a.md': 'The automobile is parked outside.',
  'b.md': 'A physician works there.',
  'c.md': 'The loan is due.',
  'd.md': 'Nothing in particular, only a car park.',
};

async function search(
  knowledge: Knowledge,
  query: string,
  context: Attempt = attempt(),
): Promise<FoundChunk[]> {
  return await searchChunks(knowledge, query, 4, context);
}

const sources = (chunks: readonly FoundChunk[]): string[] => chunks.map(({ source }) => source);

test('what means the same is found though it shares no word', async () => {
  const knowledge = await loaded(files, open());
  expect(sources(await search(knowledge, 'vehicle'))[0]).toBe('a.md');
  expect(sources(await search(knowledge, 'medicine'))[0]).toBe('b.md');
  const byWords = await loaded(files);
  expect(await search(byWords, 'vehicle')).toEqual([]);
});

test('ranks of words and of meaning are fused', async () => {
  const knowledge = await loaded(files, open());
  const found = await search(knowledge, 'car');
  // d.md is first by its word and second of two equals by its meaning, a.md only the other way.
  expect(sources(found).slice(0, 2)).toEqual(['d.md', 'a.md']);
  expect(found[0]?.score).toBeCloseTo(1 / 61 + 1 / 62, 5);
  expect(found[1]?.score).toBeCloseTo(1 / 61, 5);
});

test('texts are embedded with the headings above them, in bounded batches', async () => {
  const parts = Array.from({ length: 150 }, (_, i) => `# Part ${i}\n\nText ${i}.\n`).join('\n');
  const before = server.requests.length;
  const knowledge = await loaded({ 'parts.md': parts }, open());
  const sent = server.requests.slice(before).map(({ texts }) => texts);
  expect(sent.map((texts) => texts.length)).toEqual([64, 64, 22]);
  expect(sent[0]?.[3]).toBe('Part 3\n# Part 3\n\nText 3.');
  expect(knowledge.counts().vectors).toEqual({ 'openai/little': 150 });
});

test('an unchanged file is not embedded again', async () => {
  const space = workspace(files);
  const knowledge = space.open(open());
  await ingest(knowledge, [space.folder]);
  const before = server.requests.length;
  expect(await ingest(knowledge, [space.folder])).toMatchObject({ unchanged: 4 });
  expect(server.requests.length).toBe(before);
});

describe('vectors that do not fit the model', () => {
  test('of another model are named, not compared, and replaced by loading again', async () => {
    const space = workspace(files);
    await ingest(space.open(open('openai/old')), [space.folder]);
    const knowledge = space.open(open('openai/new'));
    const before = attempt();
    expect(sources(await search(knowledge, 'vehicle car', before))).toEqual(['d.md']);
    expect(before.warnings).toEqual([
      '4 of 4 chunks have no vector of openai/new; there are vectors of openai/old; they are ' +
        'found by their words only until planvm ingest loads their files again',
    ]);
    expect(await ingest(knowledge, [space.folder])).toMatchObject({ updated: 4, unchanged: 0 });
    expect(knowledge.counts().vectors).toEqual({ 'openai/new': 4 });
    const after = attempt();
    expect(sources(await search(knowledge, 'vehicle', after))[0]).toBe('a.md');
    expect(after.warnings).toEqual([]);
  });

  test('that some texts lack are counted in a warning', async () => {
    const space = workspace(files);
    await ingest(space.open(), [space.folder]);
    const knowledge = space.open(open());
    await ingest(knowledge, [`${space.folder}/a.md`]);
    const context = attempt();
    expect(sources(await search(knowledge, 'vehicle', context))).toEqual(['a.md']);
    expect(context.warnings).toEqual([expect.stringMatching(/^3 of 4 chunks have no vector/)]);
  });

  test('of another length are a failure', async () => {
    const knowledge = await loaded(files, open());
    script = ({ texts }) => ({ vectors: texts.map(() => [1, 2]) });
    await expect(search(knowledge, 'car')).rejects.toMatchObject({
      code: 'PV4309',
      message: 'openai/little gave a vector of 2 numbers, want 4 as in the knowledge base',
    });
  });
});

test('a model that changes under its name in the middle is found out', async () => {
  const space = workspace(files);
  const knowledge = space.open(open());
  await ingest(knowledge, [space.folder]);
  script = ({ texts }) => ({ vectors: texts.map(() => [1, 2]) });
  space.write({ 'e.md': 'New.' });
  await ingest(knowledge, [space.folder]);
  await expect(search(knowledge, 'car')).rejects.toMatchObject({
    code: 'PV4309',
    message: 'the vectors of openai/little in the knowledge base differ in length',
  });
});

describe('a model that fails', () => {
  test.each([
    [401, 'PV4102', false],
    [429, 'PV4105', true],
    [503, 'PV4105', true],
  ])('with %i while searching is a failure, never a value', async (status, code, retryable) => {
    const knowledge = await loaded(files, open());
    script = () => ({ status });
    const [, , vectorSearch] = retrieveHandlers(knowledge);
    const call = vectorSearch?.perform({ query: 'car' }, attempt());
    await expect(call).rejects.toMatchObject({ name: 'EffectFailure', code, retryable });
  });

  test('while loading stops the load; what is done stays, and the next load goes on', async () => {
    const space = workspace(files);
    const knowledge = space.open(open());
    script = ({ texts }) =>
      texts[0]?.includes('loan') ? { status: 401 } : { vectors: texts.map(embed) };
    await expect(ingest(knowledge, [space.folder])).rejects.toMatchObject({ code: 'PV4102' });
    expect(knowledge.counts()).toMatchObject({ documents: 2, vectors: { 'openai/little': 2 } });
    script = meaning;
    expect(await ingest(knowledge, [space.folder])).toMatchObject({ loaded: 2, unchanged: 2 });
  });

  test('an overloaded model is asked again while loading, but not for ever', async () => {
    const space = workspace({ 'a.md': 'The automobile.' });
    const knowledge = space.open(open());
    let refusals = 2;
    const overloaded = { status: 429, headers: { 'retry-after': '0' } };
    script = (request) => (refusals-- > 0 ? overloaded : meaning(request));
    expect(await ingest(knowledge, [space.folder])).toMatchObject({ loaded: 1 });
    space.write({ 'a.md': 'Another automobile.' });
    script = () => overloaded;
    const before = server.requests.length;
    await expect(ingest(knowledge, [space.folder])).rejects.toMatchObject({ retryable: true });
    expect(server.requests.length - before).toBe(4);
  });

  test('an embedder of a program that throws or gives nonsense is reported', async () => {
    const broken: Embedder = { name: 'own', embed: () => Promise.reject(new Error('no disk')) };
    await expect(
      loaded({ 'a.md': 'text' }, { ...broken, embed: () => Promise.resolve([]) }),
    ).rejects.toMatchObject({ code: 'PV4309' });
    const nonsense: Embedder = {
      name: 'own',
      embed: (texts) => Promise.resolve(texts.map(() => new Float32Array([Number.NaN]))),
    };
    await expect(loaded({ 'a.md': 'text' }, nonsense)).rejects.toMatchObject({ code: 'PV4309' });
    const knowledge = await loaded(
      { 'a.md': 'text' },
      { name: 'own', embed: (texts) => Promise.resolve(texts.map(() => new Float32Array([1]))) },
    );
    Object.assign(knowledge.embedder ?? {}, { embed: broken.embed });
    await expect(search(knowledge, 'text')).rejects.toMatchObject({
      code: 'PV4308',
      message: 'own could not embed the text: no disk',
      retryable: true,
    });
  });

  test('a search that is cancelled reaches the socket', async () => {
    const knowledge = await loaded(files, open());
    const context = attempt();
    let abandoned: Promise<void> | undefined;
    script = (request) => {
      abandoned = request.abandoned;
      context.abort(new Error('cancelled'));
      return { hang: true };
    };
    await expect(search(knowledge, 'car', context)).rejects.toThrow('cancelled');
    await abandoned;
    expect(abandoned).toBeDefined();
  });
});

test('vectors survive the file, and are read again when another process has loaded more', async () => {
  const space = workspace({ 'a.md': 'The automobile.' });
  const writer = space.open(open());
  await ingest(writer, [space.folder]);
  const reader = space.open(open());
  expect(sources(await search(reader, 'drive'))).toEqual(['a.md']);
  space.write({ 'b.md': 'Drive, drive, drive.' });
  await ingest(writer, [space.folder]);
  expect(sources(await search(reader, 'vehicle'))).toEqual(['a.md', 'b.md']);
});
