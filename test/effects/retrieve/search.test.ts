/** Searching text by its words: relevance in two languages, any query, sources, order. */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Knowledge } from '../../../src/effects/retrieve/knowledge.ts';
import { searchChunks } from '../../../src/effects/retrieve/search.ts';
import { loaded } from './workspace.ts';

let knowledge: Knowledge;

beforeAll(async () => {
  knowledge = await loaded({
    'cities.md': `---
tags: [urbanism]
---
# Cities

## Rome

Rome is the capital of Italy. Its population is 2.75 million people.

## Madrid

Madrid is the capital of Spain. About 3.4 million people live there.

## Bern

The seat of the Swiss government. The Aare flows around the old town.
`,
    'villes.md': `# Géographie

## Genève

La ville de Genève se trouve à l’extrémité du lac Léman.

## Frontières

L’Espagne partage une frontière avec la France ; les frontières sont anciennes.
`,
    'rows.csv': 'country,area\nAndorra,468\nMonaco,2\n',
    'asia.txt': '法国的邻国是西班牙。\n',
    'notes.txt': 'Nothing about any of this.\n',
  });
});

async function search(query: string, limit = 5): Promise<string[]> {
  const context = { signal: new AbortController().signal, warn: () => {} };
  return (await searchChunks(knowledge, query, limit, context)).map(({ source }) => source);
}

describe('the best piece of text for', () => {
  test.each([
    ['What is the population of Rome?', 'cities.md#Cities > Rome'],
    ['How many people live in Madrid', 'cities.md#Cities > Madrid'],
    ['capitals of Spain', 'cities.md#Cities > Madrid'],
    ['government seats in Switzerland', 'cities.md#Cities > Bern'],
    ['Bern', 'cities.md#Cities > Bern'],
    ['geneve', 'villes.md#Géographie > Genève'],
    ['GENÈVE', 'villes.md#Géographie > Genève'],
    ['Où se trouve la ville de Gene\u0300ve ?', 'villes.md#Géographie > Genève'],
    ['frontiere', 'villes.md#Géographie > Frontières'],
    ["Quels sont les voisins de l'Espagne ?", 'villes.md#Géographie > Frontières'],
    ['area of Andorra', 'rows.csv'],
    ['西班牙', 'asia.txt'],
  ])('%s', async (query, source) => expect((await search(query))[0]).toBe(source));
});

test('front matter is searched with every piece of its file', async () => {
  expect(await search('urbanism')).toHaveLength(3);
});

test('a result has the text as it stands in the file, its lines and a score', async () => {
  const context = { signal: new AbortController().signal, warn: () => {} };
  const [first, ...others] = await searchChunks(knowledge, 'capital of Italy', 5, context);
  expect(first).toEqual({
    text: '## Rome\n\nRome is the capital of Italy. Its population is 2.75 million people.',
    source: 'cities.md#Cities > Rome',
    score: expect.any(Number),
    lines: [6, 8],
  });
  const scores = [first, ...others].map((chunk) => chunk?.score ?? 0);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  expect(scores.every((score) => score > 0)).toBe(true);
});

test('at most so many results are given', async () => {
  expect(await search('the capital city', 1)).toHaveLength(1);
});

test('equals come in the order of files and lines, not of loading', async () => {
  const files = { 'b.md': 'same words', 'a.md': 'same words' };
  const once = await loaded(files);
  const context = { signal: new AbortController().signal, warn: () => {} };
  const sources = (await searchChunks(once, 'words', 5, context)).map(({ source }) => source);
  expect(sources).toEqual(['a.md', 'b.md']);
});

describe('a query is data, never an expression', () => {
  test.each([
    '"',
    '""',
    '\'"`',
    'Rome"',
    '"Rome" AND',
    'AND OR NOT',
    'NEAR(Rome Italy, 2)',
    'text:Rome',
    'context : Rome',
    '{text context} : Rome',
    '-Rome ^Rome +Rome Rome*',
    '(((((',
    "Rome'; DROP TABLE chunks; --",
    'Rome\0Italy',
    '\ud800 Rome',
    '%_\\',
    '?1 :name @x $y',
    'rowid rank bm25(chunk_words)',
    'a'.repeat(100_000),
  ])('%j', async (query) => {
    const found = await search(query);
    if (/\brome\b/i.test(query)) expect(found[0]).toBe('cities.md#Cities > Rome');
  });

  test('any text at all', async () => {
    const unit = fc.constantFrom('grapheme', 'binary', 'binary-ascii');
    const text = unit.chain((kind) => fc.string({ unit: kind as 'grapheme', maxLength: 60 }));
    await fc.assert(
      fc.asyncProperty(text, async (query) => {
        const found = await search(`${query} Rome`, 100);
        expect(found).toContain('cities.md#Cities > Rome');
      }),
    );
  });
});

test('a query of very many words is cut, and a warning says how much', async () => {
  const warnings: string[] = [];
  const warn = (message: string): void => void warnings.push(message);
  const words = Array.from({ length: 200 }, (_, i) => `word${i}`).join(' ');
  const context = { signal: new AbortController().signal, warn };
  const found = await searchChunks(knowledge, `Bern ${words}`, 5, context);
  expect(found[0]?.source).toBe('cities.md#Cities > Bern');
  expect(warnings).toEqual(['the query has 201 words; the last 73 were not used']);
});
