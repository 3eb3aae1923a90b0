/** Vectors over a real connection, from each provider that has them. */
import { describe, expect, test } from 'vitest';
import { openEmbedder } from '../../../src/effects/model/embedder.ts';
import { servedModels } from '../../support/served-models.ts';

const models = servedModels();

const { signal } = new AbortController();
const open = (reference: string) => openEmbedder(reference, { env: models.server.env.all });

const references = ['openai/text-embedding-3-small', 'google/gemini-embedding-001', 'ollama/nomic'];

describe.each(references)('%s', (reference) => {
  test('gives one vector for each text, in order', async () => {
    models.script = ({ texts }) => ({ vectors: texts.map((text) => [text.length, 0.5]) });
    const embedder = open(reference);
    const vectors = await embedder.embed(['a', 'bbb', 'cc'], signal);
    expect(vectors).toEqual(
      [
        [1, 0.5],
        [3, 0.5],
        [2, 0.5],
      ].map((v) => Float32Array.from(v)),
    );
    expect(embedder.name).toBe(reference);
    expect(models.server.requests[0]).toMatchObject({
      kind: 'embeddings',
      model: reference.split('/')[1],
    });
    expect(await embedder.embed(['dddd'], signal)).toEqual([Float32Array.from([4, 0.5])]);
  });

  test('splits large lists', async () => {
    models.script = ({ texts }) => ({ vectors: texts.map((text) => [Number(text)]) });
    const texts = Array.from({ length: 5000 }, (_, index) => String(index));
    const vectors = await open(reference).embed(texts, signal);
    expect(vectors.map(([first]) => first)).toEqual(texts.map(Number));
    expect(models.server.requests.length).toBeGreaterThan(1);
  });

  test('asks nothing for nothing', async () => {
    expect(await open(reference).embed([], signal)).toEqual([]);
    expect(models.server.requests).toEqual([]);
  });

  test('refuses too few vectors', async () => {
    models.script = () => ({ vectors: [[1]] });
    await expect(open(reference).embed(['a', 'b'], signal)).rejects.toMatchObject({
      code: 'PV4118',
      message: expect.stringContaining('not one vector for each of 2 texts'),
    });
  });

  test('fails as a model fails', async () => {
    models.script = () => ({ status: 429, headers: { 'retry-after': '2' } });
    await expect(open(reference).embed(['a'], signal)).rejects.toMatchObject({
      code: 'PV4105',
      retryable: true,
      retryAfterMs: 2000,
    });
    expect(models.server.requests).toHaveLength(1);
  });

  test('closes the connection when it is aborted', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    models.script = () => {
      controller.abort(reason);
      return { hang: true };
    };
    await expect(open(reference).embed(['a'], controller.signal)).rejects.toBe(reason);
    await models.server.requests[0]?.abandoned;
  });
});

test('a provider without embedding models is refused at once', () => {
  expect(() => open('anthropic/claude')).toThrow(
    expect.objectContaining({ code: 'PV4100', hint: expect.stringContaining('ollama') }),
  );
});
