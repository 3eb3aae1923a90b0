/** Runs that end: overlap, order, concurrency, what is journaled and shown. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { WatchEvent } from '../../src/engine/events.ts';
import type { Arguments, AttemptContext } from '../../src/engine/handler.ts';
import { memoryJournal } from '../../src/engine/journal/open-journal.ts';
import {
  byName,
  programOf,
  quickTool,
  settle,
  start,
  testTool,
  watchedJournal,
} from './support.ts';

test('effects that do not need each other overlap', async () => {
  const read = testTool('read');
  const program = programOf([{ tool: 'read' }, { tool: 'read' }, { tool: 'read', from: 1 }]);
  const run = start({ program, handlers: byName(read) });
  const [first, second] = await Promise.all([read.call(0), read.call(1)]);
  expect(read.calls).toHaveLength(2);
  second.answer('two');
  first.answer('one');
  const third = await read.call(2);
  expect(third.args).toEqual({ n: 'one' });
  third.answer({ big: 2n ** 70n });
  expect(await run.result).toEqual({
    run: run.id,
    status: 'done',
    answer: { big: 2n ** 70n },
    answers: [{ value: { big: 2n ** 70n }, step: '3' }],
    variables: { v1: 'one', v2: 'two', v3: { big: 2n ** 70n } },
    usage: { modelCalls: 0, inputTokens: 0, outputTokens: 0, cost: 0 },
    warnings: [],
  });
  expect(run.journal.find(run.id)).toMatchObject({ status: 'done', owned: false });
});

test('the program fails with the place and the code of the effect that failed', async () => {
  const read = testTool('read', { idempotent: false });
  const run = start({ program: programOf([{ tool: 'read' }]), handlers: byName(read) });
  (await read.call(0)).answer(undefined);
  expect(await run.result).toMatchObject({
    status: 'failed',
    answer: null,
    error: {
      code: 'PV4002',
      message: 'read returned undefined, want JSON data',
      step: '1',
      line: 1,
    },
  });
});

test('no more effects run than the run and the tool allow; the oldest starts first', async () => {
  const wide = testTool('wide');
  const narrow = testTool('narrow', { limits: { concurrency: 1 } });
  const program = programOf([
    { tool: 'narrow' },
    { tool: 'narrow' },
    { tool: 'wide' },
    { tool: 'narrow' },
    { tool: 'wide' },
    { tool: 'wide' },
  ]);
  const run = start({ program, handlers: byName(wide, narrow), limits: { concurrency: 2 } });
  const started = (): unknown[] => [...narrow.calls, ...wide.calls].map(({ args }) => args.n);
  await settle();
  expect(started()).toEqual([1, 3]);
  narrow.calls[0]?.answer(0);
  await settle();
  expect(started()).toEqual([1, 2, 3]);
  wide.calls[0]?.answer(0);
  await settle();
  expect(started()).toEqual([1, 2, 3, 5]);
  wide.calls[1]?.answer(0);
  await settle();
  expect(started()).toEqual([1, 2, 3, 5, 6]);
  narrow.calls[1]?.answer(0);
  await settle();
  narrow.calls[2]?.answer(0);
  wide.calls[2]?.answer(0);
  expect((await run.result).status).toBe('done');
});

test('one at a time, in sequential runs', async () => {
  const read = testTool('read');
  const program = programOf([{ tool: 'read' }, { tool: 'read' }, { tool: 'read' }]);
  const run = start({ program, handlers: byName(read), sequential: true });
  for (let i = 0; i < 3; i++) {
    await settle();
    expect(read.calls).toHaveLength(i + 1);
    read.calls[i]?.answer(i);
  }
  expect(await run.result).toMatchObject({ status: 'done', answer: 2 });
});

test('who watches sees what is journaled, in order, and what passes in between', async () => {
  const read = testTool('read');
  const program = programOf([{ say: 'hello' }, { tool: 'read' }]);
  const run = start({ program, handlers: byName(read) });
  const seen: WatchEvent[] = [];
  run.subscribe((event) => seen.push(event));
  const call = await read.call(0);
  call.context.progress('half');
  call.answer(1);
  await run.result;
  expect(seen.map(({ type }) => type)).toEqual([
    'run.started',
    'program.loaded',
    'message.emitted',
    'step.entered',
    'step.entered',
    'effect.started',
    'effect.progress',
    'effect.settled',
    'message.emitted',
    'run.finished',
  ]);
  const kept = seen.filter((event) => 'seq' in event);
  expect(kept).toEqual(run.journal.events(run.id));
});

test('a listener that throws stops the run, which stays resumable', async () => {
  const read = testTool('read');
  const run = start({ program: programOf([{ tool: 'read' }]), handlers: byName(read) });
  run.subscribe((event) => {
    if (event.type === 'effect.settled') throw new Error('the screen is gone');
  });
  (await read.call(0)).answer(1);
  await expect(run.result).rejects.toThrow('the screen is gone');
  expect(run.journal.find(run.id)).toMatchObject({ status: 'running', owned: false });
});

test('what ends the run while effects are being started leaves the rest of them unstarted', async () => {
  const seen: unknown[] = [];
  const show = ({ n }: Arguments, context: AttemptContext): unknown => {
    seen.push(n);
    context.progress('so far');
    return n;
  };
  const read = quickTool('read', show, { idempotent: false });
  const program = programOf([{ tool: 'read' }, { tool: 'read' }]);
  const run = start({ program, handlers: byName(read) });
  run.subscribe((event) => {
    if (event.type === 'effect.progress') throw new Error('the screen is gone');
  });
  await expect(run.result).rejects.toThrow('the screen is gone');
  expect(seen).toEqual([1]);
});

test('usage and warnings of effects are counted, journaled and in the result', async () => {
  const model = quickTool(
    'model',
    (_, context) => {
      context.use({ modelCalls: 1, inputTokens: 10, outputTokens: 5, cost: 0.25 });
      context.warn('a bracket was missing');
      return 'text';
    },
    { kind: 'model' },
  );
  const program = programOf([{ tool: 'model' }, { tool: 'model' }]);
  const result = await start({ program, handlers: byName(model) }).result;
  expect(result.usage).toEqual({ modelCalls: 2, inputTokens: 20, outputTokens: 10, cost: 0.5 });
  expect(result.warnings).toEqual([
    { message: 'a bracket was missing', step: '1', effect: '0#1' },
    { message: 'a bracket was missing', step: '2', effect: '0#2' },
  ]);
});

test('the cost is null where a price is not known', async () => {
  const model = quickTool('model', (_, context) => {
    context.use({ modelCalls: 1, inputTokens: 1, outputTokens: 1 });
    return 'text';
  });
  const run = start({ program: programOf([{ tool: 'model' }]), handlers: byName(model) });
  expect((await run.result).usage.cost).toBeNull();
});

test('outcomes that arrive together share an append', async () => {
  const read = testTool('read');
  const appends: string[][] = [];
  const journal = watchedJournal(memoryJournal(), (events) =>
    appends.push(events.map(({ type }) => type)),
  );
  const program = programOf(Array.from({ length: 50 }, () => ({ tool: 'read' })));
  const run = start({ program, handlers: byName(read), journal });
  await read.call(49);
  for (const call of read.calls) call.answer(0);
  await run.result;
  const settled = appends.filter((types) => types.includes('effect.settled'));
  expect(settled).toHaveLength(1);
  expect(settled[0]?.filter((type) => type === 'effect.settled')).toHaveLength(50);
});

test('the start of what must not happen twice is durable before it is performed', async () => {
  const log: string[] = [];
  const journal = watchedJournal(memoryJournal(), (events, durable) => {
    for (const event of events) {
      if (event.type.startsWith('effect.')) log.push(`${event.type} ${durable}`);
    }
  });
  const write = quickTool('write', () => log.push('performed') && null, { effect: 'write' });
  const read = quickTool('read', () => log.push('performed') && null, { effect: 'read' });
  const program = programOf([{ tool: 'write' }]);
  await start({ program, handlers: byName(write), journal }).result;
  expect(log).toEqual(['effect.started true', 'performed', 'effect.settled true']);
  log.length = 0;
  await start({ program: programOf([{ tool: 'read' }]), handlers: byName(read), journal }).result;
  expect(log).toEqual(['performed', 'effect.started false', 'effect.settled false']);
});

test('every attempt carries the same idempotency key', async () => {
  const read = testTool('read');
  const run = start({ program: programOf([{ tool: 'read', n: 7 }]), handlers: byName(read) });
  const { context } = await read.call(0);
  const hash = createHash('sha256').update('read\n{"n":7}').digest('hex');
  expect(context).toMatchObject({ run: run.id, effect: '0#1', attempt: 1 });
  expect(context.idempotencyKey).toBe(`${run.id}/0#1/${hash}`);
  run.cancel();
  await run.result;
});

test('a program that waits for nothing is a defect that is told, not a run that hangs', async () => {
  const program = { ...programOf([], (c) => c.emit('MORE')), open: true };
  const run = start({ program, handlers: byName() });
  await expect(run.result).rejects.toMatchObject({ name: 'RunError', code: 'PV5109' });
});

test.each([
  ['done', 1],
  ['failed', undefined],
])(
  'what a handler keeps for a run that is %s is closed before its result',
  async (status, value) => {
    const closed: string[] = [];
    const handler = {
      ...quickTool('read', () => value, { idempotent: false }),
      ended: async (run: string) => {
        closed.push(run);
        throw new Error('which nobody hears');
      },
    };
    const run = start({ program: programOf([{ tool: 'read' }]), handlers: byName(handler) });
    expect(await run.result).toMatchObject({ status });
    expect(closed).toEqual([run.id]);
  },
);
