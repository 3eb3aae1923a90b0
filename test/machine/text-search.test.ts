/** Searching beside the host's own search, on both sides of where it is left. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { binaryText, firstIndex, lastIndex } from '../../src/machine/values/characters.ts';

/** Texts of few characters, in which parts recur. */
const text = (maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom('a', 'b', '\ud83d'), maxLength });

/** Long texts of which the parts are nearly in them. */
const long = fc
  .tuple(text(4), fc.integer({ min: 1500, max: 4000 }), text(4))
  .map(([piece, times, rest]) => `${piece || 'a'}`.repeat(times) + rest);

test('the first and the last place are those that the host finds', () => {
  fc.assert(
    fc.property(
      long,
      fc.nat(3000),
      fc.integer({ min: 100, max: 900 }),
      text(2),
      (all, at, n, end) => {
        for (const part of [all.slice(at, at + n), all.slice(at, at + n) + end, end]) {
          expect(firstIndex(all, part)).toBe(all.indexOf(part));
          expect(firstIndex(all, part, 50)).toBe(all.indexOf(part, 50));
          expect(lastIndex(all, part)).toBe(all.lastIndexOf(part));
        }
      },
    ),
  );
});

test('bytes are searched as text, whatever they are', () => {
  const bytes = Uint8Array.from({ length: 10_000 }, (_, i) => i % 256);
  const all = binaryText(bytes);
  expect(all).toHaveLength(10_000);
  expect([...all].every((c, i) => c.charCodeAt(0) === i % 256)).toBe(true);
  expect(firstIndex(all, binaryText(bytes.slice(200, 300)))).toBe(200);
});
