/**
 * The ids of tasks in a run of several plans. A task has the number that its plan gives it, and an
 * id in the run: they differ where a plan begins to count anew.
 */
import type { Reference } from './reference.ts';

export interface Ids {
  /** Ids of the run that earlier plans have given, and the highest of them. */
  readonly given: ReadonlySet<string>;
  readonly last: number;
  /** Of this plan so far, by the number as written. */
  readonly own: Map<string, string>;
  /** Where in the text the task of a number stands. */
  readonly starts: Map<string, number>;
  /** The highest number of this plan so far. */
  highest: number;
  /** Whether all tasks of the plan are known. */
  isWhole: boolean;
}

/** Before the first task of a plan, behind those that there have been in its run. */
export function idsAfter(earlier: readonly string[] = []): Ids {
  const given = new Set(earlier);
  const last = earlier.reduce((most, id) => Math.max(most, Number(id)), 0);
  return { given, last, own: new Map(), starts: new Map(), highest: 0, isWhole: false };
}

interface NumberedTask {
  readonly id: string;
  readonly start: number;
}

/**
 * Gives the next task of a plan its id in the run: its number, unless the plan begins with one that
 * an earlier plan has given; then it goes on counting behind what there is.
 */
export function giveId({ id: number, start }: NumberedTask, ids: Ids): string {
  const [first] = ids.own;
  const restarts = Number(number) <= ids.last;
  const offset = first ? BigInt(first[1]) - BigInt(first[0]) : restarts ? BigInt(ids.last) : 0n;
  const id = String(BigInt(number) + offset);
  ids.own.set(number, id);
  ids.starts.set(number, start);
  ids.highest = Math.max(ids.highest, Number(number));
  return id;
}

/** The id in the run that a reference means; undefined where there is no such task. */
export const resolveId = (id: string, { given, own }: Ids): string | undefined =>
  own.get(id) ?? (given.has(id) ? id : undefined);

/**
 * Whether a dollar sign with a number in a longer text is an amount of money. One of three figures
 * or more is where no task of that number stands before it; one of two where there is none in the
 * whole plan, nor any of half that number.
 */
export function isAmount(
  { id, path }: Pick<Reference, 'id' | 'path'>,
  ids: Ids,
  at: number,
): boolean {
  if (path.length > 0 || id.length < 2 || ids.given.has(id)) return false;
  if (id.length > 2) return (ids.starts.get(id) ?? Number.POSITIVE_INFINITY) >= at;
  return ids.isWhole && !ids.own.has(id) && Number(id) > 2 * Math.max(ids.last, ids.highest);
}
