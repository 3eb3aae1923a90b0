/**
 * Cuts a text into pieces of bounded size that overlap a little, so that what stands at a cut is
 * found whole on one side of it. Pieces are ranges of the text: nothing is rewritten.
 */
import type { Chunk } from '../content.ts';

export interface Piece {
  readonly start: number;
  readonly end: number;
}

/** Characters; about 400 tokens, a few paragraphs. */
export const pieceCharsMax = 1_600;
const overlapChars = 200;

/** Where a text is best cut, best first: at a paragraph, a line, a sentence, a word. */
const cuts = [/\n[ \t]*\n\s*/g, /\n/g, /[.!?…]["”»)]*\s+/g, /\s+/g];

/** Pieces of `text` from `start` to `end`, in order, without white space around them. */
export function pieces(text: string, start = 0, end: number = text.length): Piece[] {
  const found: Piece[] = [];
  let from = start;
  let fresh = start;
  while (fresh < end) {
    const to = end - from <= pieceCharsMax ? end : cutBefore(text, fresh, from + pieceCharsMax);
    const piece = trimmed(text, from, to);
    if (piece.start < piece.end && piece.end > fresh) found.push(piece);
    if (to >= end) break;
    fresh = to;
    from = cutAfter(text, Math.max(start, to - overlapChars), to);
  }
  return found;
}

/** The text of one row of a table; its parts all name the lines of the whole. */
export function rowChunks(text: string, lines: Chunk['lines']): Chunk[] {
  return pieces(text).map(({ start, end }) => ({
    heading: '',
    text: text.slice(start, end),
    lines,
  }));
}

/** The best place to end a piece: the last good cut in its second half. */
export function cutBefore(text: string, from: number, to: number): number {
  const half = from + Math.floor((to - from) / 2);
  const window = text.slice(half, to);
  for (const cut of cuts) {
    const last = [...window.matchAll(cut)].at(-1);
    if (last) return half + last.index + last[0].length;
  }
  return wholeCharacter(text, to);
}

/** The best place to begin the overlap: the first good cut in it. */
function cutAfter(text: string, from: number, to: number): number {
  const window = text.slice(from, to);
  for (const cut of cuts) {
    for (const match of window.matchAll(cut)) {
      const at = from + match.index + match[0].length;
      if (at < to) return at;
    }
  }
  return to;
}

/** Never between the halves of one character. */
const wholeCharacter = (text: string, at: number): number => {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code < 0xe000 ? at - 1 : at;
};

function trimmed(text: string, start: number, end: number): Piece {
  const part = text.slice(start, end);
  const lead = part.length - part.trimStart().length;
  return { start: start + lead, end: start + part.trimEnd().length };
}
