/** llm_condition: a decision out of whatever a model writes, or a failure that says why not. */
import { expect, test } from 'vitest';
import { modelHandlers, modelSpecs } from '../../../src/effects/model/handlers.ts';
import { openModel } from '../../../src/effects/model/open.ts';
import type { Arguments, Handler } from '../../../src/engine/handler.ts';
import { attempt } from '../../support/attempt.ts';
import { inOrder } from '../../support/model-server.ts';
import { servedModels } from '../../support/served-models.ts';

const models = servedModels();

function handler(): Handler {
  const model = openModel('openai/m', { env: models.server.env.openai });
  const found = modelHandlers(model).find(({ spec }) => spec.name === 'llm_condition');
  if (found === undefined) throw new Error('modelHandlers has no llm_condition');
  return found;
}

const decide = async (args: Arguments, context = attempt()): Promise<unknown> =>
  await handler().perform(args, context);

test.each([
  ['{"result": true, "explanation": "42 is even"}', true, '42 is even'],
  ['```json\n{"result": false, "explanation": "odd"}\n```', false, 'odd'],
  ['I think so: {"result": true, "explanation": "a } in {it}"} Bye.', true, 'a } in {it}'],
  ['{"result": "true", "explanation": "as text"}', true, 'as text'],
  ['{"result": "No", "explanation": "as a word"}', false, 'as a word'],
  ['{"result": 1}', true, ''],
  ['{"result": false, "explanation": "comma",}', false, 'comma'],
  ['true', true, ''],
  ['Yes.', true, ''],
  ['No, because it is odd.', false, 'because it is odd.'],
])('%s decides', async (text, result, explanation) => {
  models.script = () => ({ text, pieces: [text] });
  expect(await decide({ prompt: 'Is it even?' })).toEqual({ result, explanation });
  expect(models.server.requests).toHaveLength(1);
});

test('the prompt says how to answer, after the context and the condition', async () => {
  models.script = () => '{"result": true, "explanation": "x"}';
  await decide({ prompt: 'Is it even?', context: { number: 42 } });
  const sent = models.server.requests[0]?.prompt ?? '';
  const order = ['{"number":42}', 'Is it even?', '{"result": true or false'];
  expect(order.map((part) => sent.indexOf(part)).every((at) => at >= 0)).toBe(true);
  expect(order.toSorted((a, b) => sent.indexOf(a) - sent.indexOf(b))).toEqual(order);
  expect(models.server.requests[0]?.body).toMatchObject({
    response_format: { type: 'json_schema', json_schema: { strict: true } },
  });
});

test('what cannot be read is asked for once more', async () => {
  models.script = inOrder('It depends on what you mean.', 'false');
  const context = attempt();
  expect(await decide({ prompt: 'Is it even?' }, context)).toEqual({
    result: false,
    explanation: '',
  });
  expect(models.server.requests[1]?.messages.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'user',
  ]);
  expect(models.server.requests[1]?.prompt).toMatch(/true or false/);
  expect(context.used).toHaveLength(2);
});

test('no decision, twice, is a failure that shows what came', async () => {
  models.script = inOrder('Who knows?', 'Still: who knows?');
  await expect(decide({ prompt: 'Is it even?' })).rejects.toMatchObject({
    code: 'PV4115',
    retryable: false,
    message: expect.stringMatching(/"Who knows\?".*"Still: who knows\?"/),
  });
  expect(models.server.requests).toHaveLength(2);
});

test.each([
  ['Who knows?', 'got only prose, want a JSON object, with a result that is true or false'],
  ['{"result": "maybe"}', 'result: got "maybe", want true or false'],
  ['{"verdict": true}', 'got an object with "verdict", want the key "result"'],
  ['{}', 'got an object with no keys, want the key "result"'],
  ['{"result": oops}', 'got oops, want a value'],
])('%s is asked for again with what is wrong with it', async (text, problem) => {
  models.script = inOrder({ text, pieces: [text] }, '{"result": true}');
  await decide({ prompt: 'Is it even?' });
  expect(models.server.requests[1]?.prompt).toContain(`could not be used: ${problem}`);
});

test('all effects are reads that may be repeated', () => {
  expect(modelSpecs.map(({ name }) => name)).toEqual(['llm_generate', 'llm_condition', 'llm_call']);
  for (const spec of modelSpecs) {
    expect(spec).toMatchObject({ kind: 'model', effect: 'read', idempotent: true });
  }
  for (const { parameters } of modelSpecs.filter(({ name }) => name !== 'llm_call')) {
    expect(Object.keys(parameters.properties ?? {}).slice(0, 2)).toEqual(['prompt', 'context']);
  }
});
