/**
 * The two worked programs of the document in which the grammar was written, through the real command
 * line, with servers on loopback for the search, the papers and the model; and a model that writes
 * such a program itself.
 */
import { afterAll, expect, test } from 'vitest';
import { Folder } from '../support/cli.ts';
import { type Script, startModelServer } from '../support/model-server.ts';
import { pdfOf } from '../support/pdf-file.ts';
import { startWebServer } from '../support/web-server.ts';

const folder = new Folder();
afterAll(() => folder[Symbol.dispose]());

const people = ['Bill Jia, Meta', 'Aparna Ramani, Facebook', 'Jeff Dean, Google'].map((line) => {
  const [, first = '', last = '', company = ''] = /^(\w+) (\w+), (\w+)$/.exec(line) ?? [];
  return { first, last, company };
});

const careers = people
  .map(
    ({ first, last, company }) =>
      `function_call(WebHelpers.search_linkedin_profile("${first}", "${last}", "${company}"))
llm_call("Summarize career profile and contact details")
answer(stack_pop(1))
`,
  )
  .join('');

/** Runs planvm with a model on loopback; gives what came of it, and what the model was sent. */
async function withModel(
  script: Script,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const server = await startModelServer(script);
  try {
    const done = await folder.planvm(args, {
      env: {
        PLANVM_MODEL: 'openai/test-model',
        OPENAI_BASE_URL: server.env.openai.OPENAI_BASE_URL ?? '',
        OPENAI_API_KEY: 'sk-loopback',
        ...env,
      },
    });
    return { ...done, sent: server.requests.map(({ messages }) => messages) };
  } finally {
    await server.close();
  }
}

const textOf = (messages: readonly { readonly content: string }[]): string =>
  messages.map(({ content }) => content).join('\n');

test('careers of three people, of whom nothing waits for another', async () => {
  folder.write('careers.stack', careers);
  await using engine = await startWebServer(({ url }) => {
    const query = url.searchParams.get('q') ?? '';
    const person = people.find(({ last }) => query.includes(last));
    const name = `${person?.first} ${person?.last}`;
    const found = { url: `https://www.linkedin.com/in/${person?.last}`, title: `${name} - Lead` };
    return { body: { results: [{ ...found, content: `Works at ${person?.company}.` }] } };
  });
  const tools = `planvm:linkedin?engine=searxng&private=loopback`;
  const done = await withModel(
    ({ messages }) => {
      const person = people.find(({ last }) => textOf(messages).includes(`in/${last}`));
      return `${person?.last} works at ${person?.company}.`;
    },
    ['run', 'careers.stack', '--tools', tools, '--json'],
    { PLANVM_SEARXNG_URL: engine.url },
  );
  expect(done).toMatchObject({ code: 0 });
  const { answers, variables, warnings } = JSON.parse(done.stdout);
  // Each answer names the one source that it has.
  const source = (last: string): object[] => [{ url: `https://www.linkedin.com/in/${last}` }];
  expect(answers).toMatchObject([
    { value: 'Jia works at Meta.', step: '3', sources: source('Jia') },
    { value: 'Ramani works at Facebook.', step: '6', sources: source('Ramani') },
    { value: 'Dean works at Google.', step: '9', sources: source('Dean') },
  ]);
  expect(variables).toMatchObject({ result_8: 'Dean works at Google.' });
  expect(warnings.filter(({ code }: { code: string }) => code === 'PV2718')).toHaveLength(3);
  // The model is told what it looks at and where that came from.
  expect(done.sent.map(textOf)).toContainEqual(
    expect.stringContaining('search_linkedin_profile("Jeff", "Dean", "Google")'),
  );
});

test('two papers are compared by their summaries', async () => {
  const papers = new Map([
    ['/pdf/2004.09984.pdf', 'Attention is shared between layers.'],
    ['/pdf/1903.10676.pdf', 'A model of language for science.'],
  ]);
  const files = new Map<string, Uint8Array>();
  for (const [path, text] of papers) files.set(path, await pdfOf([text]));
  await using server = await startWebServer(({ url }) => ({
    body: files.get(url.pathname) ?? '',
    headers: { 'content-type': 'application/pdf' },
  }));
  const written = folder.write.bind(folder);
  written('papers.stack', papersProgram(server.url));
  const done = await withModel(
    ({ messages }) => {
      const text = textOf(messages);
      if (/differences in opinions/.test(text)) {
        const places = ['Summary A', 'Summary B'].map((summary) => text.indexOf(summary));
        return places.every((at) => at > 0) && (places[0] ?? 0) < (places[1] ?? 0)
          ? 'They differ.'
          : 'out of order';
      }
      return text.includes('Attention is shared') ? 'Summary A' : 'Summary B';
    },
    ['run', 'papers.stack', '--tools', 'planvm:data?read=.&private=loopback'],
  );
  expect(done).toMatchObject({ code: 0, stdout: 'They differ.\n' });
  expect(done.sent).toHaveLength(3);
  const last = textOf(done.sent.at(-1) ?? []);
  expect(last).toContain('Summary of Paper 1');
  const shown = JSON.parse((await folder.planvm(['show', 'last', '--json'])).stdout);
  expect(shown.effects.map(({ name }: { name: string }) => name)).toEqual([
    ...['parse_pdf', 'parse_pdf', 'llm_call', 'llm_call', 'llm_call'],
  ]);
  const at = await folder.planvm(['show', 'last', '--at', '13', '--json']);
  expect(JSON.parse(at.stdout).variables).toHaveProperty('var4');
});

function papersProgram(url: string): string {
  const paper = (number: number, path: string): string =>
    `function_call(PdfHelpers.parse_pdf("${url}${path}"))
set("var${number}", "Paper ${number}: ${url}${path}")
`;
  const summary = (number: number, into: number, path: string): string =>
    `get("var${number}")
llm_call(stack_pop(1), "Extract and summarize facts and opinions in the content.")
set("var${into}", "Summary of Paper ${number}: ${url}${path}")
`;
  const [first, second] = ['/pdf/2004.09984.pdf', '/pdf/1903.10676.pdf'];
  return `${paper(1, first)}${paper(2, second)}${summary(1, 3, first)}${summary(2, 4, second)}\
get("var3")
get("var4")
llm_call(stack(), "Find and summarize differences in opinions between the two papers that are \
supplied in previous messages.")
answer(stack_pop(1))
`;
}

test('a model writes a program, is told what is wrong, and corrects it', async () => {
  const first = 'Sure!\n```\nfunction_call(Tides.read("Brest"))\nanswer(stack_pop(2))\n```\n';
  const second =
    'data(["Brest", "Dover"])\nforeach(stack(), llm_call("Which sea?"))\nanswer(stack())';
  const replies = [first, second];
  const done = await withModel(
    ({ prompt, messages }) => {
      if (!/Which sea\?/.test(prompt)) return replies.shift() ?? '';
      return textOf(messages).includes('Brest') ? 'The Atlantic.' : 'The Channel.';
    },
    ['ask', 'At which seas are these ports?', '--dialect', 'stack', '--json'],
  );
  expect(done).toMatchObject({ code: 0 });
  expect(JSON.parse(done.stdout)).toMatchObject({ answer: ['The Atlantic.', 'The Channel.'] });
  const told = textOf(done.sent[1] ?? []);
  expect(told).toContain('PV2711');
  expect(told).toContain('there are 1 on the stack');
});

test('a saved program is used by its name, and the run keeps its text', async () => {
  const script: Script = ({ messages }) =>
    textOf(messages).includes('In one word') ? 'Moon.' : 'The moon pulls the sea.';
  const why = 'llm_call("Why are there tides?")\nanswer(stack_pop(1))\n';
  folder.write('why.stack', why);
  await withModel(script, ['run', 'why.stack']);
  const save = ['plans', 'save', 'last', '--label', 'tides', '--goal', 'Why tides?', '--json'];
  const { id } = JSON.parse((await folder.planvm(save)).stdout);
  const short = 'use("tides")\nllm_call(stack_pop(1), "In one word.")\nanswer(stack_pop(1))\n';
  folder.write('short.stack', short);
  expect(await folder.planvm(['check', 'short.stack'])).toMatchObject({ code: 0 });
  const done = await withModel(script, ['run', 'short.stack']);
  expect(done).toMatchObject({ code: 0, stdout: 'Moon.\n' });
  expect(textOf(done.sent[1] ?? [])).toContain('The moon pulls the sea.');
  const shown = JSON.parse((await folder.planvm(['show', 'last', '--json'])).stdout);
  expect(shown.effects).toHaveLength(2);
  await folder.planvm(['plans', 'rm', id]);
  expect(await folder.planvm(['replay', 'last'])).toMatchObject({ code: 0 });
  const gone = await folder.planvm(['check', 'short.stack']);
  expect(gone.code).toBe(3);
  expect(gone.stdout).toContain('PV2725: there is no program tides');
});

test('use of a run pushes what it has answered or left, and performs nothing of it', async () => {
  const script: Script = ({ messages }) =>
    textOf(messages).includes('In one word') ? 'Moon.' : 'The "moon" pulls the sea.';
  folder.write('left.stack', 'llm_call("Why are there tides?")\ndata([1, {"a": null}])\n');
  await withModel(script, ['run', 'left.stack']);
  const { run } = JSON.parse((await folder.planvm(['show', 'last', '--json'])).stdout);
  for (const name of [`"${run}"`, run, '"last"']) {
    const text = `use(${name})\nset("all")\nllm_call(get("all"), "In one word.")\nanswer(stack())\n`;
    folder.write('again.stack', `${text}answer(get("all"))\n`);
    const done = await withModel(script, ['run', 'again.stack', '--json']);
    expect(JSON.parse(done.stdout).answers).toMatchObject([
      { value: 'Moon.' },
      { value: ['The "moon" pulls the sea.', [1, { a: null }]] },
    ]);
    expect(done.sent).toHaveLength(1);
    await withModel(script, ['run', 'left.stack']);
  }
  folder.write('broken.stack', 'uncertain_or_error("no")\n');
  await folder.planvm(['run', 'broken.stack']);
  folder.write('again.stack', 'use("last")\nanswer(stack())\n');
  const refused = await folder.planvm(['run', 'again.stack']);
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain('has answered nothing');
});

test('a model that writes for a goal is told of saved programs and may use them', async () => {
  const why = 'llm_call("Why are there tides?")\nanswer(stack_pop(1))\n';
  folder.write('moon.stack', why);
  const seas: Script = ({ messages }) =>
    textOf(messages).includes('In one word') ? 'Moon.' : 'The moon pulls the sea.';
  await withModel(seas, ['run', 'moon.stack']);
  const save = ['plans', 'save', 'last', '--label', 'moon', '--goal', 'Say why\nthere are tides'];
  expect(await folder.planvm(save)).toMatchObject({ code: 0 });
  const written = ['use("mon")', 'use("moon")'].map(
    (call) => `${call}\nllm_call(stack_pop(1), "In one word.")\nanswer(stack_pop(1))`,
  );
  const goal = ['ask', 'Name the cause of the tides in one word', '--dialect', 'stack'];
  const program: Script = (asked) =>
    /Saved programs/.test(textOf(asked.messages)) ? (written.shift() ?? '') : seas(asked);
  const done = await withModel(program, [...goal, '--program']);
  expect(done).toMatchObject({ code: 0, stdout: 'Moon.\n' });
  expect(textOf(done.sent[0] ?? [])).toContain('- `use("moon")`: Say why there are tides');
  expect(textOf(done.sent[1] ?? [])).toContain('PV2725');
  await folder.planvm(['plans', 'rm', 'moon']);
  expect(await folder.planvm(['replay', 'last'])).toMatchObject({ code: 0 });
});

test('a statement that is written anew may use a saved program', async () => {
  folder.write('seas.stack', 'llm_call("Which seas?")\nanswer(stack_pop(1))\n');
  const seas: Script = () => 'The North Sea.';
  await withModel(seas, ['run', 'seas.stack']);
  const save = ['plans', 'save', 'last', '--label', 'seas', '--goal', 'Name the seas'];
  expect(await folder.planvm(save)).toMatchObject({ code: 0 });
  const tool = `export default [{
    name: 'gone', description: 'Fails.', effect: 'read', parameters: { type: 'object' },
    run: () => { throw new Error('404'); },
  }];`;
  folder.write('gone.ts', tool);
  folder.write('use.stack', 'function_call(gone())\nanswer(stack_pop(1))\n');
  const script: Script = (asked) =>
    /function_call\(gone/.test(textOf(asked.messages))
      ? 'STEP\n```\nuse("seas")\n```'
      : seas(asked);
  const args = ['run', 'use.stack', '--tools', './gone.ts', '--repair', '1'];
  expect(await withModel(script, args)).toMatchObject({ code: 0, stdout: 'The North Sea.\n' });
});

test('the language is described, with the tools that there are', async () => {
  const { stdout } = await folder.planvm(['spec', 'stack', '--input', 'city']);
  expect(stdout).toContain('# Programs on a stack');
  expect(stdout).toContain('get("city")');
  expect(stdout).toContain('- `calculate(expression: ');
});

test('a fork goes on with another value on the stack, and asks again for what depends on it', async () => {
  folder.write('fork.stack', 'data("a")\nllm_call(stack_pop(1), "Spell")\nanswer(stack_pop(1))\n');
  const script: Script = ({ messages }) => (textOf(messages).includes('zulu') ? 'z!' : 'a!');
  const done = await withModel(script, ['run', 'fork.stack']);
  expect(done).toMatchObject({ code: 0, stdout: 'a!\n' });
  const forked = await withModel(script, ['fork', 'last', '--at', '2', '--set', 'result_1=zulu']);
  expect(forked).toMatchObject({ code: 0, stdout: 'z!\n' });
});

test('a statement that fails is written anew, and what is done is not done again', async () => {
  const page = `export default [{
    name: 'page', description: 'Reads a page.', effect: 'read', idempotent: false,
    parameters: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    run: ({ name }) => { if (name === 'gone') throw new Error('404'); return 'page ' + name; },
  }];`;
  folder.write('tools.ts', page);
  folder.write(
    'repair.stack',
    'function_call(page("a"))\nfunction_call(page("gone"))\nanswer(stack())\n',
  );
  const script: Script = () => 'STEP\n```\nfunction_call(page("b"))\n```\n';
  const args = ['run', 'repair.stack', '--tools', './tools.ts', '--repair', '1', '--json'];
  const done = await withModel(script, args);
  expect(done).toMatchObject({ code: 0 });
  expect(JSON.parse(done.stdout)).toMatchObject({ answer: ['page a', 'page b'] });
  expect(textOf(done.sent[0] ?? [])).toContain('function_call(page("gone"))');
  const shown = JSON.parse((await folder.planvm(['show', 'last', '--json'])).stdout);
  expect(shown.effects).toMatchObject([{ request: { name: 'a' } }, { request: { name: 'b' } }]);
});
