/** SPARQL over the facts of a knowledge base. */
import { rmSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Graph } from '../../../src/effects/retrieve/ask-graph.ts';
import { ingest } from '../../../src/effects/retrieve/ingest.ts';
import { sparqlHandler } from '../../../src/effects/retrieve/sparql.ts';
import type { Source } from '../../../src/program/effect.ts';
import { attempt } from '../../support/attempt.ts';
import { loaded, workspace } from './workspace.ts';

const turtle = `
@prefix g: <http://example.org/geography#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
g:France a g:Country ; rdfs:label "France"@en, "Frankreich"@de ; g:capital g:Paris ;
  g:motto "Liberté \\"égalité\\"\\n" ; g:founded "1792-09-22"^^xsd:date ;
  g:big 9007199254740993 ; g:share 0.5 ; g:member true .
g:Spain a g:Country ; rdfs:label "Spain"@en ; g:sea [ rdfs:label "Atlantic" ] .
`;

const table = `subject,predicate,object,source
France,area in square kilometres,551500,UNdata
Spain,area in square kilometres,505944,UNdata
Île d'Yeu,part of,France,UNdata
`;

let path = '';
beforeAll(async () => {
  const knowledge = await loaded({ 'borders.ttl': turtle, 'my areas.csv': table });
  ({ path } = knowledge);
});

const g = 'PREFIX g: <http://example.org/geography#> ';
const iri = (name: string): string => `http://example.org/geography#${name}`;

let graph: Graph;
beforeAll(async () => {
  graph = await Graph.open(path);
});
afterAll(() => graph.close());

const ask = async (query: string): Promise<unknown> => graph.ask(query).value;

test('plain names and IRIs of the same label are one thing', async () => {
  const query =
    'SELECT ?c ?name ?area { ?c a g:Country ; kg:area_in_square_kilometres ?area ; ' +
    'rdfs:label ?name FILTER(lang(?name) = "en") } ORDER BY DESC(?area)';
  expect(await ask(g + query)).toEqual([
    { c: iri('France'), name: 'France', area: 551500 },
    { c: iri('Spain'), name: 'Spain', area: 505944 },
  ]);
});

test('values keep their types', async () => {
  const query =
    'SELECT ?m ?d ?b ?s ?t { ?c g:motto ?m ; g:founded ?d ; g:big ?b ; g:share ?s ; g:member ?t }';
  expect(await ask(g + query)).toEqual([
    { m: 'Liberté "égalité"\n', d: '1792-09-22', b: 9007199254740993n, s: 0.5, t: true },
  ]);
});

test('the documents of facts, and what is known by its name only', async () => {
  expect(await ask('SELECT DISTINCT ?doc { GRAPH ?doc { ?s kg:part_of ?o } }')).toEqual([
    { doc: 'urn:kg:document/my_areas.csv' },
  ]);
  expect(await ask('SELECT ?s ?name { ?s kg:part_of ?o ; rdfs:label ?name }')).toEqual([
    { s: expect.stringMatching(/^urn:kg:/), name: "Île d'Yeu" },
  ]);
  const inverse = 'SELECT ?name { ?island kg:part_of/rdfs:label "France"@en ; rdfs:label ?name }';
  expect(await ask(inverse)).toEqual([{ name: "Île d'Yeu" }]);
});

test('open variables are null, blank nodes have names', async () => {
  const query =
    'SELECT ?c ?sea ?n { ?c a g:Country OPTIONAL { ?c g:sea ?sea . ?sea rdfs:label ?n } } ORDER BY ?c';
  expect(await ask(g + query)).toEqual([
    { c: iri('France'), sea: null, n: null },
    { c: iri('Spain'), sea: expect.stringMatching(/^_:/), n: 'Atlantic' },
  ]);
});

test('ASK, CONSTRUCT, counts', async () => {
  expect(await ask(`${g} ASK { g:France g:capital g:Paris }`)).toBe(true);
  expect(await ask(`${g} CONSTRUCT { ?x g:capitalOf ?c } WHERE { ?c g:capital ?x }`)).toEqual([
    { subject: iri('Paris'), predicate: iri('capitalOf'), object: iri('France') },
  ]);
  expect(await ask(`${g} SELECT (COUNT(*) AS ?n) { ?c a g:Country }`)).toEqual([{ n: 2 }]);
});

test('a query may declare a prefix that is known', async () => {
  expect(await ask('PREFIX kg: <http://example.org/geography#>\nASK { ?c kg:capital ?x }')).toBe(
    true,
  );
});

describe('what is wrong', () => {
  test.each<[string, string, string]>([
    ['a prefix', 'SELECT * { ?c geo:capital ?x }', 'the query is wrong at 1:26'],
    ['a word', 'SELECT *\n{ ?c rdfs:label }', 'the query is wrong at 2:'],
    ['nothing', ' ', 'the query is wrong at 1:'],
    ['an update', 'INSERT DATA { kg:a kg:b 1 }', 'the query would change the graph'],
    ['another', `${g} DELETE WHERE { g:France ?p ?o }`, 'the query would change the graph'],
    ['a load', 'LOAD <file:///etc/passwd>', 'the query would change the graph'],
    ['another graph', 'SELECT * { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }', ''],
  ])('%s', async (_what, query, message) => {
    await expect(ask(query)).rejects.toMatchObject({
      code: 'PV4320',
      message: expect.stringContaining(message),
      hint: expect.stringMatching(/^prefixes: kg, rdf, .*kg:area_in_square_kilometres/),
      answered: true,
      retryable: false,
    });
  });

  test('where nothing is found, what the graph has is told', async () => {
    const { value, warnings } = graph.ask('SELECT * { ?c kg:area_in_square_kilometers ?a }');
    expect(value).toEqual([]);
    expect(warnings).toEqual([
      expect.stringMatching(/^nothing fits; the graph has .*kg:area_in_square_kilometres/),
    ]);
  });

  test('more rows than one call returns', async () => {
    const query = 'SELECT * { ?a ?b ?c . ?d ?e ?f }';
    expect(() => graph.ask(query, 100)).toThrow(
      expect.objectContaining({ code: 'PV4321', message: 'the result has more than 100 rows' }),
    );
  });

  test('no facts, no knowledge base', async () => {
    const words = await loaded({ 'a.md': '# A\nOnly words.\n' });
    const bare = await Graph.open(words.path);
    const asked = () => bare.ask('ASK { ?s ?p ?o }');
    expect(asked).toThrow(
      expect.objectContaining({
        code: 'PV4322',
        hint: expect.stringContaining('planvm ingest'),
      }),
    );
    bare.close();
    const none = sparqlHandler(workspace().database);
    await expect(none.perform({ query: 'ASK {}' }, attempt())).rejects.toMatchObject({
      code: 'PV4300',
    });
  });
});

test('as a tool: its source is told, and a query without an end ends with its call', async () => {
  const sources: Source[] = [];
  const handler = sparqlHandler(path);
  const context = Object.assign(attempt(), { source: (one: Source) => void sources.push(one) });
  const query = `${g} ASK { g:France g:capital g:Paris }`;
  expect(await handler.perform({ query }, context)).toBe(true);
  expect(sources).toEqual([{ url: pathToFileURL(path).href, title: 'knowledge graph' }]);
  const wide = Array.from({ length: 12 }, (_, at) => `?a${at} ?b${at} ?c${at}`).join(' . ');
  const long = attempt();
  const asking = handler.perform({ query: `SELECT (COUNT(*) AS ?n) { ${wide} }` }, long);
  await handler.perform({ query }, context);
  long.abort(new Error('time is over'));
  await expect(asking).rejects.toThrow('time is over');
});

const labels = 'SELECT ?name { ?s rdfs:label ?name } ORDER BY ?name';
const facts = (...lines: readonly string[]): string =>
  `subject,predicate,object\n${lines.join('\n')}\n`;

test('the graph is loaded once, and again when the knowledge base has changed', async () => {
  const space = workspace({ 'one.csv': facts('Ann,knows,Bob') });
  const knowledge = space.open();
  await ingest(knowledge, [space.folder]);
  const kept = await Graph.open(knowledge.path);
  expect(kept.ask(labels).value).toEqual([{ name: 'Ann' }, { name: 'Bob' }, { name: 'knows' }]);
  kept.ask(labels);
  expect(kept.loads).toBe(1);
  space.write({ 'two.csv': facts('Ann,knows,Cy') });
  await ingest(knowledge, [space.folder]);
  expect(kept.ask(labels).value).toContainEqual({ name: 'Cy' });
  expect(kept.ask('ASK { ?s kg:knows ?o }').value).toBe(true);
  expect(kept.loads).toBe(2);
  kept.close();
});

test('as a tool: what was added, and a knowledge base in place of another, are seen', async () => {
  const space = workspace({ 'one.csv': facts('Ann,knows,Bob') });
  const first = space.open();
  await ingest(first, [space.folder]);
  const handler = sparqlHandler(space.database);
  const names = async (): Promise<unknown> =>
    (await handler.perform({ query: labels }, attempt())) as unknown;
  expect(await names()).toHaveLength(3);
  space.write({ 'two.csv': facts('Ann,knows,Cy') });
  await ingest(first, [space.folder]);
  expect(await names()).toHaveLength(4);
  first.close();
  for (const end of ['', '-wal', '-shm']) rmSync(`${space.database}${end}`, { force: true });
  const second = space.open();
  space.remove('one.csv');
  await ingest(second, [space.folder]);
  expect(await names()).toEqual([{ name: 'Ann' }, { name: 'Cy' }, { name: 'knows' }]);
});
