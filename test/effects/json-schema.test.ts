/** Checks against schemas: formats are one rule for all, and patterns never hold the process. */
import { describe, expect, test } from 'vitest';
import { readDocument } from '../../src/effects/http/openapi/document.ts';
import { operationsOf } from '../../src/effects/http/openapi/operations.ts';
import { httpHandler } from '../../src/effects/http/perform.ts';
import { compileAnswerSchema, compileSchema } from '../../src/effects/json-schema.ts';
import { ask } from '../../src/effects/model/ask.ts';
import { replyReader } from '../../src/effects/model/read-reply.ts';
import { schemaCheck } from '../../src/effects/model/schema-check.ts';
import { checkedHandler } from '../../src/effects/tool/checked.ts';
import { functionHandlers } from '../../src/effects/tool/function.ts';
import type { AttemptContext } from '../../src/engine/handler.ts';
import { toolSpec } from '../../src/program/effect.ts';
import { attempt } from '../support/attempt.ts';
import { scriptedModel } from '../support/scripted-model.ts';

const schema = {
  type: 'object',
  properties: { on: { type: 'string', format: 'date' }, to: { type: 'string', format: 'email' } },
};

const checks = [
  ['what people and servers answer', await compileSchema(schema, 'the answer')],
  ['what a model answers', await schemaCheck(schema)],
] as const;

test.each(checks)('%s', (_, check) => {
  expect(check({ on: '2024-02-29', to: 'nobody' })).toBeUndefined();
  expect(check({ on: '2023-02-29' })).toMatch(/on must match format "date"/);
});

/** With this, V8 needs more steps than there is time for. */
const pattern = '^(a+)+$';
const args = { a: `${'a'.repeat(60)}!` };
const endless = { type: 'object', properties: { a: { type: 'string', pattern } } } as const;

describe('a pattern that takes for ever', () => {
  test.each<[string, object, unknown]>([
    ['of a property', endless, args],
    ['of items', { items: { pattern } }, [args.a]],
    ['of names', { propertyNames: { pattern } }, { [args.a]: 1 }],
    ['as a name', { patternProperties: { [pattern]: {} } }, { [args.a]: 1 }],
    ['of a definition', { $ref: '#/$defs/a', $defs: { a: { pattern } } }, args.a],
    ['of a choice', { anyOf: [{ type: 'number' }, { not: { pattern } }] }, args.a],
  ])('%s is given up, and others are checked after it', async (_, odd, data) => {
    const check = await compileSchema(odd, 'data', 300);
    await expect(check(data)).rejects.toMatchObject({
      code: 'PV4903',
      message: 'a pattern of the schema was not matched with the value in 300 ms',
      retryable: false,
    });
    const next = await compileSchema(endless, 'data');
    expect(await next({ a: 'aaa' })).toBeUndefined();
    expect(await next({ a: 'b' })).toBe(`data/a must match pattern "${pattern}"`);
  });

  test('refuses the answer of a person', async () => {
    const check = await compileAnswerSchema(endless, 300);
    expect(await check(args)).toMatch(/was not matched with the value in 300 ms/);
  });

  const spec = toolSpec({ name: 'tool', description: 'Does it.', parameters: endless });
  const perform = () => Promise.resolve('performed');
  const { model } = scriptedModel(() => JSON.stringify(args));
  const document = {
    ...{ openapi: '3.1.0', info: { title: 'a', version: '1' } },
    servers: [{ url: 'https://api.example.org' }],
    paths: {
      '/a': {
        get: {
          operationId: 'a',
          parameters: [{ name: 'a', in: 'query', schema: endless.properties.a }],
        },
      },
    },
  };
  test.each<[string, (context: AttemptContext) => Promise<unknown>]>([
    [
      'a function',
      async (context) => {
        const [handler] = await functionHandlers([
          { name: 'a', description: 'Does it.', parameters: endless, run: perform },
        ]);
        return handler?.perform(args, context);
      },
    ],
    ['a set', (context) => checkedHandler({ spec, perform }).perform(args, context)],
    [
      'an OpenAPI document',
      async (context) => {
        const { tools, problems } = operationsOf(
          readDocument(JSON.stringify(document), 'file:///a.json', { folders: [] }),
          { name: 'a' },
        );
        const [tool] = tools;
        if (!tool) throw new Error(problems.join());
        return httpHandler(tool, {}).perform(args, context);
      },
    ],
    [
      'a reply',
      async (context) => {
        const read = await replyReader({ kind: 'json', schema: endless });
        const request = { messages: [] };
        return ask(model, { request, instruction: '', code: 'PV4114', read }, context);
      },
    ],
  ])('of %s ends with its attempt', async (_, act) => {
    const signal = AbortSignal.timeout(300);
    const thrown = await act({ ...attempt(), signal }).catch((error: unknown) => error);
    expect(signal.aborted).toBe(true);
    expect(thrown).toBe(signal.reason);
  });
});

test('a schema without a pattern is checked at once, whatever its parts are called', async () => {
  const properties = { pattern: { type: 'string' }, a: { description: 'a pattern' } };
  const check = await compileSchema({ type: 'object', properties }, 'data');
  expect(check({ pattern: 'a' })).toBeUndefined();
  expect(check({ pattern: 1 })).toBe('data/pattern must be string');
});
