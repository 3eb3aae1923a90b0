/** Budgets, rates and slots of runs within effects: src/engine/inner-run.ts. */
import { describe, expect, test } from 'vitest';
import { EffectFailure, type Handler } from '../../src/engine/handler.ts';
import type { ToolSpec } from '../../src/program/effect.ts';
import { asking, compiled, innerTool, model, numberOf, one } from './inner-tools.ts';
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

describe('budgets', () => {
  const two = programOf([
    { tool: 'outer', n: 1 },
    { tool: 'outer', n: 3 },
  ]);

  test('of the run around it hold within, and more of them lets both go on', async () => {
    const handlers = byName(innerTool('outer', asking, byName(model(1000))));
    const run = start({ program: two, handlers, limits: { tokens: 2500 }, sequential: true });
    expect(await run.result).toMatchObject({
      ...{ status: 'suspended', reason: 'limit', error: { code: 'PV5101' } },
      usage: { modelCalls: 3 },
    });
    const more = { limits: { tokens: 100_000 }, handlers, program: two };
    const end = await resume({ journal: run.journal, run: run.id, ...more }).result;
    expect(end).toMatchObject({ status: 'done', answer: ['<3>', '<4>'], usage: { modelCalls: 4 } });
  });

  test('of the run around all hold however deep within', async () => {
    const mid = byName(innerTool('mid', asking, byName(model(1000))));
    const text = 'answer([mid(n = n), mid(n = n + 2)])';
    const handlers = byName(innerTool('outer', text, mid));
    const around = { program: one, handlers };
    const run = start({ ...around, limits: { tokens: 2500 }, sequential: true });
    expect(await run.result).toMatchObject({
      ...{ status: 'suspended', reason: 'limit', error: { code: 'PV5101' } },
      usage: { modelCalls: 3 },
    });
    const { journal, id } = run;
    const end = await resume({ ...around, journal, run: id, limits: { tokens: 9000 } }).result;
    expect(end).toMatchObject({
      ...{ status: 'done', usage: { modelCalls: 4 } },
      answer: [
        ['<3>', '<4>'],
        ['<5>', '<6>'],
      ],
    });
  });

  test('of the run around it do not stand for one of its own that is met later', async () => {
    const text = 'a = model(n)\nb = model(n + 1)\nanswer(model(len(a + b)))';
    const parameters = { type: 'object', properties: { q: { type: 'integer' } } } as const;
    const asked = testTool('model', { kind: 'model', parameters });
    const outer = innerTool('outer', text, byName(asked), { limits: { effects: 2 } });
    const run = start({ program: one, handlers: byName(outer), limits: { tokens: 200 } });
    // The second call has no room beside the first.
    for (const i of [0, 1]) {
      const call = await asked.call(i);
      await settle();
      expect(asked.calls).toHaveLength(i + 1);
      call.context.use({ modelCalls: 1, inputTokens: 1, outputTokens: 1, cost: 0 });
      call.answer('a');
    }
    expect(await run.result).toMatchObject({ status: 'failed', error: { code: 'PV5101' } });
  });

  test.each(['effects', 'instructions'] as const)(
    'that it has as the run around it, such as %s, suspend that run',
    async (limit) => {
      const handlers = byName(innerTool('outer', asking, byName(model())));
      const around = { program: one, handlers };
      const run = start({ ...around, limits: { [limit]: 1 } });
      expect(await run.result).toMatchObject({
        ...{ status: 'suspended', reason: 'limit' },
        error: { code: 'PV5101', message: expect.stringContaining(`limit ${limit}`) },
      });
      const again = { ...around, journal: run.journal, run: run.id, limits: { [limit]: 1000 } };
      expect(await resume(again).result).toMatchObject({ status: 'done', answer: ['<3>', '<4>'] });
    },
  );

  test('of its own end the effect', async () => {
    const tool = innerTool('outer', asking, byName(model(1000)), { limits: { effects: 1 } });
    const run = start({ program: one, handlers: byName(tool) });
    expect(await run.result).toMatchObject({
      status: 'failed',
      error: { code: 'PV5101', hint: expect.stringContaining(`run ${run.id}.0-1.loop`) },
    });
  });
});

test('a tool is asked no more often within than around', async () => {
  const clock = new TestClock();
  const { parameters } = numberOf('q');
  const limits = { callsPerMinute: 2, timeoutMs: Infinity };
  const tool = testTool('model', { parameters, limits });
  const outer = innerTool('outer', 'answer([model(n), model(n + 1)])', byName(tool));
  const text = 'a = model(0)\nb = outer(n = 1)\nc = outer(n = 3)\nanswer([a, b, c])';
  const handlers = byName(outer, tool);
  const specs = new Map([...handlers].map(([name, { spec }]) => [name, spec]));
  const run = start({ program: compiled(text, specs, []), handlers, clock });
  const begun: number[] = [];
  for (let answered = 0; answered < 5; clock.advance(30_000)) {
    await settle();
    begun.push(tool.calls.length);
    for (; answered < tool.calls.length; answered++) tool.calls[answered]?.answer(answered);
  }
  expect(begun).toEqual([2, 2, 4, 4, 5]);
  expect(await run.result).toMatchObject({ status: 'done' });
});

describe('what runs at once', () => {
  /** Answers in a later turn; `most` is how many did so together. */
  function counting(name: string, more: Partial<ToolSpec> = {}): Handler & { most: number } {
    let running = 0;
    const { parameters } = numberOf('q');
    const tool = quickTool(
      name,
      async ({ q }) => {
        counted.most = Math.max(counted.most, ++running);
        await settle(3);
        running--;
        return q;
      },
      { parameters, ...more },
    );
    const counted = { ...tool, most: 0 };
    return counted;
  }

  const started = (text: string, handlers: Map<string, Handler>, concurrency: number) => {
    const specs = new Map([...handlers].map(([name, { spec }]) => [name, spec]));
    return start({ program: compiled(text, specs, []), handlers, limits: { concurrency } });
  };

  const four = 'answer([leaf(q = n * 4 + k) for k in range(4)])';

  test.each([1, 2, 3, 64])('is bounded around and within: at most %i', async (concurrency) => {
    const leaf = counting('leaf');
    const inner = innerTool('inner', four, byName(leaf));
    const outer = innerTool('outer', 'answer([inner(n = n), inner(n = n + 1)])', byName(inner));
    const text = 'answer([outer(n = 0), outer(n = 2), [leaf(q = k) for k in range(16, 20)]])';
    const result = await started(text, byName(outer, leaf), concurrency).result;
    const numbers = (result.answer as unknown[]).flat(3);
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, i) => i));
    expect(leaf.most).toBe(Math.min(concurrency, 20));
  });

  test('of one tool is bounded by its own limit', async () => {
    const leaf = counting('leaf', { limits: { concurrency: 2 } });
    const other = counting('other');
    const within = 'answer([leaf(q = n), other(q = n), leaf(q = n + 1)])';
    const outer = innerTool('outer', within, byName(leaf, other));
    const text = 'answer([outer(n = 0), leaf(q = 7), outer(n = 2), leaf(q = 8)])';
    const { answer } = await started(text, byName(outer, leaf), 64).result;
    expect(answer).toEqual([[0, 0, 1], 7, [2, 2, 3], 8]);
    expect([leaf.most, other.most]).toEqual([2, 2]);
  });

  test('of one tool within itself does not wait for itself', async () => {
    const limits = { concurrency: 1 };
    const leaf = counting('leaf');
    const inner = innerTool('outer', four, byName(leaf));
    const limited = { ...inner, spec: { ...inner.spec, limits } };
    const outer = innerTool('outer', 'answer(outer(n = n))', byName(limited));
    const handlers = byName({ ...outer, spec: { ...outer.spec, limits } });
    const { answer } = await started('answer(outer(n = 1))', handlers, 1).result;
    expect(answer).toEqual([4, 5, 6, 7]);
  });

  test('is free again where a run within has failed or was given up', async () => {
    const leaf = counting('leaf');
    const never = testTool('never');
    const winning = quickTool('winning', async () => (await never.call(0)) && 'won');
    const broken = quickTool('broken', async () => {
      await never.call(1);
      throw new EffectFailure('PV4001', 'broken', { answered: true, retryable: false });
    });
    const failing = innerTool('outer', 'a = broken()\nb = never()', byName(never, broken));
    const losing = innerTool('losing', 'answer(never())', byName(never));
    const text =
      'first([losing(n = 1), winning()])\nr = try_call(outer, n = 1)\n' +
      'answer([r.error.message, [leaf(q = k) for k in range(3)]])';
    const handlers = byName(failing, losing, winning, leaf);
    const { answer } = await started(text, handlers, 2).result;
    expect(answer).toEqual(['broken', [0, 1, 2]]);
    expect(leaf.most).toBe(2);
  });
});
