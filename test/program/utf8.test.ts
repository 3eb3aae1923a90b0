/** Sizes in bytes agree with those of an encoder. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { utf8Bytes } from '../../src/program/size.ts';

test('every text is as long as it is encoded, lone surrogates too', () => {
  const units = fc.oneof(
    fc.integer({ min: 0, max: 0xffff }),
    fc.integer({ min: 0xd7f0, max: 0xe010 }),
  );
  const texts = fc.array(units).map((codes) => String.fromCharCode(...codes));
  fc.assert(
    fc.property(texts, (text) => {
      expect(utf8Bytes(text)).toBe(new TextEncoder().encode(text).length);
    }),
  );
});
