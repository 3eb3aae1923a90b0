/** What of long values goes where: cutting, sharing a window, ranking and drawing passages. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutText, joined } from '../../../src/effects/digest/cut.ts';
import { documentsOf } from '../../../src/effects/digest/document.ts';
import { rank } from '../../../src/effects/digest/rank.ts';
import { share } from '../../../src/effects/digest/sharing.ts';
import { tokensOf } from '../../../src/effects/model/window.ts';

const words = fc.string({
  unit: fc.constantFrom('a', 'word', ' ', '\n\n', '. ', 'é', '汉', '🙂'),
  maxLength: 600,
});

describe('cutting', () => {
  test('leaves nothing out, and no part is too long', () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 4, max: 60 }), (text, most) => {
        const spans = cutText(text, most);
        expect(spans.map(([from, to]) => text.slice(from, to)).join('')).toBe(text);
        for (const [from, to] of spans)
          expect(tokensOf(text.slice(from, to))).toBeLessThanOrEqual(most);
        expect(joined(spans)).toEqual(text === '' ? [] : [[0, text.length]]);
      }),
    );
  });

  test('is done between sentences where there are any', () => {
    const text = 'One two three four. Five six seven eight. Nine ten eleven twelve.';
    const parts = cutText(text, 8).map(([from, to]) => text.slice(from, to));
    expect(parts).toEqual([
      'One two three four. ',
      'Five six seven eight. ',
      'Nine ten eleven twelve.',
    ]);
  });
});

describe('a window', () => {
  const given = (...sizes: readonly number[]) =>
    documentsOf(sizes.map((size, i) => ({ text: `${i} `.repeat(size * 1.5), source: '' })));

  test('is for the small ones first, and the rest alike for the others', () => {
    const { whole, chains } = share(given(100, 9000, 5000), 2100, 1000);
    expect(whole).toEqual([1]);
    expect(chains.map(({ documents, share }) => [documents, share])).toEqual([
      [[2], 1000],
      [[3], 1000],
    ]);
    for (const { documents, parts } of chains) {
      expect(parts.every((part) => part.every(([number]) => documents.includes(number)))).toBe(
        true,
      );
    }
  });

  test('that is too narrow for all of many values makes one chain of them', () => {
    const documents = given(...Array.from({ length: 50 }, () => 150), 3000);
    const { whole, chains } = share(documents, 2000, 1000);
    expect(whole).toEqual([]);
    expect(chains).toHaveLength(1);
    const read = chains[0]?.parts.flat() ?? [];
    expect(joinedOf(read)).toEqual(documents.map(({ number, text }) => [number, 0, text.length]));
    const sizes = chains[0]?.parts.map((part) =>
      part.reduce(
        (sum, [n, from, to]) => sum + tokensOf(documents[n - 1]?.text.slice(from, to) ?? ''),
        0,
      ),
    );
    expect(Math.max(...(sizes ?? [Infinity]))).toBeLessThanOrEqual(1000);
  });

  const joinedOf = (pieces: readonly (readonly [number, number, number])[]) =>
    [...Map.groupBy(pieces, ([number]) => number)].flatMap(([number, own]) =>
      joined(own.map(([, from, to]): [number, number] => [from, to])).map((span) => [
        number,
        ...span,
      ]),
    );
});

describe('ranking', () => {
  const passages = ['The cat sleeps.', 'Profits of chips grew.', 'Dogs bark.', 'A chip was sold.'];
  const { signal } = new AbortController();

  test('is by words, and what has none of them stays in order', async () => {
    expect(await rank(passages, 'How did chip profits grow?', undefined, signal)).toEqual([
      1, 3, 0, 2,
    ]);
  });

  test('is by meaning, too, where there is an embedding model', async () => {
    const vectors: Record<string, number[]> = { 'The cat sleeps.': [0, 1], 'pets?': [0, 1] };
    const embedder = {
      name: 'test/e',
      embed: async (texts: readonly string[]) =>
        texts.map((text) => new Float32Array(vectors[text] ?? [1, 0.1])),
    };
    expect((await rank(passages, 'pets?', embedder, signal))[0]).toBe(0);
  });

  test('of a question without words leaves the order', async () => {
    expect(await rank(passages, '?!', undefined, signal)).toEqual([0, 1, 2, 3]);
  });
});
