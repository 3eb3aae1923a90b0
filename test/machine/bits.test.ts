/** The size of ints is never taken for less than it is, nor for much more. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bitsOf } from '../../src/machine/values/walk.ts';

test('at most two bits more than there are', () => {
  const sizes = fc.oneof(fc.nat({ max: 2000 }), fc.nat({ max: 50_000 }));
  fc.assert(
    fc.property(sizes, fc.integer({ min: -5, max: 5 }), fc.boolean(), (size, more, negative) => {
      const value = (1n << BigInt(size)) + BigInt(more);
      const exact = (value < 0n ? -value : value).toString(2).length;
      const found = bitsOf(negative ? -value : value);
      expect(found).toBeGreaterThanOrEqual(exact);
      expect(found).toBeLessThanOrEqual(exact + 2);
    }),
  );
});
