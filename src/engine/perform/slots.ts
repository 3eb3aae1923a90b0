/**
 * What may run at once in a run and all that are within its effects, however deep. It knows counts
 * alone; who is next is each scheduler's business. An effect that waits for a run within it is not
 * counted meanwhile (`Scheduler.lend`): so what has a slot needs nobody else's to come to its end.
 */
export class Slots {
  readonly #most: number;
  #running = 0;
  /** Of tools with a bound of their own. */
  readonly #byTool = new Map<string, number>();
  /** Schedulers that have found no room, in that order. */
  readonly #waiting = new Set<() => void>();

  constructor(most: number) {
    this.#most = Math.max(1, most);
  }

  get isFull(): boolean {
    return this.#running >= this.#most;
  }

  /** Whether as many of a tool run as may: of these `own`. */
  isFullOf(tool: string, own: number): boolean {
    return own !== Infinity && (this.#byTool.get(tool) ?? 0) >= own;
  }

  /** `by` is 1, or -1 where something has ended; whoever waits for room looks again then. */
  count(tool: string, own: number, by: 1 | -1): void {
    this.#running += by;
    if (own !== Infinity) this.#byTool.set(tool, (this.#byTool.get(tool) ?? 0) + by);
    if (by > 0 || this.#waiting.size === 0) return;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const look of waiting) look();
  }

  /** Has `look` called once when there may be room. */
  wait(look: () => void): void {
    this.#waiting.add(look);
  }

  leave(look: () => void): void {
    this.#waiting.delete(look);
  }
}
