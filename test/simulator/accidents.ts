/** What goes wrong in a simulation, and when: by the number of appends to the journal. */
import type { Chance } from './chance.ts';

export interface Accident {
  /**
   * - `die-before`, `die-after`: the process ends around an append.
   * - `steal`: the clock jumps past the lease and another process takes the run, while this one
   *   still runs.
   * - `rival`: another process wants the run that this one has.
   * - `interrupt`, `cancel`, `ask`: the run is to stop; `ask` comes from another process.
   * - `forward`, `back`: the clock is set.
   * - `sweep`: another process drops for good what nothing reaches.
   */
  readonly kind: (typeof accidentKinds)[number];
  /** From 1, over all processes of the run. */
  readonly append: number;
}

export const accidentKinds = [
  'die-before',
  'die-after',
  'steal',
  'rival',
  'interrupt',
  'cancel',
  'ask',
  'forward',
  'back',
  'sweep',
] as const;

export function drawAccidents(chance: Chance): Accident[] {
  const most = chance.pick([4, 8, 16, 40]);
  return chance.list(6, () => ({
    kind: chance.pick(accidentKinds),
    append: chance.between(1, most),
  }));
}

/** A tool that cannot be reached for a while, in milliseconds since the simulation began. */
export interface Outage {
  readonly tool: string;
  readonly from: number;
  readonly to: number;
}

const reachable = ['read', 'read', 'pure', 'feed', 'write', 'put', 'llm_condition'] as const;

export function drawOutages(chance: Chance): Outage[] {
  if (chance.flag(0.6)) return [];
  return chance.list(3, () => {
    const from = chance.pick([0, 0, 50, 500, 3_000]);
    const ms = chance.pick([100, 1_000, 5_000, 40_000, 400_000]);
    return { tool: chance.pick(reachable), from, to: from + ms };
  });
}
