/** How the results of retrievals are put into words. */
import { expect, test } from 'vitest';
import { fromJson } from '../../src/program/json.ts';
import { wordsOf } from '../../src/program/retrieved-text.ts';

const piece = (text: string) => ({ text, source: 'a.md#A', score: 1.5, lines: [1, 2] });
const relation = { subject: 'Italy', predicate: 'capital', object: 'Rome', source: 'b.ttl:3' };
const entity = {
  ...{ name: 'Italy', aliases: ['Italia'], types: ['country', 'state'], source: 'b.ttl:1' },
  properties: { area: 302073, codes: ['IT', 'ITA'] },
};
const bare = { name: 'Rome', types: [], properties: {}, source: 'b.ttl:3' };
const inWords = 'Italy (country, state): area 302073; codes IT, ITA';

test.each<[string, unknown, string]>([
  ['a piece of text', piece('Rome.'), 'Rome.'],
  ['pieces of text', [piece('Rome.'), piece('Bern.')], 'Rome.\n\nBern.'],
  ['what a graph was asked for', { text: 'Rome', entities: [entity], relations: [] }, 'Rome'],
  [
    'all that a graph says',
    { entities: [entity, bare], relations: [relation], note: 'Left out: 2 entities.' },
    `Italy capital Rome\n${inWords}\nRome\nLeft out: 2 entities.`,
  ],
  ['a graph that has nothing', { entities: [], relations: [], note: 'nothing' }, 'nothing'],
  ['the entities of a graph', [entity, bare], `${inWords}\nRome`],
  ['a relation of a graph', relation, 'Italy capital Rome'],
])('%s', (_, value, text) => expect(wordsOf(fromJson(value))).toBe(text));

test.each<[string, unknown]>([
  ['data with a text of its own', { text: 'a', author: 'b' }],
  ['a piece with more in it', { ...piece('a'), more: 1 }],
  ['a piece whose text is none', { ...piece('a'), text: 1 }],
  ['a graph of other things', { entities: [{ id: 1 }], relations: [] }],
  ['a list of pieces and others', [piece('a'), 1]],
  ['an empty list', []],
  ['null', null],
])('%s stays JSON', (_, value) => expect(wordsOf(fromJson(value))).toBe(JSON.stringify(value)));
