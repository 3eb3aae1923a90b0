/** Planning as a run: in the journal, resumable, by a loop that a user can replace. */
import { expect, test } from 'vitest';
import { loopFile } from '../../src/agent/program/loop-file.ts';
import { ownText } from '../../src/cli/run/ports.ts';
import { loopSource } from '../../src/planner/loop-source.ts';
import { answering, Folder } from '../support/cli.ts';
import { inOrder, startModelServer } from '../support/model-server.ts';

const good = JSON.stringify([answering(0, 'yes')]);
const bad = JSON.stringify([{ ...answering(0, 'yes'), type: 'asign' }]);
const stackvm = ['--dialect', 'stackvm-2'];
const plan = ['plan', 'Say yes.', '--model', 'openai/test', ...stackvm];

test('show lists what planning asked and what came of it, and the journal has the loop', async () => {
  await using server = await startModelServer(inOrder(bad, good));
  using folder = new Folder();
  expect(await folder.planvm(plan, { env: server.env.openai })).toMatchObject({
    code: 0,
    stdout: `${good}\n`,
  });
  const { stdout } = await folder.planvm(['show', 'last', '--json']);
  const { status, effects } = JSON.parse(stdout);
  expect(status).toBe('done');
  expect(effects.map(({ name }: { name: string }) => name)).toEqual([
    ...['prompt', 'model', 'check', 'model', 'check'],
  ]);
  const shown = await folder.planvm(['show', 'last']);
  expect(shown.stdout).toContain('plan: Say yes. (starlark)');
  expect(shown.stdout).toContain('assign  The conversation that asks for a program.');
});

test('a step without a comment is shown by its line', async () => {
  using folder = new Folder({ 'a.star': '# One.\nx = 1\nanswer(x + 1)\n' });
  await folder.planvm(['run', 'a.star']);
  const { stdout } = await folder.planvm(['show', 'last']);
  expect(stdout).toContain('✔ 2 assign  One.\n✔ 3 expression  answer(x + 1)\n');
});

test('what a budget has stopped goes on with a larger one, and asks nothing twice', async () => {
  const usage = { input: 10_000, output: 2000 };
  await using server = await startModelServer(inOrder({ text: bad, usage }, good));
  using folder = new Folder();
  const env = server.env.openai;
  const stopped = await folder.planvm([...plan, '--tokens', '13000'], { env });
  expect(stopped).toMatchObject({ code: 5, stdout: '' });
  expect(stopped.stderr).toContain(
    'PV6020: planning has too little of the budget left: 1 model call, ',
  );
  expect(stopped.stderr).toContain('--tokens ');
  const resumed = await folder.planvm(['resume', 'last', '--tokens', '100k'], { env });
  expect(resumed).toMatchObject({ code: 0, stdout: expect.stringContaining(good) });
  expect(server.requests).toHaveLength(2);
});

test('a process that is killed while the model writes is gone on with by another', async () => {
  const asked = Promise.withResolvers<void>();
  const replies = [
    { text: bad },
    { text: 'lost', gate: new Promise<void>(() => {}) },
    { text: good },
  ];
  await using server = await startModelServer(({ index }) => {
    if (index === 1) asked.resolve();
    return replies[index] ?? { status: 500 };
  });
  using folder = new Folder();
  const env = server.env.openai;
  const killed = folder.start(plan, { env });
  await asked.promise;
  killed.process.kill('SIGKILL');
  await killed.ended;
  const resumed = await folder.planvm(['resume', 'last'], { env });
  expect(resumed).toMatchObject({ code: 0, stdout: expect.stringContaining(good) });
  expect(server.requests).toHaveLength(3);
});

test('--no-journal leaves nothing, and names no run to resume', async () => {
  await using server = await startModelServer(inOrder(good));
  using folder = new Folder();
  const { code } = await folder.planvm([...plan, '--no-journal'], { env: server.env.openai });
  expect(code).toBe(0);
  const stopped = await folder.planvm([...plan, '--no-journal', '--tokens', '10'], {
    env: server.env.openai,
  });
  expect(stopped.code).toBe(5);
  expect(stopped.stderr).not.toContain('planvm resume');
  expect((await folder.planvm(['runs', '--json'])).stdout).toBe('[]\n');
});

const own = loopSource('plan').replace('range(1, rounds + 1)', 'range(1, 2)');

test("a user's own loop takes the place of ours, and a run goes on with what it began with", async () => {
  const usage = { input: 10_000, output: 2000 };
  await using server = await startModelServer(inOrder({ text: 'No.', usage }, good));
  const asking = own.replace('found = check', 'print("it said " + reply)\n    found = check');
  const again = `${asking}\nanswer(check(reply = model(messages = messages))["program"])\n`;
  using folder = new Folder({
    'planvm.config.json': { model: 'openai/test' },
    'loops/plan.star': again.replace('        fail("the model', '        print("the model'),
  });
  const env = server.env.openai;
  const stopped = await folder.planvm(['plan', 'Say yes.', '--tokens', '13000', ...stackvm], {
    env,
  });
  expect(stopped.code).toBe(5);
  expect(stopped.stderr).toContain('it said No.');
  folder.write('loops/plan.star', 'fail("another loop")');
  const resumed = await folder.planvm(['resume', 'last', '--tokens', '100k'], { env });
  expect(resumed).toMatchObject({ code: 0, stdout: expect.stringContaining(good) });
});

test("of a loop of several files, one of the user's takes the place of that one, or of all", () => {
  using folder = new Folder({ 'loops/playbook/triggers.star': '# mine\n' });
  const project = { folders: [], configFile: undefined, folder: folder.path };
  const none = { personalFile: undefined, envFile: undefined, mcpFile: undefined };
  const textNow = (): string =>
    loopFile({ ownText: (path) => ownText({ ...project, ...none }, path) }, 'playbook').text;
  expect(textNow()).toBe(
    loopSource('playbook', (file) => (file.endsWith('/triggers.star') ? '# mine\n' : undefined)),
  );
  expect(textNow()).toContain('def play(');
  expect(textNow()).not.toContain('def push(');
  folder.write('loops/playbook.star', '# all of it is mine\n');
  expect(textNow()).toBe('# all of it is mine\n');
});

test.each([
  ['is no program', 'try:\n  plan()\n', 'PV6021', 2, 'try_call'],
  ['fails', 'messages = prompt(goal = goal)\nmessages["a"]\n', 'PV7004', 1, 'plan.star:2:9'],
  ['answers with words', 'answer("no")\n', 'PV7004', 1, 'no valid program'],
])("a user's loop that %s is told with its place", async (_what, text, code, exit, words) => {
  using folder = new Folder({
    'planvm.config.json': {},
    'loops/plan.star': text,
    't.ndjson': '',
  });
  const done = await folder.planvm(['plan', 'Say yes.', '--replay', 't.ndjson', ...stackvm]);
  expect(done).toMatchObject({ code: exit, stdout: '' });
  expect(done.stderr).toContain(code);
  expect(done.stderr).toContain(words);
});

test('plan --json names its run', async () => {
  await using server = await startModelServer(inOrder(bad, good));
  using folder = new Folder();
  const { stdout } = await folder.planvm([...plan, '--json'], { env: server.env.openai });
  const { run, ...document } = JSON.parse(stdout);
  expect(document).toMatchObject({ dialect: 'stackvm-2', text: good, rounds: 2 });
  const shown = await folder.planvm(['show', run, '--json']);
  expect(JSON.parse(shown.stdout)).toMatchObject({ run, status: 'done' });
});
