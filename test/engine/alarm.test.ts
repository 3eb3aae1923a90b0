/** A moment of a clock that somebody sets. */
import { expect, test } from 'vitest';
import type { Clock } from '../../src/engine/clock.ts';
import { setAlarm } from '../../src/engine/perform/deadlines.ts';

/** Timers go by the uptime, as those of the platform do; `now` can be set apart from it. */
function settable(): Clock & { pass(ms: number): void; put(ms: number): void } {
  let uptime = 0;
  let offset = 0;
  const timers = new Map<object, { at: number; fire: () => void }>();
  return {
    now: () => uptime + offset,
    uptime: () => uptime,
    after(ms, fire) {
      const handle = {};
      timers.set(handle, { at: uptime + ms, fire });
      return handle;
    },
    cancel: (handle) => void timers.delete(handle),
    pass(ms) {
      const end = uptime + ms;
      for (;;) {
        const [next] = [...timers].sort(([, a], [, b]) => a.at - b.at);
        if (!next || next[1].at > end) break;
        timers.delete(next[0]);
        uptime = next[1].at;
        next[1].fire();
      }
      uptime = end;
    },
    put: (ms) => {
      offset += ms;
    },
  };
}

const hour = 3_600_000;
const minute = 60_000;

test('it fires at its moment, once', () => {
  const clock = settable();
  const fired: number[] = [];
  setAlarm(clock, hour, () => fired.push(clock.now()));
  clock.pass(hour - 1);
  expect(fired).toEqual([]);
  clock.pass(hour);
  expect(fired).toEqual([hour]);
});

test('where the clock is put forward it fires within a minute', () => {
  const clock = settable();
  let fired = false;
  setAlarm(clock, hour, () => {
    fired = true;
  });
  clock.pass(1);
  clock.put(hour);
  clock.pass(minute);
  expect(fired).toBe(true);
});

test('where it is put back the wait is no longer than it was', () => {
  const clock = settable();
  let fired = false;
  setAlarm(clock, hour, () => {
    fired = true;
  });
  clock.put(-10 * hour);
  clock.pass(hour - 1);
  expect(fired).toBe(false);
  clock.pass(1);
  expect(fired).toBe(true);
});

test('a moment that has passed fires at once, but not within the call', () => {
  const clock = settable();
  let fired = false;
  setAlarm(clock, -1, () => {
    fired = true;
  });
  expect(fired).toBe(false);
  clock.pass(0);
  expect(fired).toBe(true);
});

test('what was cancelled does not fire', () => {
  const clock = settable();
  let fired = false;
  const alarm = setAlarm(clock, hour, () => {
    fired = true;
  });
  clock.pass(2 * minute);
  alarm.cancel();
  clock.pass(hour);
  expect(fired).toBe(false);
});
