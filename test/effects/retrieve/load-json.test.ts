/** JSON: triples, rows, numbers beyond what a host holds, lines, located errors. */
import { expect, test } from 'vitest';
import * as loaders from '../../../src/effects/retrieve/load/json.ts';
import { type WholeContent, whole } from '../../support/whole-content.ts';

const loadJson = whole(loaders.loadJson);

const shown = ({ facts }: WholeContent): unknown[] =>
  facts.map(({ subject, predicate, object, line }) => [
    subject.name,
    predicate.name,
    object.kind === 'literal' ? `${object.text} ${object.datatype}` : object.name,
    line,
  ]);

test('a list of objects with subject, predicate and object', () => {
  const content = loadJson(`[
  {"subject": "Spain", "predicate": "area", "object": 505990, "source": "INE", "year": 2023},
  {"subject": "Spain",
   "predicate": "capital", "object": "Madrid"}, {"subject":"Spain","predicate":"monarchy","object":true}
]`);
  expect(shown(content)).toEqual([
    ['Spain', 'area', '505990 integer', 2],
    ['Spain', 'capital', 'Madrid', 3],
    ['Spain', 'monarchy', 'true boolean', 4],
  ]);
  expect(content.facts[0]?.qualifiers).toEqual({ source: 'INE', year: '2023' });
});

test('a list of lists of three', () => {
  expect(
    shown(loadJson('[["a","p","b"],\n["b","q",12345678901234567890],["b","q",1.50]]')),
  ).toEqual([
    ['a', 'p', 'b', 1],
    ['b', 'q', '12345678901234567890 integer', 2],
    ['b', 'q', '1.50 decimal', 2],
  ]);
});

test('anything else is rows of text with their lines', () => {
  const content = loadJson(
    '[{"name":"Spain","area":505990,"tags":["a",{"b":1}],"none":null},\n\n"x"]',
  );
  expect(content.facts).toEqual([]);
  expect(content.chunks).toEqual([
    { heading: '', text: 'name: Spain\narea: 505990\ntags: ["a",{"b":1}]', lines: [1, 1] },
    { heading: '', text: 'x', lines: [3, 3] },
  ]);
});

test('one object is one row', () => {
  expect(loadJson('{\n"a": 1,\n"b": "}]"\n}\n').chunks).toEqual([
    { heading: '', text: 'a: 1\nb: }]', lines: [1, 4] },
  ]);
});

test('lines hold where texts contain brackets, commas and quotes', () => {
  const content = loadJson('[{"a":"[,\\"]{"},\n[1,[2,\n3]],\n\n-1.5e3, true]');
  expect(content.chunks.map(({ text, lines }) => [text, lines])).toEqual([
    ['a: [,"]{', [1, 1]],
    ['[1,[2,3]]', [2, 3]],
    ['-1.5e3', [5, 5]],
    ['true', [5, 5]],
  ]);
});

test('a text of megabytes is read', () => {
  const long = 'x '.repeat(2_000_000);
  const { chunks } = loadJson(`[{"a":"${long}"},\n{"b":1}]`);
  expect(chunks.at(-1)).toEqual({ heading: '', text: 'b: 1', lines: [2, 2] });
  expect(chunks.length).toBeGreaterThan(2_000);
});

test.each([
  ['[{"a":1},\n{"a":}]', 2, 'got }, want a value for the key "a"'],
  ['[1,\n2\n3]', 3, ''],
  ['[1,\n2,]', 2, ''],
  ['{"a": 1', 1, ''],
  ["{'a': 1}", 1, ''],
  ['', 1, 'empty'],
  ['[1]\nx', 2, ''],
  [
    '[{"subject":"a","predicate":"p","object":"b"},\n{"subject":"a","predicate":"p"}]',
    2,
    'no triple',
  ],
  ['[{"subject":"a","predicate":"p","object":"b"},\n["a","b"]]', 2, 'no triple'],
  ['[{"subject":"a","predicate":"p","object":["b"]}]', 1, 'object: got ["b"], want a name'],
  ['[{"subject":7,"predicate":"p","object":"b"}]', 1, 'subject: got 7, want a name'],
])('%j is malformed at line %i', (text, line, message) => {
  expect(() => loadJson(text)).toThrow(
    expect.objectContaining({ line, message: expect.stringContaining(message) }),
  );
});

test('what comes of a list is made again for each reader', () => {
  for (const text of ['[{"a": 1}, {"a": 2}]', '[["X", "p", "Y"], ["X", "p", "Z"]]']) {
    const { chunks, facts } = loaders.loadJson(text);
    const [first] = [...chunks, ...facts];
    const [again] = [...chunks, ...facts];
    expect(again).toEqual(first);
    expect(again).not.toBe(first);
  }
});
