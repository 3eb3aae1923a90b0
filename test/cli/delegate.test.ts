/** `delegate` over the wire and in the journal: its tools, its budget, its depth, and kills. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Folder } from '../support/cli.ts';
import { type Script, startModelServer } from '../support/model-server.ts';
import { fenced } from '../support/talk.ts';

const tools = `
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
const text = (name) => ({ type: 'object', properties: { [name]: { type: 'string' } }, required: [name] });
export default [
  {
    name: 'population', description: 'Of a city.', effect: 'read', parameters: text('city'),
    run({ city }) {
      if (existsSync('die')) {
        writeFileSync('died', '');
        process.kill(process.pid, 'SIGKILL');
      }
      return city === 'Oslo' ? 717710 : 0;
    },
  },
  {
    name: 'publish', description: 'Says it to all.', effect: 'write', destructive: true,
    parameters: text('words'),
    run({ words }) { appendFileSync('published', words + '\\n'); return 'published'; },
  },
];
`;

const counting = fenced('answer(population(city = "Oslo"))');

const run = (...more: readonly string[]): string[] => [
  ...['run', 'p.star', '--tools', './tools.ts', '--model', 'openai/m', '--json', ...more],
];

const folderWith = (program: string, more: Readonly<Record<string, string>> = {}): Folder =>
  new Folder({ 'p.star': program, 'tools.ts': tools, ...more });

test('a program that a model writes for the task makes the outcome', async () => {
  await using server = await startModelServer(() => counting);
  using folder = folderWith('answer(delegate("How many live in Oslo?") + 1)\n');
  const done = await folder.planvm(run(), { env: server.env.openai });
  const { status, answer, usage, run: id } = JSON.parse(done.stdout);
  expect({ status, answer }).toEqual({ status: 'done', answer: 717711 });
  expect(usage).toMatchObject({ modelCalls: 1, inputTokens: 10, outputTokens: 5 });
  expect(server.requests[0]?.prompt).toContain('How many live in Oslo?');
  const runs: unknown[] = JSON.parse((await folder.planvm(['runs', '--json'])).stdout);
  expect(runs).toHaveLength(1);
  const shown = await folder.planvm(['show', `${id}.0-1.delegate.0-2.program`, '--json']);
  expect(JSON.parse(shown.stdout).effects).toMatchObject([{ name: 'population', status: 'done' }]);
});

test('kill -9 between the plan and the end of its program pays no call twice', async () => {
  await using server = await startModelServer(() => counting);
  using folder = folderWith('answer(delegate("How many live in Oslo?"))\n', { die: '' });
  const killed = folder.start(run(), { env: server.env.openai });
  await killed.ended;
  expect(folder.read('died')).toBe('');
  expect(server.requests).toHaveLength(1);
  rmSync(join(folder.path, 'die'));
  const again = await folder.planvm(['resume', 'last', '--json'], { env: server.env.openai });
  expect(JSON.parse(again.stdout)).toMatchObject({
    ...{ status: 'done', answer: 717710 },
    usage: { modelCalls: 1 },
  });
  expect(server.requests).toHaveLength(1);
});

test('it has the tools that are named and no others', async () => {
  const script: Script = ({ index }) =>
    index === 0 ? fenced('answer(publish(words = "x"))') : counting;
  await using server = await startModelServer(script);
  using folder = folderWith('answer(delegate("Count.", helpers = ["population"]))\n');
  const { stdout } = await folder.planvm(run(), { env: server.env.openai });
  expect(JSON.parse(stdout)).toMatchObject({ status: 'done', answer: 717710 });
  const [first, second] = server.requests.map(({ messages }) =>
    messages.map(({ content }) => content).join('\n'),
  );
  expect(first).toContain('population(');
  expect(first).not.toContain('Says it to all.');
  expect(second).toContain('publish');
});

test('what is handed on is never more than the run has', async () => {
  await using server = await startModelServer(() => counting);
  using folder = folderWith(
    'a = try_call(delegate, "x", helpers = ["publish"])\n' +
      'b = try_call(delegate, "x", helpers = ["populaton"])\n' +
      'answer([a.error.code, a.error.message, b.error.code])\n',
  );
  const args = run('--allow', 'delegate,population');
  const { stdout } = await folder.planvm(args, { env: server.env.openai });
  expect(JSON.parse(stdout).answer).toEqual([
    ...['PV7011', 'helpers: got publish, want a tool of this run', 'PV7011'],
  ]);
  expect(server.requests).toEqual([]);
});

test('its budget ends it, and not the run around it', async () => {
  const reply = {
    text: fenced('answer(llm_call([1], "Again."))'),
    usage: { input: 90, output: 9 },
  };
  await using server = await startModelServer(() => reply);
  using folder = folderWith(
    'a = try_call(delegate, "x", budget = {"tokens": 50000})\n' +
      'b = try_call(delegate, "x", budget = {"tokens": 5})\n' +
      'answer([a.ok, b.ok, b.error.code])\n',
  );
  const { stdout } = await folder.planvm(run(), { env: server.env.openai });
  expect(JSON.parse(stdout).answer).toEqual([true, false, 'PV5101']);
  expect(server.requests).toHaveLength(2);
});

test('sub-agents within each other come to an end', async () => {
  await using server = await startModelServer(() => fenced('answer(delegate("Deeper."))'));
  using folder = folderWith('answer(delegate("Deep."))\n');
  const { code, stdout } = await folder.planvm(run(), { env: server.env.openai });
  expect(code).toBe(1);
  expect(JSON.parse(stdout).error).toMatchObject({
    code: 'PV7012',
    message: expect.stringContaining('got a sub-agent within 3 others, want 3'),
  });
  expect(server.requests).toHaveLength(3);
});

test('how deep they go is a limit of the run', async () => {
  await using server = await startModelServer(() => fenced('answer(delegate("Deeper."))'));
  using folder = folderWith('answer(delegate("Deep."))\n');
  const { stdout } = await folder.planvm(run('--delegate-depth', '1'), { env: server.env.openai });
  const { code, message, hint } = JSON.parse(stdout).error;
  expect(code).toBe('PV7012');
  expect(`${message}; ${hint}`).toMatch(/within 1 others, want 1 .*--delegate-depth/);
  expect(server.requests).toHaveLength(1);
});

test('a sub-agent hands on what it was handed, never more', async () => {
  const handing = 'r = try_call(delegate, "x", helpers = ["publish"])\nanswer(r.error.message)';
  await using server = await startModelServer(() => fenced(handing));
  using folder = folderWith('answer(delegate("x", helpers = ["delegate", "population"]))\n');
  const { stdout } = await folder.planvm(run('--yes', 'publish'), { env: server.env.openai });
  expect(JSON.parse(stdout).answer).toBe('helpers: got publish, want a tool of this run');
  expect(server.requests).toHaveLength(1);
});

test('it writes where a tool writes that the run may call', async () => {
  await using server = await startModelServer(() => counting);
  using folder = folderWith('answer(delegate("x"))\n');
  const classOf = async (...more: string[]): Promise<string> => {
    const { stdout } = await folder.planvm(run(...more), { env: server.env.openai });
    const shown = await folder.planvm(['show', JSON.parse(stdout).run, '--json']);
    return JSON.parse(shown.stdout).effects[0].class;
  };
  expect(await classOf()).toBe('write');
  expect(await classOf('--deny', 'publish')).toBe('read');
});

test('a failure within it is its failure, in the words of that', async () => {
  await using server = await startModelServer(() => 'I cannot do that.');
  using folder = folderWith('answer(try_call(delegate, "x").error.message)\n');
  const { stdout } = await folder.planvm(run(), { env: server.env.openai });
  expect(JSON.parse(stdout).answer).toContain('I cannot do that.');
});

test('what its program may not do alone a person is asked about, once', async () => {
  await using server = await startModelServer(() => fenced('answer(publish(words = "Hear."))'));
  using folder = folderWith('answer(delegate("Tell all."))\n');
  const waits = await folder.planvm(run(), { env: server.env.openai });
  expect(JSON.parse(waits.stdout)).toMatchObject({
    ...{ status: 'waiting', reason: 'approval' },
    waits: [{ kind: 'approval', tool: 'publish', request: { words: 'Hear.' } }],
  });
  const answered = await folder.planvm(['answer', 'last', 'yes'], { env: server.env.openai });
  expect(answered).toMatchObject({ code: 2, stdout: '' });
  expect(answered.stderr).toContain('PV5142');
  expect(existsSync(join(folder.path, 'published'))).toBe(false);
  const args = ['approve', 'last', '--json'];
  const { stdout } = await folder.planvm(args, { env: server.env.openai });
  expect(JSON.parse(stdout)).toMatchObject({ status: 'done', answer: 'published' });
  expect(folder.read('published')).toBe('Hear.\n');
  expect(server.requests).toHaveLength(1);
});

test('a task from outside is no constant of the program that is written for it', async () => {
  await using server = await startModelServer(() => fenced('answer(publish(words = "Hear."))'));
  using folder = folderWith('answer(delegate("Tell all about %d." % population(city = "Oslo")))\n');
  const args = run('--approve', 'untrusted');
  const { stdout } = await folder.planvm(args, { env: server.env.openai });
  expect(JSON.parse(stdout)).toMatchObject({ status: 'waiting', reason: 'approval' });
  expect(existsSync(join(folder.path, 'published'))).toBe(false);
});

test('check knows it', async () => {
  using folder = folderWith('answer(delegate("x", budget = {"tokens": 9}))\n');
  expect((await folder.planvm(['check', 'p.star'])).code).toBe(0);
});
