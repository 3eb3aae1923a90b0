/** The mark that has a provider keep the beginning of a prompt, as it goes over the wire. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Message } from '../../../src/effects/model/model.ts';
import { openModel } from '../../../src/effects/model/open.ts';
import { attempt } from '../../support/attempt.ts';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer(() => 'well');
});
afterEach(async () => await server.close());

const messages: readonly Message[] = [
  { role: 'system', content: 'Be brief.', keep: true },
  { role: 'user', content: 'One?' },
  { role: 'assistant', content: '1' },
  { role: 'user', content: 'Two?', keep: true },
];

async function bodyFor(reference: string): Promise<string> {
  const model = openModel(reference, { env: server.env.all });
  await model.complete({ messages }, attempt());
  return JSON.stringify(server.requests[0]?.body);
}

test('Anthropic is told where to keep it', async () => {
  const body = JSON.parse(await bodyFor('anthropic/claude-haiku-4-5'));
  const mark = { type: 'ephemeral' };
  expect(body.system).toMatchObject([{ text: 'Be brief.', cache_control: mark }]);
  const marked = JSON.stringify(body.messages).match(/cache_control/g);
  expect(marked).toHaveLength(1);
  expect(body.messages.at(-1).content.at(-1)).toMatchObject({ text: 'Two?', cache_control: mark });
});

test.each(['openai/gpt-5-mini', 'google/gemini-2.5-flash', 'ollama/llama3.2'])(
  '%s keeps it by itself, and is told nothing',
  async (reference) => {
    expect(await bodyFor(reference)).not.toMatch(/keep|cache/);
  },
);
