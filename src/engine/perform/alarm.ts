/**
 * Waits for a moment of the wall clock, in whichever process. The clock is looked at every minute:
 * where it was put forward, or the machine has slept, the wait is over soon after its moment; where
 * it was put back, the wait is no longer than it was at its beginning. It owns one timer.
 */
import type { Clock, TimerHandle } from '../clock.ts';

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
