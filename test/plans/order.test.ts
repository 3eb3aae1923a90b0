/** What runs side by side, what waits for what, and what a failure prevents. */
import { describe, expect, test } from 'vitest';
import { type TestTool, testTool } from '../engine/support.ts';
import { answer, call, look, old, open, play, set, verdict } from './stage.ts';

const started = (tool: TestTool): unknown[] => tool.calls.map(({ args }) => args);
const read = (): TestTool => testTool('read');
const write = (): TestTool => testTool('write', { effect: 'write' });
const once = { limits: { attempts: 1 } };

describe('calls that do not need each other', () => {
  test('have all started before any of them has ended', async () => {
    const tool = read();
    const plan = [
      call(0, 'read', { n: 0 }, 'a'),
      call(1, 'read', { n: 1 }, 'b'),
      set(2, { between: 'a is ${a}' }),
      call(3, 'read', { n: 2 }, 'c'),
      call(4, 'read', { after: '${b}' }, 'd'),
      answer(5, '${between}, ${c}, ${d}'),
    ];
    await using stage = await open(plan, { tools: [tool] });
    await tool.call(2);
    expect(started(tool)).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }]);
    tool.calls[1]?.answer('B');
    expect((await tool.call(3)).args).toEqual({ after: 'B' });
    for (const [i, value] of ['A', 'B', 'C', 'D'].entries()) tool.calls[i]?.answer(value);
    expect((await stage.played).answer).toBe('a is A, C, D');
  });

  test('in a branch, beside one before the condition', async () => {
    const tool = read();
    const plan = [
      old(0, 'read', { n: 0, output_var: 'a' }),
      old(1, 'condition', {
        prompt: 'Both?',
        context: 'data',
        true_branch: [
          old(2, 'read', { n: 1, output_var: 'b' }),
          old(3, 'read', { n: 2, output_var: 'c' }),
        ],
        false_branch: [],
      }),
      old(4, 'assign', { value: '{{a}}{{b}}{{c}}', var_name: 'final_answer' }),
    ];
    await using stage = await open(plan, { tools: [tool], model: verdict(true) });
    await tool.call(2);
    expect(started(tool)).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }]);
    for (const [i, one] of tool.calls.entries()) one.answer(i);
    expect((await stage.played).answer).toBe('012');
  });

  test('are those of a model too', async () => {
    let arrived = 0;
    let release = (_: string): void => {};
    const both = new Promise<string>((resolve) => {
      release = resolve;
    });
    const played = await play(
      [
        call(0, 'llm_generate', { prompt: 'first' }, 'a'),
        call(1, 'llm_generate', { prompt: 'second' }, 'b'),
        answer(2, '${a} and ${b}'),
      ],
      {
        model: async ({ prompt }) => {
          if (++arrived === 2) release('both are here');
          await both;
          return prompt.toUpperCase();
        },
      },
    );
    expect(played).toMatchObject({ status: 'done', answer: 'FIRST and SECOND' });
  });

  test('run one at a time where the run is sequential', async () => {
    const tool = read();
    const plan = [
      call(0, 'read', { n: 0 }, 'a'),
      call(1, 'read', { n: 1 }, 'b'),
      answer(2, '${a}${b}'),
    ];
    await using stage = await open(plan, { tools: [tool], sequential: true });
    const first = await tool.call(0);
    expect(tool.calls).toHaveLength(1);
    first.answer('A');
    (await tool.call(1)).answer('B');
    expect((await stage.played).answer).toBe('AB');
  });
});

describe('a variable that is set again', () => {
  test('is read as it was last set before the call', async () => {
    const tool = read();
    const plan = [
      set(0, { v: 'old' }),
      set(1, { v: 'new' }),
      call(2, 'read', { v: '${v}' }, 'r'),
      set(3, { v: 'later' }),
      answer(4, '${r} ${v}'),
    ];
    await using stage = await open(plan, { tools: [tool] });
    expect((await tool.call(0)).args).toEqual({ v: 'new' });
    tool.calls[0]?.answer('R');
    expect((await stage.played).answer).toBe('R later');
  });

  test('by a call is waited for, though it had a value before', async () => {
    const tool = read();
    const plan = [
      set(0, { v: 'old' }),
      call(1, 'read', { v: '${v}' }, 'v'),
      call(2, 'read', { v: '${v}' }, 'r'),
      answer(3, '${r}'),
    ];
    await using stage = await open(plan, { tools: [tool] });
    (await tool.call(0)).answer('new');
    expect((await tool.call(1)).args).toEqual({ v: 'new' });
    expect(started(tool)).toHaveLength(2);
    tool.calls[1]?.answer('R');
    expect((await stage.played).answer).toBe('R');
  });

  test('by two calls has the value of the later one, whichever ends first', async () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const tool = read();
      const plan = [
        call(0, 'read', { n: 0 }, 'v'),
        set(1, { first: '${v}' }),
        call(2, 'read', { n: 1 }, 'v'),
        answer(3, '${first} ${v}'),
      ];
      await using stage = await open(plan, { tools: [tool] });
      await tool.call(1);
      for (const i of order) tool.calls[i]?.answer(`of ${i}`);
      expect((await stage.played).answer).toBe('of 0 of 1');
    }
  });
});

describe('writes', () => {
  test('happen one after the other, in the order of the plan, and hold back later reads', async () => {
    const [w, r] = [write(), read()];
    const plan = [
      call(0, 'write', { n: 1 }),
      call(1, 'write', { n: 2 }),
      call(2, 'read', {}, 'r'),
      answer(3, '${r}'),
    ];
    await using stage = await open(plan, { tools: [w, r] });
    const first = await w.call(0);
    expect([started(w), started(r)]).toEqual([[{ n: 1 }], []]);
    first.answer(null);
    const second = await w.call(1);
    expect([started(w), started(r)]).toEqual([[{ n: 1 }, { n: 2 }], []]);
    second.answer(null);
    (await r.call(0)).answer('R');
    expect(await stage.played).toMatchObject({ status: 'done', answer: 'R' });
  });

  test('are what tools without a class do', async () => {
    const plain = testTool('plain', { effect: 'write' });
    const w = write();
    const plan = [call(0, 'plain', {}), call(1, 'write', {}), answer(2, 'done')];
    await using stage = await open(plan, { tools: [plain, w] });
    const first = await plain.call(0);
    expect(w.calls).toHaveLength(0);
    first.answer(null);
    (await w.call(0)).answer(null);
    expect((await stage.played).status).toBe('done');
  });

  test('do not happen behind a step that fails, whenever it fails', async () => {
    const [r, w] = [read(), write()];
    const plan = [call(0, 'read', {}, 'a'), call(1, 'write', {}), answer(2, 'done')];
    await using stage = await open(plan, { tools: [r, w], ...once });
    (await r.call(0)).fail(new Error('no'));
    const played = await stage.played;
    expect(played).toMatchObject({ status: 'failed', answer: null, error: { step: '0' } });
    expect(w.calls).toEqual([]);
  });

  test('do not happen behind a condition that nobody can decide', async () => {
    const w = write();
    const plan = [
      old(0, 'condition', { prompt: '?', context: 'c', true_branch: [], false_branch: [] }),
      old(1, 'write', {}),
      old(2, 'assign', { value: 'done', var_name: 'final_answer' }),
    ];
    const played = await play(plan, { tools: [w], model: 'It depends.' });
    expect(played).toMatchObject({ status: 'failed', error: { code: 'PV4115', step: '0' } });
    expect(w.calls).toEqual([]);
  });
});

describe('a failure', () => {
  test('is the first of the plan, not the first in time, and later reads are given up', async () => {
    const tool = read();
    const plan = [
      call(0, 'read', { n: 0 }, 'a'),
      call(1, 'read', { n: 1 }, 'b'),
      call(2, 'read', { n: 2 }, 'c'),
      answer(3, '${a}${b}${c}'),
    ];
    await using stage = await open(plan, { tools: [tool], ...once });
    await tool.call(2);
    tool.calls[1]?.fail(new Error('second'));
    tool.calls[0]?.fail(new Error('first'));
    const played = await stage.played;
    expect(played.error).toMatchObject({ step: '0' });
    expect(played.error?.message).toContain('first');
    expect(tool.calls[2]?.context.signal.aborted).toBe(true);
  });

  test('leaves the variables as they were when its step began', async () => {
    for (const sequential of [false, true]) {
      const tool = read();
      const plan = [
        set(0, { a: 'before' }),
        call(1, 'read', { a: '${a}' }, 'b'),
        set(2, { a: 'behind', c: '${b}' }),
        answer(3, '${a}'),
      ];
      await using stage = await open(plan, { tools: [tool], sequential, ...once });
      (await tool.call(0)).fail(new Error('no'));
      const played = await stage.played;
      expect(played).toMatchObject({ status: 'failed', answer: null, answers: [] });
      expect(played.variables).toEqual({ a: 'before' });
    }
  });

  test('of a call whose result nobody reads ends the run all the same', async () => {
    const tool = read();
    await using stage = await open([call(0, 'read', {}), answer(1, 'done')], {
      tools: [tool],
      ...once,
    });
    (await tool.call(0)).fail(new Error('no'));
    expect(await stage.played).toMatchObject({ status: 'failed', answer: null });
  });
});

test('a plan of 1000 steps asks for what it can and is checked without a word', async () => {
  const plan = [
    ...Array.from({ length: 999 }, (_, i) => call(i, 'read', { i }, `v${i}`)),
    answer(999, '${v0} to ${v998}'),
  ];
  const tool = read();
  expect(look(plan, { tools: [tool] }).checked).toEqual([]);
  await using stage = await open(plan, { tools: [tool], limits: { concurrency: 1000 } });
  await tool.call(998);
  for (const { args, answer } of tool.calls) answer(args.i);
  expect((await stage.played).answer).toBe('0 to 998');
});
