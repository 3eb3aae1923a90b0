/** Cancelling: by the caller, from outside, by the program's own failure, by losing the run. */
import { expect, test } from 'vitest';
import { cancelRun } from '../../src/engine/cancel.ts';
import { LeaseLost } from '../../src/engine/journal/journal.ts';
import { memoryJournal } from '../../src/engine/journal/open-journal.ts';
import {
  byName,
  programOf,
  quickTool,
  resume,
  settle,
  start,
  TestClock,
  testTool,
} from './support.ts';

const program = programOf([{ tool: 'read' }, { tool: 'read' }]);

test('reaches the signal of what runs, does not wait for it, and the run can be resumed', async () => {
  const read = testTool('read');
  const run = start({ program, handlers: byName(read) });
  const [first, second] = await Promise.all([read.call(0), read.call(1)]);
  first.answer('kept');
  await settle();
  const { signal } = second.context;
  run.cancel();
  expect(await run.result).toMatchObject({
    status: 'cancelled',
    error: { code: 'PV5107', message: 'the run was cancelled' },
    variables: { v1: 'kept' },
  });
  expect(signal.aborted).toBe(true);
  const types = run.journal.events(run.id).map(({ type }) => type);
  expect(types.slice(-2)).toEqual(['effect.cancelled', 'run.cancelled']);

  const again = testTool('read');
  const resumed = resume({ program, journal: run.journal, run: run.id, handlers: byName(again) });
  const call = await again.call(0);
  expect(call.context).toMatchObject({ effect: '0#2', attempt: 2 });
  second.answer('from the dead');
  call.answer('done again');
  expect(await resumed.result).toMatchObject({
    status: 'done',
    variables: { v1: 'kept', v2: 'done again' },
  });
});

test('an interrupted run is suspended', async () => {
  const read = testTool('read');
  const run = start({ program, handlers: byName(read) });
  await read.call(0);
  run.cancel('interrupted');
  expect(await run.result).toMatchObject({ status: 'suspended', reason: 'interrupted' });
  expect(run.journal.find(run.id)).toMatchObject({ status: 'suspended', reason: 'interrupted' });
});

test('what has arrived when the cancel comes is journaled', async () => {
  const read = testTool('read');
  const run = start({ program, handlers: byName(read) });
  (await read.call(0)).answer('just in time');
  await Promise.resolve();
  run.cancel();
  expect((await run.result).variables).toEqual({ v1: 'just in time' });
});

test('a wish from another process is heard within a second', async () => {
  const clock = new TestClock();
  const journal = memoryJournal({ now: () => clock.now() });
  const read = testTool('read');
  const run = start({ program, handlers: byName(read), journal, clock });
  await read.call(0);
  expect(cancelRun(journal, run.id)).toBe('asked');
  clock.advance(1_000);
  expect((await run.result).status).toBe('cancelled');
});

test('a run that nobody has is cancelled at once, and can still be resumed', async () => {
  const read = testTool('read');
  const run = start({ program, handlers: byName(read), limits: { effects: 1 } });
  (await read.call(0)).answer(1);
  await run.result;
  expect(cancelRun(run.journal, run.id)).toBe('cancelled');
  expect(run.journal.find(run.id)).toMatchObject({ status: 'cancelled', owned: false });
  expect(() => cancelRun(run.journal, run.id)).toThrow(/has ended: cancelled/);
  expect(() => cancelRun(run.journal, 'nowhere')).toThrow(/there is no run nowhere/);
  const resumed = resume({
    program,
    journal: run.journal,
    run: run.id,
    handlers: byName(quickTool('read', () => 2)),
    limits: { effects: 9 },
  });
  expect(await resumed.result).toMatchObject({ status: 'done', variables: { v1: 1, v2: 2 } });
});

test('reads that no longer matter are cancelled when an earlier effect fails', async () => {
  const read = testTool('read', { idempotent: false, limits: { concurrency: 2 } });
  const three = programOf([{ tool: 'read' }, { tool: 'read' }, { tool: 'read' }]);
  const run = start({ program: three, handlers: byName(read) });
  const [first, second] = await Promise.all([read.call(0), read.call(1)]);
  const { signal } = second.context;
  first.answer(undefined);
  expect(await run.result).toMatchObject({ status: 'failed', error: { step: '1' } });
  expect(signal.aborted).toBe(true);
  expect(read.calls).toHaveLength(2);
  const events = run.journal.events(run.id).filter((event) => event.type === 'effect.cancelled');
  expect(events).toMatchObject([{ effect: '0#2', attempts: 1 }]);
});

test('a slot and the tokens of a cancelled effect are free again', async () => {
  const model = testTool('model', { kind: 'model' });
  const failing = testTool('failing', { idempotent: false });
  const handled = programOf([], (chunk) => {
    const after = chunk.label();
    const begin = chunk.address;
    chunk.tool('failing').constant('n').constant(1).call(0, 1).emit('POP');
    chunk.tool('model').constant('n').constant('x'.repeat(40)).call(0, 1).emit('BARRIER');
    const end = chunk.address;
    chunk.jump('JMP', after);
    chunk.handler({ start: begin, end, target: chunk.address, depth: 0 });
    chunk.emit('POP').tool('model').constant('n').constant('y'.repeat(40)).call(0, 1);
    chunk.place(after).emit('ANSWER');
  });
  const limits = { concurrency: 2, tokens: 15 };
  const run = start({ program: handled, handlers: byName(model, failing), limits });
  const dropped = await model.call(0);
  (await failing.call(0)).answer(undefined);
  const call = await model.call(1);
  expect(dropped.context.signal.aborted).toBe(true);
  call.answer('second');
  expect(await run.result).toMatchObject({ status: 'done', answer: 'second' });
});

test('a process that has lost the run stops at once and writes nothing more', async () => {
  const clock = new TestClock();
  const journal = memoryJournal({ now: () => clock.now() });
  const read = testTool('read', { limits: { timeoutMs: Infinity } });
  const run = start({ program, handlers: byName(read), journal, clock, owner: 'one' });
  const call = await read.call(0);
  const { signal } = call.context;
  await settle();
  clock.advance(4_000);
  const lost = expect(run.result).rejects.toThrow(LeaseLost);
  // The machine slept for longer than the lease lasts, and another process took the run.
  const stolen = memoryTheft(journal, run.id);
  clock.advance(1_000);
  await lost;
  expect(signal.aborted).toBe(true);
  const events = journal.events(run.id).length;
  call.answer('nobody listens');
  await settle();
  expect(journal.events(run.id)).toHaveLength(events);
  expect(journal.find(run.id)?.owned).toBe(true);
  expect(stolen.epoch).toBe(2);
});

/** Takes a run from its owner, as another process could once the lease has expired. */
function memoryTheft(journal: ReturnType<typeof memoryJournal>, run: string) {
  return journal.claim(run, 'one');
}

test('the lease is renewed while a long effect runs', async () => {
  const clock = new TestClock();
  const journal = memoryJournal({ now: () => clock.now() });
  const read = testTool('read', { limits: { timeoutMs: Infinity } });
  const run = start({ program, handlers: byName(read), journal, clock });
  await read.call(0);
  for (let i = 0; i < 60; i++) {
    clock.advance(1_000);
    expect(journal.find(run.id)?.owned).toBe(true);
  }
  run.cancel();
  await run.result;
  expect(clock.waits()).toEqual([]);
});

test('an effect that the cancel caught in doubt is asked about on resuming', async () => {
  const write = testTool('write', { effect: 'write' });
  const one = programOf([{ tool: 'write' }]);
  const run = start({ program: one, handlers: byName(write) });
  await write.call(0);
  run.cancel();
  expect((await run.result).status).toBe('cancelled');
  const parts = { program: one, journal: run.journal, run: run.id, handlers: byName(write) };
  expect(await resume(parts).result).toMatchObject({ status: 'suspended', reason: 'unknown' });
  const done = resume({ ...parts, assume: { as: 'done', value: 'sent' } });
  expect(await done.result).toMatchObject({ status: 'done', answer: 'sent' });
  expect(write.calls).toHaveLength(1);
});
