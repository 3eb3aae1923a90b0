/** What an operation or a library function may know of, and do to, the machine that runs it. */

export interface Surroundings {
  /** Most bytes of one value. */
  readonly valueBytes: number;
  /**
   * Takes fuel for work that grows with the size of values: a unit is about an instruction's worth
   * of time, which is one item or eight characters that are looked at or made. Only counts; the
   * machine stops after the instruction. Called once nothing can wait any more, so that what is
   * tried again is charged once; the count never depends on the order in which outcomes arrive.
   */
  charge?(units: number): void;
  /** Tells what was mended in a text to get a value from it (design rule 9). */
  warn?(message: string): void;
  /** Whether the rules are those of the specification alone. */
  readonly strict?: boolean;
  /** The name of a guest function, by its chunk. */
  functionName?(chunk: number): string | undefined;
}
