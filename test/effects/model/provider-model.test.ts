/** One conversation with each provider, over a real connection in its own wire format. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Model, ModelRequest } from '../../../src/effects/model/model.ts';
import { openModel } from '../../../src/effects/model/open.ts';
import type { EffectFailure } from '../../../src/engine/handler.ts';
import { attempt } from '../../support/attempt.ts';
import { type ModelServer, type Script, startModelServer } from '../../support/model-server.ts';

const references = {
  openai: 'openai/gpt-5-mini',
  anthropic: 'anthropic/claude-haiku-4-5',
  google: 'google/gemini-2.5-flash',
  ollama: 'ollama/llama3.2',
} as const;

const keys = ['key-of-openai', 'key-of-anthropic', 'key-of-google'];

const hello: ModelRequest = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Say hello.' },
  ],
};

let server: ModelServer;
let script: Script = () => 'unset';
beforeEach(async () => {
  server = await startModelServer((request) => script(request));
});
afterEach(async () => await server.close());

/** What a call fails with; checked for secrets, whatever the test is about. */
async function failureOf(promise: Promise<unknown>): Promise<EffectFailure> {
  const error = await promise.then(
    (value) => expect.fail(`no failure, but ${JSON.stringify(value)}`),
    (thrown) => thrown,
  );
  expect(error).toMatchObject({ name: 'EffectFailure' });
  const shown = [error.message, error.hint, error.stack, String(error.cause)].join('\n');
  for (const key of keys) expect(shown).not.toContain(key);
  return error;
}

describe.each(Object.entries(references))('%s', (provider, reference) => {
  let model: Model;
  beforeEach(() => {
    model = openModel(reference, { env: server.env[provider as keyof typeof references] });
  });

  test('sends the conversation and streams the answer', async () => {
    script = () => 'Hello to you.';
    const context = attempt();
    const reply = await model.complete(hello, context);
    expect(reply).toMatchObject({ text: 'Hello to you.', finishReason: 'stop' });
    expect(context.pieces).toEqual(['Hello ', 'to ', 'you.']);
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({
      streamed: true,
      model: reference.split('/')[1],
      messages: hello.messages,
    });
    expect(context.warnings).toEqual([]);
  });

  test('passes the settings on', async () => {
    script = () => 'x';
    const settings = { temperature: 0.25, maxOutputTokens: 77, stop: ['END'] };
    await model.complete({ ...hello, ...settings }, attempt());
    const sent = JSON.stringify(server.requests[0]?.body);
    for (const value of ['0.25', '77', '"END"']) expect(sent).toContain(value);
  });

  test('counts the tokens that the provider counted', async () => {
    script = () => ({ text: 'x', usage: { input: 1000, output: 200 } });
    const context = attempt();
    const { usage } = await model.complete(hello, context);
    expect(context.used).toEqual([usage]);
    expect(usage).toMatchObject({ modelCalls: 1, inputTokens: 1000, outputTokens: 200 });
    const cost = { openai: 0.00065, anthropic: 0.002, google: 0.0008, ollama: 0 };
    expect(usage.cost).toBeCloseTo(cost[provider as keyof typeof cost], 8);
  });

  test.each([
    ['400', { status: 400, message: 'temperature is out of range' }, 'PV4104', false],
    ['401', { status: 401, message: 'bad key' }, 'PV4102', false],
    ['403', { status: 403, message: 'not for you' }, 'PV4102', false],
    ['404', { status: 404, message: 'no such model' }, 'PV4103', false],
    ['408', { status: 408, message: 'too slow' }, 'PV4105', true],
    ['409', { status: 409, message: 'conflict' }, 'PV4105', true],
    ['429', { status: 429, message: 'slow down' }, 'PV4105', true],
    ['500', { status: 500, message: 'oops' }, 'PV4106', true],
    ['503', { status: 503, message: 'try later' }, 'PV4105', true],
    ['529', { status: 529, message: 'Overloaded' }, 'PV4105', true],
    [
      'a prompt that is too long',
      { status: 400, message: 'prompt is too long: 9 > 8' },
      'PV4110',
      false,
    ],
    ['a body that is too large', { status: 413, message: 'large' }, 'PV4110', false],
    ['no credit', { status: 400, message: 'Your credit balance is too low' }, 'PV4117', false],
  ])('says of %s what it means', async (_name, reply, code, retryable) => {
    script = () => reply;
    const context = attempt();
    const failure = await failureOf(model.complete(hello, context));
    expect(failure).toMatchObject({ code, retryable, answered: true });
    expect(failure.message).toContain(reply.message);
    expect(failure.message).toContain(reference);
    expect(context.used).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });

  test('does not show a key that the provider echoes', async () => {
    script = ({ headers }) => ({ status: 400, message: `got ${JSON.stringify(headers)}` });
    const failure = await failureOf(model.complete(hello, attempt()));
    if (provider !== 'ollama') expect(failure.message).toContain('***');
  });

  test('waits as long as the provider asks', async () => {
    script = () => ({ status: 429, headers: { 'retry-after': '7' } });
    const failure = await failureOf(model.complete(hello, attempt()));
    expect(failure).toMatchObject({ retryable: true, retryAfterMs: 7000 });
  });

  test('shows an error page that is not in the format of the provider', async () => {
    script = () => ({ status: 502, body: 'upstream is gone' });
    const failure = await failureOf(model.complete(hello, attempt()));
    expect(failure).toMatchObject({ code: 'PV4106', retryable: true });
    expect(failure.message).toContain('upstream is gone');
  });

  test('takes a stream that ends without an end for a failure', async () => {
    script = () => ({ text: 'half of the', unfinished: true });
    const context = attempt();
    const failure = await failureOf(model.complete(hello, context));
    expect(failure).toMatchObject({ code: 'PV4108', retryable: true });
    // What came was paid for, all the same.
    expect(context.used).toMatchObject([{ modelCalls: 1, outputTokens: 3 }]);
  });

  test('takes a connection that breaks for a failure, wherever it breaks', async () => {
    for (const cutAfterBytes of [1, 200, 500]) {
      script = () => ({ text: 'some words that take their time '.repeat(20), cutAfterBytes });
      const failure = await failureOf(model.complete(hello, attempt()));
      expect(failure).toMatchObject({ code: 'PV4108', retryable: true });
      expect(failure.message).toMatch(/broke off its answer: \w/);
      expect(failure.message).not.toContain('Failed to process');
    }
  });

  test('takes an error inside the stream for a failure', async () => {
    script = () => ({ text: 'half', errorInside: { message: 'the model fell over' } });
    const failure = await failureOf(model.complete(hello, attempt()));
    expect(failure.retryable).toBe(true);
    expect(failure.message).toContain('the model fell over');
  });

  test('takes no answer at all for a failure of the network', async () => {
    script = () => ({ drop: true });
    const failure = await failureOf(model.complete(hello, attempt()));
    expect(failure).toMatchObject({ code: 'PV4107', retryable: true, mayHaveActed: true });
    await server.close();
    const refused = await failureOf(model.complete(hello, attempt()));
    expect(refused).toMatchObject({ code: 'PV4107', retryable: true, mayHaveActed: false });
    server = await startModelServer(() => 'unused');
  });

  test('takes nonsense in the stream for a failure', async () => {
    script = () => ({ raw: 'data: {"this is": not JSON\n\n' });
    const failure = await failureOf(model.complete(hello, attempt()));
    expect(failure).toMatchObject({ retryable: true });
    expect(['PV4108', 'PV4109']).toContain(failure.code);
  });

  test('knows a web page from an answer', async () => {
    script = () => ({ raw: '<html>Welcome</html>', contentType: 'text/html' });
    const failure = await failureOf(model.complete(hello, attempt()));
    expect(failure).toMatchObject({ code: 'PV4109', retryable: false });
    expect(failure.hint).toMatch(/_BASE_URL|OLLAMA_HOST/);
  });

  test('takes an empty answer for a failure', async () => {
    script = () => ({ text: ' \n' });
    const failure = await failureOf(model.complete(hello, attempt()));
    expect(failure).toMatchObject({ code: 'PV4112', retryable: true });
  });

  test('takes a filtered answer for a failure', async () => {
    script = () => ({ text: 'I can not', finish: 'content_filter' });
    const failure = await failureOf(model.complete(hello, attempt()));
    expect(failure).toMatchObject({ code: 'PV4111', retryable: false });
  });

  test('warns of an answer that meets the token limit', async () => {
    script = () => ({ text: 'A long story that', finish: 'length' });
    const context = attempt();
    const reply = await model.complete(hello, context);
    expect(reply).toMatchObject({ text: 'A long story that', finishReason: 'length' });
    expect(context.warnings).toEqual([expect.stringContaining('cut off')]);
  });

  test('closes the connection when it is aborted before the answer', async () => {
    let arrive = (): void => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    script = () => {
      arrive();
      return { hang: true };
    };
    const context = attempt();
    const reason = new Error('the run was cancelled');
    const pending = model.complete(hello, context);
    const settled = expect(pending).rejects.toBe(reason);
    await arrived;
    context.abort(reason);
    // Said at once: an attempt that was given up is not heard later.
    expect(context.used).toMatchObject([{ modelCalls: 1, outputTokens: 0, estimated: 1 }]);
    expect(context.used[0]?.inputTokens).toBeGreaterThan(0);
    await settled;
    expect(context.used).toHaveLength(1);
    await server.requests[0]?.abandoned;
  });

  test('closes the connection when it is aborted in the middle of the answer', async () => {
    script = () => ({ text: 'one two three', gate: new Promise(() => {}) });
    const context = attempt();
    const reason = new Error('the run was cancelled');
    const whenStarted = { ...context, progress: () => context.abort(reason) };
    await expect(model.complete(hello, whenStarted)).rejects.toBe(reason);
    await server.requests[0]?.abandoned;
    // What it cost is an estimate; that the provider has not counted is no fault of its own.
    expect(context.used).toMatchObject([{ modelCalls: 1, estimated: 1 }]);
    expect(context.used[0]?.outputTokens).toBeGreaterThan(0);
    expect(context.warnings).toEqual([]);
  });

  test('does not connect when it is aborted already', async () => {
    const context = attempt();
    context.abort(new Error('too late'));
    await expect(model.complete(hello, context)).rejects.toThrow('too late');
    expect(server.requests).toEqual([]);
    expect(context.used).toEqual([]);
  });
});

test('estimates tokens that the provider does not count, and says so', async () => {
  script = () => ({ text: 'x'.repeat(40), usage: null });
  const context = attempt();
  const model = openModel('openai/local', { env: server.env.openai });
  await model.complete({ messages: [{ role: 'user', content: 'y'.repeat(400) }] }, context);
  expect(context.used).toEqual([
    { modelCalls: 1, inputTokens: 100, outputTokens: 10, estimated: 1 },
  ]);
  expect(context.warnings).toEqual([expect.stringContaining('estimated')]);
});

test.each([-5, 1e308, 1.5, 2 ** 53])('estimates tokens where a server counts %d', async (count) => {
  for (const form of [{}, { whole: true }] as const) {
    script = () => ({ text: 'x'.repeat(40), ...form, usage: { input: count, output: 4 } });
    const context = attempt();
    const model = openModel('openai/local', { env: server.env.openai });
    await model.complete({ messages: [{ role: 'user', content: 'y'.repeat(400) }] }, context);
    expect(context.used).toEqual([
      { modelCalls: 1, inputTokens: 100, outputTokens: 4, estimated: 1 },
    ]);
    const warning = 'openai/local gave token counts that cannot be: they are estimated';
    expect(context.warnings).toEqual([warning]);
  }
});

test('understands a server that answers in one piece', async () => {
  script = () => ({ text: 'All at once.', whole: true, usage: { input: 3, output: 4 } });
  const context = attempt();
  const reply = await openModel('openai/local', { env: server.env.openai }).complete(
    hello,
    context,
  );
  expect(reply).toMatchObject({ text: 'All at once.', finishReason: 'stop' });
  expect(context.used).toMatchObject([{ inputTokens: 3, outputTokens: 4 }]);
});

test('understands an error with a status of success', async () => {
  script = () => ({
    raw: '{"error": {"message": "no such deployment", "code": 404}}',
    contentType: 'application/json',
  });
  const model = openModel('openai/local', { env: server.env.openai });
  const failure = await failureOf(model.complete(hello, attempt()));
  expect(failure).toMatchObject({ code: 'PV4103', retryable: false });
});

test.each([
  ['rate_limit_exceeded', 'PV4105', true],
  ['server_overloaded', 'PV4105', true],
  ['authentication_error', 'PV4102', false],
  ['permission_denied', 'PV4102', false],
  ['model_not_found', 'PV4103', false],
  ['insufficient_quota', 'PV4117', false],
  ['invalid_request_error', 'PV4104', false],
  ['server_error', 'PV4106', true],
])('knows an error inside the stream by its name: %s', async (type, code, retryable) => {
  script = () => ({ text: 'half', errorInside: { message: 'oh', type } });
  const model = openModel('openai/local', { env: server.env.openai });
  expect(await failureOf(model.complete(hello, attempt()))).toMatchObject({ code, retryable });
});

test('does not show a part of a key either', async () => {
  for (let before = 980; before < 1000; before++) {
    script = ({ headers }) => ({
      status: 400,
      message: 'x'.repeat(before) + headers.authorization,
    });
    const model = openModel('openai/local', { env: server.env.openai });
    const failure = await failureOf(model.complete(hello, attempt()));
    expect(failure.message).not.toContain('key-');
  }
});

test('knows a quota that is used up from one that comes back', async () => {
  script = () => ({ status: 429, message: 'Check your billing.', code: 'insufficient_quota' });
  const model = openModel('openai/local', { env: server.env.openai });
  const failure = await failureOf(model.complete(hello, attempt()));
  expect(failure).toMatchObject({ code: 'PV4117', retryable: false });
});

test('sends no key where none is given', async () => {
  script = () => 'hi';
  const env = { OPENAI_BASE_URL: `${server.url}/v1` };
  await openModel('openai/local', { env }).complete(hello, attempt());
  expect(server.requests[0]?.headers.authorization).toBeUndefined();
});

test('takes the key from the given environment only', async () => {
  script = () => 'hi';
  process.env.OPENAI_API_KEY = 'key-of-the-process';
  try {
    const env = { OPENAI_BASE_URL: `${server.url}/v1` };
    await openModel('openai/local', { env }).complete(hello, attempt());
    expect(() => openModel('openai/gpt-5', { env: {} })).toThrow('OPENAI_API_KEY is not set');
  } finally {
    delete process.env.OPENAI_API_KEY;
  }
  expect(JSON.stringify(server.requests[0]?.headers)).not.toContain('key-of-the-process');
});

describe('JSON', () => {
  const schema = {
    type: 'object',
    properties: { name: { type: 'string' } },
    required: ['name'],
    additionalProperties: false,
  } as const;
  const asked: ModelRequest = { ...hello, format: { kind: 'json', schema } };
  const formatOf = (index: number): unknown => {
    const body = server.requests[index]?.body as { response_format?: unknown } | undefined;
    expect(body).toBeDefined();
    return body?.response_format;
  };

  test('is asked for natively, by schema', async () => {
    script = () => '{"name": "x"}';
    const model = openModel(references.openai, { env: server.env.openai });
    await model.complete(asked, attempt());
    expect(formatOf(0)).toMatchObject({
      type: 'json_schema',
      json_schema: { schema, strict: true },
    });
  });

  test('is asked for natively by each provider', async () => {
    script = () => '{"name": "x"}';
    for (const provider of ['anthropic', 'google', 'ollama'] as const) {
      const model = openModel(references[provider], { env: server.env[provider] });
      await model.complete(asked, attempt());
      expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('"properties":{"name"');
    }
  });

  test('is asked for in words where the server knows no format, and once only', async () => {
    script = ({ body }) =>
      JSON.stringify(body).includes('response_format')
        ? { status: 400, message: "unknown field 'response_format'" }
        : '{"name": "x"}';
    const model = openModel('openai/local', { env: server.env.openai });
    expect(await model.complete(asked, attempt())).toMatchObject({ text: '{"name": "x"}' });
    expect(server.requests.map((_, index) => formatOf(index))).toMatchObject([
      { type: 'json_schema' },
      { type: 'json_object' },
      undefined as never,
    ]);
    await model.complete(asked, attempt());
    expect(server.requests).toHaveLength(4);
  });

  test('is asked for by name, as the JSON mode wants it', async () => {
    script = () => '{"a": 1}';
    const model = openModel('openai/local', { env: server.env.openai });
    await model.complete({ ...hello, format: { kind: 'json', keys: ['a'] } }, attempt());
    expect(formatOf(0)).toEqual({ type: 'json_object' });
    expect(JSON.stringify(server.requests[0]?.messages)).toMatch(/JSON/);
  });

  test('whose root may be anything is not asked for by a mode that wants an object', async () => {
    script = () => '[1, 2]';
    const model = openModel('openai/local', { env: server.env.openai });
    await model.complete({ ...hello, format: { kind: 'json' } }, attempt());
    expect(formatOf(0)).toBeUndefined();
  });
});

describe('a reply without an answer', () => {
  const calls = [{ name: 'search', args: { query: 'x' } }];

  test.each(Object.entries(references))('of calls alone is a failure: %s', async (name, ref) => {
    const provider = name as keyof typeof references;
    const model = openModel(ref, { env: server.env[provider] });
    script = () => ({ text: '', calls });
    const failure = await failureOf(model.complete(hello, attempt()));
    expect(failure).toMatchObject({ code: 'PV4112', retryable: true, answered: true });
    expect(failure.message).toContain('only called search, and no tools were offered');
  });

  test('of calls beside a text is an answer, with a warning', async () => {
    script = () => ({ text: 'Hello.', calls });
    const context = attempt();
    const model = openModel('openai/local', { env: server.env.openai });
    expect(await model.complete(hello, context)).toMatchObject({ text: 'Hello.' });
    expect(context.warnings).toEqual(['openai/local called search; no tools were offered to it']);
  });

  test.each([
    ['thoughts', { reasoning_content: 'I wonder.' }, 'PV4112'],
    ['a refusal', { refusal: 'I will not.' }, 'PV4111'],
  ])('of %s alone is a failure', async (_name, delta, code) => {
    const choices = [{ index: 0, delta, finish_reason: 'stop' }];
    script = () => ({ raw: `data: ${JSON.stringify({ choices })}\n\ndata: [DONE]\n\n` });
    const model = openModel('openai/local', { env: server.env.openai });
    expect(await failureOf(model.complete(hello, attempt()))).toMatchObject({ code });
  });
});

test.each([
  ['null', { choices: null }],
  ['none', {}],
  ['an empty list', { choices: [] }],
  ['a list of nothing', { choices: [null] }],
  ['an error of null', { choices: [], error: null }],
])('passes over a chunk whose choices are %s', async (_name, chunk) => {
  const said = { choices: [{ index: 0, delta: { content: 'Hello.' }, finish_reason: 'stop' }] };
  const usage = { usage: { prompt_tokens: 3, completion_tokens: 4 }, ...chunk };
  const events = [chunk, said, usage].map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`);
  script = () => ({ raw: `: ping\r\n\r\n${events.join('')}data: [DONE]\r\n\r\n` });
  const context = attempt();
  const model = openModel('openai/local', { env: server.env.openai });
  expect(await model.complete(hello, context)).toMatchObject({ text: 'Hello.' });
  expect(context.used).toMatchObject([{ inputTokens: 3, outputTokens: 4 }]);
});

test.each([
  ['in its event', 'data: {"error": "the model fell over"}\n\n', 'PV4106'],
  ['as its event', 'data: the model fell over\n\n', 'PV4106'],
  ['as a text of JSON', 'data: "the model fell over"\n\n', 'PV4106'],
  ['as the body', 'the model fell over\nand over', 'PV4106'],
  ['as a detail', 'data: {"detail": "the model fell over"}\n\n', 'PV4106'],
  ['as a message', 'data: {"object": "error", "message": "fell over", "code": 404}\n\n', 'PV4103'],
  ['in an odd object', 'data: {"error": {"reason": "fell over"}}\n\n', 'PV4106'],
  ['of its kind', 'data: {"error": "fell over: model not found"}\n\n', 'PV4103'],
])('shows an error that is told %s', async (_name, raw, code) => {
  for (const contentType of ['text/event-stream', 'text/plain']) {
    script = () => ({ raw, contentType });
    const model = openModel('openai/local', { env: server.env.openai });
    const failure = await failureOf(model.complete(hello, attempt()));
    expect(failure.code).toBe(code);
    expect(failure.message).toContain('fell over');
  }
});
