/** Values that will never come. */
import { faults } from './codes.ts';
import { Fault } from './fault.ts';

/** PV3018: what was to give the value was given up. */
export const voidFault = (): Fault =>
  new Fault(
    faults.voidValue,
    'the value was given up: its call came behind one that failed, or has lost in first()',
    'use only what was set before the failing call, or set it again where the failure is handled;' +
      ' of a race, use what first() has given',
  );
