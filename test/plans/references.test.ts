/** References inside values: paths, types, escapes, and what is never looked at again. */
import { describe, expect, test } from 'vitest';
import { quickTool } from '../engine/support.ts';
import { answer, call, echo, look, old, type PlanText, play, set } from './stage.ts';

const data = {
  b: [{ c: 'deep' }, { c: 7 }],
  n: 1.5,
  t: true,
  z: null,
  'two words': 'spaced',
  json: '{"rows": [{"id": 1}, {"id": 2}]}',
  list: 'Found:\n```json\n[{"id": 3}, {"id": 4}]\n```',
  empty: '',
};

const answerOf = async (value: unknown, inputs: Readonly<Record<string, unknown>> = { a: data }) =>
  (await play([answer(0, value)], { inputs })).answer;

describe('a path', () => {
  test.each([
    ['${a.b[0].c}', 'deep'],
    ['${a.b.0.c}', 'deep'],
    ['${a.b[-1].c}', 7],
    ['${a["two words"]}', 'spaced'],
    ["${a['b'][1]['c']}", 7],
    ['${ a.n }', 1.5],
    ['${a.t}', true],
    ['${a.z}', null],
    ['${a.empty}', ''],
    ['${a.json.rows[1].id}', 2],
    ['${a.list[0].id}', 3],
    ['${a.list.1.id}', 4],
    ['${a.list[-1].id}', 4],
    ['${a.b}', data.b],
    ['n=${a.n}, t=${a.t}, z=${a.z}, empty=${a.empty}.', 'n=1.5, t=true, z=null, empty=.'],
    ['b: ${a.b}', 'b: [{"c":"deep"},{"c":7}]'],
    ['${a.n}${a.t}', '1.5true'],
  ])('%s', async (text, value) => expect(await answerOf(text)).toEqual(value));

  test('stands in lists and objects of any depth, also as an argument', async () => {
    const value = { k: ['${a.n}', { deep: [['${a.b[0]}']] }], plain: 1 };
    const played = await play([call(0, 'echo', value, 'x'), answer(1, '${x}')], {
      inputs: { a: data },
      tools: [echo],
    });
    expect(played.answer).toEqual({ k: [1.5, { deep: [[{ c: 'deep' }]] }], plain: 1 });
  });

  test.each([
    ['${a.nn}', 'PV3005', 'want the key "nn"'],
    ['${a.b[5].c}', 'PV3004', 'want the element 5'],
    ['${a.b.length}', 'PV3005', 'want an object with the key "length"'],
    ['${a.n.x}', 'PV3005', 'want an object with the key "x"'],
    ['${a.z.x}', 'PV3005', 'got null'],
    ['${a.empty.x}', 'PV3005', 'text without a JSON object'],
    ['${a.toString}', 'PV3005', 'want the key "toString"'],
    ['${a.__proto__}', 'PV3005', 'want the key "__proto__"'],
    ['${a.list[2]}', 'PV3004', 'got a list of 2'],
  ])('%s that leads nowhere fails at its place', async (text, code, message) => {
    const played = await play([answer(0, `see ${text}`)], { inputs: { a: data } });
    expect(played).toMatchObject({ status: 'failed', error: { code, step: '0', line: 1 } });
    expect(played.error?.message).toContain(message);
    expect(played.error?.column).toBeGreaterThan(60);
  });
});

describe('text that is no reference', () => {
  test.each([
    ['$${x}', '${x}'],
    ['costs $$${x}', 'costs $V'],
    ['$5 and 100$', '$5 and 100$'],
    ['{x} %{x} #{x} $(x) <x>', '{x} %{x} #{x} $(x) <x>'],
    ['a $ {x}', 'a $ {x}'],
    ['{{y}} of handlebars', '{{y}} of handlebars'],
  ])('%s', async (text, value) => expect(await answerOf(text, { x: 'V' })).toBe(value));

  test.each([
    ['\\{{x}}', '{{x}}'],
    ['\\\\{{x}}', '\\V'],
    ['{{{x}}}', '{V}'],
    ['{{ x }}', 'V'],
    ['{x} and {"k": 1}', '{x} and {"k": 1}'],
    ['{{}}', '{{}}'],
  ])('of the first dialect: %s', async (value, expected) => {
    const plan = [old(0, 'assign', { value, var_name: 'final_answer' })];
    const played = await play(plan, { inputs: { x: 'V' }, dialect: 'stackvm-1' });
    expect(played.answer).toBe(expected);
  });

  test('is an error where it was plainly meant as one', () => {
    const says = (plan: PlanText) => look(plan, { inputs: { x: 1 } }).checked;
    expect(says([answer(0, '${x | upper}')])).toContain('PV2142! 0');
    expect(says([answer(0, '${x + 1}')])).toContain('PV2142! 0');
    expect(says([answer(0, '${y}')])).toContain('PV2137! 0');
    expect(says([answer(0, '${X}')])).toContain('PV2137! 0');
  });
});

describe('values', () => {
  test('are not looked into: neither what tools give nor what inputs hold', async () => {
    const nasty = '${secret} {{secret}} {"var": "secret"} $${x} \\{{y}}';
    const tools = [echo, quickTool('give', () => ({ text: nasty, list: [nasty] }))];
    const played = await play(
      [
        set(0, { secret: 'S', x: '${given}' }),
        call(1, 'give', {}, 'got'),
        call(2, 'echo', { x: '<${x}>', got: '${got}', both: '${x}${got.text}' }, 'back'),
        answer(3, ['${back.x}', '${back.got.list[0]}', '${back.both}', 'again ${back.x}']),
      ],
      { tools, inputs: { given: nasty } },
    );
    expect(played.answer).toEqual([`<${nasty}>`, nasty, nasty + nasty, `again <${nasty}>`]);
  });

  test('keep their JSON types through variables, tools and answers', async () => {
    const text =
      '[{"seq_no": 0, "type": "assign", "parameters": {"v": {"big": 12345678901234567890, ' +
      '"int": 3, "float": 3.0, "tiny": 1e-7, "none": null, "yes": true, "text": "", ' +
      '"list": [], "object": {}, "__proto__": {"x": 1}, "constructor": "c", "ключ": "значение"}}, ' +
      '"execution_objective": "o"},' +
      '{"seq_no": 1, "type": "calling", "parameters": {"tool": "echo", "params": {"v": "${v}"}, ' +
      '"output_vars": "back"}, "execution_objective": "o"},' +
      '{"seq_no": 2, "type": "assign", "parameters": {"text": "${back.v}", "key": "${v.ключ}", ' +
      '"proto": "${v.__proto__.x}", "final_answer": "${back.v}"}, "execution_objective": "o"}]';
    const played = await play(text, { tools: [echo] });
    const value = JSON.parse(
      '{"int": 3, "float": 3, "tiny": 1e-7, "none": null, "yes": true, "text": "", ' +
        '"list": [], "object": {}, "__proto__": {"x": 1}, "constructor": "c", "ключ": "значение"}',
    );
    expect(played.answer).toEqual({ big: 12345678901234567890n, ...value });
    expect(Object.keys(Object(played.answer))).toContain('__proto__');
    expect(played.variables).toMatchObject({ key: 'значение', proto: 1 });
    expect(played.variables.text).toEqual(played.answer);
  });

  test('inside longer text are JSON, with 3.0 apart from 3', async () => {
    const text =
      '[{"seq_no": 0, "type": "assign", "parameters": {"i": 3, "f": 3.0, "b": 12345678901234567890,' +
      ' "final_answer": "${i} ${f} ${b}"}, "execution_objective": "o"}]';
    expect((await play(text)).answer).toBe('3 3.0 12345678901234567890');
  });

  test('of a megabyte go through a template into a tool and back', async () => {
    const big = 'ä'.repeat(2 ** 19);
    const played = await play(
      [
        call(0, 'give', {}, 'big'),
        call(1, 'echo', { x: '<${big}>' }, 'back'),
        answer(2, '${back.x}'),
      ],
      { tools: [echo, quickTool('give', () => big)] },
    );
    expect(played.answer).toBe(`<${big}>`);
  });

  test('that grow without end meet the limit of a value, with its name', async () => {
    const doubling = Array.from({ length: 20 }, (_, i) => set(i + 1, { a: '${a}${a}' }));
    const plan = [set(0, { a: 'x'.repeat(100) }), ...doubling, answer(21, '${a}')];
    const played = await play(plan, { limits: { valueBytes: 2 ** 20 } });
    expect(played).toMatchObject({ status: 'failed', error: { code: 'PV3012', step: '14' } });
    expect(played.error?.hint).toContain('the limit valueBytes');
  });

  test('that are nested deeply are kept, and too deeply refused with a place', async () => {
    const nest = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));
    expect((await play([answer(0, nest(150))])).answer).toEqual(nest(150));
    const { ok, diagnostics } = look([answer(0, nest(1500))]);
    expect(ok).toBe(false);
    expect(diagnostics[0]).toMatchObject({ code: 'PV1003', line: 1 });
  });
});

describe('variables', () => {
  test('of inputs are there from the start and may be overwritten', async () => {
    const plan = [set(0, { user: '${user.name}!' }), answer(1, 'Hello ${user}')];
    expect((await play(plan, { inputs: { user: { name: 'Ada' } } })).answer).toBe('Hello Ada!');
  });

  test('named like parts of final_answer are variables like any other', async () => {
    const names = ['answer', 'final', 'ans', 'a', 'e', 'f', 'i', 'l', 'n', 'r', 's', 'w', '_'];
    const plan = [
      set(0, Object.fromEntries(names.map((name, i) => [name, i]))),
      set(1, { result: 'r', Final_Answer: 'no', final_answer_v2: 'no' }),
      answer(2, names.map((name) => `\${${name}}`).join('')),
    ];
    expect(await play(plan)).toMatchObject({ answer: '0123456789101112', steps: ['0', '1', '2'] });
  });

  test('that only one path writes are a warning, and an error on the other path', async () => {
    const plan = [
      set(0, { x: 1 }),
      {
        ...set(1, {}),
        type: 'jmp',
        parameters: { condition_prompt: '${x}?', jump_if_true: 2, jump_if_false: 3 },
      },
      set(2, { y: 'set' }),
      answer(3, 'y is ${y}'),
    ];
    const set2 = await play(plan, { model: 'yes' });
    expect(set2).toMatchObject({ answer: 'y is set', checked: ['PV2139 3'] });
    const unset = await play(plan, { model: 'no' });
    expect(unset).toMatchObject({ status: 'failed', error: { code: 'PV3001', step: '3' } });
    expect(unset.error?.message).toBe('global variable y referenced before assignment');
  });

  test('that no path writes before they are read are errors of check', () => {
    expect(look([answer(0, '${y}')]).checked).toContain('PV2137! 0');
    expect(look([answer(0, '${y}'), set(1, { y: 1 })]).checked).toContain('PV2138! 0');
    expect(look([set(0, { y: '${y}!' }), answer(1, '${y}')]).checked).toContain('PV2138! 0');
  });
});
