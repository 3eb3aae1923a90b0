/** B1 and B2 of src/engine/perform/breaker.ts: a tool that cannot be reached is left alone. */
import { expect, test } from 'vitest';
import { EffectFailure } from '../../src/engine/handler.ts';
import type { Journal } from '../../src/engine/journal/journal.ts';
import type { RunHandle } from '../../src/engine/run.ts';
import type { Limits } from '../../src/program/limits.ts';
import { byName, programOf, settle, start, TestClock, type TestTool, testTool } from './support.ts';

const away = (details = {}): EffectFailure =>
  new EffectFailure('PV4106', 'nobody there', { retryable: true, ...details });

interface Setting {
  readonly clock: TestClock;
  readonly tool: TestTool;
  readonly run: RunHandle;
  readonly journal: Journal;
  /** Fails all calls that are open, with `away`. */
  fail(): Promise<void>;
  answer(): Promise<void>;
}

/** A run with so many calls of one tool at once. */
function calls(count: number, limits: Partial<Limits>): Setting {
  const clock = new TestClock();
  const tool = testTool('far');
  const program = programOf(Array.from({ length: count }, () => ({ tool: 'far' })));
  const run = start({
    ...{ program, clock, handlers: byName(tool) },
    random: () => 1,
    limits: { breakerFailures: 3, breakerMs: 1000, attempts: 3, ...limits },
  });
  let done = 0;
  const each = async (act: (index: number) => void): Promise<void> => {
    await settle();
    while (done < tool.calls.length) act(done++);
    await settle();
  };
  return {
    ...{ clock, tool, run, journal: run.journal },
    fail: () => each((index) => tool.calls[index]?.fail(away())),
    answer: () => each((index) => tool.calls[index]?.answer(index)),
  };
}

test('B1 after so many failures in a row one attempt is made, and an answer lets all go', async () => {
  const { clock, tool, run, fail, answer } = calls(6, { concurrency: 4 });
  await fail();
  expect(tool.calls).toHaveLength(4);
  clock.advance(999);
  await settle();
  // The waits before second attempts, of 250 ms, are over, and yet none was made.
  expect(tool.calls).toHaveLength(4);
  clock.advance(1);
  await settle();
  expect(tool.calls).toHaveLength(5);
  await answer();
  expect(tool.calls.length).toBeGreaterThan(5);
  await answer();
  await answer();
  expect(await run.result).toMatchObject({
    status: 'done',
    warnings: expect.arrayContaining([
      expect.objectContaining({ message: '3 attempts in a row have failed: a pause of 1000 ms' }),
    ]),
  });
  expect(tool.calls).toHaveLength(10);
});

test('B1 where no attempt is due when the pause ends, the next one that is finds out', async () => {
  const { clock, tool, run, fail, answer } = calls(3, { breakerFailures: 3, breakerMs: 100 });
  await fail();
  clock.advance(249);
  await settle();
  expect(tool.calls).toHaveLength(3);
  clock.advance(1);
  await settle();
  expect(tool.calls).toHaveLength(4);
  await answer();
  expect(tool.calls).toHaveLength(6);
  await answer();
  expect(await run.result).toMatchObject({ status: 'done' });
});

test('B1 the failure of an older attempt does not end the one that finds out', async () => {
  const { clock, tool, run } = calls(4, { breakerFailures: 2, breakerMs: 1000 });
  await settle();
  // Two find nobody there, two hang.
  for (const call of tool.calls.slice(0, 2)) call.fail(away());
  await settle();
  clock.advance(1000);
  await settle();
  expect(tool.calls).toHaveLength(5);
  tool.calls[2]?.fail(away());
  await settle();
  clock.advance(10_000);
  await settle();
  expect(tool.calls).toHaveLength(5);
  tool.calls[4]?.answer(1);
  await settle();
  expect(tool.calls).toHaveLength(7);
  run.cancel();
  await run.result;
});

test('B2 where the single attempts fail as well, what waits is refused', async () => {
  const { clock, tool, run, fail, journal } = calls(6, { concurrency: 4 });
  await fail();
  for (const pause of [1000, 2000, 4000]) {
    clock.advance(pause - 1);
    const before = tool.calls.length;
    await settle();
    clock.advance(1);
    await settle();
    expect(tool.calls).toHaveLength(before + 1);
    await fail();
  }
  const result = await run.result;
  expect(result).toMatchObject({ status: 'failed' });
  const outcomes = journal.events(run.id).filter(({ type }) => type === 'effect.settled');
  expect(outcomes).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        outcome: {
          ok: false,
          error: {
            code: 'PV4022',
            message: 'far is not called: its last 7 attempts have failed (nobody there)',
            hint: 'see whether what it talks to is there, then resume the run',
          },
        },
      }),
    ]),
  );
});

test('failures that the tool answers with are no reason', async () => {
  const { clock, tool, run } = calls(6, { concurrency: 6 });
  await settle();
  for (const call of tool.calls) call.fail(away({ answered: true }));
  await settle();
  clock.advance(250);
  await settle();
  expect(tool.calls).toHaveLength(12);
  run.cancel();
  await run.result;
});

test('what was asked to wait for is waited for', async () => {
  const { clock, tool, run } = calls(3, {});
  await settle();
  for (const call of tool.calls)
    call.fail(away({ retryAfterMs: 30_000, answered: true, unavailable: true }));
  await settle();
  clock.advance(29_999);
  await settle();
  expect(tool.calls).toHaveLength(3);
  clock.advance(1);
  await settle();
  expect(tool.calls).toHaveLength(4);
  run.cancel();
  await run.result;
});

test('a success in between begins the count anew', async () => {
  const { clock, tool, run } = calls(2, { concurrency: 1 });
  for (const outcome of ['away', 'away', 'there', 'away', 'away', 'there']) {
    await settle();
    const call = tool.calls.at(-1);
    if (outcome === 'there') call?.answer(1);
    else call?.fail(away());
    await settle();
    clock.advance(500);
  }
  const { status, warnings } = await run.result;
  expect({ status, calls: tool.calls.length }).toEqual({ status: 'done', calls: 6 });
  expect(warnings.filter(({ message }) => message.includes('in a row'))).toEqual([]);
});
