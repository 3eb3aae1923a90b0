/**
 * When an execution looks at what has arrived. What it owns: the next tick, of which there is at
 * most one at a time.
 */

/** Ticks in one turn of the event loop: others want their turn as well. */
const atOnceMost = 32;

/** What is behind it comes next, with less around it than `queueMicrotask` has. */
const now = Promise.resolve();

export class Ticks {
  readonly #tick: () => void;
  #scheduled = false;
  /** Ticks since the event loop last turned. */
  #atOnce = 0;

  constructor(tick: () => void) {
    this.#tick = tick;
  }

  /**
   * Schedules a tick: with the next turn of the event loop, since more may arrive in this one and
   * be journaled together; or `atOnce`, where nothing else can.
   */
  want(atOnce: boolean): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    if (atOnce && this.#atOnce++ < atOnceMost) void now.then(this.#run);
    else setImmediate(this.#turn);
  }

  readonly #turn = (): void => {
    this.#atOnce = 0;
    this.#run();
  };

  readonly #run = (): void => {
    this.#scheduled = false;
    this.#tick();
  };
}
