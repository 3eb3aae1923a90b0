/** What an operation or a library function may know of, and do to, the machine that runs it. */
import type { MachineLimits } from './machine.ts';

export interface Surroundings extends Pick<MachineLimits, 'valueBytes'> {
  /**
   * Takes fuel for work that grows with the size of values: a unit is about one item, or one
   * character, that is looked at or made. Only counts; the machine stops after the instruction.
   */
  charge?(units: number): void;
  /** The name of a guest function, by its chunk. */
  functionName?(chunk: number): string | undefined;
}
