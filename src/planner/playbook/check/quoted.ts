/** Whether a message is what its line has in quotes. Pure. */

/** Without what a model may set otherwise: blanks, capitals, marks at the end. */
export const plainWords = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[\s.!?…]+$/, '')
    .trim();

/** Whether a text may be what stands in quotes, whatever is filled in. */
export function isQuote(quoted: string, said: string): boolean {
  const pieces = plainWords(quoted).split(/\{[^{}]*\}|\$\p{XIDC}+/u);
  const words = plainWords(said);
  let at = 0;
  for (const [index, piece] of pieces.entries()) {
    const found = words.indexOf(piece, at);
    if (found < 0 || (index === 0 && found > 0)) return false;
    at = found + piece.length;
  }
  return at === words.length || words.endsWith(pieces.at(-1) ?? '');
}

/**
 * Whether it says something else, rather than the same in other words: another number, or another
 * thing in the same words. `wanted` is the quote with all filled in.
 */
export function isOtherThan(quoted: string, wanted: string, said: string): boolean {
  if (plainWords(said).includes(plainWords(wanted))) return false;
  if (isQuote(quoted, said)) return true;
  const [due, got] = [numbersIn(wanted), numbersIn(said)];
  return due.some((one) => !got.includes(one)) && got.some((one) => !due.includes(one));
}

/** `1,000` and `12.50` are 1000 and 12.5. */
const numbersIn = (text: string): readonly string[] =>
  (text.replace(/(?<=\d)[,'\p{Zs}](?=\d{3}(?!\d))/gu, '').match(/\d+(?:\.\d+)?/g) ?? []).map(
    (one) => (one.length > 15 ? one : String(Number(one))),
  );
