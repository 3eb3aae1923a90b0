/** CSV: quoting, separators, triples, tables, and located errors. */
import { expect, test } from 'vitest';
import { csvRows } from '../../../src/effects/csv.ts';
import type { Fact } from '../../../src/effects/retrieve/content.ts';
import * as loaders from '../../../src/effects/retrieve/load/csv.ts';
import { type WholeContent, whole } from '../../support/whole-content.ts';

const loadCsv = whole(loaders.loadCsv);
const readRows = (text: string) => [...csvRows(text)];

const cells = (text: string): readonly (readonly string[])[] =>
  readRows(text).map((row) => row.cells);

const shown = ({ facts }: WholeContent): unknown[] =>
  facts.map(({ subject, predicate, object, line }: Fact) => [
    subject.name,
    predicate.name,
    object.kind === 'literal' ? `${object.text} ${object.datatype}` : object.name,
    line,
  ]);

test.each([
  [
    'a,b\n1,2\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a,b\n1,2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  ['"a,b","say ""no""",\n', [['a,b', 'say "no"', '']]],
  [
    '"two\nlines",x\n\n  \ny,z\n',
    [
      ['two\nlines', 'x'],
      ['y', 'z'],
    ],
  ],
  [
    'pays;aire\nEspagne;505,99\n',
    [
      ['pays', 'aire'],
      ['Espagne', '505,99'],
    ],
  ],
  ['"a;b";c;d\n', [['a;b', 'c', 'd']]],
  [
    'a\tb\n1\t\n',
    [
      ['a', 'b'],
      ['1', ''],
    ],
  ],
  ['a,', [['a', '']]],
  ['', []],
])('the rows of %j', (text, rows) => expect(cells(text)).toEqual(rows));

test('a row knows its lines, also after a cell of several', () => {
  expect(readRows('a,b\n"1\n2",x\ny,z\n').map((row) => row.lines)).toEqual([
    [1, 1],
    [2, 3],
    [4, 4],
  ]);
});

test('triples with a header in any order; other columns qualify the fact', () => {
  const content = loadCsv(
    'Object,Source,Subject,Predicate,year\n505990,INE,Spain,area,2023\nMadrid,,Spain,capital,\n',
  );
  expect(shown(content)).toEqual([
    ['Spain', 'area', '505990 integer', 2],
    ['Spain', 'capital', 'Madrid', 3],
  ]);
  expect(content.facts.map((fact) => fact.qualifiers)).toEqual([
    { source: 'INE', year: '2023' },
    {},
  ]);
  expect(content.chunks).toEqual([]);
});

test('three columns of other names are a table', () => {
  const content = loadCsv('name,capital,area\nSpain,Madrid,505990\nFrance,Paris,\n');
  expect(content.facts).toEqual([]);
  expect(content.chunks).toEqual([
    { heading: '', text: 'name: Spain\ncapital: Madrid\narea: 505990', lines: [2, 2] },
    { heading: '', text: 'name: France\ncapital: Paris', lines: [3, 3] },
  ]);
});

test.each([
  ['Spain', 'Spain'],
  ['3', '3 integer'],
  ['-2.5', '-2.5 decimal'],
  ['1e6', '1e6 double'],
  ['TRUE', 'true boolean'],
  ['2024-01-01', '2024-01-01 date'],
  ['2.8 million', '2.8 million string'],
  ['It lies in the south. It is large.', 'It lies in the south. It is large. string'],
  ['x'.repeat(81), `${'x'.repeat(81)} string`],
  ['http://example.org/a/New_York', 'New York'],
])('the object %s', (object, want) => {
  const [fact] = shown(loadCsv(`subject,predicate,object\nX,p,${object}\n`)) as unknown[][];
  expect(fact?.[2]).toBe(want);
});

test('words for types and names stand for the usual predicates', () => {
  const { facts } = loadCsv('subject,predicate,object\nX,is a,Country\nX,alias,Y\n');
  expect(facts.map((fact) => fact.predicate.key)).toEqual([
    'http://www.w3.org/1999/02/22-rdf-syntax-ns#type',
    'http://www.w3.org/2004/02/skos/core#altLabel',
  ]);
});

test.each([
  ['a,b\n1,2\n1,2,3\n', 3, 'got 3 cells, want 2'],
  ['a,b\n1,"2\n3,4\n', 2, 'never closed'],
  ['a,b\n1,"2"x\n', 2, 'got "x" after a closing quote'],
  ['a,b\n1,"2\n\n"x\n', 4, 'got "x" after a closing quote'],
  ['subject,predicate,object\nX,p,1\nX,,2\n', 3, 'predicate: got "", want a name'],
  ['subject,predicate,object\nX,p,\n', 2, 'object: got ""'],
])('%j is malformed at line %i', (text, line, message) => {
  expect(() => loadCsv(text)).toThrow(
    expect.objectContaining({ line, message: expect.stringContaining(message) }),
  );
});

test('rows are read one by one, and what comes of them is made again for each reader', () => {
  const broken = 'a,b\n1,2\n3,4\n"never closed';
  const rows = csvRows(broken);
  expect(rows.next().value).toEqual({ cells: ['a', 'b'], lines: [1, 1] });
  expect(rows.next().value).toEqual({ cells: ['1', '2'], lines: [2, 2] });
  expect(() => [...rows]).toThrow('never closed');
  for (const text of ['a,b\n1,2\n3,4\n', 'subject,predicate,object\nX,p,Y\nX,p,Z\n']) {
    const { chunks, facts } = loaders.loadCsv(text);
    const [first] = [...chunks, ...facts];
    const [again] = [...chunks, ...facts];
    expect(again).toEqual(first);
    expect(again).not.toBe(first);
  }
});
