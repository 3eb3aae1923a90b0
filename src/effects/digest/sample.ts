/** Passages drawn at random, the same ones for the same seed. */
import { createHash } from 'node:crypto';
import { cutText } from './cut.ts';
import { type Digesting, tokensOfPassage } from './document.ts';
import type { Piece } from './sharing.ts';

/** Passages of a sample: one in five, in these bounds. A few say little of a long text. */
const sampleShare = 0.2;
const sampleMin = 5;
const sampleMax = 30;

const sampleSize = (passages: number): number =>
  Math.min(sampleMax, Math.max(sampleMin, Math.ceil(passages * sampleShare)));

/** In order; long values are drawn from more often. */
export function sampled(on: Digesting, numbers: readonly number[]): Piece[] {
  const passages = passagesOf(on, numbers);
  const score = (piece: Piece): string =>
    createHash('sha256')
      .update(`${on.seed} ${piece.join(' ')}`)
      .digest('hex');
  const drawn = passages
    .map((piece) => ({ piece, score: score(piece) }))
    .sort((a, b) => (a.score < b.score ? -1 : 1))
    .slice(0, Math.min(sampleSize(passages.length), Math.floor(on.most / 2 / tokensOfPassage)))
    .map(({ piece }) => piece);
  return drawn.sort(([a, from], [b, start]) => a - b || from - start);
}

/** All passages of some values, in order. */
export function passagesOf(on: Digesting, numbers: readonly number[]): Piece[] {
  return on.documents
    .filter(({ number }) => numbers.includes(number))
    .flatMap(({ number, text }) =>
      cutText(text, tokensOfPassage).map(([from, to]): Piece => [number, from, to]),
    );
}
