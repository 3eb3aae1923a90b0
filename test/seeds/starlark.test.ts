/** What LLMVM's document promises of programs in Starlark, a test for each sentence. */
import { expect, test } from 'vitest';
import { starlark } from '../../src/dialects/starlark/index.ts';
import type { ModelRequest } from '../../src/effects/model/model.ts';
import type { Arguments } from '../../src/engine/handler.ts';
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

/** With the company of each, which only the page says. */
const team = {
  'Steve Baxter': 'Transition Level',
  'Stew Glynn': 'Tall Trees',
  'An Vo': 'Northern Light',
  'Alexander Cohen': 'Cohen and Sons',
};

/** Answers by what it is shown, and nothing else. */
function reader({ messages }: ModelRequest): unknown {
  const content = said(messages);
  const names = Object.keys(team);
  if (content.includes('The call: ')) return bound(content);
  if (content.includes('List from this')) return { items: names };
  if (content.includes('summarize')) return `A career: ${/profile of [^"<\n]*/.exec(content)}`;
  return `Here is a list of names:\n${names.map((name, i) => `${i + 1}. ${name}`).join('\n')}`;
}

function bound(content: string): unknown {
  const [, name = ''] = /<expression>\n(.*)/.exec(content) ?? [];
  const [first_name, last_name] = name.split(' ');
  const [, company_name] = new RegExp(`${name} of ([^.]*)\\.`).exec(content) ?? [];
  const question = `Which company does ${name} work for?`;
  const missing = company_name === undefined ? [{ name: 'company_name', question }] : [];
  return { args: { first_name, last_name, company_name }, missing };
}

test('the walk-through asks a model ten times for four people, and binds them side by side', async () => {
  const page = Object.entries(team).map(([name, company]) => `${name} of ${company}.`);
  const download = quickTool('download_page', () => page.join(' '));
  let binding = 0;
  let open = (): void => {};
  const allBind = new Promise<void>((resolve) => {
    open = resolve;
  });
  const { model, requests } = scriptedModel(async (request) => {
    if (said(request.messages).includes('The call: ')) {
      if (++binding === Object.keys(team).length) open();
      await allBind;
    }
    return reader(request);
  });
  const search = {
    ...profile,
    perform: async ({ first_name, last_name, company_name }: Arguments) =>
      `profile of ${first_name} ${last_name} at ${company_name}`,
  };
  const program = `var1 = download_page()  # Step 1: Download the webpage
var2 = llm_call([var1], "extract list of names")  # Step 2: Extract the list of names
answers = []  # Initialize an empty list to store the summaries
for list_item in llm_loop_bind(var2, "list of names"):  # Step 3: Loop over the list of names
    var3 = llm_bind(list_item, "WebHelpers.search_linkedin_profile(first_name, last_name company_name)")
    var4 = llm_call([var3], "summarize career profile")  # Step 5: Summarize the career
    answers.append(var4)  # Step 6: Add the summary to the list of answers
answer(answers)  # Step 7: Show the summaries
`;
  const { answer, error } = await run(program, { dialect, model, tools: [download, search] });
  expect(error).toBeUndefined();
  expect(answer).toEqual(
    Object.entries(team).map(([name, company]) => `A career: profile of ${name} at ${company}`),
  );
  expect(requests).toHaveLength(2 + 2 * Object.keys(team).length);
});

test('llm_bind finds in a wider scope what the value does not say', async () => {
  const { model, requests } = scriptedModel(({ messages }) =>
    said(messages).includes('founder')
      ? { args: { company_name: 'Transition Level' }, missing: [] }
      : {
          args: { first_name: 'Steve', last_name: 'Baxter' },
          missing: [{ name: 'company_name', question: 'Which company does he work for?' }],
        },
  );
  const imprint = quickTool('imprint', () => 'the founder of Transition Level');
  const program =
    'page = imprint()\nname = "Mr Steve Baxter"\n' +
    'answer(llm_bind(name, "WebHelpers.search_linkedin_profile(first_name, last_name, company_name)"))\n';
  const { answer, error } = await run(program, { dialect, model, tools: [profile, imprint] });
  expect(error).toBeUndefined();
  expect(answer).toEqual({
    ...{ first_name: 'Steve', last_name: 'Baxter', company_name: 'Transition Level' },
  });
  expect(requests.map(({ messages }) => said(messages).includes('Which company'))).toEqual([
    false,
    true,
  ]);
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
