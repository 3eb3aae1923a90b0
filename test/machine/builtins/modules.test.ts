/** The modules `json` and `math`. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allBuiltins } from '../../../src/machine/builtins/index.ts';
import { modules } from '../../../src/machine/builtins/starlark.ts';
import { equals } from '../../../src/machine/values/compare.ts';
import { callBuiltin } from '../../../src/machine/window/lift.ts';
import * as V from '../../../src/program/value.ts';
import { floating, integer } from '../../support/values.ts';
import { around, b, call, d, f, library, struct, t } from './library.ts';

type Row = [args: unknown[], result: string];

describe('json.encode', () => {
  test.each<Row>([
    [[null], '"null"'],
    [[true], '"true"'],
    [[-7], '"-7"'],
    [[2n ** 70n], `"${2n ** 70n}"`],
    [[f(1)], '"1.0"'],
    [[f(1e100)], '"1e+100"'],
    [['a"\\\n\u0001é😀\u2028'], '"\\"a\\\\\\"\\\\\\\\\\\\n\\\\u0001é😀\\\\u2028\\""'],
    [[[1, t(2), V.range(0, 2, 1)]], '"[1,[2],[0,1]]"'],
    [[{ b: 1, a: [] }], '"{\\"a\\":[],\\"b\\":1}"'],
    [[struct({ b: 1, a: 2 })], '"{\\"a\\":2,\\"b\\":1}"'],
    [[f(NaN)], 'error: json.encode: cannot encode non-finite float nan'],
    [[d([1, 2])], 'error: json.encode: dict has int key, want string'],
    [
      [{ x: [V.builtin('len')] }],
      'error: json.encode: in dict key "x": at list index 0: cannot encode builtin_function_or_method as JSON',
    ],
    [[struct({ x: b('') })], 'error: json.encode: in field .x: cannot encode bytes as JSON'],
  ])('row %#', (args, result) => expect(call('json.encode', args)).toBe(result));

  test('a cycle has no text', () => {
    const list = V.list([]);
    list.items.push(list);
    expect(call('json.encode', [list])).toBe(
      'error: json.encode: at list index 0: cycle in JSON structure',
    );
  });
});

describe('json.decode', () => {
  test.each<Row>([
    [[' null '], 'None'],
    [['[1, 2.0, 1e3, -0, true]'], '[1, 2.0, 1000.0, 0, True]'],
    [['12345678901234567890'], '12345678901234567890'],
    [['-12345678901234567890'], '-12345678901234567890'],
    [['-0.0'], '-0.0'],
    [['{"a": {"b": []}}'], '{"a": {"b": []}}'],
    [['"\\u00e9\\ud83d\\ude00\\n\\/"'], '"é😀\\n/"'],
    [['"\\ud83d"'], '"\ufffd"'],
    [['{"a": 1, "a": 2}'], '{"a": 2}'],
    [[''], 'error: json.decode: at offset 0, unexpected end of file'],
    [['[1,'], 'error: json.decode: at offset 3, unexpected end of file'],
    [['[1 2]'], "error: json.decode: at offset 3, got '2', want ',' or ']'"],
    [['[1,]'], "error: json.decode: at offset 3, unexpected character ']'"],
    [['{1: 2}'], 'error: json.decode: at offset 2, got int for object key, want string'],
    [['{"a" 1}'], "error: json.decode: at offset 5, after object key, got '1', want ':'"],
    [['{"a": 1; '], "error: json.decode: at offset 7, in object, got ';', want ',' or '}'"],
    [['1 2'], "error: json.decode: at offset 2, unexpected character '2' after value"],
    [['01'], 'error: json.decode: at offset 2, invalid number: 01'],
    [['-'], 'error: json.decode: at offset 1, invalid number: -'],
    [['1e'], 'error: json.decode: at offset 2, invalid number: 1e'],
    [['1e999'], 'error: json.decode: at offset 5, invalid number: 1e999'],
    [['"abc'], 'error: json.decode: at offset 0, unclosed string literal'],
    [['"\\q"'], "error: json.decode: at offset 4, invalid character 'q' in string escape code"],
    [['nul'], "error: json.decode: at offset 0, unexpected character 'n'"],
    [['nul', 'other'], '"other"'],
    [[1], 'error: json.decode: for parameter x: got int, want string'],
  ])('row %#', (args, result) => expect(call('json.decode', args)).toBe(result));

  test('deep nesting is an error', () => {
    const deep = () => callBuiltin(library, 'json.decode', ['['.repeat(1e5)], new Map());
    expect(deep).toThrow(expect.objectContaining({ code: 'PV3017' }));
  });

  test('reads what encode wrote', () => {
    const data: fc.Arbitrary<V.Value> = fc.letrec<{ value: V.Value }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom(null, true, false),
        integer,
        floating.filter((x) => Number.isFinite(x.value)),
        fc.string({ unit: 'grapheme' }),
        fc.array(tie('value'), { maxLength: 3 }).map(V.list),
        fc.array(fc.tuple(fc.string(), tie('value')), { maxLength: 3 }).map(V.dict),
      ),
    })).value;
    fc.assert(
      fc.property(data, (value) => {
        const text = callBuiltin(library, 'json.encode', [value], new Map());
        const again = callBuiltin(library, 'json.decode', [text], new Map());
        expect(equals(again, value, around)).toBe(true);
      }),
    );
  });
});

test('json.indent and encode_indent lay out over lines', () => {
  expect(call('json.indent', ['{"a":[1,{}],"b":"x, y"}'], { prefix: '>', indent: '  ' })).toBe(
    JSON.stringify('{\n>  "a": [\n>    1,\n>    {}\n>  ],\n>  "b": "x, y"\n>}'),
  );
  expect(call('json.encode_indent', [[1]])).toBe('"[\\n\\t1\\n]"');
  expect(call('json.indent', ['[1'])).toBe(
    'error: json.indent: invalid character at offset 2: unexpected end of file',
  );
});

describe('math', () => {
  test.each<[string, unknown[], string]>([
    ['ceil', [f(1.2)], '2'],
    ['ceil', [f(-0.5)], '0'],
    ['floor', [f(-1.2)], '-2'],
    ['floor', [f(1e300)], String(BigInt(1e300))],
    ['floor', [f(Infinity)], 'error: math.floor: cannot convert float infinity to integer'],
    ['floor', ['1'], 'error: math.floor: got string, want float or int'],
    ['copysign', [3, f(-0)], '-3.0'],
    ['fabs', [-2], '2.0'],
    ['mod', [-5, 3], '-2.0'],
    ['pow', [1, f(NaN)], '1.0'],
    ['pow', [-1, f(Infinity)], '1.0'],
    ['pow', [2, 10], '1024.0'],
    ['remainder', [5, 3], '-1.0'],
    ['remainder', [5, 2], '1.0'],
    ['remainder', [7, 2], '-1.0'],
    ['remainder', [-5, 2], '-1.0'],
    ['remainder', [1, f(Infinity)], '1.0'],
    ['remainder', [1, 0], 'nan'],
    ['round', [f(2.5)], '3.0'],
    ['round', [f(-2.5)], '-3.0'],
    ['round', [f(0.49999999999999994)], '0.0'],
    ['exp', [0], '1.0'],
    ['sqrt', [2], String(Math.SQRT2)],
    ['sqrt', [-1], 'nan'],
    ['hypot', [3, 4], '5.0'],
    ['atan2', [0, -1], String(Math.PI)],
    ['degrees', [f(Math.PI)], '180.0'],
    ['radians', [180], String(Math.PI)],
    ['log', [0], '-inf'],
    ['log', [8, 2], '3.0'],
    ['log', [8, 1], 'error: math.log: division by zero'],
    ['gamma', [5], '24.0'],
    ['gamma', [-1], 'nan'],
    ['gamma', [f(-0)], '-inf'],
    ['gamma', [171], '7.257415615307994e+306'],
    ['gamma', [200], '+inf'],
    ['sin', ['x'], 'error: math.sin: for parameter 1: got string, want float or int'],
    ['sin', [], 'error: math.sin: got 0 arguments, want 1'],
  ])('%s %j is %s', (name, args, result) => expect(call(`math.${name}`, args)).toBe(result));

  test.each([0.5, 1.5, 3.3, 10.1, -0.5, -2.5, 150.5])('gamma(%d + 1) is %d times gamma', (x) => {
    const at = (y: number): number =>
      (callBuiltin(library, 'math.gamma', [f(y)], new Map()) as V.Float).value;
    expect(at(x + 1) / (x * at(x))).toBeCloseTo(1, 12);
  });
});

test('every member of a module is a constant or a function that is there', () => {
  for (const { members } of modules.values()) {
    for (const member of members.values()) {
      const known = typeof member === 'object' && member?.kind === 'builtin';
      expect(known ? allBuiltins.functions.has(member.name) : V.typeName(member)).toBe(
        known || 'float',
      );
    }
  }
  expect([...(modules.get('json')?.members.keys() ?? [])].sort()).toEqual([
    'decode',
    'encode',
    'encode_indent',
    'indent',
  ]);
});
