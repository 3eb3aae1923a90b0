/**
 * What work costs besides the instructions it is done by (design rule 10): operations and library
 * functions charge by the size of what they make or look at, so that instructions bound time.
 *
 * - C1 What the main line is charged counts as instructions at once: the dispatch loop takes it
 *   from its fuel after the instruction.
 * - C2 What a deferred operation is charged counts when its entry retires. So a program that ends
 *   has the same count whatever the order in which outcomes arrived.
 */
export interface Meter {
  /** Units charged that count as no instructions yet. */
  owed: number;
  /** Bytes that may have been made since memory was counted last; see memory.ts. */
  made: number;
  /** What was mended in texts by what is being executed; see `tellMended`. */
  readonly mended: string[];
  /** Whether more memory is held than the limit, when that was counted last. */
  isFull: boolean;
}

export const newMeter = (): Meter => ({
  owed: 0,
  made: 0,
  mended: [],
  isFull: false,
});

/** Takes what is owed (C1). */
export function take(meter: Meter): number {
  const units = meter.owed;
  meter.owed = 0;
  return units;
}

/**
 * Runs what an entry has deferred; what it is charged is the entry's to pay (C2). The action is
 * given what it needs, so that no closure is made for each entry.
 */
export function onEntry<S extends Metered, E extends { charge: number }, W, T>(
  state: S,
  entry: E,
  work: W,
  action: (state: S, entry: E, work: W) => T,
): T {
  const { meter } = state;
  const before = meter.owed;
  try {
    return action(state, entry, work);
  } finally {
    entry.charge += meter.owed - before;
    meter.owed = before;
  }
}

interface Metered {
  readonly meter: Meter;
}
