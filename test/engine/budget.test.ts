/** Budgets: what reaching one does, and that a larger one lets the run go on. */
import { expect, test } from 'vitest';
import { EffectFailure } from '../../src/engine/handler.ts';
import { memoryJournal } from '../../src/engine/journal/open-journal.ts';
import type { LimitName } from '../../src/program/limits.ts';
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

const reads = (count: number) => programOf(Array.from({ length: count }, () => ({ tool: 'read' })));

test('no effect starts beyond the budget; what runs finishes; a larger one goes on', async () => {
  const program = reads(5);
  const read = testTool('read');
  const run = start({ program, handlers: byName(read), limits: { effects: 2 } });
  await read.call(1);
  await settle();
  expect(read.calls).toHaveLength(2);
  read.calls[0]?.answer(1);
  await settle();
  expect(run.journal.find(run.id)?.status).toBe('running');
  read.calls[1]?.answer(2);
  expect(await run.result).toMatchObject({
    status: 'suspended',
    reason: 'limit',
    error: {
      code: 'PV5101',
      message: 'the run has used up its 2 effects (limit effects)',
      hint: expect.stringMatching(/^resume it with the limit effects at \d+$/),
    },
  });
  expect(run.journal.events(run.id)).toContainEqual(
    expect.objectContaining({ type: 'limit.reached', limit: 'effects', value: 2 }),
  );

  const again = quickTool('read', () => 'more');
  const { journal, id } = run;
  const same = await resume({ journal, run: id, program, handlers: byName(again) }).result;
  expect(same.reason).toBe('limit');
  const limits = { effects: 5 };
  const more = await resume({ journal, run: id, program, handlers: byName(again), limits }).result;
  expect(more).toMatchObject({ status: 'done', answer: 'more', variables: { v1: 1, v2: 2 } });
  expect(journal.events(id)).toContainEqual(
    expect.objectContaining({ type: 'limit.raised', limits }),
  );
});

test('tokens are set aside before a call, so that a wide fan-out cannot pass them', async () => {
  const model = testTool('read', { kind: 'model' });
  // Two tokens in and, of a first call, 256 out.
  const run = start({ program: reads(8), handlers: byName(model), limits: { tokens: 800 } });
  await model.call(2);
  await settle();
  expect(model.calls).toHaveLength(3);
  for (const call of model.calls) {
    call.context.use({ modelCalls: 1, inputTokens: 2, outputTokens: 98 });
    call.answer('as usual');
  }
  // By now a call is known to take 98 tokens out: of what is left, all five can have theirs.
  await model.call(7);
  for (const call of model.calls.slice(3)) {
    call.context.use({ modelCalls: 1, inputTokens: 2, outputTokens: 98 });
    call.answer('as usual');
  }
  expect(await run.result).toMatchObject({
    status: 'done',
    usage: { modelCalls: 8, inputTokens: 16, outputTokens: 784 },
  });
});

test('a call alone begins where its input fits; what it takes out counts afterwards', async () => {
  const model = quickTool(
    'read',
    (_, context) => {
      context.use({ modelCalls: 1, inputTokens: 2, outputTokens: 9 });
      return 'text';
    },
    { kind: 'model' },
  );
  const run = start({ program: reads(3), handlers: byName(model), limits: { tokens: 10 } });
  expect(await run.result).toMatchObject({
    reason: 'limit',
    error: { message: 'the run has used up its 10 tokens (limit tokens): 11 tokens are spent' },
    usage: { modelCalls: 1, inputTokens: 2, outputTokens: 9 },
  });
});

test('what a call sends besides its arguments is set aside, too', async () => {
  const tool = quickTool('read', () => 'text', { kind: 'model' });
  const model = { ...tool, model: () => ({ name: 'm', sends: 4000 }) };
  const run = start({ program: reads(1), handlers: byName(model), limits: { tokens: 900 } });
  expect(await run.result).toMatchObject({ reason: 'limit', usage: { modelCalls: 0 } });
  const more = start({ program: reads(1), handlers: byName(model), limits: { tokens: 1100 } });
  expect(await more.result).toMatchObject({ status: 'done' });
});

test('cost stops model calls once it is reached', async () => {
  const model = quickTool(
    'read',
    (_, context) => {
      context.use({ modelCalls: 1, inputTokens: 1, outputTokens: 1, cost: 0.5 });
      return 'text';
    },
    { kind: 'model' },
  );
  const limits = { cost: 1, concurrency: 1 };
  const run = start({ program: reads(3), handlers: byName(model), limits });
  expect(await run.result).toMatchObject({ reason: 'limit', usage: { modelCalls: 2, cost: 1 } });
});

test('cost is set aside before a call, so that a wide fan-out cannot pass it', async () => {
  const model = testTool('read', { kind: 'model' });
  // Two tokens in and, of a first call, 256 out: 0.258 USD each.
  const handler = {
    ...model,
    model: () => ({ name: 'own/m', price: { input: 1000, output: 1000 } }),
  };
  const run = start({ program: reads(8), handlers: byName(handler), limits: { cost: 1 } });
  await model.call(2);
  await settle();
  expect(model.calls).toHaveLength(3);
  for (const call of model.calls.slice(0, 2)) {
    call.context.use({ modelCalls: 1, inputTokens: 2, outputTokens: 48, cost: 0.05 });
    call.answer('cheap');
  }
  // By now a call is known to take 48 tokens out. 0.1 is spent, 0.258 set aside: all others fit.
  await model.call(7);
  for (const call of model.calls.slice(2)) {
    call.context.use({ modelCalls: 1, inputTokens: 2, outputTokens: 48, cost: 0.05 });
    call.answer('cheap');
  }
  expect(await run.result).toMatchObject({ status: 'done', usage: { modelCalls: 8 } });
});

test('a call whose price alone is more than what is left does not begin', async () => {
  const model = testTool('read', { kind: 'model' });
  const handler = {
    ...model,
    model: () => ({ name: 'own/m', price: { input: 1000, output: 1000 } }),
  };
  const run = start({ program: reads(1), handlers: byName(handler), limits: { cost: 0.2 } });
  expect(await run.result).toMatchObject({
    reason: 'limit',
    error: {
      message:
        'the run cannot keep to its 0.2 USD (limit cost): 0 USD are spent, 0.2 are left, ' +
        'and the next call, of read, is expected to take 0.258 USD',
      hint: 'resume it with the limit cost at 0.52',
    },
    limit: { name: 'cost', enough: 0.52, next: { tool: 'read' } },
    warnings: [],
  });
  expect(model.calls).toHaveLength(0);
});

test('a model whose price nobody knows is named once, where there are USD to keep to', async () => {
  const model = quickTool(
    'read',
    (_, context) => {
      context.use({ modelCalls: 1, inputTokens: 1, outputTokens: 1 });
      return 'text';
    },
    { kind: 'model' },
  );
  const handlers = byName({ ...model, model: () => ({ name: 'own/m' }) });
  const bounded = await start({ program: reads(3), handlers, limits: { cost: 1 } }).result;
  expect(bounded).toMatchObject({
    status: 'done',
    warnings: [
      {
        code: 'PV4120',
        message: 'the price of own/m is not known: its calls do not count for the limit cost',
        hint: expect.stringContaining('"prices": { "own/m": { "input": 1, "output": 4 } }'),
      },
    ],
  });
  expect(await start({ program: reads(1), handlers }).result).toMatchObject({ warnings: [] });
});

test('the price of a tool is set aside before a call, counts for each attempt, and is kept', async () => {
  const priced = { price: { perCall: 0.4 } };
  const paid = testTool('read', priced);
  const program = reads(4);
  const run = start({ program, handlers: byName(paid), limits: { cost: 1 } });
  await paid.call(1);
  await settle();
  expect(paid.calls).toHaveLength(2);
  paid.calls[0]?.fail(new EffectFailure('PV4999', 'busy', { retryable: true }));
  paid.calls[1]?.answer(2);
  (await paid.call(2)).answer(1);
  expect(await run.result).toMatchObject({ reason: 'limit', error: { code: 'PV5101' } });
  expect(paid.calls).toHaveLength(3);

  const again = quickTool('read', () => 3, priced);
  const { journal, id } = run;
  const handlers = byName(again);
  const same = await resume({ journal, run: id, program, handlers }).result;
  expect(same).toMatchObject({ reason: 'limit', usage: { cost: expect.closeTo(1.2) } });
  const limits = { cost: 2 };
  expect(await resume({ journal, run: id, program, handlers, limits }).result).toMatchObject({
    status: 'done',
    usage: { modelCalls: 0, cost: expect.closeTo(2) },
  });
});

test('a tool has a budget of effects of its own, which a resumed run counts on', async () => {
  const program = reads(4);
  const parts = {
    program,
    handlers: byName(quickTool('read', () => 1, { limits: { callsPerRun: 3 } })),
  };
  const run = start(parts);
  expect(await run.result).toMatchObject({
    status: 'suspended',
    reason: 'limit',
    error: {
      message: 'the run has used up the 3 effects that read has (limit read.callsPerRun)',
      hint: 'resume it with the limit read.callsPerRun at 6',
    },
  });
  expect(run.journal.events(run.id)).toContainEqual(
    expect.objectContaining({ type: 'limit.reached', limit: 'read.callsPerRun', value: 3 }),
  );
  const { journal, id } = run;
  expect((await resume({ ...parts, journal, run: id }).result).reason).toBe('limit');
  const handlers = byName(quickTool('read', () => 2, { limits: { callsPerRun: 4 } }));
  expect(await resume({ ...parts, handlers, journal, run: id }).result).toMatchObject({
    status: 'done',
    answer: 2,
  });
});

test('a tool has a number of attempts of its own', async () => {
  const clock = new TestClock();
  const read = testTool('read', { limits: { attempts: 1 } });
  const run = start({ program: reads(1), handlers: byName(read), clock });
  (await read.call(0)).fail(new EffectFailure('PV4999', 'busy', { retryable: true }));
  expect(await run.result).toMatchObject({ status: 'failed', error: { message: 'busy' } });
});

/** Two billion turns, were it let. */
const spinning = programOf([], (chunk) => {
  const top = chunk.label();
  chunk.place(top).jump('JMP', top);
});

test('the budget of instructions is exact, also of an endless loop', async () => {
  const journal = memoryJournal();
  for (const instructions of [1, 1000, 250_000]) {
    const run = start({ program: spinning, handlers: byName(), journal, limits: { instructions } });
    expect((await run.result).reason).toBe('limit');
    expect(journal.events(run.id)).toContainEqual(
      expect.objectContaining({ type: 'limit.reached', value: instructions }),
    );
  }
});

test('a program that needs the whole budget of instructions gets it', async () => {
  const program = programOf([{ say: 'a' }]);
  const enough = program.chunks[0]?.code.length ?? 0;
  const status = async (instructions: number): Promise<string> =>
    (await start({ program, handlers: byName(), limits: { instructions } }).result).status;
  expect(await status(enough)).toBe('done');
  expect(await status(enough - 1)).toBe('suspended');
});

test('an endless loop can be cancelled', async () => {
  const run = start({ program: spinning, handlers: byName() });
  await settle(3);
  run.cancel();
  expect((await run.result).status).toBe('cancelled');
});

test('wall time counts only while a process has the run', async () => {
  const clock = new TestClock();
  const journal = memoryJournal({ now: () => clock.now() });
  const program = reads(3);
  const read = testTool('read', { limits: { timeoutMs: Infinity } });
  const parts = { program, handlers: byName(read), clock, journal };
  const run = start({ ...parts, sequential: true, limits: { wallMs: 1_000 } });
  (await read.call(0)).answer(1);
  await read.call(1);
  clock.advance(1_000);
  expect(await run.result).toMatchObject({ status: 'suspended', reason: 'limit' });
  expect(read.calls[1]?.context.signal.aborted).toBe(true);
  clock.advance(3_600_000);
  const more = resume({ ...parts, run: run.id, limits: { wallMs: 1_500 } });
  await read.call(2);
  clock.advance(400);
  more.cancel();
  await more.result;
  clock.advance(3_600_000);
  const last = resume({ ...parts, run: run.id });
  await read.call(3);
  clock.advance(99);
  await settle();
  read.calls[3]?.answer(2);
  (await read.call(4)).answer(3);
  expect(await last.result).toMatchObject({ status: 'done', answer: 3 });
});

test('a write that cannot be repeated is waited for beyond the wall time', async () => {
  const clock = new TestClock();
  const journal = memoryJournal({ now: () => clock.now() });
  const program = programOf([{ tool: 'write' }, { tool: 'write' }]);
  const write = testTool('write', { effect: 'write', limits: { timeoutMs: Infinity } });
  const parts = { program, handlers: byName(write), clock, journal };
  const run = start({ ...parts, limits: { wallMs: 1_000 } });
  const first = await write.call(0);
  clock.advance(5_000);
  await settle();
  expect(first.context.signal.aborted).toBe(false);
  first.answer('written');
  expect(await run.result).toMatchObject({ status: 'suspended', reason: 'limit' });
  const more = resume({ ...parts, run: run.id, limits: { wallMs: 9_000 } });
  (await write.call(1)).answer('written too');
  expect(await more.result).toMatchObject({ status: 'done', answer: 'written too' });
});

test.each<[LimitName, number]>([
  ['effects', Infinity],
  ['tokens', 5],
])('a limit survives in the journal: %s %d', async (name, value) => {
  const program = reads(1);
  const handlers = byName(quickTool('read', () => 1));
  const run = start({ program, handlers, limits: { [name]: value, instructions: 1 } });
  await run.result;
  const settings = JSON.parse(run.journal.find(run.id)?.settings ?? '');
  expect(settings.limits[name]).toBe(value === Infinity ? -1 : value);
  const again = resume({ journal: run.journal, run: run.id, program, handlers });
  expect((await again.result).reason).toBe('limit');
  const limits = { instructions: Infinity };
  const last = resume({ journal: run.journal, run: run.id, program, handlers, limits });
  expect((await last.result).status).toBe('done');
  const raised = run.journal.events(run.id).find((event) => event.type === 'limit.raised');
  expect(raised).toMatchObject({ limits: { instructions: -1 } });
});
