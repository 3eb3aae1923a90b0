/** What a loop goes over, and how many rounds it has that is come to from outside, where known. */
import type { Rounds } from '../../../../dialects/playbook/compiled/rounds.ts';
import type { Numbers } from '../../../../dialects/playbook/text/loop-heads.ts';
import { writtenTerm } from '../../reply/forms/syntax.ts';
import { type Decided, plainOf } from './decided.ts';

/** Undefined where it is not known, and where rounds may be left out. */
export function firstRounds(
  head: string,
  { items, leaves }: Rounds,
  decided: Decided,
): number | undefined {
  if (leaves.includes(head)) return undefined;
  if (items.kind !== 'numbers') return itemsOf(items, decided)?.length;
  return numbersOf(items, decided)?.count;
}

/** The item of a round, from 0; undefined where it is not known, or there is none. */
export function itemIn(items: Rounds['items'], at: number, decided: Decided): unknown {
  if (items.kind !== 'numbers') return itemsOf(items, decided)?.[at];
  const numbers = numbersOf(items, decided);
  return numbers && at < numbers.count ? numbers.from + at * (items.step ?? 1) : undefined;
}

function numbersOf({ first, last, step = 1, isOpen }: Numbers, decided: Decided) {
  const [from, to] = [first, last].map((one) =>
    typeof one === 'number' ? one : known(one, decided),
  );
  if (typeof from !== 'number' || typeof to !== 'number') return undefined;
  const steps = (to - from) / step;
  return { from, count: Math.max(0, isOpen ? Math.ceil(steps) : Math.floor(steps) + 1) };
}

/** What a loop goes over, where that is a list that is known. */
export function itemsOf(items: Rounds['items'], decided: Decided): readonly unknown[] | undefined {
  if (items.kind === 'written') return items.items;
  const all = items.kind === 'variable' ? known(items.name, decided) : undefined;
  return Array.isArray(all) ? all : undefined;
}

function known(written: string, decided: Decided): unknown {
  const term = writtenTerm(written);
  const found = term && decided.of(term);
  return found && plainOf(found.value);
}
