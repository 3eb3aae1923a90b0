/**
 * The shape of a library function of the guest: pure, atomic, never calling guest code (design
 * rule 2). It validates first and mutates last, so that a call that throws has changed nothing.
 */
import type { Value } from '../../program/value.ts';
import type { Surroundings } from '../values/surroundings.ts';

export type { Surroundings } from '../values/surroundings.ts';

export interface BuiltinSpec {
  readonly name: string;
  /**
   * Whether a call with pending arguments makes a new pending value instead of waiting. Only for
   * functions that mutate nothing and return immutable values, parts of their arguments, or a new
   * value that nothing else holds.
   */
  readonly lifts: boolean;
  /** Whether it may change its first argument, which a deferred operation may have yet to read. */
  readonly mutates: boolean;
  /**
   * Whether it only stores its arguments, apart from the receiver, so that they may be pending:
   * `xs.append(p)` waits for `xs` alone.
   */
  readonly stores: boolean;
  /**
   * Arguments are settled, and so is everything inside them, unless they are only stored; of a
   * method, the receiver is the first. Throws `Fault`.
   */
  call(args: readonly Value[], named: ReadonlyMap<string, Value>, around: Surroundings): Value;
}
