/**
 * Providers that fail in every way a server can: a bounded number of attempts, an error that says
 * what to do, and a run that goes on once the cause is mended, without asking twice what was
 * answered.
 */
import { expect, test } from 'vitest';
import { answering, calling, Folder, ref } from '../support/cli.ts';
import { type ModelServer, type ServedReply, startModelServer } from '../support/model-server.ts';

const asking = (seq_no: number, prompt: string, output: string): unknown => ({
  ...calling(seq_no, 'llm_generate', {}, ''),
  parameters: { tool_name: 'llm_generate', tool_params: { prompt }, output_vars: output },
});

const plan = [
  asking(0, 'The first question.', 'a'),
  asking(1, `The second question, after ${ref('a')}.`, 'b'),
  answering(2, `${ref('a')}, ${ref('b')}`),
];

/** Answers the first question; the second as the replies say, and well from then on. */
async function serverThat(...replies: ServedReply[]): Promise<ModelServer> {
  const left = [...replies];
  return await startModelServer(({ prompt }) =>
    prompt.includes('first') ? 'one' : (left.shift() ?? 'two'),
  );
}

const run = ['run', 'plan.json', '--model', 'openai/test', '--json'];
const long = { text: 'an answer that is longer than what arrives of it' };

test.each<[what: string, replies: ServedReply[]]>([
  ['429 with Retry-After', [{ status: 429, headers: { 'retry-after': '0' } }]],
  ['429 twice', [{ status: 429 }, { status: 429 }]],
  ['500 twice', [{ status: 500 }, { status: 503 }]],
  ['a page of HTML', [{ status: 502, body: '<html><h1>Bad gateway</h1></html>' }]],
  ['a stream cut in the middle', [{ ...long, cutAfterBytes: 300 }]],
  ['a stream that ends too soon', [{ ...long, unfinished: true }]],
  ['an error inside the stream', [{ ...long, errorInside: { message: 'overloaded' } }]],
  ['an empty answer', [{ text: '' }]],
  ['bytes of another format', [{ raw: 'data: {"foo": 1}\n\ndata: [DONE]\n\n' }]],
  ['a closed connection', [{ drop: true }]],
])('%s is tried again, and the run is done', async (_what, replies) => {
  await using server = await serverThat(...replies);
  using folder = new Folder({ 'plan.json': plan });
  const { code, stdout } = await folder.planvm(run, { env: server.env.openai });
  const { answer, warnings } = JSON.parse(stdout);
  expect({ code, answer }).toEqual({ code: 0, answer: 'one, two' });
  expect(server.requests).toHaveLength(2 + replies.length);
  const told = warnings.filter(({ message }: { message: string }) => /attempt \d/.test(message));
  expect(told).toHaveLength(replies.length);
});

test.each<[what: string, replies: ServedReply[], code: string, says: RegExp, hint: RegExp]>([
  ['500 three times', Array(3).fill({ status: 500 }), 'PV4106', /\(500\).*\(3 attempts\)/, /later/],
  [
    '429 three times',
    Array(3).fill({ status: 429 }),
    'PV4105',
    /rate limit \(429\)/,
    /--concurrency/,
  ],
  ['401', [{ status: 401, message: 'bad key' }], 'PV4102', /\(401\): bad key/, /OPENAI_API_KEY/],
  ['402', [{ status: 402 }], 'PV4117', /no credit/, /billing/],
  ['404', [{ status: 404 }], 'PV4103', /not found/, /model's name/],
  ['400', [{ status: 400, message: 'no such field' }], 'PV4104', /no such field/, /^$/],
  [
    'a prompt that is too long',
    [{ status: 400, message: 'too long', code: 'context_length_exceeded' }],
    'PV4110',
    /length/,
    /less context/,
  ],
  [
    'a withheld answer',
    [{ text: 'I must not', finish: 'content_filter' }],
    'PV4111',
    /withheld/,
    /reword/,
  ],
  [
    'a stream cut three times',
    Array(3).fill({ ...long, cutAfterBytes: 300 }),
    'PV4108',
    /broke off its answer.*\(3 attempts\)/,
    /^$/,
  ],
])('%s fails at its step; the run resumes with that question alone', async (...row) => {
  const [, replies, errorCode, says, hint] = row;
  await using server = await serverThat(...replies);
  using folder = new Folder({ 'plan.json': plan });
  const env = server.env.openai;
  const { code, stdout } = await folder.planvm(run, { env });
  const { run: id, status, error, variables } = JSON.parse(stdout);
  expect({ code, status, variables }).toEqual({
    code: 1,
    status: 'failed',
    variables: { a: 'one' },
  });
  expect(error).toMatchObject({ code: errorCode, step: '1', line: 1 });
  expect(error.message).toMatch(says);
  expect(error.hint ?? '').toMatch(hint);
  expect(stdout).not.toContain('key-of-openai');
  expect(server.requests).toHaveLength(1 + replies.length);

  const resumed = await folder.planvm(['resume', id], { env });
  expect(resumed).toMatchObject({ code: 0, stdout: 'one, two\n' });
  expect(server.requests).toHaveLength(2 + replies.length);
  const shown = JSON.parse((await folder.planvm(['show', id, '--json'])).stdout);
  expect(shown).toMatchObject({
    status: 'done',
    effects: [{ attempts: 1 }, { attempts: replies.length + 1, status: 'done' }],
  });
});

test('a verdict that is none is asked for once more, with what was wrong; then it is an error', async () => {
  await using server = await startModelServer(({ index }) =>
    index < 2 ? 'Bananas are yellow.' : '{"result": true, "explanation": "It is."}',
  );
  using folder = new Folder({
    'plan.json': [
      {
        seq_no: 0,
        type: 'jmp',
        execution_objective: 'Decide.',
        parameters: { condition_prompt: 'Is 2 even?', jump_if_true: 1, jump_if_false: 2 },
      },
      answering(1, 'even'),
      answering(2, 'odd'),
    ],
  });
  const env = server.env.openai;
  const { code, stdout } = await folder.planvm(run, { env });
  const { run: id, error } = JSON.parse(stdout);
  expect({ code, step: error.step }).toEqual({ code: 1, step: '0' });
  expect(error.message).toContain('Bananas');
  expect(server.requests).toHaveLength(2);
  expect(server.requests[1]?.messages.map(({ content }) => content).join('\n')).toContain(
    'Bananas',
  );
  const resumed = await folder.planvm(['resume', id], { env });
  expect(resumed).toMatchObject({ code: 0, stdout: 'even\n' });
});

test('a provider that waits long is asked to wait no longer than the limit', async () => {
  await using server = await serverThat({ hang: true }, { hang: true }, { hang: true });
  using folder = new Folder({ 'plan.json': plan });
  const env = server.env.openai;
  const { code, stdout } = await folder.planvm([...run, '--timeout', '400ms'], { env });
  const { run: id, error } = JSON.parse(stdout);
  expect({ code, error: error.code, step: error.step }).toEqual({
    code: 1,
    error: 'PV4005',
    step: '1',
  });
  await Promise.all(server.requests.slice(1).map(({ abandoned }) => abandoned));
  const resumed = await folder.planvm(['resume', id], { env });
  expect(resumed).toMatchObject({ code: 0, stdout: 'one, two\n' });
});

test.each(['before it answers', 'while it answers'])(
  'Ctrl-C reaches the connection of a model %s, and the run resumes',
  async (when) => {
    const reply =
      when === 'before it answers'
        ? ({ hang: true } as const)
        : { text: 'never to be whole', gate: new Promise(() => {}) };
    const asked = Promise.withResolvers<void>();
    const left: ServedReply[] = [reply];
    await using server = await startModelServer(({ prompt }) => {
      if (prompt.includes('first')) return 'one';
      asked.resolve();
      return left.shift() ?? 'two';
    });
    using folder = new Folder({ 'plan.json': plan });
    const env = server.env.openai;
    const call = folder.start(run, { env });
    await asked.promise;
    call.process.kill('SIGINT');
    await server.requests[1]?.abandoned;
    const { code, stdout } = await call.ended;
    const { run: id, status, reason } = JSON.parse(stdout);
    expect({ code, status, reason }).toEqual({
      code: 130,
      status: 'suspended',
      reason: 'interrupted',
    });
    const resumed = await folder.planvm(['resume', id], { env });
    expect(resumed).toMatchObject({ code: 0, stdout: 'one, two\n' });
    expect(server.requests).toHaveLength(3);
  },
);
