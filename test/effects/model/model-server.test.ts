/** The loopback provider itself: that packages of the providers understand what it says whole. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText } from 'ai';
import { expect, test } from 'vitest';
import { inOrder, startModelServer } from '../../support/model-server.ts';

test('answers without a stream, in the format of each provider', async () => {
  await using server = await startModelServer(({ prompt }) => `heard ${prompt}`);
  const { url } = server;
  const models = [
    createOpenAICompatible({ name: 'openai', baseURL: `${url}/v1` })('m'),
    createAnthropic({ baseURL: `${url}/v1`, apiKey: 'k' })('claude-haiku-4-5'),
    createGoogle({ baseURL: `${url}/v1beta`, apiKey: 'k' })('m'),
  ];
  for (const model of models) {
    const { text, usage } = await generateText({ model, prompt: 'this', maxRetries: 0 });
    expect(text).toBe('heard this');
    expect(usage).toMatchObject({ inputTokens: 10, outputTokens: 5 });
  }
  expect(server.requests.map(({ streamed }) => streamed)).toEqual([false, false, false]);
});

test('closes although requests hang', async () => {
  const server = await startModelServer(() => ({ hang: true }));
  const pending = fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    body: '{"messages": []}',
  });
  const failed = expect(pending).rejects.toThrow();
  while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await server.close();
  await failed;
});

test('says so when it has nothing at a path, or its script fails', async () => {
  await using server = await startModelServer(() => {
    throw new Error('a mistake in the test');
  });
  const lost = await fetch(`${server.url}/elsewhere`);
  expect([lost.status, await lost.text()]).toEqual([404, 'nothing at /elsewhere']);
  const body = '{"messages": []}';
  const failed = await fetch(`${server.url}/v1/chat/completions`, { method: 'POST', body });
  expect([failed.status, await failed.text()]).toEqual([
    500,
    'the script failed: Error: a mistake in the test',
  ]);
});

test('answers in order, and the last again', async () => {
  await using server = await startModelServer(inOrder('one', 'two'));
  const texts: unknown[] = [];
  for (let call = 0; call < 3; call++) {
    const body = '{"messages": []}';
    const response = await fetch(`${server.url}/v1/chat/completions`, { method: 'POST', body });
    const answer = (await response.json()) as { choices: [{ message: { content: string } }] };
    texts.push(answer.choices[0].message.content);
  }
  expect(texts).toEqual(['one', 'two', 'two']);
});
