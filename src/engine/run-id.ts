/**
 * Names of runs: `r`, the time in nine and chance in five letters of Crockford's base 32. They
 * sort by age, read aloud without doubt, and a short prefix is enough to name one.
 */

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** `now` in epoch milliseconds; `random` gives numbers from 0 up to 1. */
export function runId(now: number, random: () => number = Math.random): string {
  return `r${letters(now, 9)}${letters(Math.floor(random() * 32 ** 5), 5)}`;
}

function letters(value: number, count: number): string {
  let text = '';
  for (let i = 0, rest = value; i < count; i++) {
    text = alphabet.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}
