/** Slips that models make in plans: taken where the meaning is plain, refused with advice where not. */
import { describe, expect, test } from 'vitest';
import { answer, call, echo, look, old, type PlanText, play, set, step } from './stage.ts';

const tools = [echo];

describe('is taken, with a word', () => {
  test.each<[string, PlanText, unknown, string]>([
    [
      'a reference for the name of an output',
      [call(0, 'echo', { a: 1 }, '${r}'), answer(1, '${r.a}')],
      1,
      'PV2154 0',
    ],
    [
      'references for several',
      [call(0, 'echo', { a: 1, b: 2 }, ['${a}', 'b']), answer(1, '${a}${b}')],
      '12',
      'PV2154 0',
    ],
    [
      'a reference for a key of an assign',
      [set(0, { '${r}': 1 }), answer(1, '${r}')],
      1,
      'PV2154 0',
    ],
    [
      'output_var for output_vars',
      [step(0, 'calling', { tool: 'echo', params: { a: 1 }, output_var: 'r' }), answer(1, '${r}')],
      { a: 1 },
      'PV2109 0',
    ],
    [
      'a tool as type',
      [step(0, 'echo', { a: 1, output_vars: 'r' }), answer(1, '${r}')],
      { a: 1 },
      'PV2108 0',
    ],
    [
      'a reference for a var_name',
      [
        old(0, 'assign', { value: 1, var_name: '{{r}}' }),
        old(1, 'assign', { value: '{{r}}', var_name: 'final_answer' }),
      ],
      1,
      'PV2154 0',
    ],
  ])('%s', async (_, plan, value, warning) => {
    const played = await play(plan, { tools });
    expect(played).toMatchObject({ status: 'done', answer: value });
    expect(played.checked).toContain(warning);
  });

  test('an instruction in place of a branch', async () => {
    const plan = [
      old(0, 'condition', {
        prompt: '{{x}}?',
        true_branch: old(1, 'assign', { value: 'T', var_name: 'final_answer' }),
        false_branch: [],
      }),
      old(2, 'assign', { value: 'F', var_name: 'final_answer' }),
    ];
    const played = await play(plan, { inputs: { x: 1 }, model: 'yes' });
    expect(played).toMatchObject({ answer: 'T', checked: ['PV2103 0'] });
  });

  test('nulls for everything that is not meant', async () => {
    const plan = [
      set(0, { x: 1 }),
      step(1, 'jmp', {
        condition_prompt: null,
        context: null,
        jump_if_true: null,
        jump_if_false: null,
        target_seq: 2,
      }),
      call(2, 'echo', {}, null),
      answer(3, 'x'),
    ];
    expect(await play(plan, { tools })).toMatchObject({ answer: 'x', checked: [] });
  });
});

describe('is refused, with advice', () => {
  test.each<[string, PlanText, string, string]>([
    [
      'arguments beside the tool instead of in params',
      [step(0, 'calling', { tool: 'echo', a: 1, output_vars: 'r' }), answer(1, '${r}')],
      'PV2113! 0',
      'stands in params',
    ],
    [
      'a tool that is a reference',
      [set(0, { t: 'echo' }), step(1, 'calling', { tool: '${t}', params: {} }), answer(2, 'x')],
      'PV2132! 1',
      'the tools are',
    ],
    [
      'text of another notation',
      [answer(0, 'cd ${HOME}')],
      'PV2137! 0',
      'for the text itself write $${HOME}',
    ],
    [
      'a variable of two words',
      [set(0, { 'my town': 'Pisa' }), answer(1, 'in ${my town}')],
      'PV2142! 1',
      'letters, digits, _ and - only',
    ],
    [
      'a misspelt type',
      [step(0, 'jump', { target_seq: 1 }), answer(1, 1)],
      'PV2106! 0',
      'did you mean jmp?',
    ],
    [
      'an invented type',
      [answer(0, 1), { seq_no: 1, type: 'end' }],
      'PV2106! 1',
      'the instructions are',
    ],
    [
      'a misspelt variable',
      [set(0, { sumary: 1 }), answer(1, '${summary}')],
      'PV2137! 1',
      'did you mean sumary?',
    ],
    ['Final_Answer', [set(0, { Final_Answer: 1 })], 'PV2149! 0', 'rename the output Final_Answer'],
    ['result', [set(0, { result: 1 })], 'PV2149! 0', 'result to final_answer'],
  ])('%s', (_, plan, code, advice) => {
    const { checked, diagnostics } = look(plan, { tools });
    expect(checked).toContain(code);
    expect(diagnostics.map(({ hint }) => hint ?? '').join('\n')).toContain(advice);
  });
});
