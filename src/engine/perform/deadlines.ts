/**
 * One timer for everything that has a time limit. Nearly all of it is over long before its time, so
 * a limit costs an entry in a map; the timer stands for the earliest one there was, and looks again
 * when it fires. It owns that timer.
 */
import type { Clock, TimerHandle } from '../clock.ts';

/** Names what has a time limit, for `remove`. */
export interface Deadline {
  /** By the uptime of the clock. */
  readonly at: number;
  readonly fire: () => void;
}

export class Deadlines {
  readonly #clock: Clock;
  readonly #open = new Set<Deadline>();
  #timer: TimerHandle | undefined;
  /** When the timer fires; no deadline is earlier. */
  #next = Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls `fire` once in `ms` milliseconds, unless it is removed before. */
  add(ms: number, fire: () => void): Deadline {
    const deadline: Deadline = { at: this.#clock.uptime() + ms, fire };
    this.#open.add(deadline);
    if (deadline.at < this.#next) this.#set(deadline.at);
    return deadline;
  }

  remove(deadline: Deadline): void {
    this.#open.delete(deadline);
  }

  close(): void {
    this.#open.clear();
    this.#set(Infinity);
  }

  #set(at: number): void {
    if (this.#timer) this.#clock.cancel(this.#timer);
    this.#next = at;
    this.#timer =
      at === Infinity
        ? undefined
        : this.#clock.after(Math.max(0, at - this.#clock.uptime()), () => this.#fire());
  }

  #fire(): void {
    const now = this.#clock.uptime();
    for (const deadline of this.#open) {
      // By then another may have removed it.
      if (deadline.at > now || !this.#open.delete(deadline)) continue;
      deadline.fire();
    }
    let earliest = Infinity;
    for (const { at } of this.#open) earliest = Math.min(earliest, at);
    this.#set(earliest);
  }
}
