/** Effects that nobody waits for any more. */
import type { Pending } from '../../program/value.ts';
import type { State } from '../state.ts';
import { Fault, faults } from '../values/fault.ts';

/**
 * Has an effect given up by whoever performs it. One whose outcome has arrived, and only waits to
 * take hold (settle.ts), is performed no more.
 */
export function callOff({ hub, outbox }: State, id: string): void {
  const isOver = hub.arrived.some(({ effect, part }) => effect === id && part === undefined);
  if (!isOver) outbox.cancels.push(id);
}

// Values that will never come.

/** PV3018: what was to give the value was given up. */
export const voidFault = (): Fault =>
  new Fault(
    faults.voidValue,
    'the value was given up: its call came behind one that failed, or has lost in first()',
    'use only what was set before the failing call, or set it again where the failure is handled;' +
      ' of a race, use what first() has given',
  );

/** A value that was given up when a failure before it was handled will never be there. */
export function isVoid(state: State, pending: Pending): boolean {
  return pending.value === undefined && !state.entries.has(pending.entry);
}
