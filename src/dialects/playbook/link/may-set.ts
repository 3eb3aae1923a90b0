/** What a step may set: what its model makes of a line in words sets what that names. */
import type { Step } from '../compiled/compiled.ts';
import { anyName } from '../text/variables.ts';

/** Variables, as written, that a step may set: also those of its agent that words may mean. */
export function mayBeSetAt({ code, isAmbiguous, reads, text, writes }: Step): readonly string[] {
  if (code !== 'EXE' || !isAmbiguous) return writes;
  const words = text.toLowerCase().match(anyName) ?? [];
  return [...writes, ...reads, ...words.map((word) => `$${word}`)];
}
