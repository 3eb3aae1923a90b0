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

/**
 * Where a fork begins to differ from its base, in program order: what was issued before belongs to
 * both. Values that an effect or a group of fibers is given are fixed when it is issued, so the
 * main line alone decides, however far its fibers have come.
 */
export interface ForkPoint {
  /** The step that is entered there: `4@2`; empty at the start. */
  readonly step: string;
  /** Of the main line as it enters the step: failures handled, effects and fibers issued. */
  readonly generation: number;
  readonly issued: number;
  readonly spawned: number;
  /** How many of the messages that the base has released come before. */
  readonly messages: number;
}

/** Everything differs. */
export const fromTheStart: ForkPoint = {
  step: '',
  generation: 0,
  issued: 0,
  spawned: 0,
  messages: 0,
};

/** Whether the effect was issued before the point, or by fibers that were. */
export function isBefore(effect: string, point: ForkPoint): boolean {
  const match = /^\d+(?:~(\d+))?(?:\.(\d+)|#(\d+))/.exec(effect);
  const [, generation = '0', fiber, number] = match ?? [];
  if (Number(generation) !== point.generation) return Number(generation) < point.generation;
  return fiber === undefined ? Number(number) <= point.issued : Number(fiber) <= point.spawned;
}
