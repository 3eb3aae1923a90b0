/** Requests with a native form: asked natively where the provider has it, in text where not. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ask } from '../../../src/effects/model/ask.ts';
import type { Message, Model, ModelRequest, ToolOffer } from '../../../src/effects/model/model.ts';
import { openModel, withSystem } from '../../../src/effects/model/open.ts';
import { modelOf } from '../../../src/effects/model/own-model.ts';
import { attempt } from '../../support/attempt.ts';
import { scriptedModel } from '../../support/scripted-model.ts';
import { servedModels } from '../../support/served-models.ts';

const references = {
  openai: 'openai/gpt-5-mini',
  anthropic: 'anthropic/claude-haiku-4-5',
  google: 'google/gemini-2.5-flash',
  ollama: 'ollama/llama3.2',
} as const;

const folder = mkdtempSync(join(tmpdir(), 'planvm-native-'));
afterAll(() => rmSync(folder, { recursive: true }));

const models = servedModels();
const said = (content: string): readonly Message[] => [{ role: 'user', content }];

const schema = {
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
  additionalProperties: false,
} as const;
const json: ModelRequest = {
  messages: said('Write a line of text.'),
  native: { messages: said('Write JSON.'), format: { kind: 'json', schema } },
};
const search: ToolOffer = {
  name: 'search',
  description: 'Looks something up.',
  parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
};
const calling: ModelRequest = {
  messages: said('Write an action.'),
  stop: ['\nObservation:'],
  native: { messages: said('Call the tools.'), tools: [search] },
};

const bodyOf = (index: number): string => JSON.stringify(models.server.requests[index]?.body);

describe.each(Object.entries(references))('%s', (provider, reference) => {
  const opened = (): Model =>
    openModel(reference, { env: models.server.env[provider as keyof typeof references] });

  test('is held to the schema', async () => {
    models.script = () => '{"name": "x"}';
    const reply = await opened().complete(json, attempt());
    expect(reply).toMatchObject({ text: '{"name": "x"}', native: true });
    expect(models.server.requests[0]).toMatchObject({ prompt: 'Write JSON.' });
    expect(bodyOf(0)).toContain('"properties":{"name"');
  });

  test('is offered the tools, and stops nowhere', async () => {
    const calls = [{ name: 'search', args: { query: 'x' } }];
    models.script = () => ({ text: '', pieces: [], calls });
    const reply = await opened().complete(calling, attempt());
    expect(reply).toMatchObject({ text: '', native: true, calls: [{ name: 'search' }] });
    expect(models.server.requests[0]).toMatchObject({ prompt: 'Call the tools.' });
    expect(bodyOf(0)).not.toContain('Observation:');
  });
});

describe.each([
  ['structured outputs', json, '"response_format"', "unknown field 'response_format'"],
  ['tool calls', calling, '"tools"', 'this model does not support tools'],
] as const)('a server that refuses %s', (_, request, field, message) => {
  test('is asked in text, and is not asked natively again', async () => {
    models.script = ({ body }) =>
      JSON.stringify(body).includes(field) ? { status: 400, message } : 'A line.';
    const model = openModel('openai/local', { env: models.server.env.openai });
    const [text] = request.messages;
    for (const asked of [2, 3]) {
      const reply = await model.complete(request, attempt());
      expect(reply).toMatchObject({ text: 'A line.' });
      expect(reply).not.toHaveProperty('native');
      expect(models.server.requests).toHaveLength(asked);
      expect(models.server.requests.at(-1)).toMatchObject({ prompt: text?.content });
      expect(bodyOf(asked - 1)).not.toContain(field);
    }
    expect(JSON.stringify(models.server.requests[1]?.body)).toContain(
      request.stop?.[0] ? 'stop' : '',
    );
  });
});

test('an open schema is for Anthropic that of a tool, whose arguments are the reply', async () => {
  const value = { name: 'x', more: { a: [1] } };
  models.script = () => ({ text: '', pieces: [], calls: [{ name: 'json', args: value }] });
  const model = openModel(references.anthropic, { env: models.server.env.anthropic });
  const open = { type: 'object', properties: { more: { type: 'object' } } } as const;
  const native = { messages: said('Write JSON.'), format: { kind: 'json', schema: open } } as const;
  const context = attempt();
  const reply = await model.complete({ ...json, native }, context);
  expect(reply).toMatchObject({ native: true, finishReason: 'stop' });
  expect(JSON.parse(reply.text)).toEqual(value);
  expect(reply).not.toHaveProperty('calls');
  expect(context.pieces.join('')).toBe(reply.text);
});

test('another failure of a native request is not taken for a refusal', async () => {
  models.script = () => ({ status: 401, message: 'no such key' });
  const model = openModel('openai/local', { env: models.server.env.openai });
  await expect(model.complete(json, attempt())).rejects.toMatchObject({ code: 'PV4102' });
  expect(models.server.requests).toHaveLength(1);
});

test('a model without native forms is asked in text', async () => {
  const own = modelOf({ complete: async ({ messages }) => `heard ${messages[0]?.content}` });
  const reply = await own.complete(json, attempt());
  expect(reply).toMatchObject({ text: 'heard Write a line of text.' });
  expect(reply).not.toHaveProperty('native');
});

test('what is added to a conversation is added to both forms', async () => {
  const { model, requests } = scriptedModel((_, asked) => (asked === 1 ? 'no' : 'yes'));
  const question = {
    ...{ request: json, instruction: 'Say yes.', code: 'PV4114' },
    read: (text: string) =>
      text === 'yes'
        ? ({ ok: true, value: text, mended: [] } as const)
        : ({ ok: false, problem: 'got no' } as const),
  };
  await ask(withSystem(model, 'Be brief.'), question, attempt());
  const second = requests[1];
  const roles = ['system', 'user', 'assistant', 'user'];
  for (const messages of [second?.messages, second?.native?.messages]) {
    expect(messages?.map(({ role }) => role)).toEqual(roles);
  }
  expect(second?.native?.messages[1]?.content).toBe('Write JSON.');
});

describe('a transcript', () => {
  const recorded = (name: string) => {
    const file = join(folder, name);
    const env = models.server.env.openai;
    return { file, model: openModel('openai/m', { env, record: file }) };
  };

  test('has the form that was asked, and answers the request in either', async () => {
    models.script = () => '{"name": "x"}';
    const { file, model } = recorded('json.ndjson');
    await model.complete(json, attempt());
    const line = JSON.parse(readFileSync(file, 'utf8'));
    expect(line.request).toEqual({ ...json.native });
    const replayed = openModel(`replay/${file}`, { env: {} });
    const reply = { text: '{"name": "x"}', native: true };
    expect(await replayed.complete(json, attempt())).toMatchObject(reply);
    const { native: _, ...asText } = json;
    expect(await replayed.complete(asText, attempt())).toMatchObject(reply);
  });

  test('has tools and calls, and gives the calls again', async () => {
    const calls = [{ name: 'search', args: { query: 'x' } }];
    models.script = () => ({ text: '', pieces: [], calls });
    const { file, model } = recorded('calls.ndjson');
    await model.complete(calling, attempt());
    const line = JSON.parse(readFileSync(file, 'utf8'));
    expect(line.request).toMatchObject({ messages: said('Call the tools.'), tools: [search] });
    const replayed = openModel(`replay/${file}`, { env: {} });
    const reply = await replayed.complete(calling, attempt());
    expect(reply).toMatchObject({ text: '', native: true, calls });
  });

  test('of a native request without a text form answers it, too', async () => {
    models.script = () => '{"name": "x"}';
    const { file, model } = recorded('native.ndjson');
    await model.complete({ ...json.native, messages: said('Write JSON.') }, attempt());
    const replayed = openModel(`replay/${file}`, { env: {} });
    expect(await replayed.complete(json, attempt())).toMatchObject({ text: '{"name": "x"}' });
  });

  test('of a server that refuses has the text form', async () => {
    models.script = ({ body }) =>
      JSON.stringify(body).includes('response_format')
        ? { status: 400, message: "unknown field 'response_format'" }
        : 'A line.';
    const { file, model } = recorded('text.ndjson');
    await model.complete(json, attempt());
    const line = JSON.parse(readFileSync(file, 'utf8'));
    expect(line.request).toEqual({ messages: json.messages });
    const replayed = openModel(`replay/${file}`, { env: {} });
    expect(await replayed.complete(json, attempt())).not.toHaveProperty('native');
  });
});
