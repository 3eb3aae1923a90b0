/** Models by role: who plans, who answers programs, who judges; and what doctor says of them. */
import { expect, test } from 'vitest';
import { Folder } from '../support/cli.ts';
import { startModelServer } from '../support/model-server.ts';

const program = 'answer(llm_generate(prompt = "Say hello."))';

const replies: Readonly<Record<string, string>> = {
  planner: `\`\`\`starlark\n${program}\n\`\`\``,
  worker: 'Hello.',
  judge: '{"reason": "It greets.", "accept": true, "suggestion": ""}',
};

const models = { planner: 'openai/planner', worker: 'openai/worker', judge: 'openai/judge' };

test('each role asks its own model, as the file says or an option does', async () => {
  await using server = await startModelServer(({ model }) => replies[model] ?? `no role: ${model}`);
  using folder = new Folder({ 'planvm.config.json': { models } });
  const env = { ...server.env.openai };
  const ask = ['ask', 'Greet.', '--dialect', 'starlark', '--judge', '-q'];
  const asked = (): string[] => server.requests.map(({ model }) => model);

  const done = await folder.planvm(ask, { env });
  expect(done).toMatchObject({ code: 0, stdout: 'Hello.\n' });
  const roles = asked().filter((model, index) => model !== asked()[index - 1]);
  expect(roles).toEqual(['planner', 'worker', 'judge']);

  folder.write('planvm.config.json', { model: 'openai/nobody' });
  const flags = ['--model', 'openai/worker', '--planner-model', 'openai/planner'];
  const again = await folder.planvm([...ask, ...flags, '--judge-model', 'openai/judge'], { env });
  expect(again).toMatchObject({ code: 0, stdout: 'Hello.\n' });
  expect(asked()).not.toContain('nobody');
});

test('a role without a model of its own has the one that works', async () => {
  await using server = await startModelServer(({ model }) => replies[model] ?? `no role: ${model}`);
  using folder = new Folder({ 'planvm.config.json': { models: { planner: 'openai/planner' } } });
  const env = { ...server.env.openai, PLANVM_MODEL: 'openai/judge' };
  const done = await folder.planvm(
    ['ask', 'Greet.', '--dialect', 'starlark', '--judge', '--json'],
    { env },
  );
  expect(JSON.parse(done.stdout)).toMatchObject({
    answer: replies.judge,
    answers: [{ verdict: { by: 'openai/judge', accept: true } }],
  });
});

test('a transcript stands for all roles', async () => {
  using folder = new Folder({
    'planvm.config.json': { models },
    'calls.ndjson': [{ kind: 'model', match: 'Say hello.', reply: 'From the transcript.' }]
      .map((line) => JSON.stringify(line))
      .join('\n'),
  });
  const { stdout } = await folder.planvm(['doctor', '--json', '--replay', 'calls.ndjson']);
  const { settings } = JSON.parse(stdout);
  const shown = new Map(settings.map((one: { name: string }) => [one.name, one]));
  for (const name of ['model', 'models.planner', 'models.judge']) {
    expect(shown.get(name)).toMatchObject({
      value: `replay/${folder.path}/calls.ndjson`,
      origin: '--replay',
    });
  }
});

test('doctor says which model each role has and who says so', async () => {
  using folder = new Folder({
    'planvm.config.json': { models: { judge: 'opnai/judge', worker: 'ollama/x' } },
    '.env': 'PLANVM_PLANNER_MODEL=ollama/plans\n',
  });
  const { code, stdout } = await folder.planvm(['doctor', '--json']);
  expect(code).toBe(2);
  const { checks, settings } = JSON.parse(stdout);
  expect(checks).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ what: 'model of the planner', status: 'good' }),
      expect.objectContaining({ what: 'model of the judge', status: 'wrong' }),
    ]),
  );
  expect(settings).toMatchObject(
    expect.arrayContaining([
      { name: 'model', value: 'ollama/x', origin: 'planvm.config.json' },
      { name: 'models.planner', value: 'ollama/plans', origin: 'PLANVM_PLANNER_MODEL in .env' },
      { name: 'models.judge', value: 'opnai/judge', origin: 'planvm.config.json' },
      { name: 'system', value: null, origin: 'default' },
      { name: 'approve', value: 'destructive', origin: 'default' },
    ]),
  );
  const text = (await folder.planvm(['doctor', '--judge-model', 'ollama/y'])).stdout;
  expect(text).toMatch(/models\.judge +ollama\/y +--judge-model/);
});

test('two workers in one file are refused', async () => {
  using folder = new Folder({
    'planvm.config.json': { model: 'ollama/a', models: { worker: 'ollama/b' } },
  });
  const done = await folder.planvm(['tools']);
  expect(done.code).toBe(2);
  expect(done.stderr).toContain('error PV6004');
  expect(done.stderr).toContain('got model ollama/a and models.worker ollama/b');
});
