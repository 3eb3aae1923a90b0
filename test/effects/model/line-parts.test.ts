/** Lines of a text, whatever the pieces in which it comes. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineParts } from '../../../src/effects/model/line-parts.ts';

function linesOf(pieces: readonly string[], answer = pieces.join('')): string[] {
  const found: string[] = [];
  const lines = lineParts((line) => found.push(line));
  for (const piece of pieces) lines.add(piece);
  lines.end(answer);
  return found;
}

test('every cut of a text gives the same lines', () => {
  const text = 'first\r\n\n  third\nlast';
  for (let a = 0; a <= text.length; a++) {
    for (let b = a; b <= text.length; b++) {
      const pieces = [text.slice(0, a), text.slice(a, b), text.slice(b)];
      expect(linesOf(pieces)).toEqual(['first', '', '  third', 'last']);
    }
  }
});

test('a line is there as soon as it is complete', () => {
  const found: string[] = [];
  const lines = lineParts((line) => found.push(line));
  lines.add('first line\nsec');
  expect(found).toEqual(['first line']);
});

test('what a model thinks aloud is no part', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(30), { maxLength: 4 }), (cuts) => {
      const text = '<think>\nhm\n</think>\nyes\nno';
      const pieces: string[] = [];
      let from = 0;
      for (const cut of [...cuts.toSorted((a, b) => a - b), text.length]) {
        pieces.push(text.slice(from, Math.max(from, cut)));
        from = Math.max(from, cut);
      }
      expect(linesOf(pieces, 'yes\nno')).toEqual(['yes', 'no']);
    }),
  );
});

test('an empty text has no lines', () => {
  expect(linesOf([])).toEqual([]);
});
