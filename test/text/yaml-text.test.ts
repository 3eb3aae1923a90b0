/** The reader of YAML in metadata: as the package `yaml` reads it, and kinder to what is not YAML. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { toJson } from '../../src/program/json.ts';
import { valueOfNode } from '../../src/text/json-text.ts';
import { readYaml } from '../../src/text/yaml-text.ts';

const valueIn = (text: string): unknown => toJson(valueOfNode(readYaml(text.split('\n')).node));

const problemsIn = (text: string): string[] =>
  readYaml(text.split('\n')).problems.map(
    ({ line, column, message }) => `${line}:${column} ${message}`,
  );

test('maps, lists, texts over lines, numbers, comments; the line that is nothing of it is said', () => {
  const text = `a: 1
b:
  c: "x: y"   # comment
  d:
    - one
    - 2.5
e: |
  first
    second
f: >
  one
  two
g: {h: true, i: [null]}
j: no
k: 'it'
not yaml`;
  expect(valueIn(text)).toEqual({
    a: 1,
    b: { c: 'x: y', d: ['one', 2.5] },
    e: 'first\n  second',
    f: 'one two',
    g: { h: true, i: [null] },
    j: false,
    k: 'it',
  });
  expect(problemsIn(text)).toEqual([
    '16:1 got "not yaml", want `key: value`, with spaces before what belongs to a key',
  ]);
});

describe('values as YAML has them', () => {
  test.each([
    "a: [x, it's, 'b, c', \"d\", 1, http://x/y, 10:30]",
    "a: 'it''s'\nb: ''",
    'a: {"b": 1,\n  "c": [2,\n  3]}\nd: 4',
    'a: [1, # one\n  2\n  ]\nb: {}\nc: []',
    'a: first\n  second\n  third # why\nb: 1',
    'a:\n  some text\n  and more\nb: ~',
    'a:\n- 1\n- b: 2\n  c: 3\n- - 4\n  - 5\n-\n  d: 6',
    'a: "one\n  two\n\n\n  three \\\n  four"',
    '- a\n- b: {c: d e}',
    '"a b": 1\n\'c: d\': 2',
    '# only\na: x#y',
    'a: -1.5e3\nc: 1.0.0',
  ])('%j', (text) => {
    expect(valueIn(text)).toEqual(parse(text));
    expect(problemsIn(text)).toEqual([]);
  });

  test('in the quotes of a text processor, and with an escape in single ones', () => {
    expect(valueIn("a: “hi”\nb: 'it\\'s'")).toEqual({ a: 'hi', b: "it's" });
  });
});

test.each([
  ['title: Shop: the small one', { title: 'Shop: the small one' }],
  ['team: @support', { team: '@support' }],
  ['about: *bold* words', { about: '*bold* words' }],
  ['about: !important & more', { about: '!important & more' }],
  ['a: 1\nb: &x 1\nc: *x', { a: 1, b: '&x 1', c: '*x' }],
])('%j is text, which the package refuses or takes for something else', (text, value) => {
  expect(valueIn(text)).toEqual(value);
  expect(problemsIn(text)).toEqual([]);
});

describe('what cannot be read is said at its place, and the rest is read', () => {
  test.each([
    ['a: "x" y\nb: 2', { a: '"x" y', b: 2 }, '1:4 got "\\"x\\" y", want a value'],
    ['a: [1,\nb: 2', { a: '[1,', b: 2 }, '1:4 got "[1,", want a value'],
    ['- a: {b\n- c', [{ a: '{b' }, 'c'], '1:6 got "{b", want a value'],
    ['a: 1\n- b\nc: 2', { a: 1, c: 2 }, '2:1 got "- b", want `key: value`'],
    ['a:\n  b: 1\n    c: 2\nd: 3', { a: { b: 1 }, d: 3 }, '3:5 got "c: 2", want'],
    ['- 1\n  - 2\n- 3', [1, 3], '2:3 got "- 2", want an item'],
    ['- 1\na: 2', [1], '2:1 got "a: 2", want nothing more'],
  ])('%j', (text, value, problem) => {
    expect(valueIn(text)).toEqual(value);
    const [first, ...others] = problemsIn(text);
    expect(first?.slice(0, problem.length)).toBe(problem);
    expect(others).toEqual([]);
  });

  test('levels without end cost no stack', () => {
    expect(problemsIn('- '.repeat(100_000))[0]).toMatch(/^1:83 .* want at most 40 levels$/);
    const deep = Array.from({ length: 3000 }, (_, at) => `${' '.repeat(at)}a:`).join('\n');
    expect(problemsIn(deep)[0]).toMatch(/^42:42 .* want at most 40 levels$/);
  });

  test('a bracket without an end is looked at once', () => {
    const lines = ['a: {', ...Array.from({ length: 50_000 }, () => '  "b": 1,')];
    expect(readYaml(lines).problems.length).toBeGreaterThan(0);
  });
});

test('what a library prints is read as what it was', () => {
  const word = fc.string({ unit: fc.constantFrom(...'ab #:-[]{},"\'|>\n.5$é') });
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.oneof(
        word,
        fc.boolean(),
        fc.constant(null),
        fc.integer(),
        fc.double({ min: -1e9, max: 1e9, noNaN: true }),
      ),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.stringMatching(/^[a-z$][a-z0-9_ -]{0,5}[a-z]$/), tie('value'), {
        maxKeys: 4,
      }),
    ),
  }));
  fc.assert(
    fc.property(
      fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), value, { minKeys: 1, maxKeys: 4 }),
      (data) => {
        const plain = JSON.parse(JSON.stringify(data));
        for (const style of ['QUOTE_DOUBLE', 'PLAIN'] as const) {
          const text = stringify(plain, {
            lineWidth: 0,
            defaultStringType: style,
            defaultKeyType: 'PLAIN',
            blockQuote: false,
            version: '1.1',
          });
          expect([text, valueIn(text)]).toEqual([text, plain]);
        }
      },
    ),
    { numRuns: 300 },
  );
});
