/** Tools that misbehave, and what a plan says to do then. */
import { describe, expect, test } from 'vitest';
import { EffectFailure } from '../../src/engine/handler.ts';
import { quickTool, settle, TestClock, testTool } from '../engine/support.ts';
import { answer, call, echo, look, old, open, play, set, step } from './stage.ts';

const broken = quickTool('broken', () => {
  throw new EffectFailure('PV4202', 'out of order', { answered: true });
});
const tools = [broken, echo];

describe('a tool that gives', () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  const plan = [call(0, 'give', {}, 'x'), answer(1, '${x}')];
  const giving = (value: unknown) => ({ tools: [quickTool('give', () => value)] });

  test.each<[string, unknown, string, string]>([
    ['undefined', undefined, 'PV4002', 'returned undefined'],
    ['a function', () => 1, 'PV4003', 'got function'],
    ['a map', new Map(), 'PV4003', 'got an instance of Map'],
    ['a cycle', cycle, 'PV4003', 'a cycle'],
    ['17 megabytes', 'x'.repeat(17 * 2 ** 20), 'PV4004', 'want at most 16777216'],
  ])('%s fails at its step', async (_, value, code, message) => {
    const played = await play(plan, giving(value));
    expect(played).toMatchObject({ status: 'failed', answer: null, variables: {} });
    expect(played.error).toMatchObject({ code, step: '0', line: 1, column: 52 });
    expect(played.error?.message).toContain(message);
    expect(played.error?.hint).toMatch(/\S/);
  });

  test.each([[null], [''], [0], [false], [[]], [{}]])('%j does not fail', async (value) => {
    expect(await play(plan, giving(value))).toMatchObject({ status: 'done', answer: value });
  });
});

describe('a tool', () => {
  test('that throws fails with its own words', async () => {
    const played = await play([call(3, 'broken', {}, 'x'), answer(4, '${x}')], { tools });
    expect(played.error).toMatchObject({ code: 'PV4202', message: 'out of order', step: '3' });
  });

  test('that never answers is given up, and its signal says so', async () => {
    const clock = new TestClock();
    const tool = testTool('hang');
    await using stage = await open([call(0, 'hang', {}, 'x'), answer(1, '${x}')], {
      tools: [tool],
      clock,
      limits: { timeoutMs: 5000, attempts: 1 },
    });
    const { context } = await tool.call(0);
    clock.advance(5000);
    const played = await stage.played;
    expect(played.error).toMatchObject({ code: 'PV4005', step: '0' });
    expect(played.error?.message).toContain('5000 ms');
    expect(context.signal.aborted).toBe(true);
  });

  test('that fails once is tried again, and the run says so', async () => {
    const clock = new TestClock();
    const tool = testTool('flaky');
    await using stage = await open([call(0, 'flaky', {}, 'x'), answer(1, '${x}')], {
      tools: [tool],
      clock,
    });
    (await tool.call(0)).fail(new Error('busy'));
    await settle();
    clock.advance(60_000);
    (await tool.call(1)).answer('second time');
    const played = await stage.played;
    expect(played).toMatchObject({ status: 'done', answer: 'second time' });
    expect(played.warnings).toEqual([
      expect.objectContaining({ step: '0', message: expect.stringContaining('busy') }),
    ]);
  });

  test('gets nothing that it did not declare, and is not called with a wrong type', async () => {
    const strict = quickTool('strict', (args) => args, {
      parameters: {
        type: 'object',
        properties: { n: { type: 'integer' } },
        required: ['n'],
        additionalProperties: false,
      },
    });
    const says = (params: Record<string, unknown>) =>
      look([call(0, 'strict', params, 'x'), answer(1, '${x}')], { tools: [strict] }).checked;
    expect(says({ n: 1 })).toEqual([]);
    expect(says({ n: '1' })).toEqual(['PV2135 0']);
    expect(says({ n: 'one' })).toEqual(['PV2135! 0']);
    expect(says({ n: [1] })).toEqual(['PV2135! 0']);
    expect(says({})).toEqual(['PV2133! 0']);
    expect(says({ n: 1, m: 2 })).toEqual(['PV2134! 0']);
    const late = await play(
      [set(0, { n: 'many' }), call(1, 'strict', { n: '${n}' }, 'x'), answer(2, '${x}')],
      { tools: [strict] },
    );
    expect(late.error).toMatchObject({ code: 'PV4001', step: '1' });
    expect(late.error?.message).toContain('n: got string "many", want integer');
  });

  test('that is unknown is an error with the names there are', () => {
    const { diagnostics } = look([call(0, 'ecko', {}, 'x'), answer(1, '${x}')], { tools });
    expect(diagnostics[0]).toMatchObject({ code: 'PV2132', line: 1, column: 52 });
    expect(diagnostics[0]?.hint).toContain('did you mean echo?');
  });

  test('of a run takes the place of a built-in of its name, with its own parameters', async () => {
    const own = quickTool('llm_generate', ({ question }) => `mine: ${question}`, {
      parameters: {
        type: 'object',
        properties: { question: { type: 'string' } },
        required: ['question'],
      },
    });
    const plan = [call(0, 'llm_generate', { question: 'Why?' }, 'final_answer')];
    const played = await play(plan, { tools: [own] });
    expect(played).toMatchObject({ answer: 'mine: Why?', asked: [], checked: [] });
  });

  test('gets 12345678901234567890 and 3.0 as they are', async () => {
    const seen: unknown[] = [];
    const keep = quickTool('keep', (args) => {
      seen.push(args);
      return args;
    });
    const plan =
      '[{"seq_no": 0, "type": "calling", "execution_objective": "o", "parameters": {"tool": "keep", ' +
      '"params": {"big": 12345678901234567890, "float": 3.0}, "output_vars": "final_answer"}}]';
    const played = await play(plan, { tools: [keep] });
    expect(seen).toEqual([{ big: 12345678901234567890n, float: 3 }]);
    expect(played.answer).toEqual({ big: 12345678901234567890n, float: 3 });
  });
});

describe('on_error', () => {
  test('goes on elsewhere, in a chain, to an answer', async () => {
    const plan = [
      call(0, 'broken', {}, 'x', { on_error: 2 }),
      answer(1, 'first: ${x}'),
      call(2, 'broken', {}, 'x', { on_error: 4 }),
      answer(3, 'second: ${x}'),
      answer(4, 'neither'),
    ];
    const played = await play(plan, { tools });
    expect(played).toMatchObject({ status: 'done', answer: 'neither', steps: ['0', '2', '4'] });
    expect(played.variables).toEqual({ final_answer: 'neither' });
  });

  test('leaves what the failed step would have set as it was', async () => {
    const several = [
      set(0, { a: 'a0', b: 'b0' }),
      call(1, 'echo', { a: 'a1' }, ['a', 'b'], { on_error: 3 }),
      answer(2, 'no'),
      answer(3, '${a} ${b}'),
    ];
    expect((await play(several, { tools })).answer).toBe('a0 b0');
    const assigned = [
      set(0, { a: 'a0', data: { x: 1 } }),
      set(1, { a: 'a1', b: '${a} ${data.y}' }, { on_error: 3 }),
      answer(2, 'no'),
      answer(3, '${a}'),
    ];
    expect((await play(assigned, { tools })).answer).toBe('a0');
  });

  test('of an assign that does not fail lets later keys see earlier ones', async () => {
    const plan = [
      set(0, { a: 1 }),
      set(1, { a: 2, b: ['${a}', 'a is ${a}'], a_and_b: '${a}${b}' }, { on_error: 3 }),
      answer(2, ['${a}', '${b}', '${a_and_b}']),
      answer(3, 'no'),
    ];
    expect((await play(plan)).answer).toEqual([2, [2, 'a is 2'], '2[2,"a is 2"]']);
  });

  test('of a condition takes over when nobody can decide it', async () => {
    const plan = [
      old(
        0,
        'condition',
        {
          prompt: 'Is it so?',
          context: 'c',
          true_branch: [old(1, 'assign', { value: 'yes', var_name: 'final_answer' })],
          false_branch: [old(2, 'assign', { value: 'no', var_name: 'final_answer' })],
        },
        { on_error: 3 },
      ),
      old(3, 'assign', { value: 'undecided', var_name: 'final_answer' }),
    ];
    expect((await play(plan, { model: 'Perhaps.' })).answer).toBe('undecided');
    expect((await play(plan, { model: 'no' })).answer).toBe('no');
  });

  test('of a jump does the same, and of a condition does not cover its branches', async () => {
    const jump = [
      step(
        0,
        'jmp',
        { condition_prompt: 'p', context: 'c', jump_if_true: 1, jump_if_false: 1 },
        { on_error: 2 },
      ),
      answer(1, 'decided'),
      answer(2, 'undecided'),
    ];
    expect((await play(jump, { model: 'Perhaps.' })).answer).toBe('undecided');
    const inside = [
      old(
        0,
        'condition',
        {
          prompt: 'p',
          context: 'c',
          true_branch: [old(1, 'broken', { output_var: 'x' })],
          false_branch: [],
        },
        { on_error: 2 },
      ),
      old(2, 'assign', { value: 'handled', var_name: 'final_answer' }),
    ];
    const played = await play(inside, { tools, model: 'yes', dialect: 'stackvm-1' });
    expect(played.error).toMatchObject({ step: '0.true.1', message: 'out of order' });
  });

  test('in a loop is bounded by the visits of a step', async () => {
    const plan = [set(0, { n: 0 }), call(1, 'broken', {}, 'x', { on_error: 0 }), answer(2, '${x}')];
    const played = await play(plan, { tools, limits: { stepVisits: 3 } });
    expect(played.error).toMatchObject({ code: 'PV3014', step: '0@3' });
  });

  test('in a loop that works on the third round', async () => {
    let rounds = 0;
    const third = quickTool('third', () => {
      if (++rounds < 3) throw new EffectFailure('PV4202', 'not yet', { answered: true });
      return rounds;
    });
    const plan = [call(0, 'third', {}, 'x', { on_error: 0 }), answer(1, 'round ${x}')];
    expect(await play(plan, { tools: [third] })).toMatchObject({ answer: 'round 3' });
  });

  test('does not take the failures of earlier steps', async () => {
    const plan = [
      call(0, 'broken', {}, 'a'),
      call(1, 'echo', {}, 'b', { on_error: 3 }),
      answer(2, '${a}'),
      answer(3, 'no'),
    ];
    expect((await play(plan, { tools })).error).toMatchObject({ step: '0' });
  });

  test('of a step that answers lets another one answer', async () => {
    const plan = [call(0, 'broken', {}, 'final_answer', { on_error: 1 }), answer(1, 'other')];
    const played = await play(plan, { tools });
    expect(played).toMatchObject({ status: 'done', answer: 'other' });
    expect(played.answers).toHaveLength(1);
  });

  test('to a step that is not there is an error of check', () => {
    const plan = [call(0, 'echo', {}, 'x', { on_error: 7 }), answer(1, '${x}')];
    expect(look(plan, { tools }).checked).toContain('PV2128! 0');
  });
});
