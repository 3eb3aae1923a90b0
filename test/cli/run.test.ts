/** `planvm run`: where a program comes from, where its answer goes, how it ends. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { answering, calling, Folder, planvm, ref } from '../support/cli.ts';
import { root } from '../support/repo.ts';

const tools = `export default [
  { name: 'double', description: 'Doubles n.', effect: 'read',
    parameters: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
    run: ({ n }) => n * 2 },
  { name: 'broken', description: 'Fails.', effect: 'pure',
    run() { throw new Error('the shelf is empty'); } },
  { name: 'nothing', description: 'Returns nothing.', effect: 'read', run() {} },
];`;

const plan = [
  calling(0, 'double', { n: 4 }, 'eight'),
  calling(1, 'double', { n: ref('eight') }, 'sixteen'),
  answering(2, `It is ${ref('sixteen')}.`),
];

const withTools = ['--tools', 'tools.ts'];

test('a long error is one short line as it comes, and stands whole where the run ends', async () => {
  const long = `export default [{ name: 'broken', description: 'Fails.', effect: 'pure',
    run() { throw new Error('the shelf is empty. '.repeat(500) + 'cause: mice'); } }];`;
  using folder = new Folder({
    'plan.json': [calling(0, 'broken', {}, 'final_answer')],
    'tools.ts': long,
  });
  const { code, stderr } = await folder.planvm(['run', 'plan.json', ...withTools]);
  expect(code).toBe(1);
  const [line = ''] = stderr.split('\n').filter((one) => one.startsWith('✖ 0 broken'));
  expect(line).toMatch(/^✖ 0 broken PV4202: broken: the shelf is empty\. /);
  expect(line.length).toBeLessThan(450);
  expect(line.endsWith('…')).toBe(true);
  expect(stderr).toContain('cause: mice');
});

describe('the answer', () => {
  test('goes to stdout and nothing else does; a text stands as it is', async () => {
    using folder = new Folder({ 'plan.json': plan, 'tools.ts': tools });
    const { code, stdout, stderr } = await folder.planvm(['run', 'plan.json', ...withTools]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'It is 16.\n' });
    expect(stderr).toMatch(/^run r\w+: plan\.json \(stackvm-2\)\n✔ 0 double \d/);
    expect(stderr).toMatch(/✔ done .*\n {2}planvm show r\w+\n$/);
  });

  test('is JSON where it is no text, with ints of any size', async () => {
    const big = [answering(0, { n: ref('n'), list: [1, 2.5] })];
    using folder = new Folder({ 'plan.json': big });
    const given = '123456789012345678901234567890';
    const { stdout } = await folder.planvm(['run', 'plan.json', '--input', `n=${given}`, '-q']);
    expect(stdout).toBe(`{\n  "n": ${given},\n  "list": [\n    1,\n    2.5\n  ]\n}\n`);
  });

  test('--quiet leaves stderr empty', async () => {
    using folder = new Folder({ 'plan.json': plan, 'tools.ts': tools });
    const ended = await folder.planvm(['run', 'plan.json', ...withTools, '--quiet']);
    expect(ended).toMatchObject({ code: 0, stdout: 'It is 16.\n', stderr: '' });
  });
});

describe('the program', () => {
  test('comes from stdin where - is named', async () => {
    using folder = new Folder({ 'tools.ts': tools });
    const input = JSON.stringify(plan);
    const { code, stdout } = await folder.planvm(['run', '-', ...withTools], { input });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'It is 16.\n' });
  });

  test('that is missing is a usage error', async () => {
    using folder = new Folder();
    const { code, stdout, stderr } = await folder.planvm(['run', 'plan.json']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('error PV6006: cannot read plan.json: there is no such file');
    const named = await folder.planvm(['run', '.']);
    expect(named).toMatchObject({ code: 2, stdout: '' });
    expect(named.stderr).toContain('error PV6006: cannot read .: it is a folder');
  });

  test('that is invalid exits 3 with its diagnostics, and nothing is run', async () => {
    const wrong = [calling(0, 'duoble', { n: 4 }, 'x'), answering(1, ref('x'))];
    using folder = new Folder({ 'plan.json': JSON.stringify(wrong, null, 2), 'tools.ts': tools });
    const { code, stdout, stderr } = await folder.planvm(['run', 'plan.json', ...withTools]);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(/plan\.json:7:20: error PV2132: .*duoble/);
    expect(stderr).toContain('hint: did you mean double?');
    expect(existsSync(join(folder.path, '.planvm'))).toBe(false);
  });

  test('that is invalid has a result document too', async () => {
    using folder = new Folder({ 'plan.json': '[]' });
    const { code, stdout } = await folder.planvm(['run', 'plan.json', '--json']);
    expect(code).toBe(3);
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({ run: null, status: 'invalid', answer: null, answers: [] });
    expect(result.error).toMatchObject({ code: 'PV2102', line: 1, column: 1 });
  });
});

describe('inputs', () => {
  const echo = [answering(0, [ref('a'), ref('b')])];

  test('are JSON where they parse, else text; single ones replace those of a file', async () => {
    using folder = new Folder({ 'plan.json': echo, 'inputs.json': { a: 1, b: [true] } });
    const args = ['run', 'plan.json', '--inputs', 'inputs.json', '--input', 'a=new york', '--json'];
    const { stdout } = await folder.planvm(args);
    expect(JSON.parse(stdout).answer).toEqual(['new york', [true]]);
  });

  test.each([
    [['--input', 'a'], '--input: got a, want name=value'],
    [['--input', 'a=1', '--input', 'a=2'], '--input gives a twice'],
    [['--input', 'a={"n": 20'], '--input a: got {"n": 20, which is not JSON'],
    [['--input', "a=[1, 'b']"], "--input a: got [1, 'b'], which is not JSON"],
    [['--inputs', 'none.json'], 'cannot read none.json'],
    [['--inputs', 'list.json'], 'list.json holds no JSON object'],
  ])('%j is a usage error', async (args, message) => {
    using folder = new Folder({ 'plan.json': echo, 'list.json': [1] });
    const { code, stderr } = await folder.planvm(['run', 'plan.json', ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(`error PV6007: ${message}`);
  });
});

describe('every answer is printed, in order', () => {
  test.each([
    [
      'a.star',
      'answer("a")\nanswer("b")\nfor n in [1, 2]:\n    answer("%d" % n)\n',
      'a\nb\n1\n2\n',
    ],
    ['a.stack', 'answer("a")\nforeach(data(["b", "c"]), answer(stack_pop(1)))\n', 'a\nb\nc\n'],
  ])('%s', async (name, text, printed) => {
    using folder = new Folder({ [name]: text, 'none.ndjson': '' });
    const run = await folder.planvm(['run', name, '--replay', 'none.ndjson']);
    expect(run).toMatchObject({ code: 0, stdout: printed });
    const shown = await folder.planvm(['show', 'last']);
    expect(shown.stdout).toContain(`\nanswers\n${printed}`);
    const document = JSON.parse((await folder.planvm(['show', 'last', '--json'])).stdout);
    const values = printed.trimEnd().split('\n');
    expect(document.answers.map(({ value }: { value: unknown }) => value)).toEqual(values);
    expect(document.answer).toBe(values.at(-1));
  });
});

describe('--json', () => {
  test('is the document of the contract', async () => {
    using folder = new Folder({ 'plan.json': plan, 'tools.ts': tools });
    const { code, stdout } = await folder.planvm(['run', 'plan.json', ...withTools, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      run: expect.stringMatching(/^r\w{14}$/),
      status: 'done',
      answer: 'It is 16.',
      answers: [{ value: 'It is 16.', step: '2' }],
      variables: { eight: 8, sixteen: 16, final_answer: 'It is 16.' },
      usage: { modelCalls: 0, inputTokens: 0, outputTokens: 0, cost: 0 },
      warnings: [],
    });
  });

  test('has the error with its place when the program fails', async () => {
    const failing = [calling(0, 'broken', {}, 'x'), answering(1, ref('x'))];
    using folder = new Folder({ 'plan.json': failing, 'tools.ts': tools });
    const { code, stdout } = await folder.planvm(['run', 'plan.json', ...withTools, '--json']);
    expect(code).toBe(1);
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({ status: 'failed', answer: null });
    expect(result.error).toMatchObject({
      code: 'PV4202',
      message: 'broken: the shelf is empty',
      step: '0',
      line: 1,
    });
  });
});

test('a failure is shown with the line it is about and what to do next', async () => {
  const failing = [calling(0, 'nothing', {}, 'x'), answering(1, ref('x'))];
  using folder = new Folder({
    'plan.json': JSON.stringify(failing, null, 2),
    'tools.ts': tools,
  });
  const { code, stdout, stderr } = await folder.planvm(['run', 'plan.json', ...withTools]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/plan\.json:7:20: error PV4002: nothing returned undefined/);
  expect(stderr).toMatch(/ 7 \| +"tool_name": "nothing",\n +\| +\^+/);
  expect(stderr).toMatch(/✖ failed.*\n {2}planvm show r\w+\n {2}planvm resume r\w+\n$/);
});

describe('--events', () => {
  test('prints what happens, one document a line, the result last', async () => {
    using folder = new Folder({ 'plan.json': plan, 'tools.ts': tools });
    const { stdout } = await folder.planvm(['run', 'plan.json', ...withTools, '--events']);
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.map(({ type }) => type)).toEqual([
      'run.started',
      'program.loaded',
      ...['step.entered', 'step.entered', 'step.entered'],
      ...['effect.started', 'effect.settled', 'effect.started', 'effect.settled'],
      'message.emitted',
      'run.finished',
      'run.result',
    ]);
    const kept = events.filter(({ seq }) => seq !== undefined);
    expect(kept.map(({ seq }) => seq)).toEqual(kept.map((_, index) => index + 1));
    const [started, settled] = ['effect.started', 'effect.settled'].map((type) =>
      events.find((event) => event.type === type),
    );
    expect(started).toMatchObject({ effect: '0#1', tool: 'double', request: { n: 4 } });
    expect(settled).toMatchObject({ effect: '0#1', outcome: { value: 8 } });
    expect(events.at(-1)).toMatchObject({ status: 'done', answer: 'It is 16.' });
  });

  test('does not go with --json', async () => {
    using folder = new Folder({ 'plan.json': plan });
    const { code, stderr } = await folder.planvm(['run', 'plan.json', '--json', '--events']);
    expect(code).toBe(2);
    expect(stderr).toContain("option '--json' cannot be used with option '--events'");
  });
});

describe('the journal', () => {
  test('is in .planvm of the folder, or where PLANVM_HOME says', async () => {
    using folder = new Folder({ 'plan.json': [answering(0, 'yes')] });
    await folder.planvm(['run', 'plan.json']);
    expect(existsSync(join(folder.path, '.planvm/runs.db'))).toBe(true);
    await folder.planvm(['run', 'plan.json'], { env: { PLANVM_HOME: 'elsewhere' } });
    expect(existsSync(join(folder.path, 'elsewhere/runs.db'))).toBe(true);
  });

  test('is found from a folder inside', async () => {
    using folder = new Folder({ '.git/HEAD': '', 'plan.json': [answering(0, 'yes')], 'in/x': '' });
    await folder.planvm(['run', 'plan.json']);
    const cwd = join(folder.path, 'in');
    const { stdout } = await planvm(['runs', '--json'], { cwd });
    expect(JSON.parse(stdout)).toHaveLength(1);
  });

  test('--no-journal leaves nothing', async () => {
    using folder = new Folder({ 'plan.json': [answering(0, 'yes')] });
    const { stdout } = await folder.planvm(['run', 'plan.json', '--no-journal']);
    expect(stdout).toBe('yes\n');
    expect(existsSync(join(folder.path, '.planvm'))).toBe(false);
  });
});

test('what checking has said of a step is not said again of its effects', async () => {
  const tools = `export default [{ name: 'open', description: 'Takes n.', effect: 'read',
    parameters: { type: 'object', properties: { n: { type: 'number' } } }, run: () => 1 }];`;
  const text = [calling(0, 'open', { n: 1, m: 2 }, 'x'), answering(1, ref('x'))];
  using folder = new Folder({ 'plan.json': text, 'tools.mjs': tools });
  const { stdout } = await folder.planvm(['run', 'plan.json', '--tools', 'tools.mjs', '--json']);
  const { answer, warnings } = JSON.parse(stdout);
  expect(answer).toBe(1);
  expect(warnings).toMatchObject([{ code: 'PV2134', message: 'open has no parameter m' }]);
});

const hasProc = existsSync('/proc/self');

test.skipIf(!hasProc)('a home where nothing can be made is told, not waited for', async () => {
  using folder = new Folder({ 'plan.json': [answering(0, 'x')], 'a.md': 'A text.' });
  const env = { PLANVM_HOME: '/proc/planvm/home' };
  const ran = await folder.planvm(['run', 'plan.json'], { env });
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('PLANVM_HOME') });
  const loaded = await folder.planvm(['ingest', 'a.md'], { env });
  expect(loaded).toMatchObject({ code: 2, stderr: expect.stringContaining('PV6022') });
});

test('lines say how many effects ran side by side', async () => {
  const tools = `let free; const both = new Promise((resolve) => { free = resolve; }); let here = 0;
    export default [{ name: 'meet', description: 'Waits for the other.', effect: 'read',
      async run() { if (++here === 2) free(); await both; return here; } }];`;
  const text = [calling(0, 'meet', {}, 'a'), calling(1, 'meet', {}, 'b'), answering(2, ref('b'))];
  using folder = new Folder({ 'plan.json': text, 'tools.mjs': tools });
  const { code, stderr } = await folder.planvm(['run', 'plan.json', '--tools', 'tools.mjs']);
  expect(code).toBe(0);
  expect(stderr).toMatch(/✔ 0 meet \d+ms\n✔ 1 meet \d+ms\nat most 2 effects/);
});

test('the same mended many times is said a few times on stderr, and each time in the document', async () => {
  const text = "[{'seq_no': 0, 'type': 'assign', 'parameters': {'final_answer': 'x'}}]";
  using folder = new Folder({ 'plan.json': text });
  const { stderr } = await folder.planvm(['run', 'plan.json']);
  expect(stderr.match(/warning PV1016: 1:/g)).toHaveLength(3);
  expect(stderr).toContain('\n  … the same 3 times more\n');
  const { warnings } = JSON.parse((await folder.planvm(['run', 'plan.json', '--json'])).stdout);
  expect(warnings.filter(({ code }: { code: string }) => code === 'PV1016')).toHaveLength(6);
});

test('a run ends although a tool holds something open', async () => {
  const holding = `import { createServer } from 'node:net';
    export default [{ name: 'listen', description: 'Listens.', effect: 'read',
      run: () => new Promise((done) => createServer().listen(0, '127.0.0.1', () => done('open'))) }];`;
  using folder = new Folder({
    'plan.json': [calling(0, 'listen', {}, 'x'), answering(1, ref('x'))],
    'tools.mjs': holding,
  });
  const { code, stdout } = await folder.planvm(['run', 'plan.json', '--tools', 'tools.mjs']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'open\n' });
});

test('a tool that never answers meets its time, although nothing keeps Node alive', async () => {
  const hanging = `export default [{ name: 'hang', description: 'Hangs.', effect: 'read',
    limits: { timeoutMs: 50 }, run: () => new Promise(() => {}) }];`;
  using folder = new Folder({
    'plan.json': [calling(0, 'hang', {}, 'x'), answering(1, ref('x'))],
    'tools.mjs': hanging,
  });
  const args = ['run', 'plan.json', '--tools', 'tools.mjs', '--attempts', '1', '--json'];
  const { code, stdout } = await folder.planvm(args);
  expect(code).toBe(1);
  expect(JSON.parse(stdout).error).toMatchObject({ code: 'PV4005' });
});

test('an error outside of a tool’s call ends the command, and the run resumes', async () => {
  const careless = `import { existsSync } from 'node:fs';
    export default [{ name: 'start', description: 'Starts.', effect: 'read', run() {
      if (existsSync('mended')) return 'yes';
      setImmediate(() => { throw new Error('nobody waits for me'); });
      return new Promise(() => {});
    } }];`;
  using folder = new Folder({
    'plan.json': [calling(0, 'start', {}, 'x'), answering(1, ref('x'))],
    'tools.mjs': careless,
  });
  const { code, stdout, stderr } = await folder.planvm([
    'run',
    'plan.json',
    '--tools',
    'tools.mjs',
  ]);
  expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
  expect(stderr).toContain(
    'error PV6019: something that nobody waits for has failed: nobody waits',
  );
  expect(stderr).not.toContain('    at ');
  folder.write('mended', '');
  expect(await folder.planvm(['resume', 'last'])).toMatchObject({ code: 0, stdout: 'yes\n' });
});

test.skipIf(!existsSync('/dev/full'))(
  'what cannot be written is said, and the run goes on later',
  () => {
    using folder = new Folder({ 'a.star': 'say("Hello")\nanswer(ask("Who?"))\n' });
    const shell = ['-c', '"$0" "$1" run a.star > /dev/full', process.execPath];
    const { stderr, status } = spawnSync('sh', [...shell, join(root, 'bin/planvm.js')], {
      cwd: folder.path,
      encoding: 'utf8',
    });
    expect(stderr).toMatch(
      /error PV6029: cannot write to stdout: ENOSPC.*\n {2}hint: make room there/,
    );
    expect(stderr).toContain('planvm resume');
    expect(status).toBe(130);
  },
);

test('--sequential runs one effect at a time', async () => {
  const counting = `let open = 0; let most = 0;
    const run = async () => {
      most = Math.max(most, ++open);
      await new Promise((done) => setImmediate(done));
      open--;
      return most;
    };
    export default [{ name: 'count', description: 'Counts.', effect: 'read',
      parameters: { type: 'object', properties: { n: { type: 'number' } } }, run }];`;
  const wide = [
    ...[0, 1, 2, 3].map((n) => calling(n, 'count', { n }, `most${n}`)),
    answering(4, [ref('most0'), ref('most1'), ref('most2'), ref('most3')]),
  ];
  using folder = new Folder({ 'plan.json': wide, 'tools.mjs': counting });
  const args = ['run', 'plan.json', '--tools', 'tools.mjs', '--json'];
  const beside = JSON.parse((await folder.planvm(args)).stdout).answer;
  const after = JSON.parse((await folder.planvm([...args, '--sequential'])).stdout).answer;
  expect(Math.max(...beside)).toBe(4);
  expect(Math.max(...after)).toBe(1);
});

test('an error in a function tells the calls that led there', async () => {
  using folder = new Folder({
    'half.star':
      'def half(x):\n    return x // 2\n\ndef twice(x):\n    return half(x)\n\ntwice("a")\n',
  });
  const { code, stdout, stderr } = await folder.planvm(['run', 'half.star', '--json']);
  expect(code).toBe(1);
  expect(JSON.parse(stdout).error.trace).toEqual([
    { name: '<toplevel>', line: 7, column: 6 },
    { name: 'twice', line: 5, column: 16 },
    { name: 'half', line: 2, column: 14 },
  ]);
  const calls = ['7:6: in <toplevel>', '5:16: in twice', '2:14: in half'];
  expect(stderr).toContain(calls.map((call) => `\n    half.star:${call}`).join(''));
});

test('what had to be mended in the answer of a tool to get a value from it is a warning', async () => {
  const careless = `export default [{ name: 'look', description: 'Looks.', effect: 'read',
    run: async () => 'Here: {name: "Ann", "age": 3,}' }];`;
  const parameters = { tool_name: 'look', tool_params: {}, output_vars: ['name', 'age'] };
  const taking = { ...calling(0, 'look', {}, 'x'), parameters };
  using folder = new Folder({
    'plan.json': [taking, answering(1, `${ref('name')}, ${ref('age')}`)],
    'tools.mjs': careless,
  });
  const args = ['run', 'plan.json', '--tools', 'tools.mjs', '--json'];
  const { answer, warnings } = JSON.parse((await folder.planvm(args)).stdout);
  expect(answer).toBe('Ann, 3');
  expect(warnings).toEqual([
    {
      step: '0',
      message:
        'a text was mended to be read as JSON: ' +
        '1:8: got the key name, want "name"; 1:29: got a comma before }',
    },
  ]);
});
