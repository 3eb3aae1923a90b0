/** What the document of stackvm-1 promises, a test for each sentence, with a model over loopback. */
import { expect, test } from 'vitest';
import { quickTool } from '../engine/support.ts';
import { graph, look, old, passages, play, verdict } from '../plans/stage.ts';

const answer = (seq: number, value: unknown) =>
  old(seq, 'assign', { value, var_name: 'final_answer' });

test('a plan is a JSON list of instructions with seq_no, type and parameters', async () => {
  const text = JSON.stringify([answer(0, 'here')]);
  for (const plan of [text, `\`\`\`json\n${text}\n\`\`\``, `The plan:\n${text}`]) {
    expect(await play(plan)).toMatchObject({ dialect: 'stackvm-1', answer: 'here' });
  }
});

test('instructions run in the order of their seq_no', async () => {
  const plan = [
    answer(2, '{{x}}'),
    old(1, 'assign', { value: '{{x}}b', var_name: 'x' }),
    old(0, 'assign', { value: 'a', var_name: 'x' }),
  ];
  expect(await play(plan)).toMatchObject({ steps: ['0', '1', '2'], answer: 'ab' });
});

test('assign stores a value, or the value of another variable, of any type', async () => {
  const value = { list: [1, null, true], text: 'a' };
  const plan = [
    old(0, 'assign', { value, var_name: 'first' }),
    old(1, 'assign', { value: { var: 'first' }, var_name: 'second' }),
    answer(2, { var: 'second.list' }),
  ];
  const played = await play(plan);
  expect(played).toMatchObject({ variables: { second: value }, answer: [1, null, true] });
});

test('llm_generate asks a model with a prompt and a context, and stores what it says', async () => {
  const plan = [
    old(0, 'llm_generate', {
      prompt: 'Sum up.',
      context: { var: 'notes' },
      output_var: 'summary',
    }),
    answer(1, { var: 'summary' }),
  ];
  const played = await play(plan, { inputs: { notes: ['rain', 'sun'] }, model: 'Mixed.' });
  expect(played).toMatchObject({ status: 'done', answer: 'Mixed.' });
  expect(played.asked).toHaveLength(1);
  expect(played.asked[0]).toContain('Sum up.');
  expect(played.asked[0]).toContain('["rain","sun"]');
});

test('both retrievals take a query as text or as a variable, and chunks a number of them', async () => {
  const plan = [
    old(0, 'assign', { value: 'Everest', var_name: 'topic' }),
    old(1, 'assign', { value: 2, var_name: 'count' }),
    old(2, 'retrieve_knowledge_graph', { query: { var: 'topic' }, output_var: 'facts' }),
    old(3, 'retrieve_embedded_chunks', {
      embedding_query: 'About {{topic}}',
      top_k: { var: 'count' },
      output_var: 'chunks',
    }),
    answer(4, [{ var: 'facts' }, { var: 'chunks' }]),
  ];
  const tools = [graph((query) => ({ query })), passages((query, count) => [query, count])];
  const played = await play(plan, { tools });
  expect(played.answer).toEqual([{ query: 'Everest' }, ['About Everest', 2]]);
});

test.each([
  ['true', 'even', '1.true.2'],
  ['false', 'odd', '1.false.3'],
  [verdict(true), 'even', '1.true.2'],
])('condition asks a model and runs one of its branches: %s', async (said, result, step) => {
  const plan = [
    old(0, 'assign', { value: 7, var_name: 'number' }),
    old(1, 'condition', {
      prompt: 'Is {{number}} even?',
      context: null,
      true_branch: [old(2, 'assign', { value: 'even', var_name: 'result' })],
      false_branch: [old(3, 'assign', { value: 'odd', var_name: 'result' })],
    }),
    answer(4, { var: 'result' }),
  ];
  const played = await play(plan, { model: said });
  expect(played).toMatchObject({ answer: result, steps: ['0', '1', step, '4'] });
  expect(played.asked[0]).toContain('Is 7 even?');
});

test('a branch is a plan of its own, with numbers of its own and conditions within', async () => {
  const plan = [
    old(0, 'condition', {
      prompt: 'Outer?',
      true_branch: [
        old(0, 'condition', {
          prompt: 'Inner?',
          true_branch: [],
          false_branch: [old(0, 'assign', { value: 'deep', var_name: 'x' })],
        }),
        old(1, 'assign', { value: '{{x}}er', var_name: 'x' }),
      ],
      false_branch: [],
    }),
    answer(1, { var: 'x' }),
  ];
  const model = ({ prompt }: { readonly prompt: string }) => verdict(prompt.startsWith('Outer'));
  expect(await play(plan, { model })).toMatchObject({ status: 'done', answer: 'deeper' });
});

test('reasoning explains the plan, as text or as data, and changes nothing', async () => {
  const thoughts = { chain_of_thoughts: 'First {{nothing}}.' };
  const plan = [
    old(0, 'reasoning', { ...thoughts, dependency_analysis: 'Step 2 depends on step 1.' }),
    old(1, 'reasoning', { ...thoughts, dependency_analysis: [{ step: 2, on: [1] }] }),
    old(2, 'reasoning', thoughts),
    answer(3, 'done'),
  ];
  const played = await play(plan);
  expect(played).toMatchObject({ status: 'done', steps: ['0', '1', '2', '3'], asked: [] });
  expect(played.variables).toEqual({ final_answer: 'done' });
});

test('a reference is replaced by the value, with its type where it stands alone', async () => {
  const plan = [
    old(0, 'assign', { value: [1, 2], var_name: 'x' }),
    old(1, 'assign', { value: { whole: { var: 'x' }, part: ['a {{x}}'] }, var_name: 'y' }),
    answer(2, { var: 'y' }),
  ];
  expect((await play(plan)).answer).toEqual({ whole: [1, 2], part: ['a [1,2]'] });
});

test('a step that reads a variable waits for the step that writes it', async () => {
  const started: string[] = [];
  const { promise, resolve } = Promise.withResolvers<string>();
  const tools = [
    graph((query) => {
      started.push(query);
      if (query === 'slow') return promise;
      // The slow one ends only once another call, which does not need it, has started.
      if (query === 'other') resolve('found');
      return query;
    }),
  ];
  const ask = (seq: number, query: string, output_var: string) =>
    old(seq, 'retrieve_knowledge_graph', { query, output_var });
  const plan = [
    ask(0, 'slow', 'a'),
    ask(1, 'after {{a}}', 'b'),
    ask(2, 'other', 'c'),
    answer(3, '{{b}}'),
  ];
  expect(await play(plan, { tools })).toMatchObject({ answer: 'after found' });
  expect(started).toEqual(['slow', 'other', 'after found']);
});

test('what is wrong with a plan is said before anything runs', () => {
  const twice = [answer(0, 'a'), answer(0, 'b')];
  expect(look(twice)).toMatchObject({ ok: false, checked: expect.arrayContaining(['PV2125! 0']) });
  const wrong = [
    old(0, 'llm_generat', { prompt: 'Why?', output_var: 'x' }),
    old(1, 'assign', { value: { var: 'y' }, var_name: 'z' }),
    old(2, 'retrieve_knowledge_graph', { output_var: 'g' }),
    answer(3, 'a'),
  ];
  const { ok, diagnostics } = look(wrong, { tools: [graph(String)], dialect: 'stackvm-1' });
  expect(ok).toBe(false);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  expect(errors.map(({ step }) => step)).toEqual(['0', '1', '2']);
});

test('an instruction that fails ends the run with its place, and nothing after it happens', async () => {
  const happened: unknown[] = [];
  const send = quickTool('send', (args) => happened.push(args), { effect: 'write' });
  const broken = graph(() => {
    throw new Error('the graph is down');
  });
  const plan = [
    old(0, 'retrieve_knowledge_graph', { query: 'a', output_var: 'x' }),
    old(1, 'send', {}),
    answer(2, { var: 'x' }),
  ];
  const played = await play(plan, { tools: [broken, send], dialect: 'stackvm-1' });
  expect(played).toMatchObject({ status: 'failed', error: { step: '0' } });
  expect(played.error?.message).toContain('the graph is down');
  expect(happened).toEqual([]);
});
