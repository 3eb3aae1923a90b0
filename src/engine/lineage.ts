/**
 * Whose events a run's history is made of. A fork copies nothing: what it shares with its base is
 * read there, and where its base is a fork itself, further up. Pure; the same for every journal.
 */

/** Where a fork begins: behind event `seq` of the history of `run`. */
export interface Base {
  readonly run: string;
  readonly seq: number;
}

/** Events of one run: those numbered above `after` and up to `upTo`. */
export interface Segment {
  readonly run: string;
  readonly after: number;
  readonly upTo: number;
}

/** The pieces of the history of `run` behind event `after`, oldest first; none is empty. */
export function segments(
  run: string,
  baseOf: (run: string) => Base | undefined,
  after = 0,
): Segment[] {
  const found: Segment[] = [];
  let upTo = Number.MAX_SAFE_INTEGER;
  for (let at: string | undefined = run; at !== undefined && upTo > after; ) {
    const base = baseOf(at);
    const shared = Math.max(base?.seq ?? 0, after);
    if (shared < upTo) found.push({ run: at, after: shared, upTo });
    upTo = Math.min(upTo, base?.seq ?? 0);
    at = base?.run;
  }
  return found.reverse();
}
