/** Streams in runs: parts journaled before they are seen, and what becomes of broken ones. */
import { describe, expect, test } from 'vitest';
import { functionHandlers } from '../../src/effects/tool/function.ts';
import { EffectFailure } from '../../src/engine/handler.ts';
import type { Journal } from '../../src/engine/journal/journal.ts';
import { showRun } from '../../src/engine/views/show.ts';
import { compile } from '../support/starlark-machine.ts';
import { byName, loading, quickTool, resume, settle, start, testTool } from './support.ts';

const program = compile(`
seen = []
for part in stream(read, x = 1):
    seen.append(part)
    if part == "stop":
        break
`);

const partsOf = (journal: Journal, run: string): unknown[] =>
  journal.events(run).flatMap((event) => (event.type === 'effect.part' ? [event.value] : []));

test('a part is in the journal before the program goes on with it', async () => {
  const read = testTool('read');
  const run = start({ program, handlers: byName(read) });
  const call = await read.call(0);
  call.context.part('a');
  call.context.part({ b: [1] });
  await settle();
  expect(partsOf(run.journal, run.id)).toEqual(['"a"', '{"b":[1]}']);
  call.answer(null);
  expect(await run.result).toMatchObject({
    status: 'done',
    variables: { seen: ['a', { b: [1] }] },
  });
});

test('leaving the loop reaches the handler, and what it sends then is dropped', async () => {
  const read = testTool('read');
  const run = start({ program, handlers: byName(read) });
  const { context } = await read.call(0);
  const { signal } = context;
  context.part('stop');
  const result = await run.result;
  expect(result).toMatchObject({ status: 'done', variables: { seen: ['stop'] } });
  expect(signal.aborted).toBe(true);
  context.part('late');
  expect(partsOf(run.journal, run.id)).toEqual(['"stop"']);
  const { effects, steps } = showRun({ ...run, run: run.id, load: loading(program) });
  expect(effects).toMatchObject([{ id: '0#1', status: 'cancelled' }]);
  expect(steps.map(({ status }) => status)).toEqual(['done', 'done']);
});

test('what it has used when it hears of that is counted, and nothing later', async () => {
  const read = testTool('read', { kind: 'model' });
  const run = start({ program, handlers: byName(read) });
  const { context } = await read.call(0);
  const usage = { modelCalls: 1, inputTokens: 100, outputTokens: 7, estimated: 1 };
  const { signal } = context;
  signal.addEventListener('abort', () => context.use(usage));
  context.part('stop');
  const result = await run.result;
  context.use(usage);
  expect(result.usage).toEqual({ ...usage, cost: null });
  const events = run.journal.events(run.id).filter(({ type }) => type === 'effect.cancelled');
  expect(events).toMatchObject([{ usage }]);
});

test('a tool that reports no parts has one: its result', async () => {
  const run = start({ program, handlers: byName(quickTool('read', () => ['whole'])) });
  expect((await run.result).variables).toMatchObject({ seen: [['whole']] });
});

describe('a process that dies in the middle', () => {
  async function interrupted(): Promise<{ journal: Journal; run: string }> {
    const read = testTool('read');
    const run = start({ program, handlers: byName(read) });
    const { context } = await read.call(0);
    context.part('a');
    context.part('b');
    await settle();
    run.cancel('interrupted');
    await run.result;
    return { journal: run.journal, run: run.id };
  }

  test('what was seen stays; the call is made again and goes on behind it', async () => {
    const before = await interrupted();
    const read = testTool('read');
    const again = resume({ program, handlers: byName(read), ...before });
    const call = await read.call(0);
    for (const part of ['a', 'b', 'c']) call.context.part(part);
    call.answer(null);
    expect((await again.result).variables).toMatchObject({ seen: ['a', 'b', 'c'] });
    expect(partsOf(before.journal, before.run)).toEqual(['"a"', '"b"', '"c"']);
  });

  test.each([
    ['begins in another way', ['a', 'other']],
    ['ends before', ['a']],
  ])('one that now %s has failed', async (_, parts) => {
    const before = await interrupted();
    const read = quickTool('read', (_, context) => {
      for (const part of parts) context.part(part);
      return null;
    });
    const again = resume({ program, handlers: byName(read), ...before });
    expect(await again.result).toMatchObject({ status: 'failed', error: { code: 'PV4009' } });
  });
});

test('a retry after a failure goes on behind what was seen', async () => {
  let attempts = 0;
  const read = quickTool('read', (_, context) => {
    context.part('a');
    if (++attempts === 1) throw new EffectFailure('PV4200', 'cut', { retryable: true });
    context.part('b');
    return null;
  });
  const run = start({ program, handlers: byName(read), random: () => 0 });
  expect((await run.result).variables).toMatchObject({ seen: ['a', 'b'] });
  expect(attempts).toBe(2);
});

test('an async generator yields the parts; an ordinary call of it gives a list of them', async () => {
  const [handler] = await functionHandlers([
    {
      name: 'read',
      description: 'Counts.',
      effect: 'read',
      parameters: { type: 'object', properties: { x: {} } },
      async *run() {
        for (const part of ['one', 'two', 'stop', 'four']) {
          await settle(1);
          yield part;
        }
      },
    },
  ]);
  if (!handler) throw new Error('no handler');
  const both = compile(`
seen = []
for part in stream(read, x = 1):
    seen.append(part)
    if part == "stop":
        break
whole = read(x = 2)
`);
  const run = start({ program: both, handlers: byName(handler) });
  expect((await run.result).variables).toMatchObject({
    seen: ['one', 'two', 'stop'],
    whole: ['one', 'two', 'stop', 'four'],
  });
});
