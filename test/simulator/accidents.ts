/** What goes wrong in a simulation, and when: by the number of appends to the journal. */
import type { Chance } from './chance.ts';

export interface Accident {
  /**
   * - `die-before`, `die-after`: the process ends around an append.
   * - `steal`: the clock jumps past the lease and another process takes the run, while this one
   *   still runs.
   * - `interrupt`, `cancel`, `ask`: the run is to stop; `ask` comes from another process.
   * - `forward`, `back`: the clock is set.
   */
  readonly kind: (typeof accidentKinds)[number];
  /** From 1, over all processes of the run. */
  readonly append: number;
}

export const accidentKinds = [
  'die-before',
  'die-after',
  'steal',
  'interrupt',
  'cancel',
  'ask',
  'forward',
  'back',
] as const;

export function drawAccidents(chance: Chance): Accident[] {
  const most = chance.pick([4, 8, 16, 40]);
  return chance.list(6, () => ({
    kind: chance.pick(accidentKinds),
    append: chance.between(1, most),
  }));
}
