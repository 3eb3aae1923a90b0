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
