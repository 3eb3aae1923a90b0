/** Where plans go: loops, jumps, conditions in conditions, and the limits of all that. */
import { describe, expect, test } from 'vitest';
import { quickTool } from '../engine/support.ts';
import { answer, echo, look, old, type PlanText, play, set, step, verdict } from './stage.ts';

const jump = (seq: number, question: string, yes: unknown, no?: unknown) =>
  step(seq, 'jmp', { condition_prompt: question, jump_if_true: yes, jump_if_false: no });

/** Decides `is A < B` by its numbers, as a careful model would. */
const careful = ({ prompt }: { readonly prompt: string }): string => {
  const [a = 0, b = 0] = (prompt.match(/\d+/g) ?? []).map(Number);
  return verdict(a < b);
};

describe('a loop', () => {
  const counting = [
    set(0, { i: 0, limit: 4, seen: '' }),
    step(1, 'calling', {
      tool_name: 'square',
      tool_params: { n: '${i}', of: '${limit}' },
      output_vars: ['square'],
    }),
    set(2, { seen: '${seen}${square},', i: '${i} + 1' }),
    jump(3, 'Is ${i} < ${limit}?', 1, 4),
    answer(4, '${seen} after ${i} of ${limit}'),
  ];

  test('counts, calls its tool each time, and keeps what it does not change', async () => {
    const calls: unknown[] = [];
    const square = quickTool('square', ({ n, of }) => {
      calls.push([n, of]);
      return { square: Number(n) ** 2 };
    });
    const played = await play(counting, { tools: [square], model: careful });
    expect(played).toMatchObject({ status: 'done', answer: '0,1,4,9, after 4 of 4', checked: [] });
    expect(calls).toEqual([
      [0, 4],
      [1, 4],
      [2, 4],
      [3, 4],
    ]);
    expect(played.asked.map((prompt) => prompt.split('\n')[0])).toEqual(
      [1, 2, 3, 4].map((i) => `Is ${i} < 4?`),
    );
    expect(played.steps).toEqual([
      '0',
      '1',
      '2',
      '3',
      '1@2',
      '2@2',
      '3@2',
      '1@3',
      '2@3',
      '3@3',
      '1@4',
      '2@4',
      '3@4',
      '4',
    ]);
  });

  test('over a list in the form with tool and params counts with a tool', async () => {
    const plan = [
      set(0, { names: ['Ada', 'Bob', 'Cy'], i: 0, out: [] }),
      step(1, 'calling', {
        tool: 'nth',
        params: { list: '${names}', i: '${i}' },
        output_vars: ['name', 'i'],
      }),
      set(2, { out: ['${out}', '${name}'] }),
      jump(3, 'Is ${i} < 3?', 1, 4),
      answer(4, '${out}'),
    ];
    const nth = quickTool('nth', ({ list, i }) => ({
      name: (list as string[])[Number(i)],
      i: Number(i) + 1,
    }));
    const played = await play(plan, { tools: [nth], model: careful });
    expect(played.answer).toEqual([[[[], 'Ada'], 'Bob'], 'Cy']);
  });

  test('of the first dialect goes back by jmp_if', async () => {
    const plan = [
      old(0, 'assign', { value: 'a', var_name: 'draft' }),
      old(1, 'llm_generate', { prompt: 'Improve: {{draft}}', output_var: 'draft' }),
      old(2, 'jmp_if', { condition_prompt: 'Good? {{draft}}', jump_if_true: 3, jump_if_false: 1 }),
      old(3, 'assign', { value: '{{draft}}', var_name: 'final_answer' }),
    ];
    const played = await play(plan, {
      model: ['ab', verdict(false), 'abc', verdict(false), 'abcd', verdict(true)],
    });
    expect(played).toMatchObject({ answer: 'abcd', dialect: 'stackvm-1', checked: [] });
    expect(played.asked.filter((prompt) => prompt.startsWith('Improve'))).toEqual([
      'Improve: a',
      'Improve: ab',
      'Improve: abc',
    ]);
  });

  test('without an end is stopped at the step it would enter once more', async () => {
    const plan = [set(0, { x: 1 }), jump(1, 'Again with ${x}?', 0, 2), answer(2, 'never')];
    const played = await play(plan, { model: verdict(true), limits: { stepVisits: 5 } });
    expect(played).toMatchObject({ status: 'failed', answer: null });
    expect(played.error).toMatchObject({ code: 'PV3014', step: '0@5', line: 1, column: 2 });
    expect(played.error?.message).toBe('step 0 was entered 5 times, which is the limit');
    expect(played.asked).toHaveLength(5);
  });

  test('that asks nobody is stopped too, by the limit that there is anyway', async () => {
    const end = answer(2, 'never');
    const played = await play([set(0, { x: 1 }), step(1, 'jmp', { target_seq: 0 }), end]);
    expect(played.error).toMatchObject({ code: 'PV3014', step: '0@1000' });
    const alone = await play([step(0, 'jmp', { target_seq: 0 }), end]);
    expect(alone.error?.code).toBe('PV3014');
  });

  test('of one step asks again and again', async () => {
    const plan = [set(0, { x: 1 }), jump(1, 'Done with ${x}?', 2, 1), answer(2, 'done')];
    const played = await play(plan, { model: ['no', 'no', 'yes'] });
    expect(played).toMatchObject({ answer: 'done', steps: ['0', '1', '1@2', '1@3', '2'] });
  });
});

describe('a jump', () => {
  test('takes text for numbers and an empty question for none', async () => {
    const plan = [
      step(0, 'jmp', { condition_prompt: '', target_seq: '2' }),
      answer(1, 'skipped'),
      answer(2, 'reached'),
    ];
    expect(await play(plan)).toMatchObject({ answer: 'reached', asked: [] });
  });

  test('without jump_if_false goes on behind itself, with a warning', async () => {
    const plan = [set(0, { x: 1 }), jump(1, '${x}?', 3), answer(2, 'behind'), answer(3, 'there')];
    expect(await play(plan, { model: 'no' })).toMatchObject({
      answer: 'behind',
      checked: ['PV2130 1'],
    });
    expect(await play(plan, { model: 'yes' })).toMatchObject({ answer: 'there' });
  });

  test('shows the model its context as data', async () => {
    const plan = [
      set(0, { facts: { rows: 3 } }),
      step(1, 'jmp', {
        condition_prompt: 'Are there rows?',
        context: '${facts}',
        jump_if_true: 2,
        jump_if_false: 2,
      }),
      answer(2, 'ok'),
    ];
    const played = await play(plan, { model: 'yes' });
    expect(played.asked[0]).toContain('<context>\n{"rows":3}\n</context>');
    expect(played.checked).toEqual([]);
  });

  test.each<[string, PlanText, string]>([
    [
      'to a number that is not there',
      [step(0, 'jmp', { target_seq: 9 }), answer(1, 1)],
      'PV2128! 0',
    ],
    [
      'to a variable',
      [set(0, { n: 2 }), step(1, 'jmp', { target_seq: '${n}' }), answer(2, 1)],
      'PV2123! 1',
    ],
    ['without any target', [step(0, 'jmp', {}), answer(1, 1)], 'PV2111! 0'],
    [
      'with a question and no jump_if_true',
      [step(0, 'jmp', { condition_prompt: 'p', jump_if_false: 1 }), answer(1, 1)],
      'PV2111! 0',
    ],
    [
      'with targets and no question',
      [step(0, 'jmp', { jump_if_true: 1, jump_if_false: 1 }), answer(1, 1)],
      'PV2111! 0',
    ],
  ])('%s is an error', (_, plan, code) => expect(look(plan).checked).toContain(code));

  test('into a branch is an error, out of one is not', async () => {
    const plan = (from: number) => [
      old(0, 'assign', { value: 1, var_name: 'x' }),
      old(1, 'condition', {
        prompt: '{{x}}?',
        true_branch: [old(2, 'jmp', { target_seq: 4 })],
        false_branch: [],
      }),
      old(3, 'jmp', { target_seq: from }),
      old(4, 'assign', { value: 'end', var_name: 'final_answer' }),
    ];
    expect(look(plan(2)).checked).toContain('PV2129! 3');
    const played = await play(plan(4), { model: verdict(true) });
    expect(played).toMatchObject({ answer: 'end', steps: ['0', '1', '1.true.2', '4'] });
  });
});

describe('a condition', () => {
  const nested = (depth: number): Readonly<Record<string, unknown>> =>
    depth > 5
      ? old(9, 'assign', { value: 'deepest', var_name: 'final_answer' })
      : old(depth, 'condition', {
          prompt: `Level ${depth} of {{x}}?`,
          true_branch: [nested(depth + 1)],
          false_branch: [],
        });
  const start = old(0, 'assign', { value: 'five', var_name: 'x' });

  test('nests five deep', async () => {
    const played = await play([start, nested(1)], { model: verdict(true) });
    expect(played).toMatchObject({ answer: 'deepest' });
    expect(played.steps.at(-1)).toBe('1.true.2.true.3.true.4.true.5.true.9');
    expect(played.asked).toHaveLength(5);
  });

  test('as the last step, decided for an empty branch, answers with the last output', async () => {
    const played = await play([start, nested(1)], {
      model: ({ prompt }) => verdict(!prompt.startsWith('Level 3')),
    });
    expect(played).toMatchObject({
      answer: 'five',
      checked: ['PV2150 1'],
      answers: [{ step: '1.true.2.true.3' }],
    });
  });

  test('with a branch that is empty, null or absent goes on behind it', async () => {
    for (const branches of [
      { true_branch: [], false_branch: [] },
      { true_branch: [old(2, 'reasoning', {})], false_branch: null },
      { false_branch: [] },
    ]) {
      const plan = [
        start,
        old(1, 'condition', { prompt: '{{x}}?', ...branches }),
        old(3, 'assign', { value: 'behind', var_name: 'final_answer' }),
      ];
      expect(await play(plan, { model: 'no' })).toMatchObject({ answer: 'behind' });
    }
  });

  test('that answers in a branch ends the run there', async () => {
    const plan = [
      start,
      old(1, 'condition', {
        prompt: '{{x}}?',
        true_branch: [
          old(2, 'assign', { value: 'early', var_name: 'final_answer' }),
          old(3, 'assign', { value: 'never', var_name: 'y' }),
        ],
        false_branch: [old(4, 'assign', { value: 'other', var_name: 'y' })],
      }),
      old(5, 'assign', { value: '{{y}}', var_name: 'final_answer' }),
    ];
    const early = await play(plan, { model: 'yes' });
    expect(early).toMatchObject({ answer: 'early', steps: ['0', '1', '1.true.2'] });
    expect((await play(plan, { model: 'no' })).answer).toBe('other');
  });

  test('without branches, or without a prompt, is an error', () => {
    expect(look([start, old(1, 'condition', { prompt: '{{x}}?' })]).checked).toContain('PV2111! 1');
    expect(
      look([start, old(1, 'condition', { true_branch: [], false_branch: [] })]).checked,
    ).toContain('PV2111! 1');
  });
});

describe('the end', () => {
  test.each<[string, unknown]>([
    ['text', 'text'],
    ['empty text', ''],
    ['a number', 0],
    ['false', false],
    ['null', null],
    ['a list', [1, '2']],
    ['an object', { a: [null] }],
  ])('is where final_answer is set, to %s, also in the middle', async (_, value) => {
    const played = await play([answer(0, value), set(1, { later: 1 }), answer(2, 'later')]);
    expect(played).toMatchObject({ status: 'done', steps: ['0'] });
    expect(played.answer).toEqual(value);
    expect(played.answers).toEqual([{ value, step: '0' }]);
  });

  test('comes when the whole instruction is done', async () => {
    const played = await play([set(0, { final_answer: 'f', more: '${final_answer}!' })]);
    expect(played.variables).toEqual({ final_answer: 'f', more: 'f!' });
  });

  describe('without final_answer', () => {
    test.each<[string, readonly unknown[], string]>([
      ['a plan', [set(0, { total: 42 })], 'rename the output total to final_answer'],
      ['with a name that is near', [set(0, { answer: 1, more: 2 })], 'rename the output answer'],
      ['of thoughts alone', [step(0, 'reasoning', {})], 'let the last step set final_answer'],
      [
        'with nothing but calls',
        [step(0, 'calling', { tool: 'echo', params: {} })],
        'let the last',
      ],
    ])('%s of stackvm-2 is refused', (_, plan, hint) => {
      const { checked, diagnostics } = look(plan, { tools: [echo], dialect: 'stackvm-2' });
      expect(checked.map((code) => code.split(' ')[0])).toContain('PV2149!');
      expect(diagnostics.find(({ code }) => code === 'PV2149')?.hint).toContain(hint);
    });

    test('a plan whose last step cannot be read is refused for that alone', () => {
      const broken = { ...set(1, {}), parameters: 'x' };
      expect(look([set(0, { a: 1 }), broken]).checked).toEqual(['PV2110! 1']);
    });

    test.each<[string, readonly unknown[], unknown, string]>([
      ['an assign', [old(0, 'assign', { value: 42, var_name: 'total' })], 42, '0'],
      ['a call', [old(0, 'echo', { a: 1, output_var: 'told' })], { a: 1 }, '0'],
      [
        'a call of several keys, all of whose result it is',
        [old(0, 'echo', { a: 1, b: [2], output_var: ['a', 'b'] })],
        { a: 1, b: [2] },
        '0',
      ],
      [
        'a step before those without an output',
        [
          old(0, 'assign', { value: null, var_name: 'nothing' }),
          old(1, 'echo', { a: 1 }),
          old(2, 'reasoning', {}),
        ],
        null,
        '2',
      ],
    ])('a run of stackvm-1 answers with the last output, of %s', async (_, plan, value, at) => {
      const played = await play(plan, { tools: [echo], dialect: 'stackvm-1' });
      expect(played).toMatchObject({ status: 'done', answers: [{ value, step: at }] });
      expect(played.checked.map((code) => code.split(' ')[0])).toContain('PV2149');
    });

    test('the output of a step that failed is none', async () => {
      const plan = [
        old(0, 'assign', { value: 'first', var_name: 'a' }),
        { ...old(1, 'echo', { a: 1, output_var: ['x', 'y'] }), on_error: 2 },
        old(2, 'reasoning', {}),
      ];
      const played = await play(plan, { tools: [echo], dialect: 'stackvm-1' });
      expect(played).toMatchObject({ status: 'done', answer: 'first' });
    });

    test('a run of stackvm-1 without any output fails', async () => {
      const plan = [
        old(0, 'condition', {
          prompt: 'Is it so?',
          true_branch: [old(1, 'assign', { value: 1, var_name: 'x' })],
          false_branch: [],
        }),
      ];
      const world = { dialect: 'stackvm-1', model: verdict(false) };
      const { status, error } = await play(plan, world);
      expect(status).toBe('failed');
      expect(error).toMatchObject({ code: 'PV3050', step: '0' });
      expect(error?.message).toContain('without any output');
    });
  });

  test('waits for calls whose results nobody reads', async () => {
    const played = await play(
      [step(0, 'calling', { tool: 'echo', params: { a: 1 } }), answer(1, 'done')],
      { tools: [echo] },
    );
    expect(played).toMatchObject({ status: 'done', answer: 'done' });
  });
});
