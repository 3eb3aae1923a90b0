/**
 * Where a text stands in another, in time that grows with their lengths and never with the product:
 * the search of the host is fast, but takes quadratic time on texts that are made for it.
 */

/** Parts of this length or less are left to the search of the host, in texts of any length. */
const partMax = 32;
/** Characters compared at worst that it is trusted with otherwise. */
const comparisonsMax = 2 ** 18;

const isPlain = (text: string, part: string): boolean =>
  part.length <= partMax || text.length * part.length <= comparisonsMax;

/** Units that looking for a part in all of a text costs. */
export const searchCost = (text: string, part: string): number =>
  isPlain(text, part) ? text.length >> 3 : text.length + part.length;

/** The first place of `part` from `from` on, or -1. */
export function firstIndex(text: string, part: string, from = 0): number {
  if (isPlain(text, part)) return text.indexOf(part, from);
  return search(
    part,
    from,
    text.length,
    (i) => text.charCodeAt(i),
    (i) => part.charCodeAt(i),
  );
}

/** The last place of `part`, or -1. */
export function lastIndex(text: string, part: string): number {
  if (isPlain(text, part)) return text.lastIndexOf(part);
  const [end, last] = [text.length - 1, part.length - 1];
  const at = search(
    part,
    0,
    text.length,
    (i) => text.charCodeAt(end - i),
    (i) => part.charCodeAt(last - i),
  );
  return at < 0 ? -1 : text.length - at - part.length;
}

/**
 * Knuth, Morris and Pratt: after a mismatch the longest border of what has matched is still good,
 * so no character of the text is looked at twice.
 */
function search(
  { length }: string,
  from: number,
  to: number,
  textAt: (i: number) => number,
  partAt: (i: number) => number,
): number {
  const borders = bordersOf(length, partAt);
  let matched = 0;
  for (let i = from; i < to; i++) {
    const code = textAt(i);
    while (matched > 0 && partAt(matched) !== code) matched = borders[matched - 1] ?? 0;
    if (partAt(matched) === code) matched++;
    if (matched === length) return i + 1 - length;
  }
  return -1;
}

/** For each prefix, the length of its longest proper prefix that is also its end. */
function bordersOf(length: number, partAt: (i: number) => number): Uint32Array {
  const borders = new Uint32Array(length);
  let border = 0;
  for (let i = 1; i < length; i++) {
    while (border > 0 && partAt(border) !== partAt(i)) border = borders[border - 1] ?? 0;
    if (partAt(border) === partAt(i)) border++;
    borders[i] = border;
  }
  return borders;
}

/** A character for each byte, so that bytes can be searched as text. */
export function binaryText(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += pieceLength) {
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + pieceLength)));
  }
  return pieces.join('');
}

const pieceLength = 4096;
