/** Time as the engine sees it: everything that reads the clock or waits takes it from here. */

/** Names a timer that has been set, for `cancel`. */
export type TimerHandle = object;

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds since some moment; goes on evenly where somebody sets the clock. */
  uptime(): number;
  /**
   * Calls `fire` once, `ms` milliseconds from now. A `background` timer does not keep the process
   * alive.
   */
  after(ms: number, fire: () => void, background?: boolean): TimerHandle;
  cancel(timer: TimerHandle): void;
}

/** The longest wait a timer of the platform can hold; longer ones would fire at once. */
const timerMsMax = 2 ** 31 - 1;

/** Taken once: the global one is looked up anew each time, which costs more than to ask it. */
const { performance } = globalThis;

export const systemClock: Clock = {
  now: () => Date.now(),
  uptime: () => performance.now(),
  after(ms, fire, background) {
    const timer = setTimeout(fire, Math.min(ms, timerMsMax));
    return background ? timer.unref() : timer;
  },
  cancel(timer) {
    clearTimeout(timer as NodeJS.Timeout);
  },
};
