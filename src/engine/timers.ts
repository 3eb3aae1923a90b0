/** The timers of one run: one per name, none of which keeps the process alive. */
import type { Clock, TimerHandle } from './clock.ts';

export class Timers {
  readonly #clock: Clock;
  readonly #guard: (action: () => void) => void;
  readonly #set = new Map<string, TimerHandle>();

  /** `guard` runs what a timer is for. */
  constructor(clock: Clock, guard: (action: () => void) => void) {
    this.#clock = clock;
    this.#guard = guard;
  }

  has(name: string): boolean {
    return this.#set.has(name);
  }

  after(name: string, ms: number, action: () => void): void {
    const fire = (): void => {
      this.#set.delete(name);
      this.#guard(action);
    };
    this.#set.set(name, this.#clock.after(Math.max(0, ms), fire, true));
  }

  cancelAll(): void {
    for (const timer of this.#set.values()) this.#clock.cancel(timer);
    this.#set.clear();
  }
}
