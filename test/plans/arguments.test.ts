/** What a tool is handed: values of the types that it declares, as far as the plan gives them. */
import { describe, expect, test } from 'vitest';
import { quickTool } from '../engine/support.ts';
import { answer, call, echo, old, play, set, step } from './stage.ts';

const typed = quickTool('typed', (args) => args, {
  parameters: {
    type: 'object',
    properties: {
      count: { type: 'integer' },
      rate: { type: 'number' },
      flag: { type: 'boolean' },
      text: { type: 'string' },
      list: { type: 'array', items: { type: 'string' } },
      object: { type: 'object' },
      any: {},
      either: { type: ['integer', 'string'] },
    },
    additionalProperties: false,
  },
});

const handing = async (name: string, value: unknown) =>
  await play([call(0, 'typed', { [name]: '${x}' }, 'got'), answer(1, `\${got.${name}}`)], {
    tools: [typed],
    inputs: { x: value },
  });

describe('a variable', () => {
  test.each<[string, unknown, unknown]>([
    ['count', '3', 3],
    ['count', ' 42\n', 42],
    ['rate', '2.50', 2.5],
    ['rate', 3, 3],
    ['flag', 'true', true],
    ['flag', 'False', false],
    ['list', '["a", "b"]', ['a', 'b']],
    ['list', 'Here they are:\n```json\n["a"]\n```', ['a']],
    ['object', '{"k": [1]}', { k: [1] }],
    ['text', 2025, '2025'],
    ['text', 2.5, '2.5'],
    ['text', ['a', 'b'], '["a","b"]'],
    ['text', { k: 1 }, '{"k":1}'],
    ['text', '3', '3'],
    ['any', '3', '3'],
    ['either', '3', '3'],
    ['either', 3, 3],
  ])('for %s that is %j is handed over as %j', async (name, value, handed) => {
    expect(await handing(name, value)).toMatchObject({ status: 'done', answer: handed });
  });

  test.each<[string, unknown, string]>([
    ['count', 'three', 'count: got string "three", want integer'],
    ['count', '2.5', 'count: got string "2.5", want integer'],
    ['count', 2.5, 'count: got number 2.5, want integer'],
    ['flag', 'perhaps', 'flag: got string "perhaps", want boolean'],
    ['list', 'a, b', 'list: got string "a, b", want array'],
    ['text', null, 'text: got null, want string'],
    ['object', [1], 'object: got array [1], want object'],
  ])('for %s that is %j is an error at the call', async (name, value, message) => {
    const { error } = await handing(name, value);
    expect(error).toMatchObject({ code: 'PV4001', step: '0' });
    expect(error?.message).toContain(message);
  });

  test('that a model gave as text serves a tool that counts', async () => {
    const plan = [
      call(0, 'llm_generate', { prompt: 'How many?' }, 'n'),
      call(1, 'typed', { count: '${n}', text: 'n is ${n}' }, 'got'),
      answer(2, '${got}'),
    ];
    const played = await play(plan, { tools: [typed], model: '3' });
    expect(played).toMatchObject({ answer: { count: 3, text: 'n is 3' }, variables: { n: '3' } });
  });
});

test('a number in quotes is handed over as a number, with a warning of check', async () => {
  const plan = [
    call(0, 'typed', { count: '3', flag: 'true', text: 7 }, 'got'),
    answer(1, '${got}'),
  ];
  const played = await play(plan, { tools: [typed] });
  expect(played.answer).toEqual({ count: 3, flag: true, text: '7' });
  expect(played.checked).toEqual(['PV2135 0', 'PV2135 0', 'PV2135 0']);
});

test('null is left out where the tool does not need it', async () => {
  const plan = [call(0, 'echo', { a: null, b: 1 }, 'got'), answer(1, '${got}')];
  expect((await play(plan, { tools: [echo] })).answer).toEqual({ b: 1 });
});

describe('a run’s own llm_condition', () => {
  const plan = [
    set(0, { n: 3 }),
    step(1, 'jmp', { condition_prompt: '${n} > 2?', jump_if_true: 2, jump_if_false: 3 }),
    answer(2, 'yes'),
    answer(3, 'no'),
  ];
  const deciding = (value: unknown) => ({
    tools: [quickTool('llm_condition', () => value)],
  });

  test.each([
    [true, 'yes'],
    [false, 'no'],
    ['no', 'no'],
    ['{"result": "false"}', 'no'],
    [{ result: 'false', explanation: 'x' }, 'no'],
    [{ result: 1 }, 'yes'],
  ])('may answer %j', async (value, expected) => {
    expect(await play(plan, deciding(value))).toMatchObject({ answer: expected, asked: [] });
  });

  test('that answers with neither yes nor no is an error at the step', async () => {
    const { error } = await play(plan, deciding('perhaps'));
    expect(error).toMatchObject({ code: 'PV3103', step: '1' });
    expect(error?.message).toContain('"perhaps"');
  });
});

test('the first dialect hands values over in the same way', async () => {
  const plan = [
    old(0, 'assign', { value: '12', var_name: 'n' }),
    old(1, 'typed', { count: { var: 'n' }, text: '{{n}}', output_var: 'got' }),
    old(2, 'assign', { value: '{{got}}', var_name: 'final_answer' }),
  ];
  const played = await play(plan, { tools: [typed], dialect: 'stackvm-1' });
  expect(played.answer).toEqual({ count: 12, text: '12' });
});
