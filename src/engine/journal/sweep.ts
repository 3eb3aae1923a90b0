/** What a journal drops for good when it is swept, and how it says so. */

export interface SweepOptions {
  /** Runs to remove first; those that a process has, or that are not there, are passed over. */
  readonly runs?: readonly string[];
  /**
   * Epoch milliseconds: snapshots of ended runs that nothing has happened to since then are dropped
   * as well; they are a cache.
   */
  readonly snapshotsBefore?: number;
  /** Only counts. */
  readonly dryRun?: boolean;
}

/** What was dropped, or would be. */
export interface Swept {
  readonly runs: number;
  readonly events: number;
  readonly snapshots: number;
  /** Large texts that nothing mentions any more. */
  readonly texts: number;
  /** By how much the journal has become smaller; an estimate where nothing was dropped. */
  readonly bytes: number;
}

/** How large a journal is, in bytes. */
export interface Sizes {
  /** Without the space that is free to be used again. */
  readonly total: number;
  /**
   * What each run has written, with the runs within its effects, since these go when it goes; a
   * large text counts for each run that mentions it.
   */
  readonly runs: ReadonlyMap<string, number>;
}

/** Sizes of runs, with those of the runs within them; `parents` says what each is within. */
export function wholeSizes(
  own: ReadonlyMap<string, number>,
  parents: ReadonlyMap<string, string>,
): Map<string, number> {
  const whole = new Map<string, number>();
  for (const [run, size] of own) {
    for (let at: string | undefined = run; at !== undefined; at = parents.get(at)) {
      whole.set(at, (whole.get(at) ?? 0) + size);
    }
  }
  return whole;
}
