/** `str` and `repr`, the text of floats and strings, and how both are bounded. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  floatText,
  formatFloat,
  parseFloatText,
  quote,
  quoteBytes,
  repr,
  str,
} from '../../src/machine/values/text.ts';
import * as V from '../../src/program/value.ts';
import { around, b, d, f, raw, s, struct, t, value } from './builtins/library.ts';

describe('floats', () => {
  test.each<[number, string]>([
    [0, '0.0'],
    [-0, '-0.0'],
    [1, '1.0'],
    [-1.5, '-1.5'],
    [0.1, '0.1'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [100000, '100000.0'],
    [1000000, '1e+06'],
    [123456.75, '123456.75'],
    [1234567.5, '1.2345675e+06'],
    [123456789, '1.23456789e+08'],
    [1e100, '1e+100'],
    [5e-324, '5e-324'],
    [1.7976931348623157e308, '1.7976931348623157e+308'],
    [NaN, 'nan'],
    [Infinity, '+inf'],
    [-Infinity, '-inf'],
  ])('%d is %s', (number, text) => expect(floatText(number)).toBe(text));

  test.each<[number, 'e' | 'E' | 'f' | 'F' | 'G', string]>([
    [123.45, 'e', '1.234500e+02'],
    [123.45, 'E', '1.234500E+02'],
    [0, 'e', '0.000000e+00'],
    [9999999.5, 'e', '1.000000e+07'],
    [1000000.5, 'e', '1.000000e+06'],
    [1000001.5, 'e', '1.000002e+06'],
    [0.99999999, 'e', '1.000000e+00'],
    [123.45, 'f', '123.450000'],
    [-123.45, 'F', '-123.450000'],
    [0.0078125, 'f', '0.007812'],
    [0.0234375, 'f', '0.023438'],
    [0.9999999, 'f', '1.000000'],
    [1e22, 'f', '10000000000000000000000.000000'],
    [1e7, 'G', '1E+07'],
    [Infinity, 'f', '+inf'],
  ])('%d with %%%s is %s', (number, form, text) => expect(formatFloat(number, form)).toBe(text));

  test('a text is read back as the same float', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), (number) => {
        expect(parseFloatText(floatText(number))).toBe(number);
      }),
    );
  });

  test.each([
    ['1', 1],
    ['+1.5', 1.5],
    ['.5', 0.5],
    ['5.', 5],
    ['-1e3', -1000],
    ['-Infinity', -Infinity],
    ['1e400', Infinity],
    ['', undefined],
    ['.', undefined],
    ['1_0', undefined],
    ['0x10', undefined],
    [' 1', undefined],
    ['1e', undefined],
  ])('%s says %d', (text, number) => expect(parseFloatText(text)).toBe(number));
});

describe('quoting', () => {
  test.each<[string, string]>([
    ['', '""'],
    ['a b', '"a b"'],
    [`it's "so"`, `"it's \\"so\\""`],
    ['\\', '"\\\\"'],
    ['\x07\b\t\n\v\f\r', '"\\a\\b\\t\\n\\v\\f\\r"'],
    ['\0\x1f\x7f', '"\\x00\\x1f\\x7f"'],
    ['héllo 世界 😀', '"héllo 世界 😀"'],
    ['\u00a0\u200b\ufeff', '"\\u00a0\\u200b\\ufeff"'],
    ['\ud800', '"\\ud800"'],
    ['\u{e0001}', '"\\U000e0001"'],
  ])('%j', (text, quoted) => expect(quote(text)).toBe(quoted));

  test('bytes that are no UTF-8 are shown one by one', () => {
    expect(quoteBytes(new TextEncoder().encode('aé😀\n'))).toBe('b"aé😀\\n"');
    expect(quoteBytes(Uint8Array.of(0xff, 0x61, 0xe2, 0x82, 0xc0, 0x80))).toBe(
      'b"\\xffa\\xe2\\x82\\xc0\\x80"',
    );
    expect(quoteBytes(Uint8Array.of(0xed, 0xa0, 0x80))).toBe('b"\\xed\\xa0\\x80"');
  });
});

describe('values', () => {
  test.each<[unknown, string]>([
    [null, 'None'],
    [true, 'True'],
    [false, 'False'],
    [-7, '-7'],
    [2n ** 70n, '1180591620717411303424'],
    ['a"b', '"a\\"b"'],
    [b('hi'), 'b"hi"'],
    [[], '[]'],
    [[1, 'x', null], '[1, "x", None]'],
    [t(), '()'],
    [t(1), '(1,)'],
    [t(1, t(2)), '(1, (2,))'],
    [{}, '{}'],
    [d([1, 'one'], ['two', [2]]), '{1: "one", "two": [2]}'],
    [s(), 'set([])'],
    [s(1, 'x'), 'set([1, "x"])'],
    [V.range(0, 3, 1), 'range(3)'],
    [V.range(1, 3, 1), 'range(1, 3)'],
    [V.range(3, 0, -1), 'range(3, 0, -1)'],
    [struct({ port: 80, host: 'h' }), 'struct(host = "h", port = 80)'],
    [struct({ x: 1 }, 'point'), 'point(x = 1)'],
    [V.builtin('len'), '<built-in function len>'],
    [V.method('abc', 'startswith'), '<built-in method startswith of string value>'],
    [V.method(V.list([]), 'append'), '<built-in method append of list value>'],
    [{ kind: 'function', chunk: 3, defaults: [], cells: [] }, '<function f3>'],
    [{ kind: 'module', name: 'json', members: new Map() }, '<module "json">'],
    [{ kind: 'view', of: 'ab', parts: 'codepoint_ords' }, '"ab".codepoint_ords()'],
    [{ kind: 'view', of: b('ab'), parts: 'elems' }, 'b"ab".elems()'],
    [V.tool('search'), '<tool search>'],
  ])('repr %#: %s', (data, text) => expect(repr(value(data), around)).toBe(text));

  test('str differs from repr for strings and bytes only, and only outside of others', () => {
    expect(str('a"b', around)).toBe('a"b');
    expect(str(raw(0x61, 0xff, 0x62), around)).toBe('a\ufffdb');
    expect(str(value(['a']), around)).toBe('["a"]');
    expect(str(f(2), around)).toBe('2.0');
  });

  test('what contains itself shows so', () => {
    const items = V.list([1]);
    items.items.push(items);
    expect(repr(items, around)).toBe('[1, [...]]');
    const made = V.dict();
    V.dictSet(made, 'me', made);
    V.dictSet(made, 'list', V.list([made]));
    expect(repr(made, around)).toBe('{"me": {...}, "list": [{...}]}');
  });

  test('shared parts are written each time, until the text is too long', () => {
    let items = V.list(['x']);
    for (let i = 0; i < 3; i++) items = V.list([items, items]);
    expect(repr(items, around)).toBe(
      '[[[["x"], ["x"]], [["x"], ["x"]]], [[["x"], ["x"]], [["x"], ["x"]]]]',
    );
    for (let i = 0; i < 60; i++) items = V.list([items, items]);
    expect(() => repr(items, around)).toThrow(expect.objectContaining({ code: 'PV3012' }));
  });

  test('nesting has a limit', () => {
    let items = V.list([]);
    for (let i = 0; i < 100_000; i++) items = V.list([items]);
    expect(() => repr(items, around)).toThrow(expect.objectContaining({ code: 'PV3017' }));
  });

  test('fuel is taken by the size of the text', () => {
    let units = 0;
    repr(value(['x'.repeat(100)]), { ...around, charge: (n) => (units += n) });
    expect(units).toBe(1 + (104 >> 3));
  });
});
