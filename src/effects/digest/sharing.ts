/**
 * Who gets how much of a window. Owns the division of documents into those that are sent whole
 * and chains: documents that have to be made shorter, each a chain of its own, so that no two are
 * mixed. Where there are so many that each would get next to nothing, all are one chain.
 */
import { tokensOf } from '../model/window.ts';
import { cutText } from './cut.ts';
import type { Document } from './document.ts';

/** A stretch of a document, by its number. */
export type Piece = readonly [document: number, from: number, to: number];

export interface Chain {
  readonly documents: readonly number[];
  /** Tokens that are left for it in the last call. */
  readonly share: number;
  /** What is read at once, in order: a part of one document, or several small ones. */
  readonly parts: readonly (readonly Piece[])[];
}

export interface Sharing {
  readonly whole: readonly number[];
  readonly chains: readonly Chain[];
}

/** Less than this tells nothing about a document. */
const shareMin = 200;

/** `room` is what the values of the last call may take, `partRoom` those of a call for a part. */
export function share(documents: readonly Document[], room: number, partRoom: number): Sharing {
  const shares = levels(documents, room);
  const isCrowd = [...shares.values()].some((tokens) => tokens < shareMin);
  if (isCrowd && documents.length > 1) {
    const parts = packed(documents, partRoom);
    return { whole: [], chains: [{ documents: numbersOf(documents), share: room, parts }] };
  }
  const isWhole = ({ number, tokens }: Document): boolean =>
    tokens <= (shares.get(number) ?? tokens);
  const chains = documents
    .filter((one) => !isWhole(one))
    .map(
      (one): Chain => ({
        documents: [one.number],
        share: shares.get(one.number) ?? 0,
        parts: partsOf(one, partRoom),
      }),
    );
  return { whole: numbersOf(documents.filter(isWhole)), chains };
}

const numbersOf = (documents: readonly Document[]): number[] =>
  documents.map(({ number }) => number);

/**
 * Tokens for each that does not get all it takes: the small ones take what they need, and what is
 * left is the same for all others.
 */
function levels(documents: readonly Document[], room: number): Map<number, number> {
  const bySize = documents.toSorted((a, b) => a.tokens - b.tokens);
  let left = Math.max(0, room);
  let count = bySize.length;
  for (const { tokens } of bySize) {
    if (tokens > left / count) break;
    left -= tokens;
    count--;
  }
  const large = bySize.slice(bySize.length - count);
  return new Map(large.map(({ number }) => [number, Math.floor(left / count)]));
}

const partsOf = ({ number, text }: Document, room: number): (readonly Piece[])[] =>
  cutText(text, room).map(([from, to]) => [[number, from, to]]);

/** Small documents side by side in one part, each of the others in parts of its own. */
function packed(documents: readonly Document[], room: number): (readonly Piece[])[] {
  const parts: (readonly Piece[])[] = [];
  let open: Piece[] = [];
  let size = 0;
  const close = (): void => {
    if (open.length > 0) parts.push(open);
    open = [];
    size = 0;
  };
  for (const document of documents) {
    const tokens = document.tokens + tokensOf(document.source) + tokensAround;
    if (size + tokens > room) close();
    if (tokens > room) parts.push(...partsOf(document, room));
    else {
      open.push([document.number, 0, document.text.length]);
      size += tokens;
    }
  }
  close();
  return parts;
}

/** For the words that say which part of what it is, and its marks. */
export const tokensAround = 80;
