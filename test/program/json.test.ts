/** Values as text and as a host's data: nothing is lost, and what cannot be kept is refused. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decode,
  decodeValue,
  depthMax,
  encode,
  encodeValue,
  fromJson,
  type Json,
  NotData,
  rangeItemsMax,
  stringify,
  textOf,
  toJson,
} from '../../src/program/json.ts';
import * as V from '../../src/program/value.ts';
import { anyValue, text } from '../support/values.ts';

const nested = (depth: number): V.Value => {
  let value: V.Value = V.list([]);
  for (let i = 1; i < depth; i++) value = V.list([value]);
  return value;
};

/** Minus zero is zero, as an int has no sign of its own. */
const hostData: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  data: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(null, true, false, Infinity, -Infinity, NaN, 1e300, 2 ** 53),
    fc.maxSafeInteger(),
    fc.double().map((number) => number + 0),
    fc.bigInt().map((number) => (V.int(number) === number ? number : Number(number))),
    fc.uint8Array({ maxLength: 8 }),
    text,
    fc.constantFrom('1', '1e300', 'NaN'),
    fc.array(tie('data'), { maxLength: 4 }),
    fc.dictionary(text, tie('data'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).data;

function dataOf(value: V.Value): unknown {
  try {
    return toJson(value);
  } catch {
    return undefined;
  }
}

describe('encode and decode', () => {
  test('give back every value as it was', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const text = encode(value);
        expect(decode(text)).toStrictEqual(value);
        expect(encode(decode(text))).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });

  test.each<[V.Value, string]>([
    [1, '1'],
    [V.float(1), '{"$float":"1"}'],
    [V.float(1.5), '1.5'],
    [V.float(-0), '{"$float":"-0"}'],
    [V.int(2n ** 64n), '{"$int":"18446744073709551616"}'],
    [V.bytes(Uint8Array.of(0, 255)), '{"$bytes":"00ff"}'],
    [V.tuple([1, 'a']), '{"$tuple":[1,"a"]}'],
    [V.dict([['a', 1]]), '{"a":1}'],
    [V.dict([[1, 'a']]), '{"$dict":[[1,"a"]]}'],
    [V.dict([['$int', '1']]), '{"$dict":[["$int","1"]]}'],
    [
      V.dict([
        ['1', 1],
        ['2', 2],
        ['a', 3],
      ]),
      '{"1":1,"2":2,"a":3}',
    ],
    [
      V.dict([
        ['a', 3],
        ['1', 1],
      ]),
      '{"$dict":[["a",3],["1",1]]}',
    ],
    [
      V.dict([
        ['2', 2],
        ['1', 1],
      ]),
      '{"$dict":[["2",2],["1",1]]}',
    ],
    [V.dict([['__proto__', V.list([])]]), '{"__proto__":[]}'],
  ])('%o is written as %s', (value, text) => {
    expect(encode(value)).toBe(text);
    expect(decode(text)).toStrictEqual(value);
  });

  test('a settled pending is its value; an unsettled one, a function and a cell are refused', () => {
    expect(encode(V.list([{ kind: 'pending', entry: 1, value: 'a' }]))).toBe('["a"]');
    const without: V.Value[] = [
      { kind: 'pending', entry: 1, value: undefined },
      { kind: 'function', chunk: 1, defaults: [], cells: [] },
      V.cell(1),
    ];
    for (const value of without) expect(() => encode(V.list([value]))).toThrow(NotData);
  });

  test('nesting has one limit, in both directions', () => {
    const text = encode(nested(depthMax + 1));
    expect(encode(decode(text))).toBe(text);
    expect(() => encode(nested(depthMax + 2))).toThrow(NotData);
    expect(() => decode(`[${text}]`)).toThrow(SyntaxError);
    expect(() => decode('['.repeat(200_000) + ']'.repeat(200_000))).toThrow(SyntaxError);
  });

  test('a cycle is refused', () => {
    const ring = V.list([]);
    ring.items.push(ring);
    expect(() => encode(ring)).toThrow(NotData);
    expect(() => toJson(ring)).toThrow(NotData);
    expect(() => textOf(ring)).toThrow(NotData);
  });

  test.each([
    '',
    '{',
    '1e999',
    '12345678901234567890',
    '{"$int":5}',
    '{"$int":"1.5"}',
    '{"$float":"one"}',
    '{"$bytes":"abc"}',
    '{"$bytes":"zz"}',
    '{"$tuple":{}}',
    '{"$set":[[]]}',
    '{"$dict":[[1]]}',
    '{"$dict":[[[],1]]}',
    '{"$range":[1,2]}',
    '{"$range":[1,2,0]}',
    '{"$struct":[1]}',
    '{"$struct":["a",["b"]]}',
    '{"$tool":null}',
  ])('decode refuses %s', (text) => {
    expect(() => decode(text)).toThrow(SyntaxError);
  });
});

describe('fromJson', () => {
  test('takes what JSON has, ints apart from floats', () => {
    expect(fromJson({ a: [1, 1.5, -0, 'x', null, true], b: 2n ** 60n })).toStrictEqual(
      V.dict([
        ['a', V.list([1, V.float(1.5), 0, 'x', null, true])],
        ['b', 2n ** 60n],
      ]),
    );
    expect(fromJson(2 ** 53)).toStrictEqual(V.float(2 ** 53));
    expect(fromJson(5n)).toBe(5);
  });

  test('takes dates as text, bytes as a copy, and leaves out undefined members', () => {
    const source = Uint8Array.of(1, 2);
    const value = fromJson({ at: new Date(0), data: source, gone: undefined });
    source[0] = 9;
    expect(value).toStrictEqual(
      V.dict([
        ['at', '1970-01-01T00:00:00.000Z'],
        ['data', V.bytes(Uint8Array.of(1, 2))],
      ]),
    );
    expect(fromJson(Buffer.from('a'))).toStrictEqual(V.bytes(Uint8Array.of(97)));
  });

  test('takes objects without a prototype and keys that objects treat specially', () => {
    const bare: Record<string, unknown> = Object.create(null);
    bare.a = JSON.parse('{"__proto__":1}');
    expect(fromJson(bare)).toStrictEqual(V.dict([['a', V.dict([['__proto__', 1]])]]));
  });

  test.each([
    ['undefined', undefined, 'got undefined, want JSON data'],
    ['a function', () => 1, 'got function, want JSON data'],
    ['a symbol', Symbol('a'), 'got symbol, want JSON data'],
    ['a Map', new Map(), 'got an instance of Map, want JSON data'],
    ['a promise', Promise.resolve(1), 'got an instance of Promise, want JSON data'],
    ['an error', new RangeError('no'), 'got an instance of RangeError, want JSON data'],
  ])('refuses %s', (_, data, message) => {
    expect(() => fromJson({ a: [data] }.a[0])).toThrow(new NotData(message));
  });

  test('refuses a cycle, also one made by toJSON', () => {
    const ring: unknown[] = [];
    ring.push(ring);
    expect(() => fromJson(ring)).toThrow(NotData);
    const endless = { toJSON: (): unknown => endless };
    expect(() => fromJson(endless)).toThrow(NotData);
  });

  test('gives back what toJson gave, for values that JSON can hold', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (data) => {
        const plain: unknown = JSON.parse(JSON.stringify(data));
        expect(toJson(fromJson(plain))).toStrictEqual(plain);
      }),
    );
  });
});

describe('toJson', () => {
  test('writes collections as arrays and objects', () => {
    const value = V.dict([
      ['tuple', V.tuple([1, V.set(['a'])])],
      ['range', V.range(3, 0, -1)],
      ['struct', { kind: 'struct', name: 's', fields: new Map([['x', 1]]) }],
      [2, V.float(2)],
      ['__proto__', 2n ** 60n],
    ]);
    const data = toJson(value);
    expect(Object.entries(data as object)).toStrictEqual([
      ['2', 2],
      ['tuple', [1, ['a']]],
      ['range', [3, 2, 1]],
      ['struct', { x: 1 }],
      ['__proto__', 2n ** 60n],
    ]);
  });

  test('refuses what would be lost: functions, keys written alike, an endless range', () => {
    expect(() => toJson(V.tool('search'))).toThrow(new NotData('a tool'));
    expect(() =>
      toJson(
        V.dict([
          [1, 'a'],
          ['1', 'b'],
        ]),
      ),
    ).toThrow(NotData);
    expect(() => toJson(V.range(0, 10 * rangeItemsMax, 1))).toThrow(NotData);
    expect(toJson(V.range(0, rangeItemsMax, 1))).toHaveLength(rangeItemsMax);
  });
});

describe('encodeValue and decodeValue', () => {
  test('carry data through the text of JSON', () => {
    fc.assert(
      fc.property(hostData, (data) => {
        const text = JSON.stringify(encodeValue(data));
        // Not strictly: that takes a key `constructor` for a class.
        expect(decodeValue(JSON.parse(text))).toEqual(data);
      }),
    );
  });

  test('decodeValue reads the canonical text of every value that is data', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const data = dataOf(value);
        if (data === undefined) return;
        expect(decodeValue(JSON.parse(encode(value)))).toEqual(data);
      }),
    );
  });

  test.each<[unknown, unknown]>([
    [2n ** 53n, { $int: '9007199254740992' }],
    [2 ** 53 - 1, 2 ** 53 - 1],
    [Uint8Array.of(0, 255), { $bytes: '00ff' }],
    [
      [1.5, Infinity],
      [1.5, { $float: 'Infinity' }],
    ],
    [1e300, 1e300],
    [{ $int: 'a' }, { $dict: [['$int', 'a']] }],
    [{ $float: '1' }, { $dict: [['$float', '1']] }],
    [
      { $float: '1', b: 2 },
      { $float: '1', b: 2 },
    ],
  ])('%o is %j', (data, json) => {
    expect(encodeValue(data)).toStrictEqual(json);
  });

  test('what is no list for JSON becomes one', () => {
    expect(decodeValue({ $tuple: [1, { $set: ['a'] }, { $range: [0, 2, 1] }] })).toEqual([
      1,
      ['a'],
      [0, 1],
    ]);
  });

  test.each<[Json, typeof Error | typeof NotData]>([
    [{ $int: 'a' }, SyntaxError],
    [{ $tool: 'price' }, NotData],
  ])('%j is refused', (json, error) => {
    expect(() => decodeValue(json)).toThrow(error);
  });
});

describe('text', () => {
  test.each<[V.Value, string]>([
    ['as it is "', 'as it is "'],
    [V.list(['a', null, true]), '["a",null,true]'],
    [
      V.dict([
        ['b', 1],
        ['1', V.int(2n ** 64n)],
      ]),
      '{"b":1,"1":18446744073709551616}',
    ],
    [V.dict([[1, V.tuple([])]]), '{"1":[]}'],
    [V.float(2), '2.0'],
    [V.float(-0), '-0.0'],
    [V.float(1e21), '1e+21'],
    [V.float(0.1), '0.1'],
    [V.float(NaN), 'NaN'],
    [V.bytes(Uint8Array.of(1)), '"01"'],
    [V.range(0, 2, 1), '[0,1]'],
    [{ kind: 'pending', entry: 1, value: V.list([1]) }, '[1]'],
  ])('of %o is %s', (value, text) => {
    expect(textOf(value)).toBe(text);
  });

  test('of a value without functions is JSON, unless a float in it is not finite', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (data) => {
        const value = V.list([fromJson(JSON.parse(JSON.stringify(data)))]);
        expect(JSON.parse(textOf(value))).toStrictEqual(toJson(value));
      }),
    );
  });

  test('stringify says infinity and NaN, for which JSON has null', () => {
    const data = { a: Number.POSITIVE_INFINITY, b: [Number.NaN, Number.NEGATIVE_INFINITY, 1.5] };
    const text = stringify(data);
    expect(text).toBe(
      '{"a":{"$float":"Infinity"},"b":[{"$float":"NaN"},{"$float":"-Infinity"},1.5]}',
    );
    expect(toJson(decode(text))).toStrictEqual(data);
  });

  test('stringify indents, and keeps big ints whole', () => {
    const data = { a: [1, 2n ** 64n], empty: {}, none: undefined };
    expect(stringify(data)).toBe('{"a":[1,18446744073709551616],"empty":{}}');
    expect(stringify(data, 2)).toBe(
      '{\n  "a": [\n    1,\n    18446744073709551616\n  ],\n  "empty": {}\n}',
    );
  });
});
