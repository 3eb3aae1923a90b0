/**
 * Texts cut into parts of bounded size, at a paragraph, a line, a sentence or a word, so that the
 * parts laid end to end are the text again: nothing between them can go unread.
 */
import { utf8Bytes } from '../../program/size.ts';
import { bytesPerToken, tokensOf } from '../model/window.ts';
import { cutBefore } from '../retrieve/load/pieces.ts';

/** From the character `from` to before `to`. */
export type Span = readonly [from: number, to: number];

/** Parts of at most so many tokens each, in order. */
export function cutText(text: string, tokensMax: number): Span[] {
  const spans: Span[] = [];
  for (let from = 0; from < text.length; ) {
    const most = reach(text, from, Math.max(tokensMax, tokensMin));
    const to = most >= text.length ? text.length : cutBefore(text, from, most);
    spans.push([from, to]);
    from = to;
  }
  return spans;
}

/** A part holds a character at least, whatever that takes. */
const tokensMin = 4;

/** Where a part that begins there has to end at the latest. */
function reach(text: string, from: number, tokens: number): number {
  let to = Math.min(text.length, from + tokens * bytesPerToken);
  for (;;) {
    const part = text.slice(from, to);
    if (tokensOf(part) <= tokens) return to;
    to =
      from + Math.max(1, Math.floor((part.length * tokens * bytesPerToken) / utf8Bytes(part)) - 1);
  }
}

/** Spans that lie end to end as one; `spans` are in order. */
export function joined(spans: readonly Span[]): Span[] {
  const all: [number, number][] = [];
  for (const [from, to] of spans) {
    const last = all.at(-1);
    if (last && last[1] === from) last[1] = to;
    else all.push([from, to]);
  }
  return all;
}
