/**
 * Texts that take the memory their length says. The host keeps a text that grew by `+` as a tree of
 * its pieces, and a part of a text as a window on the whole of it; so a text of one character a
 * piece takes thirty times its length, and a short part keeps alive a whole that nobody else has.
 */

/** A text of this length or less is left to the host, which copies shorter ones itself. */
const smallMax = 32;
/** Pieces of this length or more take about as much as the host needs to hold them together. */
const pieceMin = 16;

/** x + y. Lays the text out flat whenever it has grown by about an eighth in small pieces. */
export function joinText(x: string, y: string): string {
  const joined = x + y;
  const { length } = joined;
  if (length <= smallMax || (x.length >= pieceMin && y.length >= pieceMin)) return joined;
  const eighth = 28 - Math.clz32(length);
  const before = x.length > y.length ? x.length : y.length;
  return before >> eighth === length >> eighth ? joined : flat(joined);
}

/** The same text in one piece, which the host makes of it before it matches a pattern. */
function flat(text: string): string {
  anything.test(text);
  return text;
}

const anything = /^\0/;

/** The host copies parts shorter than this. */
const windowMin = 13;
/** Wholes that are not worth a copy of their parts. */
const wholeMin = 2 ** 14;

/** text.slice(start, end); a small part of a large text is a copy. */
export function partOf(text: string, start: number, end?: number): string {
  const part = text.slice(start, end);
  return part.length < windowMin || text.length < wholeMin || part.length > text.length >> 2
    ? part
    : copied(part);
}

/** Parts of a text, such as `split` gives, in the same way. */
export function partsOf(text: string, parts: readonly string[]): string[] {
  if (text.length < wholeMin || parts.length < 2) return [...parts];
  return parts.map((part) => (part.length < windowMin ? part : copied(part)));
}

/** A window on a text that is one character longer, and that nothing else has. */
const copied = (text: string): string => flat(`${text} `).slice(0, -1);
