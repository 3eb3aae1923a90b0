/** The functions that Starlark has everywhere, and what the plan profile adds. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allBuiltins } from '../../../src/machine/builtins/index.ts';
import { universal } from '../../../src/machine/builtins/starlark.ts';
import { compare } from '../../../src/machine/values/compare.ts';
import { callBuiltin } from '../../../src/machine/window/lift.ts';
import * as V from '../../../src/program/value.ts';
import { integer } from '../../support/values.ts';
import { around, b, call, d, f, library, raw, s, struct, t } from './library.ts';

type Row = [name: string, args: unknown[], result: string];

const view = (of: string, parts: V.View['parts']): V.View => ({ kind: 'view', of, parts });
const big = 2n ** 70n;

describe('conversions', () => {
  test.each<Row>([
    ['bool', [], 'False'],
    ['bool', [''], 'False'],
    ['bool', ['0'], 'True'],
    ['bool', [f(0)], 'False'],
    ['bool', [[0]], 'True'],
    ['bool', [V.range(0, 0, 1)], 'False'],
    ['bool', [1, 2], 'error: bool: got 2 arguments, want at most 1'],
    ['bytes', ['hé'], 'b"hé"'],
    ['bytes', ['\ud800'], 'b"\ufffd"'],
    ['bytes', [b('x')], 'b"x"'],
    ['bytes', [[0, 104, 255]], 'b"\\x00h\\xff"'],
    [
      'bytes',
      [[1, 256]],
      'error: bytes: at index 1, 256 out of range (want value in unsigned 8-bit range)',
    ],
    ['bytes', [['x']], 'error: bytes: at index 0, got string, want int'],
    ['bytes', [1], 'error: bytes: got int, want string, bytes, or iterable of ints'],
    ['chr', [65], '"A"'],
    ['chr', [0x1f600], '"😀"'],
    ['chr', [0xd800], '"\ufffd"'],
    ['chr', [-1], 'error: chr: Unicode code point -1 out of range (<0)'],
    ['chr', [0x110000], 'error: chr: Unicode code point U+110000 out of range (>0x10FFFF)'],
    ['chr', ['A'], 'error: chr: got string, want int'],
    ['ord', ['A'], '65'],
    ['ord', ['😀'], '128512'],
    ['ord', ['ab'], 'error: ord: string encodes 2 Unicode code points, want 1'],
    ['ord', [''], 'error: ord: string encodes 0 Unicode code points, want 1'],
    ['ord', [raw(200)], '200'],
    ['ord', [b('ab')], 'error: ord: bytes has length 2, want 1'],
    ['ord', [1], 'error: ord: got int, want string or bytes'],
    ['float', [], '0.0'],
    ['float', [3], '3.0'],
    ['float', [true], '1.0'],
    ['float', ['1e3'], '1000.0'],
    ['float', ['-InF'], '-inf'],
    ['float', ['+nan'], 'nan'],
    ['float', [''], 'error: float: empty string'],
    ['float', ['1x'], 'error: float: invalid float literal: 1x'],
    ['float', ['1e999'], 'error: float: floating-point number too large'],
    ['float', [10n ** 400n], 'error: float: int too large to convert to float'],
    ['float', [[]], 'error: float: float got list, want number or string'],
    ['int', [f(3.99)], '3'],
    ['int', [f(-3.99)], '-3'],
    ['int', [f(-0.5)], '0'],
    ['int', [f(1e20)], '100000000000000000000'],
    ['int', [f(NaN)], 'error: int: cannot convert float NaN to integer'],
    ['int', [f(Infinity)], 'error: int: cannot convert float infinity to integer'],
    ['int', [false], '0'],
    ['int', ['-12'], '-12'],
    ['int', ['-0'], '0'],
    ['int', ['ff', 16], '255'],
    ['int', ['0xFF', 16], '255'],
    ['int', ['0xff', 0], '255'],
    ['int', ['-0b101', 0], '-5'],
    ['int', ['0o17', 8], '15'],
    ['int', ['0', 0], '0'],
    ['int', ['00', 0], '0'],
    ['int', ['z', 36], '35'],
    ['int', ['123456789012345678901234567890'], '123456789012345678901234567890'],
    ['int', ['zzzzzzzzzzzz', 36], String(36n ** 12n - 1n)],
    ['int', ['abc'], 'error: int: invalid literal with base 10: abc'],
    ['int', ['0x10'], 'error: int: invalid literal with base 10: 0x10'],
    ['int', ['010', 0], 'error: int: invalid literal with base 0: 010'],
    ['int', ['--1'], 'error: int: invalid literal with base 10: --1'],
    ['int', [' 1'], 'error: int: invalid literal with base 10:  1'],
    ['int', ['1_000'], 'error: int: invalid literal with base 10: 1_000'],
    ['int', [''], 'error: int: invalid literal with base 10: '],
    ['int', ['8', 8], 'error: int: invalid literal with base 8: 8'],
    ['int', ['1', 1], 'error: int: base must be an integer >= 2 && <= 36'],
    ['int', ['1', '2'], 'error: int: for base, got string, want int: base must be an integer'],
    ['int', [1, 10], "error: int: can't convert non-string with explicit base"],
    ['int', [null], 'error: int: cannot convert NoneType to int'],
    ['int', [], 'error: int: missing argument for x'],
    ['str', [f(1)], '"1.0"'],
    ['str', ['x'], '"x"'],
    ['str', [], 'error: str: got 0 arguments, want exactly 1'],
    ['repr', ['x'], '"\\"x\\""'],
    ['type', [null], '"NoneType"'],
    ['type', [big], '"int"'],
    ['type', [V.builtin('len')], '"builtin_function_or_method"'],
    ['type', [V.method('', 'upper')], '"builtin_function_or_method"'],
    ['type', [view('a', 'elem_ords')], '"string.elems"'],
    ['type', [view('a', 'codepoints')], '"string.codepoints"'],
    ['hash', [''], '0'],
    ['hash', ['a'], '97'],
    ['hash', ['Hello, 世界!'], String(javaHash('Hello, 世界!'))],
    ['hash', [b('')], '2166136261'],
    ['hash', [b('a')], '3826002220'],
    ['hash', [1], 'error: hash: got int, want string or bytes'],
  ])('%s, row %#', (name, args, result) => expect(call(name, args)).toBe(result));

  function javaHash(text: string): number {
    let hash = 0n;
    for (let i = 0; i < text.length; i++)
      hash = BigInt.asIntN(32, hash * 31n + BigInt(text.charCodeAt(i)));
    return Number(hash);
  }

  test('str and int are inverse for ints of any size, in any base for int', () => {
    fc.assert(
      fc.property(integer, fc.integer({ min: 2, max: 36 }), (number, base) => {
        expect(callBuiltin(library, 'int', [String(number)], new Map())).toBe(number);
        const digits = BigInt(number).toString(base);
        expect(callBuiltin(library, 'int', [digits, base], new Map())).toBe(number);
      }),
    );
  });
});

describe('sequences', () => {
  test.each<Row>([
    ['all', [[]], 'True'],
    ['all', [[1, 0]], 'False'],
    ['any', [[]], 'False'],
    ['any', [t(0, 'x')], 'True'],
    ['any', ['abc'], 'error: any: for parameter 1: got string, want iterable'],
    ['dict', [], '{}'],
    ['dict', [[t('a', 1), ['b', 2]]], '{"a": 1, "b": 2}'],
    ['dict', [d([1, 2])], '{1: 2}'],
    ['dict', [[1]], 'error: dict: dictionary update sequence element #0 is not iterable (int)'],
    ['dict', [[[1]]], 'error: dict: dictionary update sequence element #0 has length 1, want 2'],
    [
      'dict',
      [['ab']],
      'error: dict: dictionary update sequence element #0 is not iterable (string)',
    ],
    ['dict', [[[[], 1]]], 'error: dict: unhashable type: list'],
    ['dict', [1], 'error: dict: got int, want iterable'],
    ['dict', [1, 2], 'error: dict: got 2 arguments, want at most 1'],
    ['enumerate', [['a', 'b']], '[(0, "a"), (1, "b")]'],
    ['enumerate', [['a'], 5], '[(5, "a")]'],
    ['enumerate', [1], 'error: enumerate: for parameter 1: got int, want iterable'],
    ['enumerate', [[], 'x'], 'error: enumerate: for parameter 2: got string, want int'],
    ['len', ['héé'], '3'],
    ['len', [b('hé')], '3'],
    ['len', [V.range(0, 10, 3)], '4'],
    ['len', [{ a: 1 }], '1'],
    ['len', [s(1, 2)], '2'],
    ['len', [t()], '0'],
    ['len', [1], 'error: len: value of type int has no len'],
    ['len', [1, 2], 'error: len: got 2 arguments, want 1'],
    ['len', [], 'error: len: got 0 arguments, want 1'],
    ['list', [], '[]'],
    ['list', [V.range(3, 0, -1)], '[3, 2, 1]'],
    ['list', [{ a: 1, b: 2 }], '["a", "b"]'],
    ['list', [view('aé😀', 'codepoints')], '["a", "é", "😀"]'],
    ['list', [view('a😀', 'codepoint_ords')], '[97, 128512]'],
    ['list', [view('a😀', 'elem_ords')], '[97, 55357, 56832]'],
    ['list', [view('a\ud800', 'codepoints')], '["a", "\ufffd"]'],
    ['list', [b('x')], 'error: list: for parameter 1: got bytes, want iterable'],
    ['tuple', [[1]], '(1,)'],
    ['tuple', [s(1, 2)], '(1, 2)'],
    ['set', [[1, 1, f(1), true]], 'set([1, True])'],
    ['set', [[[]]], 'error: set: unhashable type: list'],
    ['set', [[t([])]], 'error: set: unhashable type: list'],
    ['range', [3], 'range(3)'],
    ['range', [1, 3], 'range(1, 3)'],
    ['range', [0, 9, 2], 'range(0, 9, 2)'],
    ['range', [0, 9, 0], 'error: range: step argument must not be zero'],
    ['range', ['x'], 'error: range: for parameter 1: got string, want int'],
    ['range', [], 'error: range: got 0 arguments, want at least 1'],
    ['reversed', [[1, 2, 3]], '[3, 2, 1]'],
    ['reversed', [V.range(0, 3, 1)], '[2, 1, 0]'],
    ['zip', [], '[]'],
    ['zip', [[1, 2], ['a']], '[(1, "a")]'],
    [
      'zip',
      [V.range(0, 10 ** 12, 1), [1, 2], 'aé'],
      'error: zip: argument #3 is not iterable: string',
    ],
    ['zip', [V.range(0, 10 ** 12, 1), [1, 2]], '[(0, 1), (1, 2)]'],
    ['zip', [[1], 2], 'error: zip: argument #2 is not iterable: int'],
    ['sorted', [[3, 1, 2]], '[1, 2, 3]'],
    ['sorted', [[t(2, 'b'), t(1, 'z'), t(2, 'a')]], '[(1, "z"), (2, "a"), (2, "b")]'],
    ['sorted', [['b', 'a', '']], '["", "a", "b"]'],
    ['sorted', [[f(NaN), 1, f(Infinity), f(-1)]], '[-1.0, 1, +inf, nan]'],
    ['sorted', [[1, 'x']], 'error: string < int not implemented'],
    ['sorted', [1], 'error: sorted: for parameter iterable: got int, want iterable'],
    ['sorted', [[], 1], 'error: sorted: for parameter key: got int, want callable'],
    ['max', [[1, 3, 2]], '3'],
    ['max', [1, f(3.5)], '3.5'],
    ['max', [[]], 'error: max: argument is an empty sequence'],
    ['max', [], 'error: max requires at least one positional argument'],
    ['max', [1], 'error: max: int value is not iterable'],
    ['min', [['b', 'a']], '"a"'],
    ['min', [f(1), 1], '1.0'],
    ['min', [1, 'x'], 'error: min: string < int not implemented'],
    ['_sorted_by', [['a', 'b', 'c'], [2, 1, 2], false], '["b", "a", "c"]'],
    ['_sorted_by', [['a', 'b', 'c'], [2, 1, 2], true], '["a", "c", "b"]'],
    [
      '_max_by',
      [
        ['a', 'b', 'c'],
        [1, 2, 2],
      ],
      '"b"',
    ],
    ['_min_by', [[], []], 'error: min: argument is an empty sequence'],
    ['sum', [[1, 2, f(0.5)]], '3.5'],
    ['sum', [[], 7], '7'],
    ['sum', [['a']], 'error: sum: got string, want int or float'],
    ['fail', ['no', 1, ['x']], 'error: fail: no 1 ["x"]'],
  ])('%s, row %#', (name, args, result) => expect(call(name, args)).toBe(result));

  test('named arguments', () => {
    expect(call('dict', [[t('a', 1)]], { a: 2, b: 3 })).toBe('{"a": 2, "b": 3}');
    expect(call('int', ['11'], { base: 2 })).toBe('3');
    expect(call('int', ['11', 2], { base: 2 })).toBe(
      'error: int: got multiple values for keyword argument "base"',
    );
    expect(call('int', ['11'], { bsae: 2 })).toBe(
      'error: int: unexpected keyword argument "bsae" (did you mean base?)',
    );
    expect(call('int', ['11'], { bases: 2 })).toBe(
      'error: int: unexpected keyword argument "bases" (did you mean base?)',
    );
    expect(call('sorted', [[2, 1]], { reverse: true })).toBe('[2, 1]');
    expect(call('sorted', [[2, 1]], { reverse: 1 })).toBe(
      'error: sorted: for parameter "reverse": got int, want bool',
    );
    expect(call('len', [], { x: 1 })).toBe('error: len: unexpected keyword arguments');
    expect(call('fail', ['a', 'b'], { sep: '-' })).toBe('error: fail: a-b');
    expect(call('struct', [], { b: 1, a: 2 })).toBe('struct(a = 2, b = 1)');
    expect(call('struct', [1])).toBe('error: struct: unexpected positional arguments');
  });

  test('sorting is stable both ways', () => {
    const pair = fc.tuple(fc.integer({ min: 0, max: 3 }), fc.nat());
    fc.assert(
      fc.property(fc.array(pair), fc.boolean(), (pairs, reverse) => {
        const keys = V.list(pairs.map(([key]) => key));
        const places = V.list(pairs.map((_, i) => i));
        const sorted = callBuiltin(library, '_sorted_by', [places, keys, reverse], new Map());
        const order = (sorted as V.List).items.map(Number);
        expect([...order].sort((x, y) => x - y)).toEqual(places.items);
        for (const [i, at] of order.slice(1).entries()) {
          const before = order[i] ?? 0;
          const difference = compare('<', keys.items[before] ?? 0, keys.items[at] ?? 0, around);
          expect(reverse ? difference >= 0 : difference <= 0).toBe(true);
          if (difference === 0) expect(before).toBeLessThan(at);
        }
      }),
    );
  });
});

describe('numbers and attributes', () => {
  test.each<Row>([
    ['abs', [-3], '3'],
    ['abs', [-big], String(big)],
    ['abs', [f(-0)], '0.0'],
    ['abs', ['x'], 'error: abs: got string, want int or float'],
    ['round', [f(2.5)], '2'],
    ['round', [f(-3.5)], '-4'],
    ['round', [f(2.675), 2], '2.67'],
    ['round', [f(1e300)], String(BigInt(1e300))],
    ['round', [f(1234.5), -2], '1200.0'],
    ['round', [1250, -2], '1200'],
    ['round', [-1350, -2], '-1400'],
    ['round', [5, -3], '0'],
    ['round', [f(NaN)], 'error: round: cannot convert float NaN to integer'],
    ['pow', [2, 100], String(2n ** 100n)],
    ['pow', [2, -1], '0.5'],
    ['pow', [0, -1], 'error: power of zero to a negative number: division by zero'],
    ['pow', [-1, 10n ** 30n + 1n], '-1'],
    ['dir', [struct({ b: 1, a: 2 })], '["a", "b"]'],
    ['dir', [b('')], '["elems"]'],
    ['dir', [1], '[]'],
    ['getattr', [struct({ a: 1 }), 'a'], '1'],
    ['getattr', ['x', 'upper'], '<built-in method upper of string value>'],
    ['getattr', [struct({ a: 1 }), 'b', 9], '9'],
    ['getattr', [struct({ a: null }), 'a', 9], 'None'],
    ['getattr', [1, 'x'], 'error: getattr: int has no .x field or method'],
    [
      'getattr',
      ['', 'startwith'],
      'error: getattr: string has no .startwith field or method (did you mean .startswith?)',
    ],
    [
      'getattr',
      [struct({ port: 1 }), 'prot'],
      'error: getattr: struct has no .prot attribute (did you mean .port?)',
    ],
    ['hasattr', [[], 'append'], 'True'],
    ['hasattr', [[], 'push'], 'False'],
  ])('%s, row %#', (name, args, result) => expect(call(name, args)).toBe(result));
});

describe('bounds', () => {
  const code = (name: string, args: V.Value[]): unknown => {
    try {
      return callBuiltin(library, name, args, new Map());
    } catch (error) {
      return (error as { code?: string }).code;
    }
  };

  test.each<[string, V.Value[]]>([
    ['list', [V.range(0, 10 ** 12, 1)]],
    ['tuple', [V.range(0, 10 ** 12, 1)]],
    ['set', [V.range(0, 10 ** 12, 1)]],
    ['sorted', [V.range(0, 10 ** 12, 1)]],
    ['enumerate', [V.range(0, 10 ** 12, 1)]],
    ['zip', [V.range(0, 10 ** 12, 1)]],
    ['zip', Array.from({ length: 1000 }, () => V.range(0, 10 ** 6, 1))],
    ['bytes', [V.range(0, 10 ** 12, 1)]],
    ['int', ['9'.repeat(600_000)]],
    ['pow', [10, 10 ** 9]],
    ['pow', [2n ** 100n, 2n ** 100n]],
  ])('%s refuses what would be too large', (name, args) => {
    expect(code(name, args)).toBe('PV3012');
  });

  test('every name of Starlark is a function', () => {
    expect(universal.filter((name) => !allBuiltins.functions.has(name))).toEqual([]);
    expect([...universal].sort().join(' ')).toBe(
      'abs all any bool bytes chr dict dir enumerate fail float getattr hasattr hash int len list max min ord print range repr reversed set sorted str tuple type zip',
    );
  });
});
