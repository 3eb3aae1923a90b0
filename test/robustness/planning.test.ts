/** Planning with a model that fails: bounded attempts, budgets, and nothing is run by halves. */
import { expect, test } from 'vitest';
import { answering, calling, Folder, ref } from '../support/cli.ts';
import { inOrder, type ServedReply, startModelServer } from '../support/model-server.ts';

const good = JSON.stringify([answering(0, 'yes')]);
const failing = JSON.stringify([
  calling(0, 'calculate', { expression: '1 / 0' }, 'a'),
  answering(1, ref('a')),
]);
const usage = { input: 10_000, output: 2000 };

const ask = (command: string): string[] => [
  ...[command, 'Say yes.', '--model', 'openai/test', '--json'],
  ...['--dialect', 'stackvm-2'],
];

test.each<[string, string, ServedReply[]]>([
  ['plan', '429', [{ status: 429, headers: { 'retry-after': '0' } }, good]],
  ['plan', '500 twice', [{ status: 500 }, { status: 500 }, good]],
  ['ask', 'a cut stream', [{ text: good, cutAfterBytes: 200 }, good]],
  ['ask', 'an empty answer', [{ text: '' }, good]],
  ['ask', 'a plan that is cut off', [good.slice(0, -20), good]],
])('%s lives through %s', async (command, _what, replies) => {
  await using server = await startModelServer(inOrder(...replies));
  using folder = new Folder();
  const { code, stdout } = await folder.planvm(ask(command), { env: server.env.openai });
  expect(code).toBe(0);
  const document = JSON.parse(stdout);
  expect(command === 'plan' ? document.text : JSON.stringify(document.answer)).toBe(
    command === 'plan' ? good : '"yes"',
  );
  expect(server.requests).toHaveLength(replies.length);
});

test('a provider that stays down ends it after three attempts', async () => {
  await using server = await startModelServer(() => ({ status: 500 }));
  using folder = new Folder();
  const { code, stdout, stderr } = await folder.planvm(ask('ask'), { env: server.env.openai });
  expect(code).toBe(1);
  expect(JSON.parse(stdout).error).toMatchObject({ code: 'PV4106' });
  expect(stderr.match(/^error PV4106: .* \(3 attempts\)/gm)).toHaveLength(1);
  expect(stderr).not.toContain('attempt 2');
  expect(server.requests).toHaveLength(3);
  const runs = JSON.parse((await folder.planvm(['runs', '--json'])).stdout);
  expect(runs).toMatchObject([{ title: 'plan: Say yes.', status: 'failed' }]);
});

test('a provider that never answers meets --timeout, and its connection is closed', async () => {
  await using server = await startModelServer(() => ({ hang: true }));
  using folder = new Folder();
  const args = [...ask('plan'), '--timeout', '300ms', '--attempts', '1'];
  const { code, stdout } = await folder.planvm(args, { env: server.env.openai });
  expect(code).toBe(1);
  expect(JSON.parse(stdout).error).toMatchObject({
    code: 'PV4005',
    message: expect.stringMatching(/^model got no answer of \S+ within 300 ms$/),
  });
  await server.requests[0]?.abandoned;
});

test('Ctrl-C reaches the connection, and nothing was run', async () => {
  const asked = Promise.withResolvers<void>();
  await using server = await startModelServer(() => {
    asked.resolve();
    return { text: 'never to be whole', gate: new Promise(() => {}) };
  });
  using folder = new Folder();
  const call = folder.start(ask('ask'), { env: server.env.openai });
  await asked.promise;
  call.process.kill('SIGINT');
  await server.requests[0]?.abandoned;
  const { code, stdout } = await call.ended;
  expect({ code, error: JSON.parse(stdout).error.code }).toEqual({ code: 130, error: 'PV6018' });
});

test('a budget pays for planning and runs together', async () => {
  await using server = await startModelServer(() => ({ text: failing, usage }));
  using folder = new Folder();
  const env = server.env.openai;
  // Enough for a plan and to ask for a repair, not to go on with that.
  const args = [...ask('ask'), '--repair', '5', '--tokens', '20000'];
  const { code, stdout, stderr } = await folder.planvm(args, { env });
  expect(code).toBe(5);
  expect(JSON.parse(stdout).error).toMatchObject({
    code: 'PV6020',
    message: 'repairing has used up the budget: 2 model calls, 24 000 tokens',
  });
  expect(stderr).toContain('the model repairs it (1)');
  expect(server.requests).toHaveLength(2);
});

test('usage counts planning, repairing and every run', async () => {
  const asking = (prompt: string): string =>
    JSON.stringify([
      calling(0, 'llm_generate', { prompt }, 'a'),
      calling(1, 'calculate', { expression: `1 / ${ref('a')}` }, 'b'),
      answering(2, ref('b')),
    ]);
  const replies = [asking('Hello.'), '0', `PLAN\n${asking('Two?')}`, '2'];
  await using server = await startModelServer(({ index }) => ({
    text: replies[index] ?? '',
    usage,
  }));
  using folder = new Folder();
  const { code, stdout } = await folder.planvm(ask('ask'), { env: server.env.openai });
  const document = JSON.parse(stdout);
  expect({ code, answer: document.answer }).toEqual({ code: 0, answer: 0.5 });
  expect(document.usage).toEqual({
    modelCalls: 4,
    inputTokens: 40_000,
    outputTokens: 8000,
    cost: null,
  });
});
