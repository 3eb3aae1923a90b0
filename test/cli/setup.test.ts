/** Commands that set something up or try something: init, completion, tools, ingest. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { answering, calling, Folder, ref } from '../support/cli.ts';

describe('init', () => {
  test('writes a folder in which the plan passes check and runs', async () => {
    using folder = new Folder({ '.gitignore': 'dist' });
    const made = await folder.planvm(['init', '--model', 'ollama/llama3.2']);
    expect(made.code).toBe(0);
    expect(made.stdout).toBe(
      'wrote planvm.config.ts\nwrote tools.ts\nwrote plan.json\nadded .planvm/, .env to .gitignore\n',
    );
    expect(folder.read('.gitignore')).toBe('dist\n.planvm/\n.env\n');
    expect((await folder.planvm(['check', 'plan.json'])).code).toBe(0);
    const ran = await folder.planvm(['run', 'plan.json', '--json']);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      status: 'done',
      answer: 'Lisbon is 11.1 degrees warmer than Oslo.',
      warnings: [],
    });
    const { stdout } = await folder.planvm(['doctor', '--json']);
    const { settings } = JSON.parse(stdout);
    expect(settings).toContainEqual({
      name: 'model',
      value: 'ollama/llama3.2',
      origin: 'planvm.config.ts',
    });
  });

  test('asks nothing where nobody can answer, and then names no model', async () => {
    using folder = new Folder();
    expect((await folder.planvm(['init', 'inner'])).code).toBe(0);
    expect(folder.read('inner/planvm.config.ts')).toContain("// model: 'openai/gpt-5-mini',");
  });

  test('overwrites nothing', async () => {
    using folder = new Folder({ 'tools.ts': 'mine' });
    const { code, stderr } = await folder.planvm(['init']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/error PV6014: .* has tools\.ts already; nothing was written/);
    expect(folder.read('tools.ts')).toBe('mine');
    expect(existsSync(join(folder.path, 'plan.json'))).toBe(false);
  });
});

describe('completion', () => {
  test.each(['bash', 'zsh', 'fish', 'powershell'])('prints a script for %s', async (shell) => {
    using folder = new Folder();
    const { code, stdout, stderr } = await folder.planvm(['completion', shell]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/planvm complete (--|'--')/);
  });

  test('of another shell is a usage error', async () => {
    using folder = new Folder();
    const { code, stderr } = await folder.planvm(['completion', 'cmd']);
    expect(code).toBe(2);
    expect(stderr).toContain('got cmd, want one of bash, zsh, fish, powershell');
  });

  test.each<[string[], string[]]>([
    [['ru'], ['run', 'runs']],
    [['run', '--tok'], ['--tokens']],
    [['run', 'pl'], ['plan.json']],
    [['run', 'inner/'], ['inner/deep.json']],
    [['runs', '--status', 'f'], ['failed']],
    [['tools', 'sh'], ['show']],
    [['show', 'la'], ['last']],
    [['completion', 'z'], ['zsh']],
    [['compl'], ['completion']],
  ])('%j continues with %j', async (words, wanted) => {
    using folder = new Folder({ 'plan.json': '[]', 'inner/deep.json': '[]' });
    const { code, stdout } = await folder.planvm(['complete', '--', ...words]);
    expect(code).toBe(0);
    const values = stdout.split('\n').filter((line) => line.includes('\t'));
    expect(values.map((line) => line.split('\t')[0])).toEqual(wanted);
  });

  test('knows the ids of runs', async () => {
    using folder = new Folder({ 'plan.json': [answering(0, 'yes')] });
    await folder.planvm(['run', 'plan.json']);
    const [{ run }] = JSON.parse((await folder.planvm(['runs', '--json'])).stdout);
    const { stdout } = await folder.planvm(['complete', '--', 'resume', 'r']);
    expect(stdout).toContain(`${run}\tdone plan.json\n`);
  });

  test('runs no configuration', async () => {
    using folder = new Folder({
      'planvm.config.ts': `import { writeFileSync } from 'node:fs'; writeFileSync('ran', '');`,
    });
    await folder.planvm(['complete', '--', 'show', '']);
    expect(existsSync(join(folder.path, 'ran'))).toBe(false);
  });
});

describe('tools', () => {
  const module = `export default [
    { name: 'greet', description: 'Greets.', effect: 'pure',
      parameters: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      run: ({ name }) => 'hello ' + name },
    { name: 'calculate', description: 'Mine.', effect: 'pure', run: () => 'mine' },
    { name: 'bare', description: 'Says nothing of itself.', run: () => 1 },
    { name: 'broken', description: 'Fails.', effect: 'read', run() { throw new Error('no') } },
  ];`;
  const args = ['--tools', 'tools.mjs'];
  const workshop = (): Folder => new Folder({ 'tools.mjs': module });

  test('lists built-in ones and those of files, which come first', async () => {
    using folder = workshop();
    const list = JSON.parse((await folder.planvm(['tools', '--json', ...args])).stdout);
    expect(list.map(({ name, origin }: Record<string, string>) => `${name}: ${origin}`)).toEqual([
      'llm_generate: built in',
      'llm_condition: built in',
      'llm_call: built in',
      'table: built in',
      'table_ask: built in',
      'retrieve_knowledge_graph: built in',
      'retrieve_embedded_chunks: built in',
      'vector_search: built in',
      'bind_arguments: built in',
      'llm_list_bind: built in',
      'coerce: built in',
      'calculate: tools.mjs',
      'ask: built in',
      'sleep: built in',
      'now: built in',
      'datetime: built in',
      'random: built in',
      'uuid: built in',
      'delegate: built in',
      'greet: tools.mjs',
      'bare: tools.mjs',
      'broken: tools.mjs',
    ]);
    const { stdout } = await folder.planvm(['tools', 'ls', ...args]);
    expect(stdout).toMatch(/^greet +pure +tools\.mjs +Greets\.$/m);
  });

  test('shows one', async () => {
    using folder = workshop();
    const { stdout } = await folder.planvm(['tools', 'show', 'greet', ...args]);
    expect(stdout).toMatch(
      /^greet {2}class pure · may be repeated · tools\.mjs\ngreet\(name: string\) .*\nGreets\.\n {2}name/,
    );
    const unknown = await folder.planvm(['tools', 'show', 'gret', ...args]);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('hint: did you mean greet?');
  });

  test.each<[string[], number, string, string]>([
    [['greet', '{"name": "you"}'], 0, 'hello you\n', ''],
    [['greet', '--arg', 'name=you', '--json'], 0, '"hello you"\n', ''],
    [['calculate'], 0, 'mine\n', ''],
    [['greet'], 2, '', 'error PV6002: arguments of greet: name: missing'],
    [['greet', 'you'], 2, '', 'got you, want the arguments as a JSON object'],
    [['broken'], 1, '', 'error PV4202: broken: no'],
    [['gret'], 2, '', 'there is no tool gret'],
    [['delegate', '--arg', 'task=x'], 1, '', 'error PV4026: delegated: x is done by a program'],
  ])('calls: %j', async (call, code, stdout, message) => {
    using folder = workshop();
    const ended = await folder.planvm(['tools', 'call', ...call, ...args]);
    expect(ended).toMatchObject({ code, stdout });
    expect(ended.stderr).toContain(message);
  });

  test.each<[string, unknown, string]>([
    ['a file that is missing', undefined, 'error PV6008: cannot load the tools of tools.mjs'],
    ['a module that throws', 'throw new Error("broken")', 'tools.mjs: broken'],
    ['no list', 'export default {}', 'error PV6009: tools.mjs: its default export is no list'],
    ['a wrong entry', 'export default [{ name: "a" }]', 'tools.mjs[0]: lacks description'],
    [
      'twins',
      `const t = { name: 'a', description: 'a', run() {} }; export default [t, t]`,
      'tools.mjs[1]: a is declared already, in tools.mjs[0]',
    ],
  ])('refuses %s, exit 2', async (_what, text, message) => {
    using folder = new Folder(text === undefined ? {} : { 'tools.mjs': text });
    const { code, stderr } = await folder.planvm(['tools', ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test('a run says once which of its tools declare no class, and what that costs', async () => {
    using folder = workshop();
    folder.write('plan.json', [
      calling(0, 'bare', {}, 'a'),
      calling(1, 'bare', {}, 'b'),
      answering(2, [ref('a'), ref('b')]),
    ]);
    const { stdout } = await folder.planvm(['run', 'plan.json', ...args, '--json']);
    expect(JSON.parse(stdout).warnings).toEqual([
      {
        code: 'PV4204',
        message: expect.stringMatching(
          /^bare \(tools\.mjs\) declared without an effect class, so it runs/,
        ),
        hint: expect.stringContaining("effect: 'pure', 'read' or 'write'"),
      },
    ]);
  });

  test('declarations alone do not run', async () => {
    using folder = new Folder({
      'plan.json': [answering(0, 'yes')],
      'tools.json': [{ name: 'a', description: 'a' }],
    });
    const { code, stderr } = await folder.planvm(['run', 'plan.json', '--tools', 'tools.json']);
    expect(code).toBe(2);
    expect(stderr).toContain('error PV6010: tools.json declares tools, but holds no functions');
    const spec = await folder.planvm(['spec', 'llmcompiler', '--tools', 'tools.json']);
    expect(spec).toMatchObject({ code: 0, stderr: '' });
    expect(spec.stdout).toMatch(/\ba\[\]/);
  });
});

describe('ingest', () => {
  const files = {
    'docs/rivers.md': '# Rivers\n\nThe Loire is the longest river in France.\n',
    'docs/areas.csv': 'subject,predicate,object\nFrance,area,551695\n',
    'docs/picture.bin': '\u0000\u0001',
  };

  test('loads files, reports what it skipped, and leaves alone what has not changed', async () => {
    using folder = new Folder(files);
    const first = await folder.planvm(['ingest', 'docs', '--json']);
    expect(first.code).toBe(0);
    expect(JSON.parse(first.stdout)).toMatchObject({ loaded: 2, skipped: 1, unchanged: 0 });
    expect(first.stderr).toMatch(/^skipped picture\.bin: PV43\d\d /m);
    const second = await folder.planvm(['ingest', 'docs', '--json']);
    expect(JSON.parse(second.stdout)).toMatchObject({ loaded: 0, unchanged: 2 });
  });

  test('what was loaded is found by a run', async () => {
    using folder = new Folder({
      ...files,
      'plan.json': [
        calling(0, 'vector_search', { query: 'longest river', top_k: 1 }, 'found'),
        answering(1, ref('found[0].text')),
      ],
    });
    await folder.planvm(['ingest', 'docs']);
    const { code, stdout } = await folder.planvm(['run', 'plan.json']);
    expect(code).toBe(0);
    expect(stdout).toContain('The Loire is the longest river in France.');
  });

  test('--prune forgets files that are gone', async () => {
    using folder = new Folder(files);
    await folder.planvm(['ingest', 'docs']);
    rmSync(join(folder.path, 'docs/areas.csv'));
    const { stdout } = await folder.planvm(['ingest', 'docs', '--prune', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ removed: 1, unchanged: 1 });
  });

  test('a path that does not exist is a usage error', async () => {
    using folder = new Folder();
    const { code, stderr } = await folder.planvm(['ingest', 'nowhere']);
    expect(code).toBe(2);
    expect(stderr).toContain('error PV4310');
  });

  test('a run without a knowledge base fails and says how to make one', async () => {
    using folder = new Folder({
      'plan.json': [calling(0, 'vector_search', { query: 'x' }, 'a'), answering(1, ref('a'))],
    });
    const { code, stderr } = await folder.planvm(['run', 'plan.json']);
    expect(code).toBe(1);
    expect(stderr).toContain('PV4300');
    expect(stderr).toContain('planvm ingest');
  });
});
