/** Which name was meant, as starlark-go finds it: case and underscores are no slips. */
import { editDistance } from '../program/diagnostic.ts';

/** The nearest of `names`, if less than half of the name is wrong. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const wanted = folded(name);
  let best: string | undefined;
  let limit = Math.floor((wanted.length + 1) / 2);
  for (const candidate of names) {
    const distance = editDistance(wanted, folded(candidate), limit);
    if (distance >= limit) continue;
    best = candidate;
    limit = distance;
  }
  return best;
}

const folded = (name: string): string => name.toLowerCase().replaceAll('_', '');
