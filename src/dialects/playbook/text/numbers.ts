/** Numbers in words, as lines count with them. */
export const numbers: readonly string[] = [
  ...['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'],
];

/** `3`, `three`, `twice`; undefined for what is no number. */
export function numberIn(text: string): number | undefined {
  const word = text.toLowerCase();
  if (/^-?\d+$/.test(word)) return Number(word);
  const written = ['', '', 'twice', 'thrice'].indexOf(word);
  const number = written > 0 ? written : numbers.indexOf(word);
  return number < 0 ? undefined : number;
}
