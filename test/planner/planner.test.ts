/** The loop from a goal to a program, with models that answer well, badly and not at all. */

import { expect, test } from 'vitest';
import { checkProgram, dialects } from '../../src/dialects/index.ts';
import type { Model } from '../../src/effects/model/model.ts';
import { withoutDay } from '../../src/effects/model/replay.ts';
import type { Handler } from '../../src/engine/handler.ts';
import { openJournal } from '../../src/engine/journal/open-journal.ts';
import type { RunResult } from '../../src/engine/result.ts';
import { startRun } from '../../src/engine/run.ts';
import { examplesFor } from '../../src/planner/examples.ts';
import type { Goal } from '../../src/planner/goal.ts';
import type { Round } from '../../src/planner/plan-failure.ts';
import { dialectNamed, type PlannerOptions, planningHandlers } from '../../src/planner/planner.ts';
import { opening } from '../../src/planner/prompt.ts';
import { attempt } from '../support/attempt.ts';
import { runLoop } from './run-loop.ts';
import { named, scripted } from './scripted.ts';

const environment = {
  tools: new Map([
    named('llm_generate', 'prompt', 'context', 'response_format'),
    named('llm_call', 'values', 'instruction'),
    named('llm_condition', 'prompt', 'context'),
    named('vector_search', 'query', 'top_k'),
    named('retrieve_knowledge_graph', 'query', 'depth'),
    named('retrieve_embedded_chunks', 'embedding_query', 'top_k'),
  ]),
  inputs: [],
};

interface Planned {
  readonly result: RunResult;
  readonly rounds: Round[];
}

/** Runs the loop on the engine, with a journal in memory. */
async function planFor(
  model: Model,
  changes: Partial<PlannerOptions> = {},
  goal: Goal = { text: 'Explain f(x) (briefly) please' },
  allowedRounds = 3,
): Promise<Planned> {
  const rounds: Round[] = [];
  const handlers = planningHandlers({
    ...{ dialect: 'stackvm-2', environment, model: () => model },
    onRound: (round) => rounds.push(round),
    ...changes,
  });
  const result = await runLoop('plan', handlers, { goal, rounds: allowedRounds });
  return { result, rounds };
}

const good = '[{"seq_no": 0, "type": "assign", "parameters": {"final_answer": "f"}}]';
const bad = '[{"seq_no": 0, "type": "assing", "parameters": {"final_answer": "f"}}]';

test('the program is taken out of tags, prose and fences', async () => {
  const { model } = scripted(
    `<think>[1]</think>Here:\n<answer>\n\`\`\`json\n${good}\n\`\`\`\n</answer>`,
  );
  expect(await planFor(model)).toMatchObject({
    result: { status: 'done', answer: good },
    rounds: [{ number: 1, ok: true, text: good }],
  });
});

test('the goal arrives whole, with language and form of the answer beside it', async () => {
  const { model, requests } = scripted(good);
  const text = 'Explain f(x) (briefly) please';
  await planFor(model, {}, { text, language: 'French', format: 'one line' });
  const [, user] = requests[0]?.messages ?? [];
  expect(withoutDay(user?.content ?? '')).toBe(
    `Today is any day.\nGoal: ${text}\nThe final answer is written in French.\nForm of the final answer: one line.`,
  );
  expect(requests[0]?.prompt).toBe(text);
});

test('the prompt names every tool and no other, and shows examples with these tools only', async () => {
  const { model, requests } = scripted(good);
  const tools = new Map([named('lookup', 'key')]);
  await planFor(model, { environment: { tools, inputs: [] } });
  const system = requests[0]?.messages[0]?.content ?? '';
  expect(system).toContain('lookup');
  expect(system).not.toContain('vector_search');
});

test.each([
  ['stackvm-2', 'json'],
  ['starlark', 'starlark'],
  ['llmcompiler', 'text'],
])('a program in %s is asked for in a fence of %s', (name, fence) => {
  const dialect = dialectNamed(name);
  const environment = { tools: new Map(), inputs: [] };
  const shown = { shown: environment.tools, others: '' };
  const [system] = opening({ goal: { text: 'x' }, dialect, environment, tools: shown, at: 0 });
  expect(system?.content).toContain(`in one fenced ${fence} block`);
});

test('errors go back to the model with place and hint, and its next program is taken', async () => {
  const { model, requests } = scripted(bad, good);
  const { result, rounds } = await planFor(model);
  expect(result.answer).toBe(good);
  expect(rounds.map(({ ok }) => ok)).toEqual([false, true]);
  const [assistant, user] = requests[1]?.messages.slice(-2) ?? [];
  expect(assistant?.content).toBe(bad);
  expect(user?.content).toContain('plan:1:24: error PV2106');
  expect(user?.content).toContain('did you mean assign?');
});

test('a model that never gets it right ends in the last errors', async () => {
  const { model, requests } = scripted(bad, bad, bad);
  const { result, rounds } = await planFor(model);
  expect(result).toMatchObject({ status: 'failed', error: { code: 'PV3105' } });
  expect(result.error?.message).toContain(
    'the plan has errors after 3 replies: The program does not pass the check:\n\nplan:1:24',
  );
  expect(rounds.at(-1)).toMatchObject({ number: 3, text: bad, isProgram: true });
  expect(requests).toHaveLength(3);
});

test('a goal that no program reaches ends in what the model says of it', async () => {
  const { model } = scripted('<think>Mail?</think>\nIMPOSSIBLE: I have no tool that reads mail.');
  const { result, rounds } = await planFor(model);
  expect(result.error?.message).toMatch(/program: IMPOSSIBLE: I have no tool that reads mail\.$/);
  expect(rounds).toMatchObject([{ isProgram: false, ok: false }]);
});

test.each([
  ['words', 'I would look it up.', 'The reply holds no program.'],
  ['a call', '{"name": "lookup", "arguments": {"key": "a"}}', 'calls the tool lookup itself'],
  [
    'a call in an envelope',
    '{"tool_calls": [{"function": {"name": "lookup", "arguments": "{}"}}]}',
    'calls the tool lookup itself',
  ],
  ['thoughts alone', '<think>First I look it up.</think>', 'Nothing comes after the thoughts'],
])('a reply that is %s is corrected once, with what to change', async (_what, reply, problem) => {
  const { model, requests } = scripted(reply, good);
  const { result } = await planFor(model);
  expect(result).toMatchObject({ status: 'done', answer: good });
  expect(requests[1]?.messages.at(-1)?.content).toContain(problem);
});

test('all that is wrong with a program is said at once', async () => {
  const text = 'import time\nx = nothing_here(1)\ny = llm_call(1, 2, 3)\ntime.sleep(5)\n';
  const { model, requests } = scripted(text, 'answer(1)\n');
  await planFor(model, { dialect: 'starlark' });
  const told = requests[1]?.messages.at(-1)?.content ?? '';
  for (const code of ['PV2307', 'PV2321', 'PV2332', 'PV7005']) expect(told).toContain(code);
});

test.each([
  ['x = llm_call([1], "sum")\nprint(x)\n', 'x = llm_call([1], "sum")\nanswer(x)\n'],
  ['x = 1\nprint(\n    x + 1,\n)\n# done\n', 'x = 1\nanswer(\n    x + 1,\n)\n'],
  ['x = 1\nf"it is {x}"\n', 'x = 1\nanswer(f"it is {x}")\n'],
  ['final_answer = 1\nprint("so")\n', 'final_answer = 1\nprint("so")\nanswer(final_answer)\n'],
])('what a program ends in is its answer: %j', async (text, program) => {
  const { model, requests } = scripted(text);
  const { result } = await planFor(model, { dialect: 'starlark' });
  expect(result).toMatchObject({ status: 'done', answer: program });
  expect(result.warnings?.map(({ message }) => message).join()).toContain('calls no answer(x)');
  expect(requests).toHaveLength(1);
});

test.each(['x = 1\nprint(x, x)\n', 'for x in [1]:\n    print(x)\n', 'x = 1\n'])(
  'a program that may mean several things is asked for its answer: %j',
  async (text) => {
    const { model, requests } = scripted(text, 'answer(1)\n');
    await planFor(model, { dialect: 'starlark' });
    expect(requests[1]?.messages.at(-1)?.content).toContain('PV7005');
  },
);

test('a correction that leaves fewer errors uses up no round', async () => {
  const worse = 'a = nothing(1)\nb = nobody(1)\nanswer(none)\n';
  const better = 'b = nobody(1)\nanswer(none)\n';
  const nearly = 'answer(none)\n';
  const { model, requests } = scripted(worse, better, nearly, 'answer(1)\n');
  const { result } = await planFor(model, { dialect: 'starlark' }, undefined, 2);
  expect(result).toMatchObject({ status: 'done' });
  expect(requests).toHaveLength(4);
});

test.each([
  ['between the marks of an answer', ['<answer>The moon.</answer>']],
  ['a second time', ['The moon.', 'The moon.']],
])('words %s are the answer, where no program has to be', async (_how, replies) => {
  const { model } = scripted(...replies);
  const { result } = await planFor(model, { dialect: 'starlark', takesWords: true });
  expect(result.answer).toContain('answer("The moon.")');
});

test('a block in another language goes back: it is no answer in words', async () => {
  const block = '```python\nx = llm_call(["a"], "b")\nanswer(x)\n```';
  const { model, requests } = scripted(`Here it is:\n${block}`, good);
  const { result } = await planFor(model);
  expect(result.answer).toBe(good);
  expect(requests[1]?.messages.at(-1)?.content).toContain('want an instruction');
});

test('a program that is cut short is an error of the program, not a shorter program', async () => {
  const { model } = scripted(good.slice(0, -1), good);
  expect((await planFor(model)).rounds.map(({ ok }) => ok)).toEqual([false, true]);
});

test('a program without an answer goes back: it would end in silence', async () => {
  const { model, requests } = scripted('```starlark\nx = 1\n```', '```\nanswer(1)\n```');
  const { result, rounds } = await planFor(model, { dialect: 'starlark' });
  expect(result.answer).toBe('answer(1)\n');
  expect(rounds.map(({ ok }) => ok)).toEqual([false, true]);
  expect(requests[1]?.messages.at(-1)?.content).toContain('PV7005: the program has no answer');
});

const silentJson = '[{"seq_no": 0, "type": "assign", "parameters": {"total": 1}}]';

test.each([
  ['stackvm-2', silentJson, 'rename the output total to final_answer'],
  ['starlark', 'x = 1', 'call answer(x) on every way through the program'],
])(
  'a program of %s without an answer is corrected in its notation',
  async (dialect, text, hint) => {
    const { model, requests } = scripted(`\`\`\`\n${text}\n\`\`\``, '');
    await planFor(model, { dialect });
    const told = requests[1]?.messages.at(-1)?.content ?? '';
    expect(told).toContain(hint);
    expect(told.includes('answer(x)')).toBe(dialect === 'starlark');
  },
);

test.each([...dialects])('$name says in its own words how a program answers', (dialect) => {
  const [word = ''] = /answer\(|final_answer|join\(|Finish\[|Return/.exec(dialect.answerHint) ?? [];
  expect(word).not.toBe('');
  expect(dialect.describe({ tools: new Map(), inputs: [] })).toContain(word);
});

const fence = '```';

test.each([
  ['<think>x = 2</think>\n<answer>\n```python\nanswer(1)\n```\n</answer>', 'answer(1)\n'],
  ['First `x`:\n```\nx\n```\nThen:\n~~~starlark\nx = 2\nanswer(x)\n~~~\n', 'x = 2\nanswer(x)\n'],
  ['```starlark\nanswer(1)', 'answer(1)'],
  ['answer(1)', 'answer(1)\n'],
  ['Thoughts: so.\nCode:\n<code>\nanswer(1)\n</code>', 'answer(1)\n'],
  ['Code:\n```py\nanswer(1)\n```<end_code>\nDone: ```x```', 'answer(1)\n'],
  ['````python\nx = "```"\nanswer(x)\n````\n', 'x = "```"\nanswer(x)\n'],
  ['1. So:\n\n   ```python\n   if 1:\n       answer(1)\n   ```\n2. End', 'if 1:\n    answer(1)\n'],
  ['- ```python\n  answer(1)\n  ```\n', 'answer(1)\n'],
  ['> ```python\n> answer(1)\n> ```\n', 'answer(1)\n'],
  [`${fence}json\n[${'1, '.repeat(50)}1]\n${fence}\n${fence}\nanswer(1)\n${fence}`, 'answer(1)\n'],
  [`${fence}\n[${'1, '.repeat(50)}1]\n${fence}\n${fence}\nanswer(1)\n${fence}`, 'answer(1)\n'],
  [
    '```python\nx = """\n```\ninside\n```\n"""\nanswer(x)\n```\nDone.',
    'x = """\n```\ninside\n```\n"""\nanswer(x)\n',
  ],
  ['```\nx = (not code =\nlonger than that\n```\n```\nanswer(1)\n```', 'answer(1)\n'],
  ['[THINK]\n```python\nanswer(0)\n```\n[/THINK]\n```python\nanswer(1)\n```', 'answer(1)\n'],
])('a Starlark program is found in %j', async (reply, program) => {
  const { model } = scripted(reply);
  expect((await planFor(model, { dialect: 'starlark' })).result.answer).toBe(program);
});

test('of several programs the longest is taken, and a warning names the others', async () => {
  const reply = '```python\nanswer(1)\n```\nor\n```python\nx = 2\nanswer(x)\n```\n';
  const { model } = scripted(reply);
  const { result } = await planFor(model, { dialect: 'starlark' });
  expect(result.answer).toBe('x = 2\nanswer(x)\n');
  expect(result.warnings.map(({ message }) => message)).toEqual([
    'the reply has 2 programs; the longest was taken, and what begins with `answer(1)` was left out',
  ]);
});

for (const dialect of ['stackvm-1', 'stackvm-2', 'starlark']) {
  for (const example of examplesFor(dialect)) {
    test(`the ${dialect} example "${example.goal}" passes check without a word`, () => {
      expect(example.tools.every((tool) => environment.tools.has(tool))).toBe(true);
      const named = dialect === 'starlark' ? { dialect } : {};
      expect(checkProgram(example.program, environment, named)).toMatchObject({
        ok: true,
        dialect,
        diagnostics: [],
      });
    });
  }
}

/** What the tools of the examples give, whatever they are asked. */
const canned: Readonly<Record<string, unknown>> = {
  vector_search: ['The Loire is 1006 km long.'],
  llm_generate: { kilometres: 1006 },
  llm_call: '7.5',
};

test.each(examplesFor('starlark').map((example) => [example.goal, example] as const))(
  'the example "%s" runs to an answer',
  async (_goal, { program: text }) => {
    const { program } = checkProgram(text, environment, { dialect: 'starlark' });
    if (!program) throw new Error('the example is no program');
    const handlers = new Map(
      [...environment.tools].map(([name, spec]): [string, Handler] => [
        name,
        { spec, perform: async () => canned[name] },
      ]),
    );
    const journal = openJournal(':memory:');
    const started = { journal, handlers, program, text, dialect: 'starlark' };
    const { status, answers } = await startRun({ ...started, inputs: new Map() }).result;
    expect({ status, answers: answers.length }).toEqual({ status: 'done', answers: 1 });
  },
);

test('a dialect that does not exist is told before any model is asked', () => {
  const open = (): never => {
    throw new Error('the model was asked');
  };
  expect(() => planningHandlers({ dialect: 'stackvm2', environment, model: open })).toThrow(
    expect.objectContaining({ code: 'PV2001', hint: 'did you mean stackvm-2?' }),
  );
  expect(() => planningHandlers({ dialect: 'playbook', environment, model: open })).toThrow(
    expect.objectContaining({
      code: 'PV2001',
      message: expect.stringContaining('a loop plays it'),
    }),
  );
});

test('a loop that sends messages of another form is told which form they have', async () => {
  const { model } = scripted(good);
  const handler = planningHandlers({ dialect: 'stackvm-2', environment, model: () => model }).get(
    'model',
  );
  await expect(handler?.perform({ messages: [{ role: 'me' }] }, attempt())).rejects.toMatchObject({
    code: 'PV7006',
  });
});

test.each([
  ['set', 'set("all")\nget("all")\nanswer(stack_pop(1))', 'PV2724'],
  ['stack_pop', 'answer(stack_pop(1))', 'PV2730'],
])(
  'a program on a stack that loses results of foreach by %s goes back',
  async (_by, rest, code) => {
    const each = 'foreach(["a", "b"], llm_call("Describe it."))';
    const { model, requests } = scripted(
      `\`\`\`\n${each}\n${rest}\n\`\`\``,
      `\`\`\`\n${each}\nanswer(stack())\n\`\`\``,
    );
    const { result, rounds } = await planFor(model, { dialect: 'stack' });
    expect(rounds.map(({ ok }) => ok)).toEqual([false, true]);
    expect(requests[1]?.messages.at(-1)?.content).toContain(code);
    expect(result.status).toBe('done');
  },
);
