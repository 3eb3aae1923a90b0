/** An agent as one tool of the `ai` package and of MCP servers, and conversations of an agent. */
import { asSchema, type ToolSet } from 'ai';
import { expect, test } from 'vitest';
import { openAgent } from '../../src/agent/agent.ts';
import { defineTool } from '../../src/effects/tool/tool.ts';

const price = defineTool({
  name: 'price',
  description: 'The price of an article.',
  effect: 'read',
  parameters: {
    type: 'object',
    properties: { article: { type: 'string' } },
    required: ['article'],
  } as const,
  run: ({ article }) => (article === 'bread' ? 3 : 2),
});

test('it is a tool of the ai package: its schema, its tools, and what a program answers', async () => {
  await using agent = await openAgent({ tools: [price] });
  const tool = await agent.asTool();
  const tools: ToolSet = { planvm: tool };
  expect(await asSchema(tools.planvm?.inputSchema).jsonSchema).toMatchObject({
    properties: { program: { type: 'string' }, answer: {} },
  });
  expect(tool.description).toContain('price(article: string): The price of an article.');
  const program = 'answer(price(article = "bread") + price(article = "milk"))';
  expect(await tool.execute({ program })).toMatchObject({ status: 'done', answer: 5 });
});

test('a program that asks waits, and goes on with the answer to that run', async () => {
  await using agent = await openAgent();
  const tool = await agent.asTool();
  const asked = await tool.execute({ program: 'answer("It is " + ask("Which?"))' });
  expect(asked).toMatchObject({ status: 'waiting', waits: [{ question: 'Which?' }] });
  const misfit = await tool.execute({ run: asked.run, answer: 7 });
  expect(misfit).toMatchObject({ status: 'failed', error: { code: 'PV5144' } });
  const done = await tool.execute({ run: asked.run, answer: 'bread' });
  expect(done).toMatchObject({ run: asked.run, status: 'done', answer: 'It is bread' });
});

test('what a model wrote wrong comes back with its places', async () => {
  await using agent = await openAgent();
  const tool = await agent.asTool();
  const { status, error } = await tool.execute({ program: 'x = prise("bread")\nanswer(x)\n' });
  expect(status).toBe('invalid');
  expect(error?.message).toContain('program:1:5');
});

test('an MCP client gets the same, with large integers as tags', async () => {
  await using agent = await openAgent();
  const tool = await agent.asTool();
  const { content, structuredContent, isError } = await tool.mcp({ program: 'answer(2 ** 80)' });
  expect(isError).toBe(false);
  expect(structuredContent.answer).toEqual({ $int: String(2n ** 80n) });
  expect(JSON.parse(content[0]?.text ?? '')).toEqual(structuredContent);
  expect(await tool.mcp({ program: 'fail("no")' })).toMatchObject({ isError: true });
});

test('a conversation tells later goals what was said and what programs have left', async () => {
  const prompts: string[] = [];
  const replies = [
    '```starlark\nbread = price(article = "bread")\nanswer(bread)\n```',
    '```starlark\nanswer(bread + price(article = "milk"))\n```',
  ];
  const complete = async ({ messages }: { messages: unknown }): Promise<string> => {
    prompts.push(JSON.stringify(messages));
    return replies[prompts.length - 1] ?? '';
  };
  await using agent = await openAgent({ tools: [price], model: { complete } });
  const thread = agent.thread();
  expect((await thread.ask('What is bread?').end).answer).toBe(3);
  expect((await thread.ask('And with milk?').end).answer).toBe(5);
  expect(prompts.at(-1)).toContain('What is bread?');
  expect(thread.messages.map(({ role, content }) => [role, content])).toEqual([
    ['user', 'What is bread?'],
    ['assistant', '3'],
    ['user', 'And with milk?'],
    ['assistant', '5'],
  ]);
});
