/** What tools declare of results, of each other and of their own limits, kept by the engine. */
import { expect, test } from 'vitest';
import { EffectFailure } from '../../src/engine/handler.ts';
import { byName, programOf, quickTool, settle, start, TestClock, testTool } from './support.ts';

const calls = (...tools: string[]) => programOf(tools.map((tool) => ({ tool })));

test('a result that does not fit what is declared is a value and a warning', async () => {
  const returns = {
    type: 'object',
    properties: { t: { type: 'number' }, u: { enum: ['C', 'F'] } },
    required: ['t', 'day'],
  };
  const tool = quickTool('tool', () => ({ t: 'warm', u: 'K' }), { returns });
  const run = start({ program: calls('tool'), handlers: byName(tool) });
  expect(await run.result).toMatchObject({
    status: 'done',
    answer: { t: 'warm', u: 'K' },
    warnings: [
      {
        effect: '0#1',
        message:
          'tool returned what it does not declare: day: missing; ' +
          't: got string "warm", want number; u: got string "K", want one of "C", "F"',
      },
    ],
  });
  const plain = quickTool('tool', () => 2 ** 60, { returns: { type: 'integer' } });
  const fits = await start({ program: calls('tool'), handlers: byName(plain) }).result;
  expect(fits.warnings).toEqual([]);
  const root = quickTool('tool', () => 'x', { returns: { type: 'integer' } });
  const wrong = await start({ program: calls('tool'), handlers: byName(root) }).result;
  expect(wrong.warnings[0]?.message).toContain('the result: got string "x", want integer');
});

test('resultBytes bounds the result of one tool', async () => {
  const tool = quickTool('tool', () => 'x'.repeat(50), { limits: { resultBytes: 51 } });
  const run = await start({ program: calls('tool'), handlers: byName(tool) }).result;
  expect(run.error).toMatchObject({
    code: 'PV4004',
    message: 'tool returned 52 bytes, want at most 51',
    hint: 'ask for less, or raise the limit tool.resultBytes',
  });
});

test('calls of tools that conflict never overlap, either way round, and others go on', async () => {
  const a = testTool('a', { conflicts: ['b'] });
  const b = testTool('b');
  const c = testTool('c');
  const run = start({ program: calls('b', 'a', 'b', 'c'), handlers: byName(a, b, c) });
  await c.call(0);
  await settle();
  // The second b is younger than the a that waits for the first one.
  expect([a.calls.length, b.calls.length]).toEqual([0, 1]);
  (await b.call(0)).answer(1);
  (await a.call(0)).answer(2);
  expect(b.calls).toHaveLength(1);
  (await b.call(1)).answer(3);
  (await c.call(0)).answer(4);
  expect((await run.result).answer).toBe(4);
});

test('callsPerMinute makes calls wait until a minute has passed since the oldest', async () => {
  const clock = new TestClock();
  const tool = testTool('tool', { limits: { callsPerMinute: 2, timeoutMs: Infinity } });
  const other = quickTool('other', () => 'o');
  const handlers = byName(tool, other);
  const run = start({ program: calls('tool', 'tool', 'tool', 'tool', 'other'), handlers, clock });
  (await tool.call(0)).answer(0);
  await settle();
  clock.advance(10_000);
  (await tool.call(1)).answer(1);
  await settle();
  expect(tool.calls).toHaveLength(2);
  clock.advance(49_999);
  await settle();
  expect(tool.calls).toHaveLength(2);
  clock.advance(1);
  (await tool.call(3)).answer(3);
  (await tool.call(2)).answer(2);
  expect(await run.result).toMatchObject({ status: 'done', answer: 'o' });
});

test('callsPerMinute counts second attempts, which wait for their turn', async () => {
  const clock = new TestClock();
  const tool = testTool('tool', { limits: { callsPerMinute: 1, timeoutMs: Infinity } });
  const run = start({ program: calls('tool'), handlers: byName(tool), clock });
  (await tool.call(0)).fail(new EffectFailure('PV4106', 'away', { retryable: true }));
  await settle();
  clock.advance(59_999);
  await settle();
  expect(tool.calls).toHaveLength(1);
  clock.advance(1);
  (await tool.call(1)).answer('back');
  expect(await run.result).toMatchObject({ status: 'done', answer: 'back' });
});

test('a run that waits for nothing but a minute is not at its end, and can be cancelled', async () => {
  const clock = new TestClock();
  const tool = testTool('tool', { limits: { callsPerMinute: 1, timeoutMs: Infinity } });
  const run = start({ program: calls('tool', 'tool'), handlers: byName(tool), clock });
  (await tool.call(0)).answer(1);
  await settle();
  run.cancel('interrupted');
  expect(await run.result).toMatchObject({ status: 'suspended', reason: 'interrupted' });
  expect(clock.waits()).toEqual([]);
});
