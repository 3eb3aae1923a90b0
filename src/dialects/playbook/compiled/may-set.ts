/** What a step may set: what its model makes of a line in words sets what that names. */
import { anyName, unique } from '../text/variables.ts';
import type { Step } from './compiled.ts';

/** As written, each once: also variables of its agent that words may mean. */
export function mayBeSetAt({ code, isAmbiguous, reads, text, writes }: Step): readonly string[] {
  if (code !== 'EXE' || !isAmbiguous) return writes;
  const words = text.toLowerCase().match(anyName) ?? [];
  return unique([...writes, ...reads, ...words.map((word) => `$${word}`)]);
}
