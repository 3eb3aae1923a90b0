/**
 * Which name was meant, as starlark-go finds it: case and underscores are no slips. Letters that
 * are swapped are one.
 */
import { editDistance } from '../../program/diagnostic.ts';

/** The nearest of `names`, if less than half of the name is wrong. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  if (name.length > nameMax) return undefined;
  const wanted = folded(name);
  let best: string | undefined;
  let limit = Math.floor((wanted.length + 1) / 2);
  for (const candidate of names) {
    if (candidate.length > nameMax) continue;
    const distance = editDistance(wanted, folded(candidate), limit);
    if (distance >= limit) continue;
    best = candidate;
    limit = distance;
  }
  return best;
}

/** Names beyond this are no slips of a hand. */
const nameMax = 200;

const folded = (name: string): string => name.toLowerCase().replaceAll('_', '');
