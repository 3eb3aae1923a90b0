/**
 * The shape of a library function of the guest: pure, atomic, never calling guest code (design
 * rule 2). It validates first and mutates last, so that a call that throws has changed nothing.
 */
import type { Value } from '../../program/value.ts';

export interface BuiltinSpec {
  readonly name: string;
  /**
   * Whether a call with pending arguments makes a new pending value instead of waiting. Only for
   * functions that mutate nothing and return immutable values or parts of their arguments.
   */
  readonly lifts: boolean;
  /** Arguments are settled, and so is everything inside them. Throws `Fault`. */
  call(args: readonly Value[], named: ReadonlyMap<string, Value>): Value;
}
