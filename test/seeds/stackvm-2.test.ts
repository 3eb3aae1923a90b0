/** What the document of stackvm-2 promises, a test for each sentence, with a model over loopback. */
import { expect, test } from 'vitest';
import { quickTool } from '../engine/support.ts';
import { answer, call, echo, look, play, set, step, verdict } from '../plans/stage.ts';

/** A reference to a variable. */
const ref = (name: string): string => `\${${name}}`;

test('seq_no counts the instructions from 0, and each number stands once', async () => {
  expect(await play([set(0, { x: 1 }), answer(1, ref('x'))])).toMatchObject({
    ...{ steps: ['0', '1'], answer: 1, checked: [] },
  });
  expect(look([set(0, { x: 1 }), answer(0, 2)])).toMatchObject({ ok: false });
});

test('assign sets several variables, and a later one may use an earlier one', async () => {
  const plan = [
    set(0, { number: 42, doubled: ref('number') }),
    answer(1, [ref('number'), ref('doubled')]),
  ];
  expect((await play(plan)).answer).toEqual([42, 42]);
});

test('jmp without a condition goes on at its target', async () => {
  const plan = [step(0, 'jmp', { target_seq: 2 }), answer(1, 'passed over'), answer(2, 'here')];
  expect(await play(plan)).toMatchObject({ answer: 'here', steps: ['0', '2'], asked: [] });
});

test.each([
  [true, 'yes', '1'],
  [false, 'no', '2'],
])('jmp with a condition asks a model, which says %s', async (result, said, target) => {
  const plan = [
    step(0, 'jmp', {
      condition_prompt: `Is ${ref('number')} even?`,
      context: ref('facts'),
      jump_if_true: 1,
      jump_if_false: 2,
    }),
    answer(1, 'yes'),
    answer(2, 'no'),
  ];
  const world = { inputs: { number: 42, facts: ['42 = 2 * 21'] }, model: verdict(result) };
  const played = await play(plan, world);
  expect(played).toMatchObject({ answer: said, steps: ['0', target] });
  expect(played.asked[0]).toContain('Is 42 even?');
  expect(played.asked[0]).toContain('42 = 2 * 21');
});

test('the verdict is an object with result and explanation; for any other the model is asked again', async () => {
  const plan = [
    step(0, 'jmp', { condition_prompt: 'Is it so?', jump_if_true: 1, jump_if_false: 2 }),
    answer(1, 'yes'),
    answer(2, 'no'),
  ];
  const told = await play(plan, { model: ['It depends on many things.', verdict(false)] });
  expect(told).toMatchObject({ answer: 'no' });
  expect(told.asked).toHaveLength(2);
  const lost = await play(plan, { model: 'It depends on many things.' });
  expect(lost).toMatchObject({ status: 'failed', error: { step: '0' } });
});

test('jmp back makes a loop, which calls its tool in each round', async () => {
  const calls: unknown[] = [];
  const next = quickTool('next', ({ n }) => {
    calls.push(n);
    return Number(n) + 1;
  });
  const plan = [
    set(0, { n: 0, limit: 3 }),
    call(1, 'next', { n: ref('n') }, 'n'),
    step(2, 'jmp', {
      condition_prompt: `Is ${ref('n')} < ${ref('limit')}?`,
      jump_if_true: 1,
      jump_if_false: 3,
    }),
    answer(3, ref('n')),
  ];
  const model = ({ prompt }: { readonly prompt: string }) => verdict(/Is [012] </.test(prompt));
  expect(await play(plan, { tools: [next], model })).toMatchObject({ answer: 3 });
  expect(calls).toEqual([0, 1, 2]);
});

test('calling hands a tool its params by name, as values or as references', async () => {
  const plan = [
    set(0, { x: { deep: [1] } }),
    call(1, 'echo', { a: 1.5, b: ref('x'), c: [`is ${ref('x.deep')}`] }, 'got'),
    answer(2, ref('got')),
  ];
  const played = await play(plan, { tools: [echo] });
  expect(played.answer).toEqual({ a: 1.5, b: { deep: [1] }, c: ['is [1]'] });
});

test('output_vars as a text takes the whole result', async () => {
  const plan = [call(0, 'echo', { a: 1, b: 2 }, 'all'), answer(1, ref('all'))];
  expect((await play(plan, { tools: [echo] })).answer).toEqual({ a: 1, b: 2 });
});

test('output_vars as a list takes the keys of these names out of the result', async () => {
  const plan = [call(0, 'echo', { a: 1, b: 2, c: 3 }, ['a', 'b']), answer(1, [ref('a'), ref('b')])];
  expect((await play(plan, { tools: [echo] })).answer).toEqual([1, 2]);
  const text = quickTool('text', () => '{"a": "x", "b": [1]}');
  const parsed = [call(0, 'text', {}, ['a', 'b']), answer(1, [ref('a'), ref('b')])];
  expect((await play(parsed, { tools: [text] })).answer).toEqual(['x', [1]]);
});

test('a key of output_vars that the result lacks fails, and sets nothing', async () => {
  const plan = [call(0, 'echo', { a: 1 }, ['a', 'b']), answer(1, ref('a'))];
  const played = await play(plan, { tools: [echo] });
  expect(played).toMatchObject({ status: 'failed', error: { step: '0' }, variables: {} });
});

test('output_vars may be left out', async () => {
  const plan = [call(0, 'echo', {}), answer(1, 'done')];
  expect(await play(plan, { tools: [echo] })).toMatchObject({ status: 'done', answer: 'done' });
});

test('reasoning explains the plan, needs no objective, and changes nothing', async () => {
  const plan = [
    {
      seq_no: 0,
      type: 'reasoning',
      parameters: { chain_of_thoughts: 'c', dependency_analysis: { step: 2, on: [1] } },
    },
    answer(1, 'done'),
  ];
  const played = await play(plan);
  expect(played).toMatchObject({ checked: [], asked: [], variables: { final_answer: 'done' } });
});

test('execution_objective tells what a step is for, and changes nothing', async () => {
  const plan = [set(0, { x: 1 }, { execution_objective: `Set ${ref('y')}.` }), answer(1, ref('x'))];
  expect(await play(plan)).toMatchObject({ status: 'done', answer: 1, asked: [], checked: [] });
});

test('a value that looks like a reference is not expanded again', async () => {
  const plan = [set(0, { secret: 's', x: ref('input') }), answer(1, `${ref('x')}!`)];
  const played = await play(plan, { inputs: { input: ref('secret') } });
  expect(played.answer).toBe(`${ref('secret')}!`);
});

test('final_answer ends the plan with its answer', async () => {
  const plan = [set(0, { answer: 1, final: 2 }), answer(1, 'the end'), set(2, { x: 3 })];
  const played = await play(plan);
  expect(played).toMatchObject({ status: 'done', answer: 'the end', steps: ['0', '1'] });
});

test('an instruction that the document does not list is refused before the run', () => {
  const refused = look([step(0, 'eval', { code: '1' }), answer(1, 1)]);
  expect(refused).toMatchObject({ ok: false, checked: expect.arrayContaining(['PV2106! 0']) });
});

test('a jump to a step that there is not, and a read of what nothing writes, are refused', () => {
  const plan = [step(0, 'jmp', { target_seq: 9 }), answer(1, ref('nothing'))];
  const { ok, diagnostics } = look(plan);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  expect({ ok, steps: errors.map(({ step: at }) => at) }).toEqual({ ok: false, steps: ['0', '1'] });
});
