/** What plans do when they run: every rule of both documents, on a machine without a world. */
import { describe, expect, test } from 'vitest';
import { textOf } from '../../support/repo.ts';
import { brief, check, run, step } from './plans.ts';

const echo = { anything: (args: unknown) => args };
const answer = (seq: number, value: unknown) => step(seq, 'assign', { final_answer: value });

/** The value of an expression of stackvm-2 where `x` is an input. */
function answerOf(expression: unknown, x: unknown = [1, 2]): unknown {
  return run([answer(0, expression)], {}, { x }).answer;
}

describe('references', () => {
  const data = { a: { b: [{ c: 'deep' }] }, n: 1.5, t: true, z: null, s: '{"k": [7, 8]}' };

  test.each([
    ['${x.a.b[0].c}', 'deep'],
    ['${x.a}', data.a],
    ['${x.n}', 1.5],
    ['${x.t}', true],
    ['${x.z}', null],
    ['${ x.t }', true],
    ['${x["a"]["b"][0].c}', 'deep'],
    ['${x.a.b.0.c}', 'deep'],
    ['${x.a.b[-1].c}', 'deep'],
    ['${x.s.k[1]}', 8],
    ['n is ${x.n}', 'n is 1.5'],
    ['t is ${x.t}, z is ${x.z}', 't is true, z is null'],
    ['a: ${x.a}', 'a: {"b":[{"c":"deep"}]}'],
    ['${x.n}${x.n}', '1.51.5'],
    [' ${x.t}', ' true'],
    ['$${x}', '${x}'],
    ['$$${x.n}', '$1.5'],
    ['costs $5 and $', 'costs $5 and $'],
    ['${y.n', '${y.n'],
  ])('%s', (text, value) => expect(answerOf(text, data)).toEqual(value));

  test('stand in nested lists and objects', () => {
    expect(answerOf({ k: ['${x}', { deep: '${x[1]}' }] })).toEqual({ k: [[1, 2], { deep: 2 }] });
  });

  test('are not looked for in values', () => {
    expect(answerOf('${x}', 'the text ${x} and {{x}}')).toBe('the text ${x} and {{x}}');
    expect(answerOf('- ${x}', '${y}')).toBe('- ${y}');
  });

  test('of the first dialect keep types too', () => {
    const plan = (value: unknown) => [
      { seq_no: 0, type: 'assign', parameters: { value: { n: [1, 2.5] }, var_name: 'x' } },
      { seq_no: 1, type: 'assign', parameters: { value, var_name: 'final_answer' } },
    ];
    expect(run(plan({ var: 'x' })).answer).toEqual({ n: [1, 2.5] });
    expect(run(plan({ var: 'x.n[1]' })).answer).toBe(2.5);
    expect(run(plan('{{x.n}}')).answer).toEqual([1, 2.5]);
    expect(run(plan('{{ x.n[0] }} of {{x.n}}')).answer).toBe('1 of [1,2.5]');
    expect(run(plan([{ var: 'x' }, '{{x.n}}'])).answer).toEqual([{ n: [1, 2.5] }, [1, 2.5]]);
    expect(run(plan('\\{{x}} is {{{x.n[0]}}}')).answer).toBe('{{x}} is {1}');
    expect(run(plan('${{x.n[0]}}')).answer).toBe('$1');
  });

  test('of the other dialect are resolved when one names a variable, else they are text', () => {
    expect(answerOf('{{x[0]}}, ${x[1]}')).toBe('1, 2');
    expect(answerOf({ k: { var: 'x' } })).toEqual({ k: [1, 2] });
    expect(answerOf('{{y}} ${x[1]}')).toBe('{{y}} 2');
    expect(answerOf([{ var: 'y' }])).toEqual([{ var: 'y' }]);
    expect(answerOf('\\{{x}} $${x}')).toBe('\\{{x}} ${x}');
  });

  test('to a part that is not there fail with the place and the name', () => {
    const { status, error } = run([
      step(0, 'assign', { x: { name: 'n' } }),
      step(1, 'assign', { final_answer: 'it is ${x.nmae}' }),
    ]);
    expect(status).toBe('failed');
    expect(error).toMatchObject({ code: 'PV3005', step: '1', hint: 'did you mean "name"?' });
  });
});

describe('assign', () => {
  test('sets keys in order, a later key sees an earlier one of the same instruction', () => {
    const plan = [
      step(0, 'assign', { number: 42, doubled: '${number}', final_answer: '${doubled}' }),
    ];
    expect(run(plan)).toMatchObject({ status: 'done', answer: 42 });
  });

  test('keeps JSON as it is', () => {
    const value = { i: 12345678901234567890n, f: 1.0, n: null, l: [true, ''], o: {} };
    const text = '{"i":12345678901234567890,"f":1.0,"n":null,"l":[true,""],"o":{}}';
    const plan = `[{"seq_no":0,"type":"assign","parameters":{"final_answer":${text}}}]`;
    expect(run(plan).answer).toEqual(value);
  });

  const computed = (text: string, x: unknown) =>
    run([
      step(0, 'calling', { tool_name: 'anything', tool_params: {}, output_vars: [] }),
      step(1, 'assign', { x }),
      answer(2, text),
    ]).answer;

  test.each([
    ['${x} + 1', 41, 42],
    ['(${x} - 1) * 2 / 4', 9, 4],
    ['${x}*${x}', 3, 9],
    ['${x} + 1', 'old', 'old + 1'],
    ['${x} and 1', 41, '41 and 1'],
    ['${x}', 41, 41],
    ['2024-10-15', 0, '2024-10-15'],
    ['555-1234', 0, '555-1234'],
    ['${x}-10-15', 2024, '2024-10-15'],
    ['${x}/10/15', 2024, '2024/10/15'],
    ['${x}-01', 5, '5-01'],
    ['${x}.5', 1, '1.5'],
    ['${x}0 + 1', 1, '10 + 1'],
    ['-${x}', 1, '-1'],
    ['${x}%', 50, '50%'],
    ['1 + 1', 0, '1 + 1'],
  ])('%s in a plan with tool_name, x = %j', (text, x, value) => {
    expect(computed(text, x)).toEqual(value);
  });

  test('computes nothing in other plans', () => {
    expect(answerOf('${x} + 1', 41)).toBe('41 + 1');
  });
});

describe('calling', () => {
  const outputs = (output_vars: unknown, result: unknown, names: readonly string[]) =>
    run(
      [
        step(0, 'calling', { tool: 'anything', params: { x: 1 }, output_vars }),
        answer(1, Object.fromEntries(names.map((name) => [name, `\${${name}}`]))),
      ],
      { anything: () => result },
    );

  test.each([
    ['text takes the whole result', 'a', { b: 1 }, { a: { b: 1 } }],
    ['a list takes the keys', ['a', 'b'], { a: 1, b: [2], c: 3 }, { a: 1, b: [2] }],
    [
      'a list takes the keys of JSON text',
      ['a', 'b'],
      'Here: {"a": "}", "b": 2}',
      { a: '}', b: 2 },
    ],
    ['a list of one takes the key', ['a'], { a: 1 }, { a: 1 }],
    ['a list of one takes what has no such key', ['a'], 'all of it', { a: 'all of it' }],
    ['nothing at all is fine', [], 'lost', {}],
    ['nor is none', null, 'lost', {}],
  ])('output_vars: %s', (_, names, result, value) => {
    expect(outputs(names, result, Object.keys(value)).answer).toEqual(value);
  });

  test('a key that is missing fails, and says what is there', () => {
    const { status, error } = outputs(['a', 'b'], { a: 1, c: 2 }, []);
    expect(status).toBe('failed');
    expect(error).toMatchObject({ code: 'PV3005', step: '0' });
    expect(error?.message).toContain('want the key "b"');
  });

  test('a model is told the keys, on top of the format of the plan', () => {
    const request = (params: object, output_vars: unknown) =>
      run([step(0, 'calling', { tool: 'llm_generate', params, output_vars }), answer(1, '')], {
        llm_generate: () => ({ summary: 's', final: 'f' }),
      }).calls[0]?.args;
    const prompt = 'p';
    expect(request({ prompt }, ['summary', 'final'])).toEqual({
      prompt,
      response_format: { keys: ['summary', 'final'] },
    });
    expect(request({ prompt, response_format: 'json' }, ['summary', 'final'])).toEqual({
      prompt,
      response_format: { keys: ['summary', 'final'], schema: 'json' },
    });
    expect(request({ prompt }, ['summary'])).toEqual({ prompt });
    expect(request({ prompt, response_format: 'json' }, 'summary')).toEqual({
      prompt,
      response_format: 'json',
    });
    expect(request({ prompt }, 'summary')).toEqual({ prompt });
  });

  test('a null for what may be absent is not sent', () => {
    const params = { prompt: 'p', context: null };
    const { calls } = run(
      [step(0, 'calling', { tool: 'llm_generate', params, output_vars: 'final_answer' })],
      { llm_generate: () => 'yes' },
    );
    expect(calls).toEqual([{ tool: 'llm_generate', args: { prompt: 'p' }, step: '0' }]);
  });

  test('calls that do not need each other are asked for together', () => {
    const call = (seq: number, x: unknown, name: string) =>
      step(seq, 'calling', { tool: 'anything', params: { x }, output_vars: name });
    const plan = [
      call(0, 'a', 'a'),
      call(1, 'b', 'b'),
      call(2, 'first ${a}', 'c'),
      call(3, 'd', 'd'),
      answer(4, '${c} ${d}'),
    ];
    const ran = run(plan, { anything: ({ x }) => x });
    expect(ran).toMatchObject({ answer: 'first a d', turns: [3, 1] });
  });

  test('a tool that fails ends the run at its step', () => {
    const plan = [
      step(0, 'calling', { tool: 'anything', params: {}, output_vars: 'a' }),
      answer(1, '${a}'),
    ];
    const ran = run(plan, {
      anything: () => {
        throw new Error('out of order');
      },
    });
    expect(ran).toMatchObject({ status: 'failed', answer: undefined });
    expect(ran.error).toMatchObject({ message: 'out of order', step: '0', line: 1 });
  });
});

describe('jumps', () => {
  const decide = (...results: boolean[]) => {
    let at = 0;
    return { llm_condition: () => ({ result: results[at++] ?? false, explanation: 'so' }) };
  };

  test('the even and odd example goes where the model says', () => {
    const plan = textOf('test/golden/stackvm-2/even-odd.json');
    expect(run(plan, decide(true)).answer).toBe('even');
    expect(run(plan, decide(false)).answer).toBe('odd');
    expect(run(plan, decide(true)).calls[0]?.args.prompt).toContain('Is 42 even?');
  });

  test('without jump_if_false the next step follows', () => {
    const plan = [
      step(0, 'assign', { n: 1 }),
      step(1, 'jmp', { condition_prompt: 'Is ${n} one?', jump_if_true: 3 }),
      answer(2, 'no'),
      answer(3, 'yes'),
    ];
    expect(run(plan, decide(false)).answer).toBe('no');
    expect(run(plan, decide(true)).answer).toBe('yes');
  });

  test('a loop runs its steps again each time, and its variables stay', () => {
    const plan = [
      step(0, 'assign', { i: 0, limit: 3, log: '' }),
      step(1, 'calling', {
        tool_name: 'anything',
        tool_params: { n: '${i}' },
        output_vars: 'last',
      }),
      step(2, 'assign', { i: '${i} + 1', log: '${log}${last.n};' }),
      step(3, 'jmp', {
        condition_prompt: 'Is ${i} < ${limit}?',
        jump_if_true: 1,
        jump_if_false: 4,
      }),
      answer(4, { i: '${i}', limit: '${limit}', log: '${log}' }),
    ];
    const ran = run(plan, { ...echo, ...decide(true, true, false) });
    expect(ran.answer).toEqual({ i: 3, limit: 3, log: '0;1;2;' });
    expect(ran.calls.filter(({ tool }) => tool === 'anything')).toHaveLength(3);
    expect(ran.steps).toEqual(['0', '1', '2', '3', '1@2', '2@2', '3@2', '1@3', '2@3', '3@3', '4']);
  });

  test('a loop without an end meets the limit of visits', () => {
    const { status, error } = run([step(0, 'jmp', { target_seq: 0 }), answer(1, 'never')]);
    expect(status).toBe('failed');
    expect(error).toMatchObject({ code: 'PV3014', step: '0@50' });
  });

  test('an empty condition_prompt with target_seq always jumps', () => {
    const plan = [
      step(0, 'jmp', { condition_prompt: '', target_seq: 2 }),
      answer(1, 'skipped'),
      answer(2, 'reached'),
    ];
    expect(run(plan)).toMatchObject({ answer: 'reached', calls: [] });
  });

  test('jmp_if belongs to both dialects', () => {
    const jump = { condition_prompt: 'p {{x}}', context: 'c', jump_if_true: 2, jump_if_false: 3 };
    const assign = (seq_no: number, value: unknown, var_name: string) => ({
      seq_no,
      type: 'assign',
      parameters: { value, var_name },
    });
    const plan = [
      assign(0, 1, 'x'),
      { seq_no: 1, type: 'jmp_if', parameters: jump },
      assign(2, 'two', 'final_answer'),
      assign(3, 'three', 'final_answer'),
    ];
    const ran = run(plan, decide(false));
    expect(ran).toMatchObject({
      answer: 'three',
      calls: [{ args: { prompt: 'p 1', context: 'c' } }],
    });
  });
});

describe('condition', () => {
  const assign = (seq_no: number, value: unknown, var_name = 'final_answer') => ({
    seq_no,
    type: 'assign',
    parameters: { value, var_name },
  });
  const condition = (seq_no: number, true_branch: unknown, false_branch: unknown) => ({
    seq_no,
    type: 'condition',
    parameters: { prompt: `condition ${seq_no} {{x}}`, true_branch, false_branch },
  });
  const world = (...yes: string[]) => ({
    llm_condition: ({ prompt }: Readonly<Record<string, unknown>>) => ({
      result: yes.includes(String(prompt).split(' ')[1] ?? ''),
    }),
  });

  test('executes one branch and goes on behind it', () => {
    const plan = [
      assign(0, 'x', 'x'),
      condition(1, [assign(2, 'yes', 'y')], [assign(3, 'no', 'y')]),
      assign(4, '{{y}}'),
    ];
    expect(run(plan, world('1'))).toMatchObject({
      answer: 'yes',
      steps: ['0', '1', '1.true.2', '4'],
    });
    expect(run(plan, world())).toMatchObject({ answer: 'no', steps: ['0', '1', '1.false.3', '4'] });
  });

  test('nests, has empty branches, may come last, and may number its steps anew', () => {
    let inner: unknown[] = [assign(0, 'deep')];
    for (let depth = 5; depth > 0; depth--) inner = [condition(depth, inner, [])];
    const plan = [assign(0, 'x', 'x'), ...inner];
    expect(run(plan, world('1', '2', '3', '4', '5'))).toMatchObject({ answer: 'deep' });
    const ran = run(plan, world('1', '2', '3'));
    expect(ran).toMatchObject({ status: 'done', answer: 'x' });
    expect(ran.steps.at(-1)).toBe('1.true.2.true.3.true.4');
  });

  test('final_answer in a branch ends the run there', () => {
    const plan = [
      assign(0, 'x', 'x'),
      condition(1, [assign(2, 'early'), assign(3, 'never', 'y')], []),
      assign(4, 'late'),
    ];
    expect(run(plan, world('1'))).toMatchObject({ answer: 'early', steps: ['0', '1', '1.true.2'] });
    expect(run(plan, world())).toMatchObject({ answer: 'late' });
  });
});

describe('final_answer', () => {
  test('ends the run where it is set, whatever its type', () => {
    for (const value of ['text', 0, false, null, [1], { a: 1 }, '']) {
      expect(run([answer(0, value), answer(1, 'later')])).toMatchObject({
        status: 'done',
        answer: value,
        steps: ['0'],
      });
    }
  });

  test('may be one of several keys of a result', () => {
    const plan = [
      step(0, 'calling', {
        tool: 'anything',
        params: {},
        output_vars: ['why', 'final_answer'],
      }),
      answer(1, 'later'),
    ];
    const ran = run(plan, { anything: () => ({ why: 'w', final_answer: 'f' }) });
    expect(ran).toMatchObject({ answer: 'f', variables: { why: 'w', final_answer: 'f' } });
  });

  test.each(['answer', 'final', 'i', 'r', 'final_answer_v2', 'result', 'Final_Answer'])(
    'is not %s',
    (name) => expect(brief(check([step(0, 'assign', { [name]: 1 })]))).toContain('PV2149!@1:21'),
  );
});

describe('on_error', () => {
  const broken = {
    anything: (): never => {
      throw new Error('broken');
    },
  };

  test('goes on at its step, and nothing of the failed one has been set', () => {
    const plan = [
      step(0, 'assign', { a: 'before' }),
      step(1, 'calling', { tool: 'anything', params: {}, output_vars: 'a' }, { on_error: 3 }),
      answer(2, 'worked'),
      answer(3, 'instead, ${a}'),
    ];
    expect(run(plan, broken)).toMatchObject({ answer: 'instead, before', steps: ['0', '1', '3'] });
    expect(run(plan, echo)).toMatchObject({ answer: 'worked' });
  });

  test('covers the keys of a result, the question of a jump and of a condition', () => {
    const keys = [
      step(0, 'calling', { tool: 'anything', output_vars: ['a', 'b'] }, { on_error: 2 }),
      answer(1, '${a} ${b}'),
      answer(2, 'no such key'),
    ];
    expect(run(keys, { anything: () => ({ a: 1 }) }).answer).toBe('no such key');
    expect(run(keys, { anything: () => ({ a: 1, b: 2 }) }).answer).toBe('1 2');
    const asking = { condition_prompt: 'p', context: 1, jump_if_true: 1, jump_if_false: 1 };
    const jump = [step(0, 'jmp', asking, { on_error: 2 }), answer(1, 'decided'), answer(2, 'not')];
    const undecided = {
      llm_condition: (): never => {
        throw new Error('no idea');
      },
    };
    expect(run(jump, undecided).answer).toBe('not');
    expect(run(jump, { llm_condition: () => ({ result: true }) }).answer).toBe('decided');
  });

  test('leaves the variables of a call alone, also those whose keys are there', () => {
    const plan = [
      step(0, 'assign', { a: 'before' }),
      step(1, 'calling', { tool: 'anything', output_vars: ['a', 'b'] }, { on_error: 3 }),
      answer(2, '${b}'),
      answer(3, '${a}'),
    ];
    expect(run(plan, { anything: () => ({ a: 'after' }) }).answer).toBe('before');
  });

  test('does not take failures of earlier steps', () => {
    const plan = [
      step(0, 'calling', { tool: 'anything', params: {}, output_vars: 'a' }),
      step(
        1,
        'calling',
        { tool: 'weather', params: { place: 'x' }, output_vars: 'b' },
        { on_error: 3 },
      ),
      answer(2, '${a} ${b}'),
      answer(3, 'no'),
    ];
    const ran = run(plan, { ...broken, weather: () => 'rain' });
    expect(ran).toMatchObject({ status: 'failed', error: { step: '0', message: 'broken' } });
  });
});

test('steps run in the order of their numbers', () => {
  const plan = [
    answer(5, '${a} ${b}'),
    step(1, 'assign', { a: 1 }),
    step(2, 'assign', { b: '${a}' }),
  ];
  expect(run(plan)).toMatchObject({ answer: '1 1', steps: ['1', '2', '5'] });
});

test('reasoning is a step that does nothing and says why', () => {
  const plans = [
    { chain_of_thoughts: 'because', dependency_analysis: { 2: [1] } },
    { chain_of_thoughts: ['a', 'b'] },
    {},
    null,
    'because',
  ];
  for (const parameters of plans) {
    const ran = run([{ seq_no: 0, type: 'reasoning', parameters }, answer(1, 'done')]);
    expect(ran).toMatchObject({ answer: 'done', steps: ['0', '1'] });
  }
});

test('inputs are variables', () => {
  const plan = [answer(0, 'Hello ${user.name}')];
  expect(run(plan, {}, { user: { name: 'Ada' } }).answer).toBe('Hello Ada');
});

test('the France plan runs as it stands', () => {
  const asked: string[] = [];
  const say = (text: string) => (args: Readonly<Record<string, unknown>>) => {
    asked.push(String(Object.values(args)[0]).slice(0, 30));
    return text;
  };
  const ran = run(textOf('test/golden/stackvm-1/france.json'), {
    retrieve_knowledge_graph: say('G'),
    retrieve_embedded_chunks: say('C'),
    llm_generate: say('L'),
    llm_condition: () => ({ result: false, explanation: 'no data' }),
  });
  expect(ran.answer).toBe(
    'The population of G, the capital of L—the third largest neighboring country of France by ' +
      'area—is approximately L.',
  );
  expect(ran.steps).toEqual(['0', '1', '2', '3', '3.false.5', '6', '7', '8', '9']);
});
