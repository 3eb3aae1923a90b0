/** Turtle and N-Triples: the forms people write, names for IRIs, lines, located errors. */
import { expect, test } from 'vitest';
import * as loaders from '../../../src/effects/retrieve/load/turtle.ts';
import { whole } from '../../support/whole-content.ts';

const loadTurtle = whole(loaders.loadTurtle);

const prefixes = '@prefix e: <http://e.org/> .\n';

function shown(text: string): unknown[] {
  return loadTurtle(text, 'file:///base/').facts.map((fact) => {
    const { object } = fact;
    const value =
      object.kind === 'literal'
        ? [object.text, object.datatype, object.language].filter(Boolean).join(' ')
        : object.name;
    return [fact.line, fact.subject.name, fact.predicate.name, value];
  });
}

test('predicate and object lists over several lines', () => {
  expect(
    shown(`${prefixes}# comment
e:Spain a e:Country ;
  e:sharesBorderWith e:France ,
    e:Andorra
  ;
  e:areaKm2 505990 .`),
  ).toEqual([
    [3, 'Spain', 'type', 'Country'],
    [4, 'Spain', 'shares border with', 'France'],
    [5, 'Spain', 'shares border with', 'Andorra'],
    [7, 'Spain', 'area km2', '505990 integer'],
  ]);
});

test('literals: numbers, booleans, languages, datatypes, long texts', () => {
  expect(
    shown(`${prefixes}PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
e:X e:p 1.5, 2e3, true, "a \\"b\\" \\u00e9", "chat"@fr-CA, "2024-01-01"^^xsd:date, """two
lines""", "POINT"^^e:wkt .`).map((fact) => (fact as unknown[])[3]),
  ).toEqual([
    '1.5 decimal',
    '2e3 double',
    'true boolean',
    'a "b" é string',
    'chat string fr-ca',
    '2024-01-01 date',
    'two\nlines string',
    'POINT http://e.org/wkt',
  ]);
});

test('blank nodes are numbered per file; lists become one fact each', () => {
  const text = `${prefixes}e:X e:p [ e:value 5 ; e:year 2024 ] ; e:q ( 1 e:Y ) ; e:r () ; e:s _:n .`;
  const facts = [
    [2, '1', 'value', '5 integer'],
    [2, '1', 'year', '2024 integer'],
    [2, 'X', 'p', '1'],
    [2, 'X', 'q', '1 integer'],
    [2, 'X', 'q', 'Y'],
    [2, 'X', 's', '2'],
  ];
  expect(shown(text)).toEqual(facts);
  expect(shown(text)).toEqual(facts);
});

test.each([
  ['http://e.org/New_York', 'New York'],
  ['http://e.org/v#McDonalds', 'McDonalds'],
  ['http://e.org/population%20density', 'population density'],
  ['http://e.org/C%C3%B4te_d%27Ivoire/', "Côte d'Ivoire"],
  ['http://e.org/areaInKM', 'area in KM'],
  ['http://e.org/100%', '100%'],
])('%s is called %s', (iri, name) => {
  expect(shown(`<${iri}> <http://e.org/p> 1 .`)).toEqual([[1, name, 'p', '1 integer']]);
});

test('relative IRIs are resolved against the file', () => {
  const [fact] = loadTurtle('<#a> <b> <> .', 'file:///docs/x.ttl').facts;
  expect([fact?.subject.key, fact?.predicate.key]).toEqual([
    'file:///docs/x.ttl#a',
    'file:///docs/b',
  ]);
});

test('N-Triples', () => {
  expect(
    shown('<http://e.org/a> <http://e.org/p> "x"@en .\n<http://e.org/a> <http://e.org/p> _:b .\n'),
  ).toEqual([
    [1, 'a', 'p', 'x string en'],
    [2, 'a', 'p', '1'],
  ]);
});

test.each([
  [`${prefixes}\ne:X e:p .`, 3, 'Expected entity but got .'],
  [`${prefixes}e:X f:p 1 .`, 2, 'Undefined prefix "f:"'],
  [`${prefixes}e:X e:p "never\n ends .`, 2, 'Unexpected'],
  [`${prefixes}e:X e:p 1`, 2, ''],
  [`${prefixes}\n\ne:X e:p <<( e:a e:b e:c )>> .`, 4, 'got a triple about a triple'],
])('%j is malformed at line %i', (text, line, message) => {
  expect(() => loadTurtle(text, 'file:///')).toThrow(
    expect.objectContaining({ line, message: expect.stringContaining(message) }),
  );
});
