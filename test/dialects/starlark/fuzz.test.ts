/** Any text gives a tree or one diagnostic: never another error, never a stack overflow. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verify } from '../../../src/analysis/verifier.ts';
import { starlark } from '../../../src/dialects/starlark/index.ts';
import { levelsMax } from '../../../src/dialects/starlark/parse/cursor.ts';
import { conformance, plan } from '../../../src/dialects/starlark/parse/options.ts';
import { parse } from '../../../src/dialects/starlark/parse/parser.ts';
import { resolve } from '../../../src/dialects/starlark/resolve/resolver.ts';
import { chunksOf } from './corpus.ts';

const environment = { tools: new Map(), inputs: ['a'] };

/** Whatever has no errors becomes a program that can run. */
function compiles(text: string): void {
  const { tree, diagnostics } = starlark.parse(text);
  const all = tree ? starlark.check(tree, environment) : diagnostics;
  if (!tree || all.some(({ severity }) => severity === 'error')) return;
  expect(verify(starlark.lower(tree, environment))).toEqual([]);
}

function survives(text: string): void {
  compiles(text);
  for (const options of [conformance, plan]) {
    const { file, errors } = parse(text, options);
    expect(file === undefined).toBe(errors.length === 1);
    const { length } = text.split(/\r\n|\r|\n/);
    const environment = { options, predeclared: () => false, universal: () => false };
    for (const { line, column, message } of file ? resolve(file, environment) : errors) {
      expect(line >= 1 && line <= length && column >= 1).toBe(true);
      expect(message).not.toBe('');
    }
  }
}

const pieces = [
  ...'()[]{}<>=!+-*/%&|^~.,;: \n\t\\"\'#$@?'.split(''),
  ...['\n  ', '\n    ', 'def f(', 'lambda ', 'if ', 'else', 'for x in ', 'not ', 'in ', 'load('],
  ...['return', 'while ', 'a', 'b = ', '1', '.5', '0x1', '"s"', "r'", 'b"', 'f"', '"""', '{', '**'],
  ...[
    'try:',
    'is',
    '\r',
    '\r\n',
    '\0',
    'é',
    '😀',
    '\ud800',
    '\\x4',
    '\\u12',
    'pass',
    ':\n  pass\n',
  ],
];

test('any text', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), survives));
});

test('any bytes, read as text', () => {
  const bytes = fc.uint8Array({ maxLength: 300 });
  fc.assert(fc.property(bytes, (data) => survives(new TextDecoder().decode(data))));
});

test('any row of tokens', () => {
  const rows = fc.array(fc.constantFrom(...pieces), { maxLength: 60 });
  fc.assert(
    fc.property(rows, (row) => survives(row.join(''))),
    { numRuns: 2000 },
  );
});

test('any program of the corpora with a piece cut out or put in', () => {
  const files = ['./trees.star', './resolve-errors.star'];
  const texts = files.flatMap((file) => chunksOf(file).map(({ text }) => text));
  const cut = fc.tuple(fc.constantFrom(...texts), fc.nat(), fc.nat(9), fc.constantFrom(...pieces));
  fc.assert(
    fc.property(cut, ([text, at, length, piece]) => {
      const start = at % (text.length + 1);
      survives(text.slice(0, start) + piece + text.slice(start + length));
    }),
    { numRuns: 1000 },
  );
});

const deep: readonly (readonly [string, (n: number) => string])[] = [
  ['parentheses', (n) => `${'('.repeat(n)}1${')'.repeat(n)}`],
  ['lists', (n) => `${'['.repeat(n)}1${']'.repeat(n)}`],
  ['dicts', (n) => `${'{1:'.repeat(n)}1${'}'.repeat(n)}`],
  ['comprehensions', (n) => `${'['.repeat(n)}a${' for a in b]'.repeat(n)}`],
  ['lambdas', (n) => `${'lambda: '.repeat(n)}1`],
  ['defaults of lambdas', (n) => `${'lambda a='.repeat(n)}1${': a'.repeat(n)}`],
  ['signs', (n) => `${'-'.repeat(n)}1`],
  ['negations', (n) => `${'not '.repeat(n)}1`],
  ['sums', (n) => `${'1+'.repeat(n)}1`],
  ['powers', (n) => `${'2**'.repeat(n)}1`],
  ['comparisons', (n) => `${'1<'.repeat(n)}1`],
  ['conditionals', (n) => `${'1 if 1 else '.repeat(n)}1`],
  ['fields', (n) => `x${'.y'.repeat(n)}`],
  ['calls', (n) => `x${'(1)'.repeat(n)}`],
  ['arguments', (n) => `${'f('.repeat(n)}1${')'.repeat(n)}`],
  ['elements', (n) => `x${'[1]'.repeat(n)}`],
  ['indexes', (n) => `${'x['.repeat(n)}1${']'.repeat(n)}`],
  ['f-strings', (n) => `${'f"{'.repeat(n)}1${'}"'.repeat(n)}`],
  ['alternatives', (n) => `if 1: pass\n${'elif 1: pass\n'.repeat(n)}`],
  ['blocks', (n) => Array.from({ length: n }, (_, i) => `${' '.repeat(i)}if 1:\n`).join('')],
  ['sums of sums', (n) => `${`(${'1+'.repeat(200)}`.repeat(n)}1${')'.repeat(n)}`],
];

test.each(deep)('%s are refused beyond the limit', (_, text) => {
  survives(text(levelsMax / 5));
  const { errors } = parse(text(2000), plan);
  expect(errors).toMatchObject([{ code: 'PV2311' }]);
});

test.each(['9', '0x', '0b'])('ints of %s with very many digits are refused', (start) => {
  const { errors } = parse(`x = ${start}${'1'.repeat(100_001)}`, plan);
  expect(errors).toMatchObject([{ code: 'PV2304', line: 1, column: 5 }]);
});

test('long texts that are not deep are read', () => {
  const list = `x = [${'1, '.repeat(50_000)}]\n`;
  const lines = 'y = f(a, b)\n'.repeat(20_000);
  expect(parse(list + lines, plan).errors).toEqual([]);
});
