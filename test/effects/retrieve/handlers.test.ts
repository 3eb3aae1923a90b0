/** The tools as programs call them: arguments, results, warnings and failures. */
import { beforeAll, describe, expect, test } from 'vitest';
import { codes } from '../../../src/effects/retrieve/codes.ts';
import { retrieveHandlers } from '../../../src/effects/retrieve/handlers.ts';
import { type Knowledge, openKnowledge } from '../../../src/effects/retrieve/knowledge.ts';
import type { Arguments, Handler } from '../../../src/engine/handler.ts';
import { fromJson } from '../../../src/program/json.ts';
import { attempt } from '../../support/attempt.ts';
import { filesUnder, textOf } from '../../support/repo.ts';
import { loaded, workspace } from './workspace.ts';

let knowledge: Knowledge;
beforeAll(async () => {
  knowledge = await loaded({
    'a.md': Array.from({ length: 20 }, (_, i) => `# Part ${i}\nSpain and words.\n`).join(''),
    'b.csv': 'subject,predicate,object\nSpain,area,505990\n',
  });
});

function handler(name: string, from: Parameters<typeof retrieveHandlers>[0] = knowledge): Handler {
  const found = retrieveHandlers(from).find(({ spec }) => spec.name === name);
  if (!found) throw new Error(`no tool ${name}`);
  return found;
}

const call = (name: string, args: Arguments): Promise<unknown> =>
  handler(name).perform(args, attempt());

test('the tools, as checkers and prompts know them', () => {
  const specs = retrieveHandlers(knowledge).map(({ spec }) => [
    spec.name,
    Object.keys(spec.parameters.properties ?? {}),
    spec.parameters.required,
  ]);
  expect(specs).toEqual([
    ['retrieve_knowledge_graph', ['query', 'depth'], ['query']],
    ['retrieve_embedded_chunks', ['embedding_query', 'top_k'], ['embedding_query']],
    ['vector_search', ['query', 'top_k'], ['query']],
  ]);
  for (const { spec } of retrieveHandlers(knowledge)) {
    expect(spec).toMatchObject({
      kind: 'retrieve',
      effect: 'read',
      idempotent: true,
      destructive: false,
    });
  }
});

test('the defaults are those that the declarations name', async () => {
  expect(await call('vector_search', { query: 'Spain' })).toHaveLength(10);
  expect(await call('retrieve_embedded_chunks', { embedding_query: 'Spain' })).toHaveLength(5);
  expect(await call('vector_search', { query: 'Spain', top_k: 3 })).toHaveLength(3);
});

test('results are data that a program can hold', async () => {
  const graph = await call('retrieve_knowledge_graph', { query: 'Spain' });
  expect(graph).toEqual({
    entities: [{ name: 'Spain', types: [], properties: { area: 505990 }, source: 'b.csv:2' }],
    relations: [],
  });
  expect(() => fromJson(graph)).not.toThrow();
  expect(await call('vector_search', { query: 'Part 7', top_k: 1 })).toEqual([
    {
      text: '# Part 7\nSpain and words.',
      source: 'a.md#Part 7',
      score: expect.any(Number),
      lines: [15, 16],
    },
  ]);
});

test('nothing found is a value and a warning', async () => {
  const graph = attempt();
  const empty = await handler('retrieve_knowledge_graph').perform({ query: 'zorblax' }, graph);
  expect(empty).toMatchObject({ entities: [], relations: [], note: graph.warnings[0] });
  expect(graph.warnings).toHaveLength(1);
  const search = attempt();
  expect(await handler('vector_search').perform({ query: 'zorblax' }, search)).toEqual([]);
  expect(search.warnings).toEqual(['nothing matched in 20 pieces of text']);
});

test('a search in facts alone says where to look', async () => {
  const facts = await loaded({ 'b.csv': 'subject,predicate,object\nSpain,area,505990\n' });
  const search = attempt();
  expect(await handler('vector_search', facts).perform({ query: 'Spain' }, search)).toEqual([]);
  expect(search.warnings).toEqual([expect.stringContaining('use retrieve_knowledge_graph')]);
});

describe('arguments that cannot be used', () => {
  test.each([
    ['vector_search', { query: '' }, 'PV4305', 'query: got "", want text with a word'],
    ['vector_search', { query: '?!' }, 'PV4305', 'query: got "?!"'],
    ['vector_search', { query: ['Spain'] }, 'PV4305', 'query: got object'],
    ['retrieve_embedded_chunks', { query: 'Spain' }, 'PV4305', 'embedding_query: got undefined'],
    [
      'vector_search',
      { query: 'x', top_k: 0 },
      'PV4306',
      'top_k: got 0, want an integer from 1 to 100',
    ],
    ['vector_search', { query: 'x', top_k: 101 }, 'PV4306', 'top_k: got 101'],
    ['vector_search', { query: 'x', top_k: 2.5 }, 'PV4306', 'top_k: got 2.5'],
    ['vector_search', { query: 'x', top_k: '3' }, 'PV4306', 'top_k: got "3"'],
    [
      'vector_search',
      { query: 'x', top_k: 10n ** 20n },
      'PV4306',
      'top_k: got 100000000000000000000',
    ],
    [
      'retrieve_knowledge_graph',
      { query: 'x', depth: 5 },
      'PV4307',
      'depth: got 5, want an integer from 0 to 4',
    ],
    ['retrieve_knowledge_graph', { query: 'x', depth: -1 }, 'PV4307', 'depth: got -1'],
  ])('%s %o', async (name, args, code, message) => {
    await expect(call(name, args)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
      retryable: false,
    });
  });
});

describe('a knowledge base that is not there', () => {
  test('is opened when a tool is used, not before, and asked for again after a failure', async () => {
    const space = workspace();
    let opened = 0;
    const search = handler('vector_search', () => {
      opened++;
      return openKnowledge(space.database, { mustExist: true });
    });
    expect(opened).toBe(0);
    const missing = { code: 'PV4300', hint: expect.stringContaining('planvm ingest') };
    await expect(search.perform({ query: 'x' }, attempt())).rejects.toMatchObject(missing);
    space.open();
    const empty = { code: 'PV4301', hint: expect.stringContaining('planvm ingest') };
    await expect(search.perform({ query: 'x' }, attempt())).rejects.toMatchObject(empty);
    await expect(search.perform({ query: 'x' }, attempt())).rejects.toMatchObject(empty);
    expect(opened).toBe(2);
  });
});

test('every code that is used is in the table, and every code in the table is used', () => {
  const used = filesUnder('src/effects/retrieve')
    .filter((path) => !path.endsWith('/codes.ts'))
    .flatMap((path) => textOf(path).match(/PV\d{4}/g) ?? []);
  expect([...new Set(used)].sort()).toEqual(Object.keys(codes).sort());
});
