/** Tools that write, and functions that run in parallel: their order would be that of time. */
import type { State } from '../state.ts';
import { faults } from '../values/code-names.ts';
import { Fault } from '../values/fault.ts';

/** PV3021 in a fiber whose neighbours run at the same time, and in what runs inside of one. */
export function refuseInParallel({ fiber }: State, tool: string): void {
  if (!fiber) return;
  if (fiber.work.mode === 'attempt') refuseInParallel(fiber.parent, tool);
  else {
    throw new Fault(
      faults.parallelWrite,
      `${tool} writes, and what runs in parallel must not write`,
      'let the function return what is to be written, and write in a loop over the results',
    );
  }
}
