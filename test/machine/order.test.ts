/** Sorting beside the host's own stable sort. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compare } from '../../src/machine/values/compare.ts';
import { orderOf } from '../../src/machine/values/order.ts';
import { float, tuple, type Value } from '../../src/program/value.ts';
import { around } from './builtins/library.ts';

const small = fc.integer({ min: -4, max: 4 });
const numbers = fc.oneof(
  small,
  fc.bigInt({ min: 2n ** 60n, max: 2n ** 60n + 4n }),
  small.map(float),
) as fc.Arbitrary<Value>;
const keys = fc.oneof(
  fc.array(small),
  fc.array(fc.string({ maxLength: 2 })),
  fc.array(numbers),
  fc.array(fc.array(small, { maxLength: 2 }).map(tuple)),
) as fc.Arbitrary<Value[]>;

test('equal keys keep their order, reversed or not', () => {
  fc.assert(
    fc.property(keys, fc.boolean(), (all, reverse) => {
      const sign = reverse ? -1 : 1;
      const expected = all
        .map((_, i) => i)
        .sort((i, j) => sign * compare('<', all[i] as Value, all[j] as Value, around));
      expect(orderOf(all, reverse, around)).toEqual(expected);
    }),
  );
});

test('keys without an order are an error', () => {
  expect(() => orderOf([1, 'a'], false, around)).toThrow('not implemented');
});
