/** How many rounds a loop has that is come to from outside, as far as that is known. */
import type { Rounds } from '../../../dialects/playbook/compiled/rounds.ts';
import { writtenTerm } from '../reply/forms/syntax.ts';
import { type Decided, plainOf } from './decided.ts';

/** Undefined where it is not known, and where rounds may be left out. */
export function firstRounds(
  head: string,
  { items, leaves }: Rounds,
  decided: Decided,
): number | undefined {
  const known = (written: string): unknown => {
    const term = writtenTerm(written);
    const found = term && decided.of(term);
    return found && plainOf(found.value);
  };
  if (leaves.includes(head)) return undefined;
  if (items.kind === 'written') return items.items.length;
  if (items.kind === 'variable') {
    const all = known(items.name);
    return Array.isArray(all) ? all.length : undefined;
  }
  const { first, last, step = 1, isOpen } = items;
  const [from, to] = [first, last].map((one) => (typeof one === 'number' ? one : known(one)));
  if (typeof from !== 'number' || typeof to !== 'number') return undefined;
  const steps = (to - from) / step;
  return Math.max(0, isOpen ? Math.ceil(steps) : Math.floor(steps) + 1);
}
