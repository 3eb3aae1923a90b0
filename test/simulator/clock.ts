/**
 * Time of a simulation: it stands still until the simulation lets the next timer fire, and it can
 * jump, as clocks of machines do that sleep or are set.
 */
import type { Clock, TimerHandle } from '../../src/engine/clock.ts';

interface Timer {
  readonly at: number;
  readonly fire: () => void;
}

export class SimulatedClock implements Clock {
  readonly #timers = new Set<Timer>();
  /** Since the beginning; timers go by it. */
  #elapsed = 0;
  #skew = 1_700_000_000_000;

  readonly now = (): number => this.#elapsed + this.#skew;

  readonly uptime = (): number => this.#elapsed;

  after(ms: number, fire: () => void): TimerHandle {
    const timer = { at: this.#elapsed + ms, fire };
    this.#timers.add(timer);
    return timer;
  }

  cancel(timer: TimerHandle): void {
    this.#timers.delete(timer as Timer);
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  /** The clock shows another time; no timer fires for it. */
  jump(ms: number): void {
    this.#skew += ms;
  }

  /** Goes on to the next timer. False where there is none. */
  fireNext(): boolean {
    let next: Timer | undefined;
    for (const timer of this.#timers) if (!next || timer.at < next.at) next = timer;
    if (!next) return false;
    this.#timers.delete(next);
    this.#elapsed = Math.max(this.#elapsed, next.at);
    next.fire();
    return true;
  }
}
