/** The state of a moment together with the outcomes that arrived after it. */
import type { Inspection } from '../../machine/inspection.ts';
import { limitsAgain, machineFor } from '../load.ts';
import type { StateAt } from './time.ts';

/**
 * What the state would be if the outcomes that the journal has for its open effects were there. No
 * instruction is executed, so only pending values differ. Failed effects stay open.
 */
export function inspectArrived({
  walk,
  loaded,
  past,
}: Pick<StateAt, 'walk' | 'loaded' | 'past'>): Inspection {
  const { effects } = past();
  const snapshot = walk.machine.snapshot();
  const machine = machineFor(loaded, past(), limitsAgain(loaded, past()), snapshot);
  for (const { id } of machine.inspect().lines.flatMap(({ open }) => open)) {
    const outcome = id === undefined ? undefined : effects.get(id)?.outcome;
    if (id !== undefined && outcome?.ok && machine.isOpen(id)) machine.settle(id, outcome);
  }
  machine.run(0);
  return machine.inspect();
}
