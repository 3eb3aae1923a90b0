/** SHA-256 without a platform gives what the platform gives. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256 } from '../../src/program/sha256.ts';

const expected = (text: string): string => createHash('sha256').update(text).digest('hex');

test('the examples of FIPS 180-4', () => {
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
});

test('every length around the ends of blocks', () => {
  for (let length = 0; length <= 200; length++) {
    const text = 'x'.repeat(length);
    expect(sha256(text), `length ${length}`).toBe(expected(text));
  }
});

test('random text, with lone surrogates and every plane', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      expect(sha256(text)).toBe(expected(text));
    }),
  );
  const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 150 });
  fc.assert(
    fc.property(units, (codes) => {
      const text = String.fromCharCode(...codes);
      expect(sha256(text)).toBe(expected(text));
    }),
  );
});

test('text of many blocks', () => {
  const text = 'Zürich 東京 🛰 '.repeat(20_000);
  expect(sha256(text)).toBe(expected(text));
});
