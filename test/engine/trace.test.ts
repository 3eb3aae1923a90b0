/** The document of `show --trace`: queue and run times, attempts, what waited for what. */
import { expect, test } from 'vitest';
import { forkRun } from '../../src/engine/fork/fork.ts';
import { EffectFailure } from '../../src/engine/handler.ts';
import { memoryJournal } from '../../src/engine/journal/open-journal.ts';
import { lookAt } from '../../src/engine/views/show.ts';
import { runClock } from '../../src/engine/views/timeline.ts';
import { type RunTrace, traceOf } from '../../src/engine/views/trace.ts';
import { byName, loading, programOf, settle, start, TestClock, testTool } from './support.ts';

const effectsOf = ({ steps }: RunTrace) => steps.flatMap(({ effects }) => effects);

test('the critical path goes through what each effect waited for', async () => {
  const clock = new TestClock();
  const journal = memoryJournal({ now: () => clock.now() });
  const read = testTool('read');
  // 3 needs the result of 2; 1 is nobody's.
  const program = programOf([{ tool: 'read' }, { tool: 'read' }, { tool: 'read', from: 2 }]);
  const run = start({ program, handlers: byName(read), journal, clock });
  const [first, second] = [await read.call(0), await read.call(1)];
  clock.advance(10);
  first.answer('short');
  await settle();
  clock.advance(30);
  second.answer('long');
  const third = await read.call(2);
  clock.advance(5);
  third.answer('end');
  await run.result;
  const trace = traceOf(lookAt({ journal, run: run.id, load: loading(program) }));
  expect(trace.criticalPath).toEqual([
    { effect: '0#2', step: '2', machineMs: 0, queueMs: 0, runMs: 40 },
    { effect: '0#3', step: '3', machineMs: 0, queueMs: 0, runMs: 5 },
  ]);
  expect(effectsOf(trace).map(({ id, critical, waitedFor }) => [id, critical, waitedFor])).toEqual([
    ['0#1', false, null],
    ['0#2', true, null],
    ['0#3', true, '0#2'],
  ]);
  expect(trace.totals).toMatchObject({ wallMs: 45, runMs: 55, queueMs: 0, parallelism: 1.22 });
  expect(trace.totals.critical).toEqual({ runMs: 45, queueMs: 0, machineMs: 0 });
});

test('time for a slot is queue time, and a write waits for all before it', async () => {
  const clock = new TestClock();
  const journal = memoryJournal({ now: () => clock.now() });
  const read = testTool('read');
  const write = testTool('write', { effect: 'write' });
  const program = programOf([{ tool: 'read' }, { tool: 'read' }, { tool: 'write' }]);
  const handlers = byName(read, write);
  const run = start({ program, handlers, journal, clock, limits: { concurrency: 1 } });
  const first = await read.call(0);
  clock.advance(10);
  first.answer(1);
  const second = await read.call(1);
  clock.advance(20);
  second.answer(2);
  const third = await write.call(0);
  clock.advance(3);
  third.answer(3);
  await run.result;
  const trace = traceOf(lookAt({ journal, run: run.id, load: loading(program) }));
  expect(effectsOf(trace).map(({ queueMs, runMs }) => [queueMs, runMs])).toEqual([
    [0, 10],
    [10, 20],
    [0, 3],
  ]);
  expect(trace.criticalPath.map(({ effect }) => effect)).toEqual(['0#2', '0#3']);
  expect(trace.totals.critical).toEqual({ runMs: 23, queueMs: 10, machineMs: 0 });
});

test('each attempt has its times and why it failed', async () => {
  const clock = new TestClock();
  const journal = memoryJournal({ now: () => clock.now() });
  const read = testTool('read');
  const program = programOf([{ tool: 'read' }]);
  const run = start({ program, handlers: byName(read), journal, clock, random: () => 0.5 });
  const first = await read.call(0);
  clock.advance(7);
  first.fail(new EffectFailure('PV4999', 'busy', { retryable: true }));
  await settle();
  const waitedMs = Math.min(...clock.waits());
  clock.advance(waitedMs);
  const second = await read.call(1);
  clock.advance(4);
  second.answer('at last');
  await run.result;
  const [effect] = effectsOf(traceOf(lookAt({ journal, run: run.id, load: loading(program) })));
  expect(effect?.attempts).toEqual([
    { attempt: 1, startedMs: 0, endedMs: 7, error: { code: 'PV4999', message: 'busy' } },
    { attempt: 2, startedMs: 7 + waitedMs, endedMs: 11 + waitedMs },
  ]);
  expect(effect?.runMs).toBe(11 + waitedMs);
});

test('between two processes no time passes', () => {
  const clock = runClock([
    { from: 100, to: 150 },
    { from: 1000, to: 1020 },
  ]);
  expect([100, 120, 150, 700, 1000, 1010, 1020].map(clock)).toEqual([0, 20, 50, 50, 50, 60, 70]);
});

test("a fork's trace begins with the fork, and marks what it has from its base", async () => {
  const clock = new TestClock();
  const journal = memoryJournal({ now: () => clock.now() });
  const read = testTool('read');
  const program = programOf([
    { tool: 'read' },
    { tool: 'read', from: 1 },
    { tool: 'read', n: 1 },
    { tool: 'read', from: 2 },
  ]);
  const parts = { journal, clock, handlers: byName(read), load: loading(program) };
  const base = start({ ...parts, program });
  for (let call = 0; call < 4; call++) {
    const made = await read.call(call);
    clock.advance(10);
    made.answer(`a${call}`);
  }
  await base.result;
  clock.advance(1_000_000);
  const edit = {
    at: '2',
    outcomes: { '0#2': { ok: true, value: '"other"' } },
    by: 'person',
  } as const;
  const fork = forkRun({ ...parts, run: base.id, edit });
  const startedAt = clock.now();
  const again = await read.call(4);
  clock.advance(7);
  again.answer('c');
  await fork.result;
  const trace = traceOf(lookAt({ journal, run: fork.id, load: loading(program) }));
  expect(trace).toMatchObject({ startedAt, totals: { wallMs: 7, runMs: 7 } });
  expect(effectsOf(trace).map((one) => [one.id, one.origin, one.queuedMs, one.runMs])).toEqual([
    ['0#1', 'base', null, 0],
    ['0#2', 'reused', null, 0],
    ['0#3', 'reused', null, 0],
    ['0#4', undefined, 0, 7],
  ]);
  expect(trace.criticalPath.map(({ effect }) => effect)).toEqual(['0#4']);
});
