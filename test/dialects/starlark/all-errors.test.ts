/** A program with several slips of another language is told of all their kinds at once. */
import { expect, test } from 'vitest';
import { readAround } from '../../../src/dialects/starlark/parse/all-errors.ts';
import { plan } from '../../../src/dialects/starlark/parse/options.ts';

const said = (text: string): string[] =>
  readAround(text, plan).errors.map(
    ({ line, column, hint }) => `${line}:${column} ${hint?.split(':')[0]}`,
  );

test('each kind once, at its first place', () => {
  const text = [
    'import json',
    'from datetime import datetime',
    'async def density(c: dict) -> float:',
    '    try:',
    '        d = c["people"]  # of: it',
    '    except Exception as e:',
    '        raise ValueError("x")',
    'class A:',
    '    def f(self) -> int:',
    '        return 1',
    'with open("a") as f:',
    '    pass',
    'first, *rest = [1, 2]',
  ];
  expect(said(text.join('\r\n'))).toEqual([
    '1:1 there are no imports',
    '3:7 there is no async',
    '4:5 there are no exceptions',
    '7:9 there are no exceptions',
    '8:1 there are no classes',
    '9:17 there are no type annotations',
    '11:1 there is no with',
    '13:8 there are no stars in lists and assignments',
  ]);
});

const words = [
  'import a',
  'class A: pass',
  'x: int = 1',
  'assert x',
  'del x',
  'raise x',
  'a = b = 1',
  'y is x',
  'let x = 1',
  'yield x',
];

test.each([
  ['nothing where it is right', 'x = 1\n', []],
  ['the first alone where it is no slip of that kind', 'x = (\nimport y\n', 1],
  ['the first alone behind a text of several lines', 'x: """a\nb\n"""\nimport y\n', 1],
  ['no error of what was put in place', 'try:\n  x = 1\nexcept:\n  y = 2\nelse:\n  z = 3\n', 1],
  ['no error of the inside of a call', 'f(\n  x for x in y,\n  z := 2,\n)\n', 1],
  ['eight at most', Array.from({ length: 40 }, (_, i) => words[i % 10]).join('\n'), 8],
] as const)('%s', (_name, text, count) => {
  expect(said(text)).toHaveLength(typeof count === 'number' ? count : 0);
});
