/** Tools of namespaces and aliases, called from every notation: the canonical name is requested. */
import { expect, test } from 'vitest';
import { checkProgram } from '../../src/dialects/index.ts';
import { openAgent, run } from '../../src/index.ts';
import { toolSpec } from '../../src/program/effect.ts';

const handler = (name: string, aliases: readonly string[] = []) => ({
  spec: toolSpec({
    name,
    aliases,
    description: `Is ${name}.`,
    effect: 'read',
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  }),
  perform: async (): Promise<string> => name,
});

const tools = [
  handler('files.read_file'),
  handler('download', ['WebHelpers.get_url']),
  handler('json.query'),
  handler('everything.get-sum'),
  handler('github.repos.list'),
];
const environment = {
  tools: new Map(tools.map(({ spec }) => [spec.name, spec])),
  inputs: ['github'],
};

const texts: readonly (readonly [string, (name: string) => string])[] = [
  ['starlark', (name) => `answer(${name}("x"))`],
  ['starlark', (name) => `f = ${name}\nanswer(try_call(f, path = "x").value)`],
  ['starlark', (name) => `def g():\n    return ${name}(path = "x")\nanswer(g())`],
  ['starlark', (name) => `answer(task("${name}", {"path": "x"}).value)`],
  ['llmcompiler', (name) => `1. ${name}["x"]\n2. join($1)`],
  ['react', (name) => `Thought: go\nAction: ${name}["x"]\nThought: done\nAction: Finish[$1]`],
  [
    'stackvm-2',
    (name) =>
      JSON.stringify([
        {
          seq_no: 0,
          type: 'calling',
          parameters: { tool: name, params: { path: 'x' }, output_vars: 'a' },
        },
        { seq_no: 1, type: 'assign', parameters: { final_answer: `\${a}` } },
      ]),
  ],
  [
    'stackvm-2',
    (name) =>
      JSON.stringify([
        { seq_no: 0, type: name, parameters: { path: 'x', output_vars: 'a' } },
        { seq_no: 1, type: 'assign', parameters: { final_answer: `\${a}` } },
      ]),
  ],
];

test.each(
  texts.flatMap(([dialect, text]) =>
    [
      ['files.read_file', 'files.read_file'],
      ['read_file', 'files.read_file'],
      ['WebHelpers.get_url', 'download'],
    ].map(([name = '', canonical = '']) => [dialect, text(name), canonical] as const),
  ),
)('%s: %j requests %s', async (dialect, text, canonical) => {
  await using agent = await openAgent({ tools });
  const requested: unknown[] = [];
  const session = agent.run(text, { dialect });
  for await (const message of session) {
    const event = message.type === 'run.event' ? message.event : undefined;
    if (event?.type === 'effect.started') requested.push(event.tool);
  }
  const result = await session.end;
  expect(result).toMatchObject({ status: 'done' });
  expect(requested).toEqual([canonical]);
  if (dialect !== 'react') expect(result.answer).toBe(canonical);
});

const check = (text: string, inputs: readonly string[] = []) =>
  checkProgram(text, { ...environment, inputs }, { dialect: 'starlark' }).diagnostics.map(
    ({ code, message, hint }) => `${code} ${message}; ${hint}`,
  );

test('a module of the library keeps its functions beside tools of its name', async () => {
  const text = 'answer([json.encode(1), json.query("x"), everything.get_sum("x")])';
  const { answer } = await run(text, { dialect: 'starlark', tools });
  expect(answer).toEqual(['1', 'json.query', 'everything.get-sum']);
});

test('an input, and a variable of the program, come before a namespace', async () => {
  expect(check('x = github["a"]\ny = github.repos', ['github'])).toEqual([]);
  const own = 'files = struct(read_file = lambda path: "mine")\nanswer(files.read_file("x"))';
  const { answer } = await run(own, { dialect: 'starlark', tools });
  expect(answer).toBe('mine');
});

test.each([
  ['files.red_file("x")', 'PV2334 files has no tool red_file; did you mean files.read_file?'],
  [
    'files.read_file.now("x")',
    'PV2334 files.read_file is a tool, and has no now; call it: files.read_file(…)',
  ],
  ['files.x("x")', 'PV2334 files has no tool x; its tools are read_file'],
  [
    'github.repos.lisst("x")',
    'PV2334 github.repos has no tool lisst; did you mean github.repos.list?',
  ],
  [
    'f(files)',
    'PV2334 files is a namespace of tools, and no value; call one of its tools: read_file',
  ],
  [
    'x = [github.repos]',
    'PV2334 github.repos is a namespace of tools, and no value; call one of its tools: list',
  ],
  [
    'files.read_file()',
    'PV2332 files.read_file lacks the parameter path; files.read_file(path: string)',
  ],
  ['WebHelpers.get_url(pth = "x")', 'PV2332 download has no parameter pth; did you mean path?'],
])('%s is found before it runs', (text, wanted) => {
  expect(check(`def f(x):\n    pass\n${text}`)).toContain(wanted);
});

test('what several tools are called is asked about, not guessed', () => {
  const two = [handler('a.find'), handler('b.find')];
  const tools = new Map(two.map(({ spec }) => [spec.name, spec]));
  const { diagnostics } = checkProgram(
    '1. find["x"]',
    { tools, inputs: [] },
    { dialect: 'llmcompiler' },
  );
  expect(diagnostics).toContainEqual(
    expect.objectContaining({
      message: 'there is no tool find',
      hint: expect.stringContaining('several have that name: write a.find or b.find'),
    }),
  );
});

test('prompts have each tool once, by its canonical name', async () => {
  const { dialects } = await import('../../src/dialects/index.ts');
  for (const { name, describe } of dialects) {
    if (name === 'assembly') continue;
    const text = describe({ ...environment, inputs: [] });
    expect(text.split('Is download.')).toHaveLength(2);
    expect(text).toContain('files.read_file');
    expect(text).not.toContain('get_url');
  }
});
