/** Runs within effects: src/engine/inner-run.ts, by its invariants. */
import { describe, expect, test } from 'vitest';
import { askHandler } from '../../src/effects/person/ask.ts';
import { EffectFailure, type Handler } from '../../src/engine/handler.ts';
import type { Journal } from '../../src/engine/journal/journal.ts';
import { memoryJournal } from '../../src/engine/journal/open-journal.ts';
import { innerRunId, withinAny } from '../../src/engine/journal/run-identity.ts';
import { answerRun, decideRun } from '../../src/engine/reply.ts';
import { asking, innerTool, model, numberOf, one } from './inner-tools.ts';
import {
  byName,
  quickTool,
  resume,
  settle,
  start,
  TestClock,
  testTool,
  watchedJournal,
} from './support.ts';

const innerOf = (journal: Journal, run: string): ReturnType<Journal['list']> =>
  journal.list({ within: run });

/** A tool that nobody calls without an approval, and its calls. */
function wiping(): { readonly wipe: Handler; readonly wiped: string[] } {
  const wiped: string[] = [];
  const spec = { effect: 'write', destructive: true } as const;
  const wipe = (): string => {
    wiped.push('disk');
    return 'gone';
  };
  return { wiped, wipe: quickTool('wipe', wipe, spec) };
}

async function expectsApproval(run: ReturnType<typeof start>): Promise<void> {
  expect(await run.result).toMatchObject({
    ...{ status: 'waiting', reason: 'approval' },
    waits: [{ kind: 'approval', effect: '0#1', tool: 'wipe', request: {} }],
  });
}

describe('the outcome', () => {
  test('is the last answer of a run of its own, with what that has used', async () => {
    const handlers = byName(innerTool('outer', asking, byName(model())));
    const run = start({ program: one, handlers });
    const result = await run.result;
    expect(result).toMatchObject({
      ...{ status: 'done', answer: ['<3>', '<4>'] },
      usage: { modelCalls: 2, inputTokens: 20, cost: 1 },
    });
    const [inner, ...others] = innerOf(run.journal, run.id);
    expect(others).toStrictEqual([]);
    expect(inner).toMatchObject({
      ...{ id: `${run.id}.0-1.loop`, status: 'done', title: 'within outer' },
      parent: { run: run.id, effect: '0#1' },
    });
    expect(run.journal.list().map(({ id }) => id)).toStrictEqual([run.id]);
    const settled = run.journal.events(run.id).find(({ type }) => type === 'effect.settled');
    expect(settled).toMatchObject({ usage: { modelCalls: 2, inputTokens: 20, cost: 1 } });
  });

  test('is null where it answers nothing, and its failure where it fails', async () => {
    const quiet = start({ program: one, handlers: byName(innerTool('outer', 'x = n', new Map())) });
    expect(await quiet.result).toMatchObject({ status: 'done', answer: null });
    const loud = innerTool('outer', 'fail("no good: %d" % n)', new Map());
    const run = start({ program: one, handlers: byName(loud) });
    expect(await run.result).toMatchObject({
      status: 'failed',
      error: { code: 'PV3105', message: expect.stringContaining('no good: 3') },
    });
  });

  test('may be made within an effect of it', async () => {
    const handlers = byName(innerTool('mid', asking, byName(model())));
    const outer = innerTool('outer', 'answer(mid(n = n)[1])', handlers);
    const run = start({ program: one, handlers: byName(outer) });
    expect(await run.result).toMatchObject({ answer: '<4>', usage: { inputTokens: 20 } });
    const [mid] = innerOf(run.journal, run.id);
    expect(innerOf(run.journal, mid?.id ?? '').map(({ id }) => id)).toStrictEqual([
      `${run.id}.0-1.loop.0-1.loop`,
    ]);
  });

  test('ids keep to letters that commands and files take', () => {
    expect(innerRunId('r1', '0~1.2#3.0', 'bind')).toBe('r1.0_1.2-3.0.bind');
  });
});

describe('a process that ends', () => {
  /** What the journal has when the call with this index is made: the process is gone then. */
  async function cutAt(calls: number) {
    const asked: number[] = [];
    const journal = memoryJournal({ isGone: () => true });
    let hold: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      hold = resolve;
    });
    const tool = (stops: boolean): Handler =>
      quickTool(
        'model',
        async ({ q }, context) => {
          asked.push(Number(q));
          if (stops && asked.length > calls) {
            hold();
            await new Promise(() => {});
          }
          context.use({ modelCalls: 1, inputTokens: 10, outputTokens: 0, cost: 1 });
          return Number(q);
        },
        { parameters: { type: 'object', properties: { q: { type: 'integer' } } } },
      );
    const text = 'a = model(n)\nb = model(a + 1)\nanswer(model(b + 1))';
    const outer = (stops: boolean): Map<string, Handler> =>
      byName(innerTool('outer', text, byName(tool(stops))));
    const first = start({ journal, program: one, handlers: outer(true), owner: 'a' });
    // The process that comes next takes the run over.
    first.result.catch(() => {});
    await held;
    await settle();
    const again = { journal, run: first.id, program: one, handlers: outer(false), owner: 'b' };
    const second = await resume(again).result;
    return { asked, second, journal };
  }

  test.each([0, 1, 2])('after %d calls leaves them settled for the next', async (calls) => {
    const { asked, second, journal } = await cutAt(calls);
    expect(second).toMatchObject({
      ...{ status: 'done', answer: 5 },
      usage: { modelCalls: 3, inputTokens: 30, cost: 3 },
    });
    const twice = [3, 4, 5].filter((q) => asked.filter((one) => one === q).length > 1);
    expect(twice).toStrictEqual([3 + calls]);
    const settled = journal.events(second.run).find(({ type }) => type === 'effect.settled');
    expect(settled).toMatchObject({ usage: { modelCalls: 3 } });
  });
});

describe('a journal that breaks off', () => {
  const text = 'a = model(n)\nb = model(a + 1)\nnote(b)\nanswer(model(b + 1))';

  /** Runs with a journal that takes only so many appends; gives what was done before and after. */
  async function brokenAfter(appends: number) {
    const kept = memoryJournal({ isGone: () => true });
    let left = appends;
    const broken = watchedJournal(kept, () => {
      if (left-- <= 0) throw new Error('the disk is gone');
    });
    const calls: number[] = [];
    const notes: number[] = [];
    const handlers = byName(
      innerTool(
        'outer',
        text,
        byName(
          quickTool('model', ({ q }) => calls.push(Number(q)) && Number(q), numberOf('q')),
          // Whoever sends it twice under one key is heard once.
          quickTool('note', ({ q }) => notes.push(Number(q)) && null, {
            ...{ ...numberOf('q'), effect: 'write', idempotent: true },
          }),
        ),
      ),
    );
    const first = start({ journal: broken, program: one, handlers, owner: 'a' });
    const isWhole = await first.result.then(
      () => true,
      () => false,
    );
    await settle();
    const settled = kept
      .list({ within: withinAny })
      .flatMap(({ id }) => kept.events(id))
      .flatMap((event) => (event.type === 'effect.settled' ? [event.tool] : []));
    const before = { calls: calls.length, notes: notes.length, settled };
    if (isWhole) return { isWhole, before };
    const again = { journal: kept, run: first.id, program: one, handlers, owner: 'b' };
    const end = await resume(again).result;
    return { isWhole, before, end, calls, notes };
  }

  test('at any append leaves a run that comes to the same end', async () => {
    let appends = 0;
    for (; ; appends++) {
      const { isWhole, before, end, calls = [], notes = [] } = await brokenAfter(appends);
      if (isWhole) break;
      expect(end, `after ${appends} appends`).toMatchObject({ status: 'done', answer: 5 });
      const settled = (tool: string): number => before.settled.filter((one) => one === tool).length;
      // What has settled is not asked for again; what was under way is, once.
      expect(calls.length - before.calls).toBe(3 - settled('model'));
      expect(notes.length - before.notes).toBe(1 - settled('note'));
    }
    expect(appends).toBeGreaterThan(5);
  });
});

describe('what a person is asked', () => {
  const text = 'a = ask("Who?")\nb = ask("Who?" if a == "x" else "Where?")\nanswer([n, a, b])';
  const handlers = byName(innerTool('outer', text, byName(askHandler)), askHandler);

  test('is asked by the effect, and each answer kept', async () => {
    const run = start({ program: one, handlers });
    expect(await run.result).toMatchObject({
      ...{ status: 'waiting', reason: 'person' },
      waits: [{ kind: 'question', effect: '0#1', question: 'Who?' }],
    });
    const { journal, id } = run;
    const reply = async (answer: string): Promise<unknown> => {
      await answerRun({ journal, run: id, handlers, by: 'Ada', answer: () => answer });
      return await resume({ journal, run: id, program: one, handlers }).result;
    };
    expect(await reply('x')).toMatchObject({ waits: [{ question: 'Who?' }] });
    expect(await reply('y')).toMatchObject({ status: 'done', answer: [3, 'x', 'y'] });
  });

  test('is asked in place of who is there', async () => {
    const given = ['x', 'z'];
    const person = {
      answer: async () => ({ value: given.shift(), by: 'Eve' }),
      decide: async () => undefined,
    };
    const run = start({ program: one, handlers, person });
    expect(await run.result).toMatchObject({ status: 'done', answer: [3, 'x', 'z'] });
  });

  test('may be an approval, which policies of the run around it want', async () => {
    const { wipe } = wiping();
    const outer = byName(innerTool('outer', 'answer(wipe())', byName(wipe)));
    const run = start({ program: one, handlers: outer });
    const { journal, id } = run;
    await expectsApproval(run);
    const by = { journal, run: id, handlers: outer, by: 'Ada' };
    await decideRun({ ...by, effects: [], approved: true });
    const end = await resume({ journal, run: id, program: one, handlers: outer }).result;
    expect(end).toMatchObject({ status: 'done', answer: 'gone' });
  });

  test('may be an approval of a run within a run within it, which is denied with a reason', async () => {
    const { wipe, wiped } = wiping();
    const inner = innerTool('middle', 'answer(wipe())', byName(wipe));
    const middle = { ...inner, spec: { ...inner.spec, ...numberOf('n') } };
    const outer = byName(innerTool('outer', 'answer(middle(n))', byName(middle)));
    const run = start({ program: one, handlers: outer });
    const { journal, id } = run;
    await expectsApproval(run);
    const by = { journal, run: id, handlers: outer, by: 'Ada' };
    await decideRun({ ...by, effects: ['0#1'], approved: false, note: 'not this disk' });
    const end = await resume({ journal, run: id, program: one, handlers: outer }).result;
    expect(end.error?.message).toContain('wipe was not approved');
    expect(end.error?.message).toContain('not this disk');
    expect(wiped).toEqual([]);
  });

  test('may be an approval, which nobody answers', async () => {
    const { wipe, wiped } = wiping();
    const outer = byName(innerTool('outer', 'answer(wipe())', byName(wipe)));
    const run = start({ program: one, handlers: outer });
    await expectsApproval(run);
    const { journal, id } = run;
    const by = { journal, run: id, handlers: outer, by: 'Ada' };
    for (const effect of ['0#1', undefined]) {
      await expect(answerRun({ ...by, effect, answer: () => 'yes' })).rejects.toMatchObject({
        code: 'PV5142',
      });
    }
    expect(journal.posts(id)).toEqual([]);
    // Whatever is posted past that is no approval.
    journal.post(id, { kind: 'answer', effect: '0#1', value: '"yes"', by: 'Mallory' });
    const again = await resume({ journal, run: id, program: one, handlers: outer }).result;
    expect(again).toMatchObject({ status: 'waiting', reason: 'approval' });
    expect(wiped).toEqual([]);
  });

  test('may be an approval that somebody who is there gives', async () => {
    const { wipe } = wiping();
    const outer = byName(innerTool('outer', 'answer(wipe())', byName(wipe)));
    const person = {
      answer: async () => ({ value: 'yes', by: 'Mallory' }),
      decide: async () => ({ approved: true, by: 'Ada' }),
    };
    const end = await start({ program: one, handlers: outer, person }).result;
    expect(end).toMatchObject({ status: 'done', answer: 'gone' });
  });
});

test('an attempt that is given up interrupts its run', async () => {
  const clock = new TestClock();
  const tool = testTool('model', { limits: { timeoutMs: 3_600_000 } });
  const outer = byName(innerTool('outer', 'answer(model())', byName(tool)));
  const run = start({ program: one, handlers: outer, clock });
  const { context } = await tool.call(0);
  clock.advance(10 * 60_000);
  run.cancel('interrupted');
  expect(await run.result).toMatchObject({ status: 'suspended', reason: 'interrupted' });
  await settle();
  expect(context.signal.aborted).toBe(true);
  expect(innerOf(run.journal, run.id)).toMatchObject([
    { status: 'suspended', reason: 'interrupted', owned: false },
  ]);
});

test('a doubt within is asked about, and decided', async () => {
  const pay = quickTool(
    'pay',
    () => {
      throw new EffectFailure('PV1', 'cut off', { retryable: true });
    },
    { effect: 'write' },
  );
  const outer = byName(innerTool('outer', 'answer(pay())', byName(pay)));
  const run = start({ program: one, handlers: outer });
  expect(await run.result).toMatchObject({
    waits: [
      { question: expect.stringContaining('nobody knows'), choices: ['done', 'failed', 'retry'] },
    ],
  });
  const { journal, id } = run;
  const by = { journal, run: id, handlers: outer, by: 'Ada', answer: () => 'done' };
  await expect(answerRun({ ...by, isClient: true })).rejects.toMatchObject({ code: 'PV5142' });
  await answerRun(by);
  const end = await resume({ journal, run: id, program: one, handlers: outer }).result;
  expect(end).toMatchObject({ status: 'done', answer: null });
});
