/** Values that will never come. */
import type { Pending } from '../../program/value.ts';
import type { State } from '../state.ts';
import { faults } from '../values/code-names.ts';
import { Fault } from '../values/fault.ts';

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
