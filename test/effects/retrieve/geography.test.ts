/** The geography that the examples and the demo stand on: complete, sourced, the same in all files. */
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { GraphAnswer } from '../../../src/effects/retrieve/graph-answer.ts';
import { retrieveHandlers } from '../../../src/effects/retrieve/handlers.ts';
import { ingest } from '../../../src/effects/retrieve/ingest.ts';
import { openKnowledge } from '../../../src/effects/retrieve/knowledge.ts';
import type { FoundChunk } from '../../../src/effects/retrieve/search.ts';
import { attempt } from '../../support/attempt.ts';
import { root, textOf } from '../../support/repo.ts';

const folder = 'examples/geography/knowledge';
const area = 'area in square kilometres';
const knowledge = openKnowledge(':memory:');
const [graphTool, chunkTool] = retrieveHandlers(knowledge);

beforeAll(async () => {
  const report = await ingest(knowledge, [join(root, folder)]);
  expect(report).toMatchObject({ loaded: 6, skipped: 0 });
});

const ask = async (query: string): Promise<GraphAnswer> =>
  (await graphTool?.perform({ query }, attempt())) as GraphAnswer;

const search = async (query: string, limit: number): Promise<FoundChunk[]> =>
  (await chunkTool?.perform({ embedding_query: query, top_k: limit }, attempt())) as FoundChunk[];

/** Rows of one of the CSV files: subject, value, source and date. */
function rows(name: string): { subject: string; value: number; source: string; date: string }[] {
  const [, ...lines] = textOf(`${folder}/${name}`).trim().split('\n');
  return lines.map((line) => {
    const cells = [...line.matchAll(/"([^"]*)"|([^,]+)/g)].map((match) => match[1] ?? match[2]);
    const [subject = '', , value, source = '', date = ''] = cells;
    return { subject, value: Number(value), source, date };
  });
}

const areas = new Map(rows('areas.csv').map(({ subject, value }) => [subject, value]));
const populations = new Map(rows('populations.csv').map(({ subject, value }) => [subject, value]));

const neighbours = [
  'Spain',
  'Germany',
  'Italy',
  'Switzerland',
  'Belgium',
  'Luxembourg',
  'Andorra',
  'Monaco',
];

test('the neighbours, by area; the third is Italy', () => {
  const sorted = [...areas].sort(([, a], [, b]) => b - a).map(([name]) => name);
  expect(sorted).toEqual(['France', ...neighbours]);
  expect(new Set(areas.values()).size).toBe(areas.size);
});

test.each([
  ['What is the capital city of Italy?', 'Rome'],
  ['Rome is the capital of which country?', 'Italy'],
  ['Which is the area of Monaco, in square kilometres?', '2'],
  ['Which countries share a border with France?', neighbours.toSorted().join(', ')],
  [
    'The capital and the area of Spain and Italy',
    'Italy: area in square kilometres 302073; capital Rome\n' +
      'Spain: area in square kilometres 505944; capital Madrid',
  ],
])('%s is answered in words', async (query, text) => {
  const answer = await ask(query);
  expect(answer.text?.split('\n').sort().join('\n')).toBe(text);
});

test.each(['Italy', 'something else'])('%s asks for nothing of a thing', async (query) => {
  expect(await ask(query)).not.toHaveProperty('text');
});

test('every fact has its source and its date', () => {
  for (const { source, date } of [...rows('areas.csv'), ...rows('populations.csv')]) {
    expect(source).toMatch(/\w{4}/);
    expect(date).toMatch(/^\d{4}(-\d\d-\d\d)?$/);
  }
  const readme = textOf(`${folder}/README.md`);
  const named = [...populations.keys()].filter((city) => readme.includes(`| ${city} |`));
  expect(named).toEqual([...populations.keys()]);
});

test('every country has one capital, and each capital a population', async () => {
  for (const country of areas.keys()) {
    const { relations } = await ask(`What is the capital of ${country}?`);
    const capitals = relations.filter(
      ({ subject, predicate }) => subject === country && predicate === 'capital',
    );
    expect(capitals, country).toHaveLength(1);
    expect(populations.get(capitals[0]?.object ?? ''), country).toBeGreaterThan(1_000);
  }
});

test('the prose says the same as the tables', () => {
  const text = textOf(`${folder}/neighbours.md`).replaceAll('\n', ' ');
  const inOrder = neighbours.map(
    (name) => `${name} (${areas.get(name)?.toLocaleString('en')} km²)`,
  );
  const sentence = /From the largest to the smallest: (.*?)\./.exec(text)?.[1];
  expect(sentence?.split(/, (?=[A-Z])| and (?=[A-Z])/)).toEqual(inOrder);
  const sections = textOf(`${folder}/capitals.md`).split(/^## /m).slice(1);
  const told = sections.map((section) => {
    const [city = ''] = section.split('\n');
    const [, count = ''] = /([\d,]{5,})\s+inhabitants/.exec(section) ?? [];
    return [city, Number(count.replaceAll(',', ''))];
  });
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(populations));
});

describe('the questions of the example plans', () => {
  test('List all countries that share a border with France.', async () => {
    const { entities, relations, note } = await ask(
      'List all countries that share a border with France.',
    );
    expect(relations.slice(0, 8).map(({ object }) => object)).toEqual(neighbours.toSorted());
    expect(entities.map(({ name }) => name)).toEqual(['France', ...neighbours.toSorted(), 'Paris']);
    expect(note).toBeUndefined();
  });

  test('Provide the area in square kilometers for each of these countries: …', async () => {
    const answer = await ask('List all countries that share a border with France.');
    const query = 'Provide the area in square kilometers for each of these countries';
    const { entities } = await ask(`${query}: ${JSON.stringify(answer)}.`);
    const found = entities.map(({ name, properties }) => [name, properties[area]]);
    expect(Object.fromEntries(found)).toMatchObject(Object.fromEntries(areas));
    expect(entities.find(({ name }) => name === 'Italy')).toMatchObject({
      aliases: ['Italie'],
      types: ['country'],
      qualifiers: { [area]: { source: 'UNdata country profiles', year: '2017' } },
      source: expect.stringMatching(/^areas\.csv:5, borders\.ttl:\d+$/),
    });
  });

  test('What is the capital city of Italy?', async () => {
    const { relations } = await ask('What is the capital city of Italy?');
    expect(relations[0]).toMatchObject({ subject: 'Italy', predicate: 'capital', object: 'Rome' });
  });

  test('Population data for Rome.', async () => {
    const [best] = await search('Population data for Rome.', 3);
    expect(best?.source).toBe('capitals.md#The capitals of France and its neighbours > Rome');
    expect(best?.text).toContain('2,749,031');
  });

  test.each([
    ['Quelle est la superficie de l’Espagne ?', 'Spain'],
    ['Quels pays partagent une frontière avec la Suisse ?', 'Switzerland'],
    ['Bruxelles', 'Brussels'],
  ])('%s', async (query, name) => expect((await ask(query)).entities[0]?.name).toBe(name));
});
