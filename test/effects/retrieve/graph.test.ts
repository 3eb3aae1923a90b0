/** Questions to the graph: which entities they name, what comes with them, in which order, how much. */
import { beforeAll, describe, expect, test } from 'vitest';
import { graphLimits } from '../../../src/effects/retrieve/graph.ts';
import { type GraphAnswer, queryGraph } from '../../../src/effects/retrieve/graph-answer.ts';
import type { Knowledge } from '../../../src/effects/retrieve/knowledge.ts';
import { loaded } from './workspace.ts';

const turtle = `@prefix g: <http://geo.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
g:FR a g:Country ; rdfs:label "France"@en, "Frankreich"@de ;
  g:sharesBorderWith g:DE, g:LU ; g:capital g:Paris .
g:DE a g:Country ; rdfs:label "Germany"@en, "Allemagne"@fr ; skos:altLabel "Federal Republic" ;
  g:areaKm2 357592 ; g:capital g:Berlin ; g:motto "Einigkeit"@de .
g:LU a g:Country ; rdfs:label "Luxembourg"@en ; g:areaKm2 2586.4 ; g:founded "0963-01-01" .
g:Berlin a g:City ; rdfs:label "Berlin" ; g:population 3700000 .
g:Country rdfs:label "country"@en, "pays"@fr .
g:areaKm2 rdfs:label "area in square kilometres"@en, "superficie"@fr .
g:NewYork rdfs:label "New York" . g:York rdfs:label "York" .
`;

const csv = `subject,predicate,object,source,year
Germany,borders sea,North Sea,BSH,
Germany,population,83600000,Destatis,2024
Germany,population,84700000,Destatis,2023
Us,is a,Band,,
Chad,is a,Country,,
Chad,capital,N'Djamena,,
`;

let knowledge: Knowledge;
beforeAll(async () => {
  knowledge = await loaded({ 'geo.ttl': turtle, 'more.csv': csv, 'text.md': 'Some text.' });
});

const ask = (query: string, depth = 1): GraphAnswer => queryGraph(knowledge, query, depth);
const names = (answer: GraphAnswer): string[] => answer.entities.map(({ name }) => name);
const relations = (answer: GraphAnswer): string[] =>
  answer.relations.map((relation) =>
    [relation.subject, relation.predicate, relation.object].join(' | '),
  );

describe('the entities that a query names come first, in its order', () => {
  test.each([
    [
      'Provide the area for each of these countries: Luxembourg, Germany.',
      ['Luxembourg', 'Germany'],
    ],
    ['List all countries that share a border with France.', ['France']],
    ["What is Germany's capital?", ['Germany']],
    ['Quelle est la superficie de l’Allemagne ?', ['Germany']],
    ['the federal republic', ['Germany']],
    ['FRANKREICH', ['France']],
    [
      '{"entities":[{"name":"Germany","types":["Country"]},{"name":"Luxembourg"}]}',
      ['Germany', 'Luxembourg'],
    ],
    ['York, New York', ['York', 'New York']],
    ['Tell us about Berlin', ['Berlin']],
    ['Berlin and the US', ['Berlin', 'Us']],
    ["N'Djamena or n’djamena", ["N'Djamena"]],
  ])('%s', (query, found) => expect(names(ask(query, 0))).toEqual(found));
});

test('an entity has its types, other names, properties, and where they are stated', () => {
  expect(ask('Germany', 0)).toEqual({
    entities: [
      {
        name: 'Germany',
        aliases: ['Allemagne', 'Federal Republic'],
        types: ['country'],
        properties: {
          'area in square kilometres': 357592,
          motto: 'Einigkeit',
          population: [83600000, 84700000],
        },
        qualifiers: {
          motto: { language: 'de' },
          population: [
            { source: 'Destatis', year: '2024' },
            { source: 'Destatis', year: '2023' },
          ],
        },
        source: 'geo.ttl:6-7, more.csv:3-4',
      },
    ],
    relations: [],
  });
});

test('a plain name in one file and a label in another are one entity', () => {
  expect(relations(ask('Germany'))).toContain('Germany | borders sea | North Sea');
  expect(relations(ask('North Sea', 2))).toContain('Germany | capital | Berlin');
});

test('names and aliases in CSV name their subjects', async () => {
  const base = await loaded({
    'q.csv':
      'subject,predicate,object\nQ142,label,France\nQ142,alias,l’Hexagone\nQ142,area,551500\n',
  });
  expect(queryGraph(base, 'How large is L’HEXAGONE?', 1).entities).toEqual([
    {
      name: 'France',
      aliases: ['l’Hexagone'],
      types: [],
      properties: { area: 551500 },
      source: 'q.csv:4',
    },
  ]);
});

test('a relation says where it stands and what its source says of it', () => {
  expect(ask('Germany').relations).toContainEqual({
    subject: 'Germany',
    predicate: 'borders sea',
    object: 'North Sea',
    source: 'more.csv:2',
    qualifiers: { source: 'BSH' },
  });
});

test('neighbours come to the depth, with their properties', () => {
  expect(names(ask('France', 0))).toEqual(['France']);
  expect(names(ask('France', 1))).toEqual(['France', 'Germany', 'Luxembourg', 'Paris']);
  expect(names(ask('France', 2))).toEqual([
    'France',
    'Germany',
    'Luxembourg',
    'Paris',
    'Berlin',
    'North Sea',
  ]);
  const luxembourg = ask('France', 1).entities[2];
  expect(luxembourg?.properties).toEqual({
    'area in square kilometres': 2586.4,
    founded: '0963-01-01',
  });
});

test('at depth 0 only relations among the named entities are given', () => {
  expect(relations(ask('France and Germany', 0))).toEqual([
    'France | shares border with | Germany',
  ]);
});

test('what the query asks for comes first', () => {
  expect(relations(ask('Which countries share a border with France?'))).toEqual([
    'France | shares border with | Germany',
    'France | shares border with | Luxembourg',
    'France | capital | Paris',
  ]);
  expect(relations(ask('What is the capital of France?'))[0]).toBe('France | capital | Paris');
  expect(names(ask('What is the capital of France?'))).toEqual([
    'France',
    'Paris',
    'Germany',
    'Luxembourg',
  ]);
  const properties = ask('What is the population of Germany?', 0).entities[0]?.properties;
  expect(Object.keys(properties ?? {})[0]).toBe('population');
});

test('a class leads to its members where nothing else is named', () => {
  expect(names(ask('Name one country'))).toEqual([
    'country',
    'Chad',
    'France',
    'Germany',
    'Luxembourg',
  ]);
  expect(names(ask('pays'))[0]).toBe('country');
  // Beside a name, the word for the class is only a word.
  expect(names(ask('Which country is France?', 0))).toEqual(['France']);
});

test('a member does not lead to its class and so to all other members', () => {
  expect(names(ask('Chad', 3))).toEqual(['Chad', "N'Djamena"]);
});

test('without a name the nearest names are given, with a note', () => {
  const answer = ask('the republics', 0);
  expect(names(answer)).toEqual(['Germany']);
  expect(answer.note).toBe('The query names no entity; these are the nearest by their words.');
});

test('without any name the properties that the query names are given', () => {
  const answer = ask('superficies', 0);
  expect(names(answer)).toEqual(['Germany', 'Luxembourg']);
  expect(answer.note).toContain('have a property that it names');
});

test('nothing matched is an empty answer that says so', () => {
  expect(ask('zorblax quux')).toEqual({
    entities: [],
    relations: [],
    note: expect.stringMatching(/^nothing matched: the query names no entity .* 1 pieces of text/),
  });
});

test('integers beyond 2^53 and long fractions keep their digits', async () => {
  const base = await loaded({
    'n.ttl':
      '<http://e.org/X> <http://e.org/a> 12345678901234567890 ; <http://e.org/b> 3.14159265358979323846 ; <http://e.org/c> true .',
  });
  expect(queryGraph(base, 'X', 0).entities[0]?.properties).toEqual({
    a: 12345678901234567890n,
    b: '3.14159265358979323846',
    c: true,
  });
});

test('the answer does not depend on the order of loading', async () => {
  const renamed = await loaded({ 'a.csv': csv, 'z.ttl': turtle });
  const strip = (answer: GraphAnswer): string =>
    JSON.stringify(answer)
      .replaceAll('more.csv', 'a.csv')
      .replaceAll('geo.ttl', 'z.ttl')
      .replace(/"source":"[^"]*"/g, '');
  for (const query of ['France and Germany', 'population', 'country']) {
    expect(strip(queryGraph(renamed, query, 2))).toBe(strip(ask(query, 2)));
  }
});

describe('bounds', () => {
  test('more neighbours than fit are counted in a note, those asked for are kept', async () => {
    const many = Array.from({ length: 300 }, (_, i) => `Hub,links to,Spoke ${i}\n`).join('');
    const base = await loaded({
      'hub.csv': `subject,predicate,object\n${many}Hub,ruled by,Queen\n`,
    });
    const answer = queryGraph(base, 'Who is the Hub ruled by?', 1);
    expect(answer.entities).toHaveLength(graphLimits.entities);
    expect(names(answer).slice(0, 2)).toEqual(['Hub', 'Queen']);
    expect(answer.relations).toHaveLength(200);
    expect(answer.note).toMatch(/^Left out: 252 entities and 101 relations \(limits 50 and 200\)/);
  });

  test('a hub with more facts than are looked at still gives those asked for', async () => {
    const many = Array.from({ length: 1_500 }, (_, i) => `Hub,links to,Spoke ${i}\n`).join('');
    const base = await loaded({
      'hub.csv': `subject,predicate,object\n${many}Hub,ruled by,Queen\n`,
    });
    const answer = queryGraph(base, 'Who is the Hub ruled by?', 1);
    expect(relations(answer)[0]).toBe('Hub | ruled by | Queen');
    expect(answer.note).toContain('1301 relations');
  });

  test('long texts are cut with a note, and the answer stays bounded', async () => {
    const facts = Array.from(
      { length: 60 },
      (_, i) => `Thing ${i},about,"${'long text. '.repeat(400)}"\nHub,has,Thing ${i}\n`,
    );
    const base = await loaded({ 'long.csv': `subject,predicate,object\n${facts.join('')}` });
    const answer = queryGraph(base, 'Hub', 1);
    const text = JSON.stringify(answer);
    expect(text.length).toBeLessThan(61_000);
    expect(answer.note).toMatch(/Left out: .* entities .* long texts are cut at 2000 characters/);
  });

  test('an entity of very many values keeps those asked for, and says how many it left', async () => {
    const values = Array.from(
      { length: 900 },
      (_, i) => `Hub,remark ${i},"Remark ${'x'.repeat(40)}."\n`,
    );
    const names = Array.from({ length: 12 }, (_, i) => `Hub,alias,Center ${i}\n`);
    const base = await loaded({
      'hub.csv': `subject,predicate,object\n${values.join('')}${names.join('')}Hub,height,7\n`,
    });
    const { entities, note } = queryGraph(base, 'How high is the height of the Hub?', 1);
    const [hub] = entities;
    const kept = Object.keys(hub?.properties ?? {});
    expect(kept[0]).toBe('height');
    expect(kept.length).toBeGreaterThan(100);
    expect(note).toBe(
      `Left out: ${901 - kept.length} values of properties. Left out: 2 other names.`,
    );
  });

  test('what lies beyond the depth is not counted as left out', async () => {
    const many = Array.from({ length: 1_200 }, (_, i) => `Spoke ${i},part of,Hub\n`).join('');
    const base = await loaded({ 'hub.csv': `subject,predicate,object\n${many}` });
    expect(queryGraph(base, 'Spoke 7', 1)).toEqual({
      entities: [
        { name: 'Spoke 7', types: [], properties: {}, source: 'hub.csv:9' },
        { name: 'Hub', types: [], properties: {}, source: 'hub.csv:9' },
      ],
      relations: [{ subject: 'Spoke 7', predicate: 'part of', object: 'Hub', source: 'hub.csv:9' }],
    });
  });

  test('names are looked for in the first words of a very long query', () => {
    const answer = ask(`${'word '.repeat(2_000)} Germany`, 0);
    expect(answer.note).toContain(
      "Names were looked for in the first 2000 of the query's 2001 words",
    );
  });
});
