/** Effects of which nobody knows whether they happened: asked about, never repeated by itself. */
import { expect, test } from 'vitest';
import { EffectFailure } from '../../src/engine/handler.ts';
import { type Journal, LeaseLost } from '../../src/engine/journal/journal.ts';
import type { Assume } from '../../src/engine/past/past-effect.ts';
import { byName, programOf, resume, settle, start, TestClock, testTool } from './support.ts';

const program = programOf([{ tool: 'read' }, { tool: 'write' }, { tool: 'read' }]);

/** A run whose write ended without an answer. */
async function inDoubt(): Promise<{ journal: Journal; run: string }> {
  const read = testTool('read');
  const write = testTool('write', { effect: 'write' });
  const run = start({ program, handlers: byName(read, write) });
  (await read.call(0)).answer('a');
  (await write.call(0)).fail(new EffectFailure('PV4210', 'the connection was cut'));
  expect(await run.result).toMatchObject({
    status: 'suspended',
    reason: 'unknown',
    error: {
      code: 'PV5102',
      message:
        'nobody knows whether this took effect: write (effect 0#2, step 2): the connection was cut',
      hint: expect.stringContaining('then resume and say: done, or failed'),
      step: '2',
      line: 2,
    },
  });
  return { journal: run.journal, run: run.id };
}

const resumed = async (parts: { journal: Journal; run: string }, assume?: Assume) => {
  const read = testTool('read');
  const write = testTool('write', { effect: 'write' });
  const handle = resume({ program, handlers: byName(read, write), assume, ...parts });
  return { read, write, handle };
};

test('resuming without a decision asks again and performs nothing', async () => {
  const parts = await inDoubt();
  for (let i = 0; i < 2; i++) {
    const { handle, read, write } = await resumed(parts);
    expect(await handle.result).toMatchObject({ status: 'suspended', reason: 'unknown' });
    expect([...read.calls, ...write.calls]).toEqual([]);
  }
  const unknowns = parts.journal.events(parts.run).filter(({ type }) => type === 'effect.unknown');
  expect(unknowns).toHaveLength(1);
});

test('done: the program goes on with the value that was given, or null', async () => {
  for (const [assume, value] of [
    [{ as: 'done' }, null],
    [{ as: 'done', value: { id: 7 } }, { id: 7 }],
    [new Map([['0#2', { as: 'done', value: 1.5 }]]), 1.5],
  ] satisfies [Assume, unknown][]) {
    const { handle, read, write } = await resumed(await inDoubt(), assume);
    (await read.call(0)).answer('b');
    expect(await handle.result).toMatchObject({
      status: 'done',
      variables: { v1: 'a', v2: value, v3: 'b' },
    });
    expect(write.calls).toEqual([]);
  }
});

test('failed: the program is told so', async () => {
  const { handle } = await resumed(await inDoubt(), { as: 'failed', message: 'it bounced' });
  expect(await handle.result).toMatchObject({
    status: 'failed',
    error: { code: 'PV4007', message: 'it bounced', step: '2' },
  });
});

test('retry: it is performed again, and in doubt again where that ends without an answer', async () => {
  const parts = await inDoubt();
  const first = await resumed(parts, { as: 'retry' });
  const call = await first.write.call(0);
  expect(call.context.attempt).toBe(2);
  call.fail(new EffectFailure('PV4210', 'cut again'));
  expect(await first.handle.result).toMatchObject({ reason: 'unknown' });
  const second = await resumed(parts, { as: 'retry' });
  (await second.write.call(0)).answer('written');
  (await second.read.call(0)).answer('b');
  expect(await second.handle.result).toMatchObject({
    status: 'done',
    variables: { v2: 'written' },
  });
});

test('a decision about another effect decides nothing', async () => {
  const { handle } = await resumed(await inDoubt(), new Map([['0#9', { as: 'done' }]]));
  expect(await handle.result).toMatchObject({ reason: 'unknown' });
});

test('a write that times out is in doubt; what runs beside it finishes first', async () => {
  const clock = new TestClock();
  const write = testTool('write', { effect: 'write', limits: { timeoutMs: 10 } });
  const pure = testTool('pure', { effect: 'pure' });
  const beside = programOf([{ tool: 'write' }, { tool: 'pure' }]);
  const run = start({ program: beside, handlers: byName(write, pure), clock });
  const [first, second] = await Promise.all([write.call(0), pure.call(0)]);
  clock.advance(10);
  await settle();
  expect(first.context.signal.aborted).toBe(true);
  expect(run.journal.find(run.id)?.status).toBe('running');
  second.answer('kept');
  expect(await run.result).toMatchObject({ reason: 'unknown' });
  const settled = run.journal.events(run.id).filter(({ type }) => type === 'effect.settled');
  expect(settled).toHaveLength(1);
});

test('beside an effect in doubt nothing is started', async () => {
  const write = testTool('write', { effect: 'write' });
  const pure = testTool('pure', { effect: 'pure' });
  const beside = programOf([{ tool: 'write' }, { tool: 'pure' }]);
  const parts = { program: beside, handlers: byName(write, pure), limits: { concurrency: 1 } };
  const run = start(parts);
  (await write.call(0)).fail(new EffectFailure('PV4210', 'cut'));
  await run.result;
  const { journal, id } = run;
  expect(await resume({ ...parts, journal, run: id }).result).toMatchObject({ reason: 'unknown' });
  expect(pure.calls).toEqual([]);
});

test('doubt matters more than a budget', async () => {
  const write = testTool('write', { effect: 'write' });
  const pure = testTool('pure', { effect: 'pure' });
  const clock = new TestClock();
  const beside = programOf([{ tool: 'write' }, { tool: 'pure' }]);
  const limits = { wallMs: 5 };
  const run = start({ program: beside, handlers: byName(write, pure), limits, clock });
  await pure.call(0);
  clock.advance(5);
  await settle();
  write.calls[0]?.fail(new EffectFailure('PV4210', 'cut'));
  pure.calls[0]?.answer(1);
  expect(await run.result).toMatchObject({ reason: 'unknown' });
});

test('a tool that has since been declared idempotent does not make what was begun so', async () => {
  const write = testTool('write', { effect: 'write' });
  const one = programOf([{ tool: 'write' }]);
  const owner = 'one';
  const clock = new TestClock();
  const run = start({ program: one, handlers: byName(write), owner, clock });
  await write.call(0);
  const bolder = testTool('write', { effect: 'write', idempotent: true });
  const { journal, id } = run;
  const resumed = resume({ program: one, handlers: byName(bolder), journal, run: id, owner });
  expect(await resumed.result).toMatchObject({ reason: 'unknown' });
  expect(bolder.calls).toEqual([]);
  const lost = expect(run.result).rejects.toThrow(LeaseLost);
  write.calls[0]?.answer('too late');
  await lost;
});
