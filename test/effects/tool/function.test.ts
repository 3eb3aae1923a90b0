/** Function tools: how they are declared, what they are given, what comes of what they throw. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { functionHandlers } from '../../../src/effects/tool/function.ts';
import type { StandardSchema } from '../../../src/effects/tool/standard-schema.ts';
import { defineTool, type FunctionTool } from '../../../src/effects/tool/tool.ts';
import { EffectFailure, type Handler } from '../../../src/engine/handler.ts';
import type { ToolSpec } from '../../../src/program/effect.ts';
import { attempt } from '../../support/attempt.ts';

const base = { name: 'tool', description: 'Does something.', run: () => null };

async function handlerOf(tool: unknown): Promise<Handler> {
  const [handler] = await functionHandlers([tool as FunctionTool], 'tools.ts');
  if (handler === undefined) throw new Error('no handler');
  return handler;
}

const specOf = async (tool: unknown): Promise<ToolSpec> => (await handlerOf(tool)).spec;

async function failureOf(perform: () => Promise<unknown>): Promise<EffectFailure> {
  try {
    await perform();
  } catch (error) {
    if (error instanceof EffectFailure) return error;
    throw error;
  }
  throw new Error('it did not fail');
}

describe('a declaration', () => {
  test('without a class is a write that is not repeated', async () => {
    expect(await specOf(base)).toEqual({
      name: 'tool',
      description: 'Does something.',
      kind: 'tool',
      effect: 'write',
      idempotent: false,
      destructive: false,
      parameters: { type: 'object', properties: {} },
    });
  });

  test('keeps what it says', async () => {
    const said = {
      effect: 'write',
      idempotent: true,
      destructive: true,
      after: ['b'],
      requires: [],
      returns: { type: 'number' },
      alternatives: ['c'],
      conflicts: ['b', 'x'],
      limits: { timeoutMs: 5, concurrency: 2, callsPerMinute: 30 },
    };
    expect(await specOf({ ...base, ...said })).toMatchObject(said);
    expect(await specOf({ ...base, effect: 'read' })).toMatchObject({ idempotent: true });
  });

  test.each<[string, unknown, string]>([
    ['no object', 7, 'tools.ts[0]: got 7, want an object'],
    ['no name', { description: 'x', run() {} }, 'lacks name, a text'],
    ['no description', { name: 'x', run() {} }, 'lacks description, a text'],
    ['no function', { name: 'x', description: 'x' }, 'tools.ts[0] (x): lacks run'],
    ['another function', { ...base, run: 'x' }, 'run: got "x", want a function'],
    ['a name with spaces', { ...base, name: 'a b' }, 'name: got "a b", want letters'],
    ['a class that is none', { ...base, effect: 'reads' }, `got "reads", want 'pure', 'read' or`],
    [
      'a count that is none',
      { ...base, limits: { timeoutMs: 0 } },
      'limits.timeoutMs: got 0, want a positive integer',
    ],
    ['a flag that is none', { ...base, idempotent: 1 }, 'idempotent: got 1, want true or false'],
    [
      'a schema that is none',
      { ...base, parameters: [] },
      'parameters: got a list, want a Standard',
    ],
    ['a schema of no object', { ...base, parameters: { type: 'string' } }, 'got the type string'],
    ['a zod schema of no object', { ...base, parameters: z.string() }, 'got the type string'],
    ['a misspelt member', { ...base, idempotant: true }, 'has idempotant, want name, description'],
  ])('with %s is refused with its place', async (_what, tool, message) => {
    const failure = await failureOf(() => handlerOf(tool));
    expect(failure.code).toBe('PV4200');
    expect(failure.message).toContain(message);
  });

  test('with a misspelt member says which was meant', async () => {
    const failure = await failureOf(() => handlerOf({ ...base, timeoutMS: 3 }));
    expect(failure.hint).toBe('did you mean limits: { timeoutMs: … }?');
    const unknown = await failureOf(() => handlerOf({ ...base, limits: { timeout: 3 } }));
    expect(unknown.hint).toBe('did you mean timeoutMs?');
    const parameter = await failureOf(() => handlerOf({ ...base, requires: ['city'] }));
    expect(parameter).toMatchObject({
      message: 'tools.ts[0] (tool): requires: it has no parameter city',
      hint: 'its parameters are none',
    });
  });
});

describe('parameters', () => {
  test('of zod become JSON Schema, in their order', async () => {
    const parameters = z.object({
      city: z.string().describe('Name of the city.'),
      days: z.int().min(1).default(3),
      unit: z.enum(['C', 'F']).optional(),
    });
    expect((await specOf({ ...base, parameters })).parameters).toEqual({
      type: 'object',
      properties: {
        city: { type: 'string', description: 'Name of the city.' },
        days: { type: 'integer', minimum: 1, maximum: 2 ** 53 - 1, default: 3 },
        unit: { type: 'string', enum: ['C', 'F'] },
      },
      required: ['city'],
    });
  });

  test('of zod give run what they make of the arguments', async () => {
    const tool = defineTool({
      name: 'tool',
      description: 'Does something.',
      parameters: z.object({
        day: z.string().transform((text) => new Date(text)),
        n: z.int().default(3),
      }),
      effect: 'pure',
      // The types are those of the schema's output.
      run: ({ day, n }) => day.getUTCFullYear() + n,
    });
    expect(await (await handlerOf(tool)).perform({ day: '2026-11-21' }, attempt())).toBe(2029);
  });

  test('of zod that do not fit are a failure in its words', async () => {
    const parameters = z.object({ n: z.number(), inner: z.object({ list: z.array(z.int()) }) });
    const handler = await handlerOf({ ...base, parameters });
    const args = { n: 'many', inner: { list: [1, 2.5] } };
    const failure = await failureOf(() => handler.perform(args, attempt()));
    expect(failure).toMatchObject({ code: 'PV4201', answered: true, mayHaveActed: false });
    expect(failure.message).toMatch(/^wrong arguments for tool: n: .*number.*; inner\.list\[1\]: /);
  });

  test('of another library are asked for their own JSON Schema', async () => {
    const schema: StandardSchema = {
      '~standard': {
        version: 1,
        vendor: 'homemade',
        validate: (value) => ({ value: { got: value } }),
        jsonSchema: { input: ({ target }) => ({ type: 'object', title: target }) },
      },
    };
    const handler = await handlerOf({ ...base, parameters: schema, run: (args: unknown) => args });
    expect(handler.spec.parameters).toEqual({ type: 'object', title: 'draft-2020-12' });
    expect(await handler.perform({ a: 1 }, attempt())).toEqual({ got: { a: 1 } });
  });

  test('of a library that has none are refused with what to do', async () => {
    const schema = { '~standard': { version: 1, vendor: 'old', validate: () => ({ value: 1 }) } };
    const failure = await failureOf(() => handlerOf({ ...base, parameters: schema }));
    expect(failure.message).toContain('this version of old gives no JSON Schema');
    expect(failure.hint).toBe('write parameters as JSON Schema and check the rest in run');
  });

  test.each<[Record<string, unknown>, string]>([
    [{ n: 0 }, '/n must be >= 1'],
    [{ n: 1, when: 'soon' }, '/when must match pattern'],
    [{ n: 1, any: true }, '/any must match exactly one schema in oneOf'],
  ])('of JSON Schema are checked beyond what the engine knows: %j', async (args, message) => {
    const parameters = {
      type: 'object',
      properties: {
        n: { type: 'integer', minimum: 1 },
        when: { type: 'string', pattern: '^\\d{4}$' },
        any: { oneOf: [{ type: 'string' }, { type: 'number' }] },
      },
    };
    const handler = await handlerOf({ ...base, parameters, run: () => 'ran' });
    expect((await failureOf(() => handler.perform(args, attempt()))).message).toContain(message);
    expect(await handler.perform({ n: 10n ** 20n }, attempt())).toBe('ran');
  });

  test('of a JSON Schema that is none fail when the tool is called', async () => {
    const parameters = { type: 'object', properties: { n: { minimum: 'low' } } };
    const handler = await handlerOf({ ...base, parameters });
    const failure = await failureOf(() => handler.perform({ n: 1 }, attempt()));
    expect(failure).toMatchObject({ code: 'PV4203', mayHaveActed: false });
  });
});

test('run is given the signal and the key of its effect, and may show text', async () => {
  const context = attempt({ idempotencyKey: 'run-1/0#7/abc' });
  const handler = await handlerOf({
    ...base,
    run(_args: unknown, given: Parameters<FunctionTool['run']>[1]) {
      given.progress('half');
      return [given.signal === context.signal, given.idempotencyKey];
    },
  });
  expect(await handler.perform({}, context)).toEqual([true, 'run-1/0#7/abc']);
  expect(context.pieces).toEqual(['half']);
});

describe('an error that run throws', () => {
  const throwing = async (thrown: unknown, effect: string): Promise<EffectFailure> => {
    const handler = await handlerOf({
      ...base,
      effect,
      run() {
        throw thrown;
      },
    });
    return await failureOf(() => handler.perform({}, attempt()));
  };

  test('keeps its message and is the answer of the tool', async () => {
    const failure = await throwing(new Error('the shelf is empty'), 'write');
    expect(failure).toMatchObject({ code: 'PV4202', message: 'tool: the shelf is empty' });
    expect(failure).toMatchObject({ answered: true, retryable: false });
  });

  test.each([
    ['read', true],
    ['pure', false],
    ['write', false],
  ])('of a %s may be mended by trying again: %s', async (effect, retryable) => {
    expect((await throwing(new Error('no'), effect)).retryable).toBe(retryable);
  });

  test('that is a slip of its code is not mended so, and that of a fetch may be', async () => {
    const slips = [
      () => JSON.stringify({ n: 10n ** 20n }),
      () => Object.assign(JSON.parse('null'), { a: 1 }),
      () => Reflect.get(globalThis, 'nowhere').length,
    ];
    for (const slip of slips) {
      const handler = await handlerOf({ ...base, effect: 'read', run: slip });
      const failure = await handler.perform({}, attempt()).catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: 'PV4202', retryable: false, answered: true });
    }
    const gone = new TypeError('fetch failed', { cause: new Error('getaddrinfo ENOTFOUND') });
    expect((await throwing(gone, 'read')).retryable).toBe(true);
  });

  test.each<[string, Error]>([
    ['a connection that broke', Object.assign(new Error('reset'), { code: 'ECONNRESET' })],
    [
      'a fetch that failed',
      new TypeError('fetch failed', {
        cause: Object.assign(new Error(), { code: 'UND_ERR_SOCKET' }),
      }),
    ],
    ['a time that is over', new DOMException('late', 'TimeoutError')],
  ])('that is %s leaves open what happened', async (_what, thrown) => {
    expect(await throwing(thrown, 'write')).toMatchObject({ answered: false, retryable: true });
  });

  test('that says more about itself stays as it is', async () => {
    const own = new EffectFailure('OWN1', 'no such key', {
      answered: true,
      hint: 'ask for another',
    });
    expect(await throwing(own, 'write')).toBe(own);
  });

  test('after an abort is the abort', async () => {
    const context = attempt();
    const handler = await handlerOf({
      ...base,
      async run(_args: unknown, { signal }: { signal: AbortSignal }) {
        context.abort(new Error('given up'));
        throw new Error(`cleaned up after ${signal.reason}`);
      },
    });
    await expect(handler.perform({}, context)).rejects.toThrow('given up');
  });

  test('may be no error at all', async () => {
    expect(await throwing('just text', 'read')).toMatchObject({ message: 'tool: just text' });
  });
});
