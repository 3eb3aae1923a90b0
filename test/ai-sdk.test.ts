/** Models and tools of the `ai` package, as a program has them already. */
import { jsonSchema, simulateReadableStream, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { run } from '../src/index.ts';

type Part =
  Awaited<ReturnType<MockLanguageModelV4['doStream']>>['stream'] extends ReadableStream<infer One>
    ? One
    : never;

/** Says the words it is given, as a provider streams them. */
const saying = (...words: readonly string[]) =>
  new MockLanguageModelV4({
    provider: 'openai.chat',
    modelId: 'gpt-5-mini',
    doStream: async () => ({
      stream: simulateReadableStream<Part>({
        chunks: [
          { type: 'stream-start', warnings: [] },
          { type: 'text-start', id: '1' },
          ...words.map((delta) => ({ type: 'text-delta', id: '1', delta }) as const),
          { type: 'text-end', id: '1' },
          {
            type: 'finish',
            finishReason: { unified: 'stop', raw: 'stop' },
            usage: {
              inputTokens: { total: 5, noCache: 5, cacheRead: 0, cacheWrite: 0 },
              outputTokens: { total: 2, text: 2, reasoning: 0 },
            },
          },
        ],
      }),
    }),
  });

const price = tool({
  description: 'The price of an article.',
  inputSchema: z.object({ article: z.string() }),
  execute: ({ article }) => (article === 'bread' ? 3 : 2),
});

test('a model of the package answers, is counted, and has the price of its name', async () => {
  const model = saying('Hello ', 'you.');
  const { answer, usage } = await run('answer(llm_call("A visitor.", "Say hello."))', { model });
  expect(answer).toBe('Hello you.');
  expect(usage).toMatchObject({ modelCalls: 1, inputTokens: 5, outputTokens: 2 });
  expect(usage.cost).toBeGreaterThan(0);
  expect(JSON.stringify(model.doStreamCalls[0]?.prompt)).toContain('Say hello.');
});

test('tools of the package are called by their names, with their arguments checked', async () => {
  const text = 'answer(price(article = "bread") + price(article = "milk"))';
  expect(await run(text, { tools: { price } })).toMatchObject({ status: 'done', answer: 5 });
  const wrong = await run('answer(price(article = given))', {
    ...{ tools: { price }, inputs: { given: [1] } },
  });
  expect(wrong).toMatchObject({ status: 'failed', error: { code: 'PV4001' } });
});

test('a schema may be JSON, a result may come in parts, and what needs a yes asks for it', async () => {
  const count = tool({
    description: 'Counts.',
    inputSchema: jsonSchema<{ n: number }>({
      type: 'object',
      properties: { n: { type: 'integer' } },
      required: ['n'],
    }),
    async *execute({ n }) {
      for (let at = 1; at <= n; at++) yield at;
    },
  });
  expect(await run('answer(count(n = 3))', { tools: { count } })).toMatchObject({ answer: 3 });
  const wipe = { ...count, needsApproval: true };
  const { status, waits } = await run('answer(wipe(n = 1))', { tools: { wipe } });
  expect([status, waits?.[0]?.kind]).toEqual(['waiting', 'approval']);
});

test('reads overlap where a tool says that it only reads', async () => {
  let [open, most] = [0, 0];
  const slow = {
    ...tool({
      description: 'Looks.',
      inputSchema: z.object({ n: z.number() }),
      execute: async ({ n }) => {
        most = Math.max(most, ++open);
        await new Promise((resolve) => setImmediate(resolve));
        open--;
        return n;
      },
    }),
    effect: 'read' as const,
  };
  await run('answer([slow(n = 1), slow(n = 2)])', { tools: { slow } });
  expect(most).toBe(2);
});

test('a tool that somebody else performs is refused', async () => {
  const there = tool({ description: 'Is performed in a browser.', inputSchema: z.object({}) });
  await expect(run('answer(there())', { tools: { there } })).rejects.toMatchObject({
    code: 'PV4200',
    message: 'tools.there: lacks execute, want a function',
  });
});
