/**
 * Time limits, and moments of the wall clock. There is one timer for everything that has a limit.
 * Nearly all of it is over long before its time, so a limit costs an entry in a map; the timer
 * stands for the earliest one there was, and looks again when it fires. It owns that timer.
 */
import type { Clock, TimerHandle } from '../clock.ts';

/** What has a time limit. It is its own entry: each attempt has one, and most never come to it. */
export interface Deadline {
  /** By the uptime of the clock; set by `add`. */
  deadlineAt: number;
  timeOut(): void;
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

  /** Calls its `timeOut` once in `ms` milliseconds, unless it is removed or added anew before. */
  add(deadline: Deadline, ms: number): void {
    const at = this.#clock.uptime() + ms;
    deadline.deadlineAt = at;
    this.#open.add(deadline);
    if (at < this.#next) this.#set(at);
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
      if (deadline.deadlineAt > now || !this.#open.delete(deadline)) continue;
      deadline.timeOut();
    }
    let earliest = Infinity;
    for (const { deadlineAt } of this.#open) earliest = Math.min(earliest, deadlineAt);
    this.#set(earliest);
  }
}

// Waits for a moment of the wall clock, in whichever process. The clock is looked at every minute:
// where it was put forward, or the machine has slept, the wait is over soon after its moment; where
// it was put back, the wait is no longer than it was at its beginning. It owns one timer.

/** Between two looks at the clock, in milliseconds. */
const lookMs = 60_000;

export interface Alarm {
  cancel(): void;
}

/** Calls `fire` once, at `until` (epoch milliseconds), never before this call has returned. */
export function setAlarm(clock: Clock, until: number, fire: () => void): Alarm {
  let left = Math.max(0, until - clock.now());
  let timer: TimerHandle | undefined;
  const wait = (): void => {
    const ms = Math.min(left, lookMs, Math.max(0, until - clock.now()));
    timer = clock.after(ms, () => {
      timer = undefined;
      left -= ms;
      if (left <= 0 || clock.now() >= until) fire();
      else wait();
    });
  };
  wait();
  return {
    cancel() {
      if (timer) clock.cancel(timer);
      timer = undefined;
    },
  };
}
