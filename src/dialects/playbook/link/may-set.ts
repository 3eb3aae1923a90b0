/** What a step may set: what its model makes of a line in words sets what that names. */
import { namePattern } from '../../../program/name.ts';
import type { Step } from '../compiled/compiled.ts';

const anyName = new RegExp(namePattern, 'gu');

/** Variables, as written, that a step may set: also those of its agent that words may mean. */
export function mayBeSetAt({ code, isAmbiguous, reads, text, writes }: Step): readonly string[] {
  if (code !== 'EXE' || !isAmbiguous) return writes;
  const words = text.toLowerCase().match(anyName) ?? [];
  return [...writes, ...reads, ...words.map((word) => `$${word}`)];
}
