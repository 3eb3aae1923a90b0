/** Keys of dicts and sets, and the one form of each int. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as V from '../../src/program/value.ts';
import { floating, hashable, integer, text } from '../support/values.ts';

const meets = (a: V.Value, b: V.Value): boolean => {
  const found = V.dictGet(V.dict([[a, 'found']]), b);
  return found === 'found';
};

describe('keyOf', () => {
  test.each<[string, V.Value, V.Value]>([
    ['1 and 1.0', 1, V.float(1)],
    ['0 and -0.0', 0, V.float(-0)],
    ['a big int and its float', V.int(2n ** 70n), V.float(2 ** 70)],
    ['NaN and NaN', V.float(NaN), V.float(NaN)],
    ['infinity and itself', V.float(Infinity), V.float(Infinity)],
    ['(1, "a") and (1.0, "a")', V.tuple([1, 'a']), V.tuple([V.float(1), 'a'])],
    ['equal bytes', V.bytes(Uint8Array.of(1, 2)), V.bytes(Uint8Array.of(1, 2))],
    ['one tool', V.tool('search'), V.tool('search')],
    ['a settled pending and its value', { kind: 'pending', entry: 1, value: 'a' }, 'a'],
  ])('%s meet', (_, a, b) => {
    expect(meets(a, b)).toBe(true);
    expect(meets(b, a)).toBe(true);
  });

  test.each<[string, V.Value, V.Value]>([
    ['True and 1', true, 1],
    ['False and 0', false, 0],
    ['None and the word', null, 'None'],
    ['1 and "1"', 1, '1'],
    ['a big int and the next', V.int(2n ** 70n), V.int(2n ** 70n + 1n)],
    ['a big int and a float near it', V.int(2n ** 70n + 1n), V.float(2 ** 70)],
    ['(True,) and (1,)', V.tuple([true]), V.tuple([1])],
    ['("a", "b") and ("ab",)', V.tuple(['a', 'b']), V.tuple(['ab'])],
    [
      '(("a",), "b") and ("a", ("b",))',
      V.tuple([V.tuple(['a']), 'b']),
      V.tuple(['a', V.tuple(['b'])]),
    ],
    ['a tool and a builtin of one name', V.tool('len'), V.builtin('len')],
    ['a tool and the text of its key', V.tool('len'), '\0tool:len'],
    ['bytes and the text of their key', V.bytes(Uint8Array.of(1)), '\0b1'],
    ['a tuple and the text of its key', V.tuple([]), '\0t'],
    ['"\\0" and "\\0s\\0"', '\0', '\0s\0'],
  ])('%s do not meet', (_, a, b) => {
    expect(meets(a, b)).toBe(false);
    expect(meets(b, a)).toBe(false);
  });

  test('a value meets itself, and what meets it is met by it', () => {
    fc.assert(
      fc.property(hashable, hashable, (a, b) => {
        expect(meets(a, a)).toBe(true);
        expect(meets(a, b)).toBe(meets(b, a));
      }),
    );
  });

  test('a text meets equal text only, whatever the other value is', () => {
    fc.assert(
      fc.property(text, hashable, (a, b) => {
        expect(meets(a, b)).toBe(a === b);
      }),
    );
  });

  test('numbers meet exactly when they are equal', () => {
    fc.assert(
      fc.property(integer, floating, (a, { value }) => {
        // The host compares a bigint with a number by their exact values.
        expect(meets(a, V.float(value))).toBe(a >= value && a <= value);
      }),
    );
  });

  test('mutable values, and tuples of them, have no key', () => {
    const pending: V.Pending = { kind: 'pending', entry: 1, value: undefined };
    for (const value of [V.list([]), V.dict(), V.set(), V.range(0, 1, 1), pending]) {
      expect(V.keyOf(value)).toBeUndefined();
      expect(V.keyOf(V.tuple([1, value]))).toBeUndefined();
      expect(() => V.dict([[value, 1]])).toThrow(TypeError);
      expect(() => V.set([value])).toThrow(TypeError);
    }
  });
});

test('an int is a number exactly while it is safe', () => {
  fc.assert(
    fc.property(fc.bigInt(), (value) => {
      const made = V.int(value);
      expect(typeof made === 'number').toBe(value >= -(2n ** 53n) + 1n && value <= 2n ** 53n - 1n);
      expect(BigInt(made)).toBe(value);
    }),
    { examples: [[2n ** 53n - 1n], [2n ** 53n], [-(2n ** 53n)], [2n ** 53n + 1n]] },
  );
});

test('a dict keeps the order of first insertion and the newest value', () => {
  const made = V.dict([
    ['b', 1],
    ['1', 2],
    ['b', 3],
  ]);
  expect([...V.dictEntries(made)]).toEqual([
    ['b', 3],
    ['1', 2],
  ]);
});

test('a set keeps the first of what is equal', () => {
  expect(V.set([1, V.float(1), true]).slots).toEqual([1, true]);
});

test('settled sees through a chain, isPending only what has not settled', () => {
  const open: V.Pending = { kind: 'pending', entry: 1, value: undefined };
  const inner: V.Pending = { kind: 'pending', entry: 2, value: 'text' };
  const outer: V.Pending = { kind: 'pending', entry: 3, value: inner };
  expect(V.settled(outer)).toBe('text');
  expect(V.settled(open)).toBe(open);
  expect(V.isPending(open)).toBe(true);
  expect(V.isPending(outer)).toBe(false);
  expect(V.isPending(null)).toBe(false);
});

test('typeName says the words of the Starlark specification', () => {
  const values: V.Value[] = [
    null,
    true,
    1,
    V.int(2n ** 60n),
    V.float(1),
    'a',
    V.list([]),
    V.tuple([]),
  ];
  expect(values.map(V.typeName)).toEqual([
    'NoneType',
    'bool',
    'int',
    'int',
    'float',
    'string',
    'list',
    'tuple',
  ]);
  expect(V.typeName(V.builtin('len'))).toBe('builtin_function_or_method');
});
