/** Texts laid out flat are the texts that the host would have made. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinText, partOf, partsOf } from '../../src/machine/values/text.ts';

const piece = fc.string({ unit: 'binary', maxLength: 40 });

test('joined from either side', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(piece, fc.boolean()), { maxLength: 200 }), (pieces) => {
      let mine = '';
      let plain = '';
      for (const [one, before] of pieces) {
        mine = before ? joinText(one, mine) : joinText(mine, one);
        plain = before ? one + plain : plain + one;
      }
      expect(mine).toBe(plain);
    }),
  );
});

test('parts of long texts and of short ones', () => {
  const long = Array.from({ length: 20_000 }, (_, i) => String.fromCharCode(i)).join('');
  fc.assert(
    fc.property(
      fc.constantFrom(long, 'short'),
      fc.nat(20_000),
      fc.nat(20_000),
      (text, from, to) => {
        expect(partOf(text, from, to)).toBe(text.slice(from, to));
        expect(partOf(text, from)).toBe(text.slice(from));
      },
    ),
  );
  const lines = long.split('\n');
  expect(partsOf(long, lines)).toEqual(lines);
});
