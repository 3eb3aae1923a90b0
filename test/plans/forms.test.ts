/** Plans as they are written in the wild: older types, other names of keys, other numbers. */
import { describe, expect, test } from 'vitest';
import {
  answer,
  call,
  echo,
  graph,
  look,
  old,
  play,
  set,
  step,
  vectors,
  verdict,
} from './stage.ts';

describe('the form between the two documents', () => {
  const plan = (target: number) => [
    old(0, 'reasoning', {
      chain_of_thoughts: ['search', 'judge', 'answer'],
      dependency_analysis: [{ step: 2, depends_on: [1] }],
    }),
    old(1, 'vector_search', { query: 'release notes', top_k: 3, output_vars: 'chunks' }),
    old(2, 'jmp_if', {
      condition_prompt: 'Do these name a version? {{chunks}}',
      context: null,
      jump_if_true: 3,
      jump_if_false: target,
    }),
    old(3, 'llm_generate', { prompt: 'Name it: {{chunks}}', output_vars: ['final_answer'] }),
    old(4, 'jmp', { target_seq: 2 }),
    old(5, 'assign', { value: 'none is named', var_name: 'final_answer' }),
  ];
  const tools = [vectors((query, count) => `${count} of ${query}`)];

  test('asks and answers on one way', async () => {
    const played = await play(plan(5), { tools, model: [verdict(true), '8.5.0'] });
    expect(played).toMatchObject({ answer: '8.5.0', dialect: 'stackvm-1' });
    expect(played.steps).toEqual(['0', '1', '2', '3']);
    expect(played.asked[1]).toBe('Name it: 3 of release notes');
  });

  test('assigns on the other', async () => {
    const played = await play(plan(5), { tools, model: 'No, they do not.' });
    expect(played).toMatchObject({ answer: 'none is named', steps: ['0', '1', '2', '5'] });
  });

  test('its later references are resolved, with one warning', async () => {
    const played = await play(
      [
        old(1, 'vector_search', { query: 'a', output_vars: ['found'] }),
        old(2, 'llm_generate', {
          prompt: 'Use ${found} and ${found}.',
          output_var: 'final_answer',
        }),
      ],
      { tools: [vectors(() => 'chunks')], model: 'used' },
    );
    expect(played).toMatchObject({ answer: 'used', asked: ['Use chunks and chunks.'] });
    expect(played.checked).toEqual(['PV2140']);
  });

  test('the oldest names of types and keys are taken with a word each', async () => {
    const played = await play(
      [
        old(0, 'assign', { value: 3, var_name: 'x' }),
        old(1, 'condition', {
          condition: 'Is {{x}} odd?',
          if_true: [old(2, 'assign', { value: 'odd', var_name: 'final_answer' })],
          if_false: [],
        }),
        old(3, 'assign', { value: 'even', var_name: 'final_answer' }),
      ],
      { model: 'yes' },
    );
    expect(played).toMatchObject({ answer: 'odd', checked: ['PV2109 1', 'PV2109 1', 'PV2109 1'] });
  });
});

describe('the last form, with tool_name and tool_params', () => {
  test('numbers from 1, lists of outputs, counters', async () => {
    const plan = [
      step(1, 'calling', { tool_name: 'echo', tool_params: { n: 20 }, output_vars: ['n'] }),
      set(2, { next: '${n} + 1', half: '(${n} - 10) / 4', power: '${n}**2' }),
      answer(3, ['${next}', '${half}', '${power}']),
    ];
    const played = await play(plan, { tools: [echo] });
    expect(played).toMatchObject({ answer: [21, 2.5, 400], checked: [] });
  });

  test('a list of one output takes the text of a model that was not asked for JSON', async () => {
    const params = { prompt: 'Write a line.' };
    const plan = [
      step(1, 'calling', {
        tool_name: 'llm_generate',
        tool_params: params,
        output_vars: ['final_answer'],
      }),
    ];
    const text = 'A line with {braces} and [brackets].';
    const played = await play(plan, { model: [text] });
    expect(played).toMatchObject({ answer: text, asked: ['Write a line.'] });
  });

  test.each([
    '2024-10-15',
    '555-1234',
    '+49 30 1234-5678',
    '1.2.3',
    '8.5.0-rc.1',
    '50%',
    '3.5',
    '42',
    '10/4',
    '(5)',
    '12:30',
    '192.168.0.1',
    '1e3',
    '007',
  ])('%s survives an assign as it is', async (text) => {
    const plan = [
      step(1, 'calling', { tool_name: 'echo', tool_params: {} }),
      set(2, { kept: text }),
      answer(3, ['${kept}', 'on ${kept}']),
    ];
    expect((await play(plan, { tools: [echo] })).answer).toEqual([text, `on ${text}`]);
  });

  test.each([
    ['${y}-10-15', { y: 2024 }, '2024-10-15'],
    ['${y}/${m}/15', { y: 2024, m: 10 }, '2024/10/15'],
    ['${a}-1234', { a: '0555' }, '0555-1234'],
    ['${x} + 1', { x: 'one' }, 'one + 1'],
    ['${x} + 1', { x: '41' }, 42],
    ['${x} % 7', { x: 100 }, 2],
    ['${x} / 3', { x: 9 }, 3],
    ['${x} - ${y}', { x: 5, y: 0.5 }, 4.5],
    ['${x}', { x: '1 + 1' }, '1 + 1'],
    ['v${x}.0', { x: 2 }, 'v2.0'],
  ])('%s with %j', async (text, variables, value) => {
    const plan = [
      step(1, 'calling', { tool_name: 'echo', tool_params: {} }),
      set(2, { ...variables, result: text }),
      answer(3, '${result}'),
    ];
    expect((await play(plan, { tools: [echo] })).answer).toEqual(value);
  });

  test('a division by zero is an error at its place', async () => {
    const plan = [
      step(1, 'calling', { tool_name: 'echo', tool_params: {} }),
      set(2, { x: 0, y: '1 / ${x}' }),
      answer(3, '${y}'),
    ];
    const played = await play(plan, { tools: [echo] });
    expect(played).toMatchObject({ status: 'failed', error: { step: '2', line: 1 } });
    expect(played.error?.message).toContain('zero');
  });
});

describe('numbers of instructions', () => {
  const texts = (plan: readonly unknown[]) => look(plan).checked;

  test('decide the order, wherever the instructions stand', async () => {
    const plan = [answer(9, '${b}'), set(2, { a: 1 }), set(5, { b: '${a}2' })];
    const played = await play(plan);
    expect(played).toMatchObject({ answer: '12', steps: ['2', '5', '9'] });
    expect(played.checked).toEqual(expect.arrayContaining(['PV2126 2', 'PV2127 5']));
  });

  test('may be written as text or as 2.0, with a warning', async () => {
    const plan =
      '[{"seq_no": "0", "type": "assign", "parameters": {"a": 1}, "execution_objective": "o"},' +
      '{"seq_no": 1.0, "type": "jmp", "parameters": {"target_seq": "3"}, "execution_objective": "o"},' +
      '{"seq_no": 2, "type": "assign", "parameters": {"a": 2}, "execution_objective": "o"},' +
      '{"seq_no": 3, "type": "assign", "parameters": {"final_answer": "${a}"}, "execution_objective": "o"}]';
    const played = await play(plan);
    expect(played).toMatchObject({ answer: 1, steps: ['0', '1', '3'] });
    expect(played.checked).toEqual(['PV2124', 'PV2124', 'PV2124 1', 'PV2148 2']);
  });

  test('are counted where there are none', async () => {
    const plan = [
      { type: 'assign', parameters: { a: 'x' } },
      { type: 'assign', parameters: { final_answer: '${a}' } },
    ];
    const played = await play(plan);
    expect(played).toMatchObject({ answer: 'x', steps: ['0', '1'] });
    expect(played.checked).toContain('PV2122');
  });

  test('that are none are errors', () => {
    expect(texts([{ ...set(0, { a: 1 }), seq_no: -1 }, answer(1, 1)])).toContain('PV2123!');
    expect(texts([{ ...set(0, { a: 1 }), seq_no: 0.5 }, answer(1, 1)])).toContain('PV2123!');
    expect(texts([{ ...set(0, { a: 1 }), seq_no: 'first' }, answer(1, 1)])).toContain('PV2123!');
    expect(texts([set(0, { a: 1 }), set(0, { b: 1 }), answer(1, 1)])).toContain('PV2125! 0');
  });

  test('may begin anew in each branch of the first dialect', async () => {
    const branch = (value: string) => [
      old(0, 'assign', { value, var_name: 'part' }),
      old(1, 'assign', { value: '{{part}}!', var_name: 'whole' }),
    ];
    const plan = [
      old(0, 'assign', { value: 1, var_name: 'x' }),
      old(1, 'condition', {
        prompt: '{{x}}?',
        true_branch: branch('T'),
        false_branch: branch('F'),
      }),
      old(2, 'assign', { value: '{{whole}}', var_name: 'final_answer' }),
    ];
    const played = await play(plan, { model: verdict(false) });
    expect(played).toMatchObject({ answer: 'F!', checked: [] });
    expect(played.steps).toEqual(['0', '1', '1.false.0', '1.false.1', '2']);
  });
});

describe('a plan in the second dialect', () => {
  test('may use conditions and retrievals of the first as types, with a warning', async () => {
    const plan = [
      step(0, 'retrieve_knowledge_graph', { query: 'q', output_var: 'facts' }),
      step(1, 'condition', {
        prompt: 'Enough? ${facts}',
        true_branch: [answer(2, 'yes: ${facts}')],
        false_branch: [answer(3, 'no')],
      }),
      call(4, 'echo', {}),
    ];
    const played = await play(plan, { tools: [graph(() => 'F'), echo], model: verdict(true) });
    expect(played).toMatchObject({ answer: 'yes: F', dialect: 'stackvm-2' });
    expect(played.checked).toEqual(expect.arrayContaining(['PV2108 0', 'PV2107 1']));
  });

  test('with parameters beside the type instead of inside parameters', async () => {
    const plan = [
      { seq_no: 0, type: 'calling', tool: 'echo', params: { a: 1 }, output_vars: ['a'] },
      answer(1, '${a}'),
    ];
    const played = await play(plan, { tools: [echo] });
    expect(played).toMatchObject({ answer: 1 });
    expect(played.checked.filter((one) => one === 'PV2115 0')).toHaveLength(3);
  });
});
