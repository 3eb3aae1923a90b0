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

/** A run as far as others read its history; `kept` runs stay whole. */
export interface Ancestor {
  readonly id: string;
  readonly base?: Base | undefined;
  readonly kept: boolean;
}

/**
 * Of each run that is not kept, the number of the last event that a fork which is kept reads
 * there; a run that none reads is missing.
 */
export function reachOf(runs: readonly Ancestor[]): Map<string, number> {
  const byId = new Map(runs.map((run) => [run.id, run]));
  const reach = new Map<string, number>();
  for (const { base, kept } of runs) {
    if (!kept) continue;
    let upTo = Number.MAX_SAFE_INTEGER;
    for (let next = base; next !== undefined; ) {
      const ancestor = byId.get(next.run);
      // What is behind a run that is kept, that run reads itself.
      if (ancestor === undefined || ancestor.kept) break;
      upTo = Math.min(upTo, next.seq);
      reach.set(ancestor.id, Math.max(reach.get(ancestor.id) ?? 0, upTo));
      next = ancestor.base;
    }
  }
  return reach;
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
