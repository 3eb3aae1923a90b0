/**
 * When an execution looks at what has arrived. What it owns: the next tick, of which there is at
 * most one at a time.
 */

/** So many ticks at once, and the next waits for the event loop: others want their turn as well. */
const atOnceMost = 32;

/** What is behind it comes next, with less around it than `queueMicrotask` has. */
const now = Promise.resolve();

export class Ticks {
  readonly #tick: () => void;
  #next: 'at once' | 'next turn' | undefined;
  /** Whether the event loop tells of its next turn. */
  #told = false;
  /** Those since a tick has last waited; of other turns of the event loop it hears nothing. */
  #atOnce = 0;

  constructor(tick: () => void) {
    this.#tick = tick;
  }

  /**
   * Schedules a tick: with the next turn of the event loop, since more may arrive in this one and
   * be journaled together; or `atOnce`, where nothing else can, or enough has.
   */
  want(atOnce: boolean): void {
    if (this.#next === 'at once') return;
    if (atOnce && this.#atOnce < atOnceMost) {
      this.#next = 'at once';
      this.#atOnce++;
      void now.then(this.#run);
    } else if (!this.#next) {
      this.#next = 'next turn';
      if (!this.#told) setImmediate(this.#turn);
      this.#told = true;
    }
  }

  readonly #turn = (): void => {
    this.#told = false;
    this.#atOnce = 0;
    if (this.#next) this.#run();
  };

  readonly #run = (): void => {
    this.#next = undefined;
    this.#tick();
  };
}
