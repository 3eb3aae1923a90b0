/**
 * The ids of tasks in a run of several plans. A task has the number that its plan gives it, and an
 * id in the run: they differ where a plan begins to count anew.
 */

/** Of one plan: the id in the run by the number as written. */
export type PlanIds = ReadonlyMap<string, string>;

export interface Ids {
  readonly earlier: readonly PlanIds[];
  /** Ids of the run that earlier plans have given, and the highest of them. */
  readonly given: ReadonlySet<string>;
  readonly last: number;
  readonly own: Map<string, string>;
}

/** Before the first task of a plan, behind those that there have been in its run. */
export function idsAfter(earlier: readonly PlanIds[] = []): Ids {
  const given = new Set(earlier.flatMap((plan) => [...plan.values()]));
  const last = [...given].reduce((most, id) => Math.max(most, Number(id)), 0);
  return { earlier, given, last, own: new Map() };
}

/**
 * Gives the next task of a plan its id in the run: its number, unless the plan begins with one that
 * an earlier plan has given; then it goes on counting behind what there is.
 */
export function giveId(number: string, ids: Ids): string {
  const [first] = ids.own;
  const restarts = Number(number) <= ids.last;
  const offset = first ? BigInt(first[1]) - BigInt(first[0]) : restarts ? BigInt(ids.last) : 0n;
  const id = String(BigInt(number) + offset);
  ids.own.set(number, id);
  return id;
}

/** The id in the run that a reference means; undefined where there is no such task. */
export function resolveId(
  { plan, id }: { readonly plan?: string | undefined; readonly id: string },
  { earlier, given, own }: Ids,
): string | undefined {
  if (plan !== undefined) return [...earlier, own][Number(plan) - 1]?.get(id);
  return own.get(id) ?? (given.has(id) ? id : undefined);
}
