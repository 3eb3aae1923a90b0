/** `planvm check`: what it says, and that it runs nothing. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { answering, calling, Folder, ref } from '../support/cli.ts';
import { root } from '../support/repo.ts';

const good = [answering(0, 'yes')];
const withTool = [calling(0, 'lookup', { key: 'a' }, 'x'), answering(1, ref('x'))];

describe('--json', () => {
  test('is the document of the contract for a valid program', async () => {
    using folder = new Folder({ 'plan.json': good });
    const { code, stdout, stderr } = await folder.planvm(['check', 'plan.json', '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({ ok: true, dialect: 'stackvm-2', diagnostics: [] });
  });

  test('and for an invalid one, with every member of a diagnostic', async () => {
    using folder = new Folder({ 'plan.json': withTool });
    const { code, stdout } = await folder.planvm(['check', 'plan.json', '--json']);
    expect(code).toBe(3);
    const { ok, diagnostics } = JSON.parse(stdout);
    expect(ok).toBe(false);
    expect(diagnostics).toEqual([
      {
        code: 'PV2132',
        severity: 'error',
        message: expect.stringContaining('lookup'),
        line: 1,
        column: expect.any(Number),
        hint: expect.stringMatching(/^none of the \d+ tools has a name like it$/),
        step: '0',
      },
    ]);
  });
});

test('the text is the result: it stands on stdout, with the lines it is about', async () => {
  using folder = new Folder({ 'plan.json': JSON.stringify(withTool, null, 2) });
  const { code, stdout, stderr } = await folder.planvm(['check', 'plan.json']);
  expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
  expect(stdout).toMatch(
    /^plan\.json:7:20: error PV2132: .*lookup\n +7 \| +"tool_name": "lookup",\n/,
  );
  expect(stdout).toMatch(/\n1 error\n$/);
});

test('--strict takes warnings as errors, for check and for run', async () => {
  using folder = new Folder({ 'plan.json': [{ ...answering(0, 'yes'), note: 'so far' }] });
  const lenient = await folder.planvm(['check', 'plan.json', '--json']);
  expect(JSON.parse(lenient.stdout)).toMatchObject({
    ok: true,
    diagnostics: [{ code: 'PV2114', severity: 'warning' }],
  });
  const strict = await folder.planvm(['check', 'plan.json', '--strict', '--json']);
  expect(strict.code).toBe(3);
  expect(JSON.parse(strict.stdout)).toMatchObject({
    ok: false,
    diagnostics: [{ code: 'PV2114', severity: 'error' }],
  });
  const run = await folder.planvm(['run', 'plan.json', '--strict']);
  expect(run).toMatchObject({ code: 3, stdout: '' });
  expect(run.stderr).toContain('error PV2114');
});

test('stdin is a program too', async () => {
  using folder = new Folder();
  const { code, stdout } = await folder.planvm(['check', '-'], { input: JSON.stringify(good) });
  expect({ code, stdout }).toEqual({ code: 0, stdout: '✔ stdin: a valid program (stackvm-2)\n' });
});

describe('tools', () => {
  const declaration = {
    name: 'lookup',
    description: 'Looks up.',
    effect: 'read',
    parameters: {
      type: 'object',
      properties: { key: { type: 'integer' } },
      required: ['key'],
    },
  };

  test('of a JSON file are known with their parameters', async () => {
    using folder = new Folder({ 'plan.json': withTool, 'tools.json': [declaration] });
    const args = ['check', 'plan.json', '--tools', 'tools.json', '--json'];
    const { code, stdout } = await folder.planvm(args);
    expect(code).toBe(3);
    expect(JSON.parse(stdout).diagnostics).toMatchObject([{ code: 'PV2135', step: '0' }]);
  });

  test('of a module may exist: a warning, and the module is not run', async () => {
    using folder = new Folder({
      'plan.json': withTool,
      'tools.mjs': `import { writeFileSync } from 'node:fs'; writeFileSync('ran', '');`,
    });
    const { code, stdout } = await folder.planvm(['check', 'plan.json', '--tools', 'tools.mjs']);
    expect(code).toBe(0);
    expect(stdout).toContain('warning PV2132');
    expect(stdout).toContain(
      'hint: tools.mjs may declare it: check imports no modules without --modules',
    );
    expect(existsSync(join(folder.path, 'ran'))).toBe(false);
  });

  test('of modules are known with their parameters where modules may be imported', async () => {
    const tools = `export default [{ ...${JSON.stringify(declaration)}, run: () => 1 }];`;
    using folder = new Folder({
      'plan.json': withTool,
      'tools.mjs': tools,
      'planvm.config.ts': `export default { tools: './tools.mjs' };`,
    });
    const args = ['check', 'plan.json', '--modules'];
    const { code, stdout } = await folder.planvm([...args, '--json']);
    expect(JSON.parse(stdout).diagnostics).toMatchObject([{ code: 'PV2135', step: '0' }]);
    expect(code).toBe(3);
    folder.write('tools.mjs', 'throw new Error("not today");');
    const failed = await folder.planvm(args);
    expect(failed).toMatchObject({ code: 2, stdout: '' });
    expect(failed.stderr).toContain('not today');
  });

  test('of a module excuse nothing that is no tool', async () => {
    const playbooks =
      '# A\n\n## Main\nexecution_mode: code\n\n```python\ndef other():\n  return 1\n```\n';
    using folder = new Folder({ 'a.md': playbooks, 'tools.mjs': '' });
    const { code, stdout } = await folder.planvm([
      ...['check', 'a.md', '--dialect', 'playbook', '--tools', 'tools.mjs', '--json'],
    ]);
    expect(JSON.parse(stdout).diagnostics).toContainEqual(
      expect.objectContaining({ code: 'PV2404', severity: 'error' }),
    );
    expect(code).toBe(3);
  });

  test('of planvm.config.ts may exist too, and it is not run', async () => {
    using folder = new Folder({
      'plan.json': withTool,
      'planvm.config.ts': `import { writeFileSync } from 'node:fs'; writeFileSync('ran', '');`,
    });
    const { code, stdout } = await folder.planvm(['check', 'plan.json', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, diagnostics: [{ severity: 'warning' }] });
    expect(existsSync(join(folder.path, 'ran'))).toBe(false);
  });

  test('of a module leave nothing of a plan unread but their arguments', async () => {
    const plan = [
      ...['Thought: a circle', '1. Foo[$2, $9]', 'Thought: of two', '2. Bar[$1]'],
      ...['Thought: its own', '3. Baz["of $3"]', 'Thought: two of them', '3. join()'],
    ];
    using folder = new Folder({ 'tools.mjs': '' });
    folder.write('plan.llmcompiler', plan.join('\n'));
    const args = ['check', 'plan.llmcompiler', '--tools', 'tools.mjs', '--json'];
    const { code, stdout } = await folder.planvm(args);
    const { diagnostics }: { diagnostics: { severity: string; code: string }[] } =
      JSON.parse(stdout);
    const wrong = diagnostics.filter(({ severity }) => severity === 'error');
    const codes = ['PV2609', 'PV2607', 'PV2608', 'PV2605'];
    expect({ code, wrong: wrong.map((one) => one.code) }).toEqual({ code: 3, wrong: codes });
    const open = diagnostics.filter((one) => one.code === 'PV2611').map((one) => one.severity);
    expect(open).toEqual(['warning', 'warning', 'warning']);
  });

  test.each(['Calculate', 'calculate'])('%s of a module is not the built-in one', async (name) => {
    const plan = `Thought: what it adds\n1. ${name}[]\nThought: done\n2. join()\n`;
    const tool = `{ name: '${name}', description: 'Adds.', effect: 'pure', run: () => 3 }`;
    using folder = new Folder({ 'tools.mjs': `export default [${tool}];` });
    folder.write('plan.llmcompiler', plan);
    const args = ['check', 'plan.llmcompiler', '--tools', 'tools.mjs', '--json'];
    const { code, stdout } = await folder.planvm(args);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).diagnostics).toMatchObject([
      { code: 'PV2611', severity: 'warning', message: `there is no tool ${name}` },
    ]);
    const alone = await folder.planvm(['check', 'plan.llmcompiler']);
    expect(alone.code).toBe(3);
  });

  test('of planvm.config.json are known: data is read', async () => {
    using folder = new Folder({
      'plan.json': [calling(0, 'lookup', { key: 1 }, 'x'), answering(1, ref('x'))],
      'planvm.config.json': { tools: 'tools.json' },
      'tools.json': [declaration],
    });
    expect(await folder.planvm(['check', 'plan.json'])).toMatchObject({ code: 0 });
  });
});

describe('the size of a text', () => {
  const large = `${JSON.stringify(good)}${' '.repeat(5 * 2 ** 20)}`;

  test('has a limit, which is said before anything is read', async () => {
    using folder = new Folder({ 'plan.json': large });
    const { code, stdout } = await folder.planvm(['check', 'plan.json', '--json']);
    expect(code).toBe(3);
    expect(JSON.parse(stdout).diagnostics).toEqual([
      {
        code: 'PV1002',
        severity: 'error',
        message: `got a text of ${large.length} bytes, want at most ${4 * 2 ** 20}`,
        line: 1,
        column: 1,
        hint: 'make it shorter, or raise the limit sourceBytes',
      },
    ]);
  });

  test('that can be raised and lowered', async () => {
    using folder = new Folder({ 'plan.json': large, 'small.json': good });
    const told = await folder.planvm(['check', 'plan.json']);
    expect(told.stdout).toContain('or raise the limit sourceBytes (--source-bytes)\n');
    const raised = ['check', 'plan.json', '--source-bytes', '6MiB'];
    expect(await folder.planvm(raised)).toMatchObject({ code: 0 });
    const lowered = ['run', 'small.json', '--source-bytes', '10'];
    expect(await folder.planvm(lowered)).toMatchObject({ code: 3, stdout: '' });
  });

  test('counts bytes, not characters', async () => {
    using folder = new Folder({ 'plan.json': [answering(0, 'äöü€😀')] });
    const { stdout } = await folder.planvm(['check', 'plan.json', '--source-bytes', '9', '--json']);
    const bytes = Buffer.byteLength(folder.read('plan.json'));
    expect(JSON.parse(stdout).diagnostics[0].message).toContain(`got a text of ${bytes} bytes`);
  });
});

test('inputs are known by their names', async () => {
  using folder = new Folder({ 'plan.json': [answering(0, ref('city'))] });
  expect(await folder.planvm(['check', 'plan.json'])).toMatchObject({ code: 3 });
  expect(await folder.planvm(['check', 'plan.json', '--input', 'city'])).toMatchObject({ code: 0 });
});

describe('the dialect', () => {
  test('can be named', async () => {
    using folder = new Folder({ 'plan.json': good });
    const args = ['check', 'plan.json', '--dialect', 'stackvm-1', '--json'];
    expect(JSON.parse((await folder.planvm(args)).stdout)).toMatchObject({ dialect: 'stackvm-1' });
  });

  test('that does not exist is an error with a suggestion', async () => {
    using folder = new Folder({ 'plan.json': good });
    const args = ['check', 'plan.json', '--dialect', 'stakvm-2'];
    const { code, stdout, stderr } = await folder.planvm(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error PV2001: .*\n {2}hint: did you mean stackvm-2\?\n$/);
  });
});

const isRunning = /\/src\/((?:engine|effects|machine)\/.*)\.ts$/;

test('it loads neither models nor schemas nor prompts, and opens no database', async () => {
  using folder = new Folder({
    'plan.json': good,
    'hook.mjs': `
      import { registerHooks } from 'node:module';
      const loaded = [];
      registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
      process.on('exit', () => process.stderr.write(JSON.stringify(loaded)));`,
    // Of the sources, since what is built of them has many modules in one file.
    'main.mjs': `
      const { main } = await import(${JSON.stringify(`file://${root}/src/cli/main.ts`)});
      process.exit(await main(process.argv.slice(2)));`,
  });
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--import', './hook.mjs', 'main.mjs', 'check', 'plan.json'],
    { cwd: folder.path },
  );
  expect(stdout).toContain('a valid program');
  const loaded: string[] = JSON.parse(stderr);
  // The hook sees what is loaded, so that its silence about the rest means something.
  expect(loaded.filter((url) => url.includes('/commander/'))).not.toEqual([]);
  const packages = loaded.filter((url) => url.includes('/node_modules/'));
  const heavy = packages.filter((url) => !/\/(commander|@commander-js)\//.test(url));
  expect(heavy).toEqual([]);
  expect(loaded.filter((url) => url === 'node:sqlite')).toEqual([]);
  // Of what runs programs, the declarations alone: names, parameters, words of options.
  const running = loaded.flatMap((url) => isRunning.exec(url)?.[1] ?? []);
  expect(running.sort()).toEqual([
    'effects/bind/specs',
    'effects/built-in-specs',
    'effects/calculate/calculate',
    'effects/clock/specs',
    'effects/digest/fit',
    'effects/model/specs',
    'effects/model/unavailable',
    'effects/person/spec',
    'effects/retrieve/specs',
    'effects/table-ask/specs',
    'effects/tool-set-names',
    'effects/tool/fields',
    'effects/tool/pinned',
    'engine/handler',
    'engine/journal/distrust',
    'engine/perform/approvals',
    'engine/settings',
  ]);
});
