/** The operators of Starlark on settled values: `%` of strings, sets, structs, sizes, comparison. */
import { describe, expect, test } from 'vitest';
import { createMachine, restoreMachine } from '../../src/machine/create.ts';
import { compare, contains } from '../../src/machine/values/compare.ts';
import { binary } from '../../src/machine/values/operators.ts';
import { index, setIndex } from '../../src/machine/values/sequence.ts';
import { repr } from '../../src/machine/values/text.ts';
import * as V from '../../src/program/value.ts';
import { assemble } from '../support/assembly/assembler.ts';
import { around, b, d, f, s, shown, struct, t, value } from './builtins/library.ts';

const codes: Readonly<Record<string, number>> = {
  '+': 13,
  '-': 14,
  '*': 15,
  '/': 16,
  '%': 18,
  '<<': 25,
  '>>': 26,
};

const run = (x: unknown, op: string, y: unknown): string =>
  shown(() => binary(codes[op] ?? -1, value(x), value(y), around));

test.each<[unknown, unknown, string]>([
  ['%s %r', t('a', 'a'), '"a \\"a\\""'],
  ['%s', 1, '"1"'],
  ['%s', t(t(1, 2)), '"(1, 2)"'],
  ['%d %i', t(f(3.7), -3), '"3 -3"'],
  ['%x %X %o', t(255, -255, 8), '"ff -FF 10"'],
  ['%x', 2n ** 64n, '"10000000000000000"'],
  ['%e %f %g', t(1, 1, 1), '"1.000000e+00 1.000000 1.0"'],
  ['%E %F %G', t(1, 1, f(1e9)), '"1.000000E+00 1.000000 1E+09"'],
  ['%c%c', t(65, 'é'), '"Aé"'],
  ['100%%', t(), '"100%"'],
  ['%(a)s %(b)r', { a: 'x', b: 'y', c: 1 }, '"x \\"y\\""'],
  ['%s', { a: 1 }, '"{\\"a\\": 1}"'],
  ['', {}, '""'],
  ['%s %s', 1, 'error: not enough arguments for format string'],
  ['%s', t(1, 2), 'error: too many arguments for format string'],
  ['x', 1, 'error: too many arguments for format string'],
  ['%', 1, 'error: incomplete format'],
  ['%(a', {}, 'error: incomplete format key'],
  ['%(a)s', 1, 'error: format requires a mapping'],
  ['%(z)s', { a: 1 }, 'error: key not found: z'],
  ['%d', 'x', 'error: %d format requires integer: cannot convert string to int'],
  ['%d', f(NaN), 'error: %d format requires integer: cannot convert float NaN to integer'],
  ['%f', 'x', 'error: %f format requires float, not string'],
  ['%c', 'ab', 'error: %c format requires a single-character string'],
  ['%c', -1, 'error: %c format requires a valid Unicode code point, got -1'],
  ['%c', null, 'error: %c format requires int or single-character string, not NoneType'],
  ['%.2f', f(1), '"1.00"'],
  ['%q', f(1), 'error: unknown conversion %q'],
])('%j %% %#', (format, values, result) => expect(run(format, '%', values)).toBe(result));

test.each<[unknown, string, unknown, string]>([
  [s(1, 2, 3), '-', s(2), 'set([1, 3])'],
  [struct({ a: 1, b: 2 }), '+', struct({ b: 3 }), 'struct(a = 1, b = 3)'],
  [
    struct({}, 'p'),
    '+',
    struct({}),
    'error: cannot add structs of different constructors: p + struct',
  ],
  ['ab', '*', 2, '"abab"'],
  ['ab', '*', -1, '""'],
  ['', '*', 10n ** 30n, '""'],
  ['ab', '*', 10 ** 9, 'error: excessive repeat (2 * 1000000000 elements)'],
  [[1], '*', 10 ** 9, 'error: excessive repeat (1 * 1000000000 elements)'],
  ['ab', '*', 10 ** 12, 'error: repeat count 1000000000000 too large'],
  [1, '<<', 511, String(2n ** 511n)],
  [1, '<<', 512, 'error: shift count too large: 512'],
  [2n ** 70n, '>>', 1000, '0'],
  [-1, '>>', 10n ** 20n, '-1'],
  [1, '<<', -1, 'error: negative shift count: -1'],
  [10n ** 400n, '/', 1, 'error: int too large to convert to float'],
  [10n ** 400n, '+', f(1), 'error: int too large to convert to float'],
  [1, '+', 'x', 'error: unknown binary op: int + string'],
])('row %#: %s %s', (x, op, y, result) => expect(run(x, op, y)).toBe(result));

test('ints stop growing before they take forever', () => {
  let number: V.Value = 3n ** 1000n;
  const square = (): void => {
    for (let i = 0; i < 40; i++) number = binary(15, number, number, around);
  };
  expect(square).toThrow(expect.objectContaining({ code: 'PV3012' }));
});

describe('comparison and membership', () => {
  test('sets are ordered by what they contain', () => {
    expect(compare('<', s(1), s(1, 2), around) < 0).toBe(true);
    expect(compare('<', s(1), s(1), around) < 0).toBe(false);
    expect(compare('<=', s(1), s(1), around) <= 0).toBe(true);
    expect(compare('>=', s(1), s(2), around) >= 0).toBe(false);
    expect(compare('>', s(1, 2), s(2), around) > 0).toBe(true);
  });

  test.each<[unknown, unknown, unknown]>([
    [b('ana'), b('banana'), true],
    [97, b('banana'), true],
    [f(3), V.range(0, 9, 3), true],
    [4, V.range(0, 9, 3), false],
    ['x', 'abc', false],
  ])('row %#', (x, y, result) => expect(contains(value(x), value(y), around)).toBe(result));

  test.each<[() => V.Value, string]>([
    [() => contains(1, 'x', around), "'in <string>' requires string as left operand, not int"],
    [
      () => contains('x', V.range(0, 1, 1), around),
      "'in <range>' requires integer as left operand, not string",
    ],
    [() => contains(300, b(''), around), 'int in bytes: 300 out of range'],
    [() => compare('<', 1, 'x', around), 'int < string not implemented'],
    [() => index(1, 2, around), 'unhandled index operation int[int]'],
    [() => index(value([]), 0, around), 'index 0 out of range: empty list'],
    [() => index(value([1]), 5, around), 'list index 5 out of range [-1:0]'],
    [() => index(d([1, 2]), 'x', around), 'key "x" not in dict'],
  ])('row %#', (action, message) => expect(shown(action)).toBe(`error: ${message}`));

  test('a dict that is iterated changes no value either', () => {
    const dict = V.dict([['a', 1]]);
    dict.iterating = 1;
    expect(() => setIndex(dict, 'a', 2, around)).toThrow(
      'cannot insert into hash table during iteration',
    );
  });

  test('views have elements', () => {
    const view: V.View = { kind: 'view', of: 'ab', parts: 'elem_ords' };
    expect(index(view, -1, around)).toBe(98);
    expect(shown(() => index({ ...view, parts: 'codepoints' }, 0, around))).toBe(
      'error: unhandled index operation string.codepoints[int]',
    );
  });
});

test('snapshots keep methods with their receivers, modules and views', () => {
  const list = V.list([1]);
  const { program } = assemble(
    '.global a\n.global m\n.global j\n.global v\n.chunk main\n  CONST null\n  RETURN\n',
  );
  if (!program) throw new Error('no program');
  const inputs = new Map<string, V.Value>([
    ['a', list],
    ['m', V.method(list, 'append')],
    ['j', { kind: 'module', name: 'j', members: new Map([['x', f(2)]]) }],
    ['v', { kind: 'view', of: b('x'), parts: 'elems' }],
  ]);
  const tools = new Map();
  const machine = createMachine(program, { tools, inputs });
  const copy = JSON.parse(JSON.stringify(machine.snapshot()));
  const { variables } = restoreMachine(program, { tools }, copy).view();
  expect([...variables.values()].map((item) => repr(item, around))).toEqual([
    '[1]',
    '<built-in method append of list value>',
    '<module "j">',
    'b"x".elems()',
  ]);
  const method = variables.get('m') as V.Method;
  expect(method.receiver).toBe(variables.get('a'));
  expect(variables.get('j')).toEqual(inputs.get('j'));
});
