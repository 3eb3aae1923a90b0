/** The reader of YAML in metadata: as the package `yaml` reads it, and kinder to what is not YAML. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { readYaml } from '../../src/text/yaml-text.ts';

const valueIn = (text: string): unknown => readYaml(text.split('\n')).value;

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
    e: 'first\n  second\n',
    f: 'one two\n',
    g: { h: true, i: [null] },
    j: false,
    k: 'it',
  });
  expect(problemsIn(text)).toEqual([
    '16:1 got "not yaml", want YAML: Implicit map keys need to be followed by map values',
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
});

test.each([
  ['title: Shop: the small one', { title: 'Shop: the small one' }],
  ['team: @support', { team: '@support' }],
  ['about: *bold* words', { about: '*bold* words' }],
  ['about: !important & more', { about: '!important & more' }],
  ['a: 1\nb: &x 1\nc: *x', { a: 1, b: 1, c: '*x' }],
  ['a: it: is\nb: “so: it”', { a: 'it: is', b: '“so: it”' }],
])('%j is text, which the package refuses or takes for something else', (text, value) => {
  expect(valueIn(text)).toEqual(value);
  expect(problemsIn(text)).toEqual([]);
});

describe('what cannot be read is said at its place, and the rest is read', () => {
  test.each([
    ['a: "x" y\nb: 2', { b: 2 }, '1:8 got "a: \\"x\\" y", want YAML: Unexpected scalar'],
    ['a: [1,\nb: 2', { b: 2 }, '1:6 got "a: [1,", want YAML: Flow sequence'],
    ['- a: {b\n- c', ['c'], '1:7 got "- a: {b", want YAML: Flow map'],
    ['a: 1\n- b\nc: 2', { a: 1, c: 2 }, '2:1 got "- b", want YAML: '],
    ['a:\n  b: 1\n    c: 2\nd: 3', { a: { b: '1' }, d: 3 }, '3:1 got "c: 2", want YAML: '],
    ['- 1\na: 2', [1], '2:1 got "a: 2", want YAML: '],
  ])('%j', (text, value, problem) => {
    expect(valueIn(text)).toEqual(value);
    const [first, ...others] = problemsIn(text);
    expect(first?.slice(0, problem.length)).toBe(problem);
    expect(others).toEqual([]);
  });

  test('levels without end cost no stack', () => {
    expect(problemsIn('- '.repeat(100_000)).length).toBeGreaterThan(0);
    const deep = Array.from({ length: 3000 }, (_, at) => `${' '.repeat(at)}a:`).join('\n');
    expect(problemsIn(deep).length).toBeGreaterThan(0);
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
