/** Time limits share a timer: each fires at its own time, once, and only while it stands. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Deadline, Deadlines } from '../../src/engine/perform/deadlines.ts';
import { TestClock } from './support.ts';

test('a limit fires at its time, one that was removed never does', () => {
  const step = fc.oneof(
    fc.record({ add: fc.integer({ min: 0, max: 50 }) }),
    fc.record({ remove: fc.nat(20) }),
    fc.record({ wait: fc.nat(30) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const clock = new TestClock();
      const deadlines = new Deadlines(clock);
      const expected: { at: number; removed: boolean }[] = [];
      const made: Deadline[] = [];
      const fired: [index: number, at: number][] = [];
      for (const one of steps) {
        if ('add' in one) {
          const index = expected.push({ at: clock.uptime() + one.add, removed: false }) - 1;
          const timeOut = (): unknown => fired.push([index, clock.uptime()]);
          const deadline: Deadline = { deadlineAt: Infinity, timeOut };
          made.push(deadline);
          deadlines.add(deadline, one.add);
        } else if ('remove' in one) {
          const [deadline, limit] = [made[one.remove], expected[one.remove]];
          if (!deadline || !limit) continue;
          limit.removed ||= !fired.some(([index]) => index === one.remove);
          deadlines.remove(deadline);
        } else {
          clock.advance(one.wait);
        }
      }
      clock.advance(0);
      const due = expected.flatMap(({ at, removed }, index) =>
        removed || at > clock.uptime() ? [] : [[index, at]],
      );
      expect(fired.toSorted(([a], [b]) => a - b)).toEqual(due);
    }),
  );
});

test('one timer at most is set, and none once they are closed', () => {
  const clock = new TestClock();
  const deadlines = new Deadlines(clock);
  for (const ms of [300, 100, 200]) {
    deadlines.add({ deadlineAt: Infinity, timeOut: () => {} }, ms);
  }
  expect(clock.waits()).toEqual([100]);
  deadlines.close();
  expect(clock.waits()).toEqual([]);
});
