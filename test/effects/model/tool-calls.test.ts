/** Tools in each provider's own form: offered, called, and answered, over a real connection. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Message, Model, ToolOffer } from '../../../src/effects/model/model.ts';
import { openModel } from '../../../src/effects/model/open.ts';
import { attempt } from '../../support/attempt.ts';
import { Folder } from '../../support/cli.ts';
import { servedModels } from '../../support/served-models.ts';

const references = {
  openai: 'openai/gpt-5-mini',
  anthropic: 'anthropic/claude-haiku-4-5',
  google: 'google/gemini-2.5-flash',
  ollama: 'ollama/llama3.2',
} as const;

const question: Message = { role: 'user', content: 'Which is higher?' };

const search: ToolOffer = {
  name: 'search',
  description: 'Looks something up.',
  parameters: {
    type: 'object',
    properties: { query: { type: 'string' }, top: { type: 'integer' } },
    required: ['query'],
  },
};

/** How each says what it offers, what was called and what came of it. */
const wire = {
  openai: {
    offered: { tools: [{ type: 'function', function: { name: 'search' } }] },
    called: { role: 'assistant' },
    call: '"id":"call-1","type":"function","function":{"name":"search"',
    answered: { role: 'tool', tool_call_id: 'call-1', content: '4810 m' },
  },
  anthropic: {
    offered: { tools: [{ name: 'search', input_schema: search.parameters }] },
    called: { role: 'assistant' },
    call: '"type":"tool_use","id":"call-1","name":"search"',
    answered: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call-1' }] },
  },
  google: {
    offered: { tools: [{ functionDeclarations: [{ name: 'search' }] }] },
    called: { role: 'model' },
    call: '"functionCall":{',
    answered: { role: 'user', parts: [{ functionResponse: { name: 'search' } }] },
  },
};

const models = servedModels();

describe.each(Object.entries(references))('%s', (provider, reference) => {
  const format = wire[provider === 'ollama' ? 'openai' : (provider as keyof typeof wire)];
  let model: Model;
  beforeEach(() => {
    model = openModel(reference, { env: models.server.env[provider as keyof typeof references] });
  });

  const bodyOf = (index: number) =>
    models.server.requests[index]?.body as { messages?: unknown[]; contents?: unknown[] };

  test('gives several calls of one reply, and none is made here', async () => {
    const calls = [
      { name: 'search', args: { query: 'Mont Blanc', top: 1 } },
      { name: 'search', args: { query: 'Elbrus' } },
    ];
    models.script = () => ({ text: '', pieces: [], calls });
    const context = attempt();
    const reply = await model.complete({ messages: [question], tools: [search] }, context);
    expect(reply.text).toBe('');
    expect(reply.calls?.map(({ name, args }) => ({ name, args }))).toEqual(calls);
    expect(new Set(reply.calls?.map(({ id }) => id)).size).toBe(2);
    expect(bodyOf(0)).toMatchObject(format.offered);
    expect(models.server.requests).toHaveLength(1);
    expect(context.used).toHaveLength(1);
  });

  test('is told what was called and what came of it', async () => {
    models.script = ({ index }) =>
      index === 0
        ? { text: 'I look.', calls: [{ name: 'search', args: { query: 'Elbrus' } }] }
        : 'Elbrus.';
    const first = await model.complete({ messages: [question], tools: [search] }, attempt());
    const [call] = first.calls ?? [];
    if (!call) return expect.fail('nothing was called');
    const messages: Message[] = [
      question,
      { role: 'assistant', content: first.text, calls: [{ ...call, id: 'call-1' }] },
      { role: 'tool', content: '4810 m', answers: { id: 'call-1', name: call.name } },
    ];
    const reply = await model.complete({ messages, tools: [search] }, attempt());
    expect(reply).toMatchObject({ text: 'Elbrus.', finishReason: 'stop' });
    expect(reply.calls).toBeUndefined();
    const { messages: sent, contents } = bodyOf(1);
    const [, called, answered] = (sent ?? contents ?? []) as unknown[];
    expect(JSON.stringify(called)).toContain('I look.');
    expect(called).toMatchObject({ role: format.called.role });
    expect(JSON.stringify(called)).toContain(format.call);
    expect(answered).toMatchObject(format.answered);
    expect(JSON.stringify(answered)).toContain('4810 m');
  });

  test('a transcript has the calls, and gives them again', async () => {
    using folder = new Folder();
    const record = `${folder.path}/calls.ndjson`;
    models.script = () => ({
      text: '',
      pieces: [],
      calls: [{ name: 'search', args: { query: 'Elbrus' } }],
    });
    const env = models.server.env[provider as keyof typeof references];
    const request = { messages: [question], tools: [search] };
    const first = await openModel(reference, { env, record }).complete(request, attempt());
    const again = await openModel(`replay/${record}`, { env: {} }).complete(request, attempt());
    expect(again.calls).toEqual(first.calls);
    const without = openModel(`replay/${record}`, { env: {} });
    const other = without.complete({ messages: [question] }, attempt());
    await expect(other).rejects.toMatchObject({ code: 'PV4402' });
  });
});
