/** What has come for the machine: the outcome of an effect, or a part of one that streams. */
import type { Machine } from '../../machine/machine.ts';
import type { Outcome } from '../../program/effect.ts';

export type Arrival =
  | { readonly effect: string; readonly outcome: Outcome }
  | { readonly effect: string; readonly index: number; readonly part: string };

export function handIn(machine: Machine, arrival: Arrival): void {
  if ('outcome' in arrival) machine.settle(arrival.effect, arrival.outcome);
  else machine.part(arrival.effect, arrival.index, arrival.part);
}

/** What comes of an effect all at once. */
export const arrivalsOf = (
  effect: string,
  parts: readonly string[],
  outcome: Outcome,
): readonly Arrival[] => [
  ...parts.map((part, index) => ({ effect, index, part })),
  { effect, outcome },
];

export const isFailure = (arrival: Arrival): boolean => 'outcome' in arrival && !arrival.outcome.ok;
