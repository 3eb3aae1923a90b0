/** Attempts: arguments, retries and their waits, timeouts, what counts as an answer. */
import { expect, test } from 'vitest';
import type { WatchEvent } from '../../src/engine/events.ts';
import { EffectFailure, type Handler } from '../../src/engine/handler.ts';
import { byName, programOf, quickTool, settle, start, TestClock, testTool } from './support.ts';

const one = programOf([{ tool: 'tool', n: 1 }]);
const busy = (details = {}): EffectFailure =>
  new EffectFailure('PV4109', 'overloaded', { retryable: true, answered: true, ...details });

test('waits twice as long before each further attempt, spread by chance', async () => {
  for (const [random, waits] of [
    [0, [125, 250, 500]],
    [1, [250, 500, 1000]],
  ] as const) {
    const clock = new TestClock();
    const tool = testTool('tool', { limits: { timeoutMs: Infinity } });
    const run = start({
      program: one,
      handlers: byName(tool),
      clock,
      random: () => random,
      limits: { attempts: 4 },
    });
    for (let i = 0; i < waits.length; i++) {
      (await tool.call(i)).fail(busy());
      await settle();
      expect(tool.calls).toHaveLength(i + 1);
      clock.advance((waits[i] ?? 0) - 1);
      expect(tool.calls).toHaveLength(i + 1);
      clock.advance(1);
    }
    const last = await tool.call(3);
    expect(last.context.attempt).toBe(4);
    expect(last.context.idempotencyKey).toBe(tool.calls[0]?.context.idempotencyKey);
    last.fail(busy());
    expect(await run.result).toMatchObject({
      status: 'failed',
      error: { code: 'PV4109', message: 'overloaded (4 attempts)' },
      warnings: [1, 2, 3].map((n) => ({
        effect: '0#1',
        message: `attempt ${n} failed (overloaded), again in ${waits[n - 1]} ms`,
      })),
    });
  }
});

test('honours the wait that the other side asks for, up to two minutes', async () => {
  for (const [asked, waited] of [
    [7_000, 7_000],
    [600_000, 120_000],
    [1, 250],
  ] as const) {
    const clock = new TestClock();
    const tool = testTool('tool');
    const run = start({ program: one, handlers: byName(tool), clock, random: () => 1 });
    (await tool.call(0)).fail(busy({ retryAfterMs: asked }));
    await settle();
    clock.advance(waited - 1);
    expect(tool.calls).toHaveLength(1);
    clock.advance(1);
    (await tool.call(1)).answer('better');
    expect((await run.result).answer).toBe('better');
  }
});

test('who watches hears of a wait before it begins', async () => {
  const clock = new TestClock();
  const tool = testTool('tool');
  const run = start({ program: one, handlers: byName(tool), clock, random: () => 1 });
  const seen: WatchEvent[] = [];
  run.subscribe((event) => seen.push(event));
  (await tool.call(0)).fail(busy({ retryAfterMs: 60_000 }));
  await settle();
  clock.advance(1000);
  expect(seen.at(-1)).toEqual({
    ...{ type: 'effect.retries', effect: '0#1', tool: 'tool', step: '1' },
    ...{ attempt: 1, message: 'overloaded', waitMs: 60_000 },
  });
  clock.advance(59_000);
  (await tool.call(1)).answer('better');
  expect((await run.result).answer).toBe('better');
});

test('a wait that is shorter than the other side has asked for is said to be', async () => {
  const clock = new TestClock();
  const tool = testTool('tool');
  const run = start({ program: one, handlers: byName(tool), clock, random: () => 1 });
  const seen: WatchEvent[] = [];
  run.subscribe((event) => seen.push(event));
  (await tool.call(0)).fail(busy({ retryAfterMs: 600_000 }));
  await settle();
  clock.advance(120_000);
  (await tool.call(1)).answer('better');
  const message = 'overloaded; it asks for a wait of 600 s, and none is longer than 120 s';
  expect(seen).toContainEqual(expect.objectContaining({ message, waitMs: 120_000 }));
  const { warnings } = await run.result;
  expect(warnings.map((warning) => warning.message)).toEqual([expect.stringContaining(message)]);
});

test('an exception that says nothing about itself is tried again; a refusal is not', async () => {
  const clock = new TestClock();
  const tool = testTool('tool');
  const run = start({ program: one, handlers: byName(tool), clock });
  (await tool.call(0)).fail(new TypeError('fetch failed'));
  await settle();
  clock.advance(1_000);
  (await tool.call(1)).fail(new EffectFailure('PV4201', 'no such city', { hint: 'try Paris' }));
  expect((await run.result).error).toMatchObject({
    code: 'PV4201',
    message: 'no such city (2 attempts)',
    hint: 'try Paris',
  });
});

test('what a tool throws without waiting counts as its failure', async () => {
  const tool = testTool('tool');
  const throwing = {
    spec: tool.spec,
    perform: () => {
      throw new RangeError('out of range');
    },
  };
  const handlers = byName(throwing);
  const run = start({ program: one, handlers, limits: { attempts: 1 } });
  expect((await run.result).error).toMatchObject({
    code: 'PV4006',
    message: 'tool threw RangeError: out of range',
  });
});

test('a timeout aborts the attempt, does not wait for it, and tries again', async () => {
  const clock = new TestClock();
  const tool = testTool('tool', { limits: { timeoutMs: 1_000 } });
  const run = start({ program: one, handlers: byName(tool), clock, random: () => 1 });
  const first = await tool.call(0);
  const { signal } = first.context;
  clock.advance(999);
  expect(signal.aborted).toBe(false);
  clock.advance(1);
  expect(signal.aborted).toBe(true);
  expect(signal.reason).toMatchObject({ code: 'PV4005' });
  clock.advance(250);
  const second = await tool.call(1);
  first.context.use({ modelCalls: 1, inputTokens: 1, outputTokens: 1 });
  first.answer('too late');
  await settle();
  second.answer('in time');
  const result = await run.result;
  expect(result.answer).toBe('in time');
  expect(result.usage.modelCalls).toBe(0);
});

test('a computation that has run into its time limit is not tried again', async () => {
  const clock = new TestClock();
  const tool = testTool('tool', { limits: { timeoutMs: 5 } });
  const run = start({ program: one, handlers: byName(tool), clock });
  const { signal } = (await tool.call(0)).context;
  signal.addEventListener('abort', () => signal.reason.notAgain());
  clock.advance(5);
  expect(await run.result).toMatchObject({ status: 'failed', error: { code: 'PV4005' } });
  expect(tool.calls).toHaveLength(1);
});

test('a signal that is asked for after the abort is aborted', async () => {
  const clock = new TestClock();
  const tool = testTool('tool', { limits: { timeoutMs: 5 } });
  const run = start({ program: one, handlers: byName(tool), clock, limits: { attempts: 1 } });
  const { context } = await tool.call(0);
  clock.advance(5);
  expect(context.signal.aborted).toBe(true);
  expect((await run.result).error).toMatchObject({
    code: 'PV4005',
    message: 'tool gave no answer within 5 ms',
  });
});

test('progress begins the time of an attempt again, up to ten times as long in all', async () => {
  const clock = new TestClock();
  const tool = testTool('tool', { limits: { timeoutMs: 100 } });
  const run = start({ program: one, handlers: byName(tool), clock });
  const { context } = await tool.call(0);
  for (let i = 0; i < 19; i++) {
    clock.advance(50);
    context.extend();
  }
  expect(context.signal.aborted).toBe(false);
  clock.advance(50);
  expect(context.signal.aborted).toBe(true);
  expect((await run.result).error).toMatchObject({
    code: 'PV4005',
    message: 'tool gave no answer within 1000 ms, whatever progress it reported',
  });
  expect(tool.calls).toHaveLength(1);
});

test.each([
  ['inputTokens', -4_000_000],
  ['outputTokens', Number.NaN],
  ['inputTokens', Number.POSITIVE_INFINITY],
  ['outputTokens', 1e308],
  ['inputTokens', 1.5],
  ['outputTokens', '12'],
  ['modelCalls', -1],
  ['cost', -3],
  ['cost', Number.NaN],
  ['cost', 1e308],
])('a reported %s of %s counts as none, with a warning', async (name, count) => {
  const tool = testTool('tool', {});
  const run = start({ program: one, handlers: byName(tool), limits: { tokens: 1_000, cost: 1 } });
  const call = await tool.call(0);
  call.context.use({ modelCalls: 1, inputTokens: 2, outputTokens: 3, cost: 0.5 });
  call.context.use({ modelCalls: 1, inputTokens: 2, outputTokens: 3, cost: 0.25, [name]: count });
  call.answer('x');
  const { usage, warnings, status } = await run.result;
  expect(status).toBe('done');
  const sum = { modelCalls: 2, inputTokens: 4, outputTokens: 6, cost: 0.75 };
  const counts = { modelCalls: 1, inputTokens: 2, outputTokens: 3, cost: 0.5 };
  expect(usage).toMatchObject({ ...sum, [name]: counts[name as keyof typeof counts] });
  const message = `tool has reported ${name} ${count}, which counts as none`;
  expect(warnings).toContainEqual(expect.objectContaining({ message }));
});

test('what took too long says where its time is written, if that is no limit', async () => {
  const clock = new TestClock();
  const timed = testTool('tool', { limits: { timeoutMs: 5 } });
  const tool = Object.assign(timed, { timeoutHint: 'write a longer timeout: there' });
  const run = start({ program: one, handlers: byName(tool), clock, limits: { attempts: 1 } });
  await tool.call(0);
  clock.advance(5);
  expect((await run.result).error).toMatchObject({ hint: 'write a longer timeout: there' });
});

test('a write that never reached its tool is tried again, one that may have is not', async () => {
  const clock = new TestClock();
  const tool = testTool('tool', { effect: 'write' });
  const run = start({ program: one, handlers: byName(tool), clock, random: () => 1 });
  (await tool.call(0)).fail(busy({ mayHaveActed: false, answered: false }));
  await settle();
  clock.advance(250);
  (await tool.call(1)).fail(busy({ answered: false }));
  expect(await run.result).toMatchObject({ status: 'suspended', reason: 'unknown' });
  expect(tool.calls).toHaveLength(2);
});

test('a write whose tool itself says that it failed has failed', async () => {
  const tool = testTool('tool', { effect: 'write' });
  const run = start({ program: one, handlers: byName(tool) });
  (await tool.call(0)).fail(busy());
  expect(await run.result).toMatchObject({ status: 'failed', error: { message: 'overloaded' } });
});

test('arguments that do not fit never reach the tool', async () => {
  const tool = testTool('tool', {
    parameters: {
      type: 'object',
      properties: { n: { type: 'string' }, size: { type: 'integer' } },
      required: ['size'],
    },
  });
  const run = start({ program: one, handlers: byName(tool) });
  expect((await run.result).error).toMatchObject({
    code: 'PV4001',
    message: 'wrong arguments for tool: size: missing; n: got number 1, want string',
    line: 1,
  });
  expect(tool.calls).toHaveLength(0);
});

test('what a tool returns is kept without loss, or refused', async () => {
  const returned = async (value: unknown, valueBytes = 100): Promise<unknown> => {
    const tool = quickTool('tool', () => value);
    const limits = { attempts: 1, valueBytes };
    const result = await start({ program: one, handlers: byName(tool), limits }).result;
    return result.error?.message ?? result.answer;
  };
  expect(await returned({ n: 2n ** 64n, f: 0.5, b: new Uint8Array([1]) })).toEqual({
    n: 2n ** 64n,
    f: 0.5,
    b: new Uint8Array([1]),
  });
  expect(await returned(() => 1)).toMatch(/^tool returned no JSON data: got/);
  expect(await returned('é'.repeat(49))).toBe('é'.repeat(49));
  expect(await returned('é'.repeat(50))).toBe('tool returned 102 bytes, want at most 100');
});

test('a handler may take warn and progress out of its context', async () => {
  const { spec } = quickTool('tool', () => 1);
  const tool: Handler = {
    spec,
    async perform(_args, { warn, progress }) {
      progress('half');
      warn('odd');
      return 1;
    },
  };
  const { status, warnings } = await start({ program: one, handlers: byName(tool) }).result;
  expect([status, warnings.map(({ message }) => message)]).toEqual(['done', ['odd']]);
});
