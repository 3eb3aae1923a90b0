/** What LLMVM's document promises of programs in Starlark, a test for each sentence. */
import { expect, test } from 'vitest';
import { starlark } from '../../src/dialects/starlark/index.ts';
import { run } from '../../src/index.ts';
import { quickTool } from '../engine/support.ts';
import { scriptedModel } from '../support/scripted-model.ts';

const dialect = 'starlark';
const profile = quickTool('WebHelpers.search_linkedin_profile', (args) => args, {
  parameters: {
    type: 'object',
    properties: Object.fromEntries(
      ['first_name', 'last_name', 'company_name'].map((name) => [name, { type: 'string' }]),
    ),
    required: ['first_name', 'last_name', 'company_name'],
  },
});

const said = (messages: readonly { readonly content: string }[]): string =>
  messages.map(({ content }) => content).join('\n');

test('llm_call packs its values into messages, and returns what the model makes of them', async () => {
  const { model, requests } = scriptedModel(() => 'Ann, Bob');
  const program =
    'names = llm_call(["page one", "page two"], "extract list of names")\nanswer(names)\n';
  expect((await run(program, { dialect, model })).answer).toBe('Ann, Bob');
  for (const part of ['page one', 'page two', 'extract list of names']) {
    expect(said(requests[0]?.messages ?? [])).toContain(part);
  }
});

test('llm_loop_bind makes a list of any text, and a loop goes over it', async () => {
  const { model } = scriptedModel(() => ['Steve Baxter', 'An Vo']);
  const program =
    'out = []\nfor name in llm_loop_bind("1. Steve Baxter 2. An Vo", "list of names"):\n' +
    '    out.append(name)\nanswer(out)\n';
  expect((await run(program, { dialect, model })).answer).toEqual(['Steve Baxter', 'An Vo']);
});

test('llm_bind finds in a wider scope what the value does not say', async () => {
  const { model, requests } = scriptedModel(({ messages }, asked) =>
    asked > 1 && said(messages).includes('Transition Level')
      ? { args: { company_name: 'Transition Level' }, missing: [] }
      : {
          args: { first_name: 'Steve', last_name: 'Baxter' },
          missing: [{ name: 'company_name', question: 'Which company does he work for?' }],
        },
  );
  const program =
    'page = "Steve Baxter founded Transition Level"\nname = "Steve Baxter"\n' +
    'answer(llm_bind(name, "WebHelpers.search_linkedin_profile(first_name, last_name, company_name)"))\n';
  const { answer } = await run(program, { dialect, model, tools: [profile] });
  expect(answer).toEqual({
    ...{ first_name: 'Steve', last_name: 'Baxter', company_name: 'Transition Level' },
  });
  expect(requests.length).toBeGreaterThan(1);
});

test('a program may answer several times, and every answer is kept', async () => {
  const { answers } = await run('answer("part")\nanswer(["whole"])\n', { dialect });
  expect(answers.map(({ value }) => value)).toEqual(['part', ['whole']]);
});

test('each helper has an example of its call in what a model is told', () => {
  const tools = new Map([[profile.spec.name, profile.spec]]);
  expect(starlark.describe({ tools, inputs: [] })).toContain(
    'Example: `result = WebHelpers.search_linkedin_profile(first_name = "first name", ' +
      'last_name = "last name", company_name = "company name")`',
  );
});
