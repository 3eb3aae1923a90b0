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
  /** What each run alone has written, a large text counting for each run that mentions it. */
  readonly runs: ReadonlyMap<string, number>;
}
