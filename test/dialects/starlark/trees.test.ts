/** Programs that parse, against their reviewed trees in trees.txt. */
import { expect, test } from 'vitest';
import { conformance, plan } from '../../../src/dialects/starlark/parse/options.ts';
import { parse } from '../../../src/dialects/starlark/parse/parser.ts';
import { unpackPosition } from '../../../src/program/program.ts';
import { chunksOf } from './corpus.ts';
import { treeText } from './tree-text.ts';

test('trees', async () => {
  const texts = chunksOf('./trees.star').map(({ text, options }) => {
    const { file, errors } = parse(text, options);
    expect(errors).toEqual([]);
    return treeText(file?.body ?? []);
  });
  await expect(`${texts.join('\n---\n')}\n`).toMatchFileSnapshot('./trees.txt');
});

const tree = (text: string): string => treeText(parse(text, conformance).file?.body ?? []);

test.each(['\r\n', '\r'])('line breaks %j mean what LF means', (lineBreak) => {
  const text = 'def f():\n  x = """a\nb"""\n  y = (1,\n 2)\n  z = "a\\\nb"\n  return 1 + \\\n 2\n';
  expect(tree(text.replaceAll('\n', lineBreak))).toBe(tree(text));
});

test('names have the letters of any language, their marks apart or not', () => {
  const text = 'def größe(名前, नाम = 1):\n  return 名前.año + नाम\n';
  expect(tree(text)).toContain('größe');
  expect(tree(text.normalize('NFD'))).toBe(tree(text));
});

test('a tab goes to the next multiple of eight columns', () => {
  expect(tree('if a:\n\tb\n        c\n')).toBe('(if a {b c} {})');
});

test('a byte order mark, a last line without an end and an empty text are read', () => {
  expect(tree('\ufeffa')).toBe('a');
  expect(tree('if a:\n  b')).toBe('(if a {b} {})');
  expect(tree('')).toBe('');
  expect(tree('# nothing')).toBe('');
  expect(tree('if a:\n  b\n  ')).toBe('(if a {b} {})');
});

test('places count lines and UTF-16 columns from 1', () => {
  const [, second] = parse('a\n"😀" + b.c(d)\n', conformance).file?.body ?? [];
  const sum = second?.kind === 'expression' ? second.value : undefined;
  if (sum?.kind !== 'binary' || sum.right.kind !== 'call') throw new Error('want a sum');
  const { callee, operatorAt, at } = sum.right;
  if (callee.kind !== 'attribute') throw new Error('want a field');
  const places = [sum.at, sum.operatorAt, at, callee.operatorAt, callee.nameAt, operatorAt];
  expect(places.map((place) => unpackPosition(place).column)).toEqual([1, 6, 8, 9, 10, 11]);
  expect(places.map((place) => unpackPosition(place).line)).toEqual([2, 2, 2, 2, 2, 2]);
});

test('a place in an f-string is its place in the file', () => {
  const { errors } = parse('x = f"""a\n{b + }"""', plan);
  expect(errors).toMatchObject([
    { line: 2, column: 6, message: "got '}', want primary expression" },
  ]);
});

test('an error at the end of a line is there, behind its spaces and its comment', () => {
  for (const [text, column] of [
    ['x = (1,\n2) +\n', 5],
    ['x = (1,\n2) + \t# and\r\n', 12],
    ['if x:\n  y = 1 +\n\n  z = 2', 10],
  ] as const) {
    expect(parse(text, conformance).errors).toMatchObject([
      { line: 2, column, message: 'got newline, want primary expression' },
    ]);
  }
});

test('what is open at the end is noted', () => {
  expect(parse('x = [\n  f(1,\n', conformance).errors).toMatchObject([
    { line: 3, notes: [{ line: 2, column: 4, message: "'(' was opened here" }] },
  ]);
});
