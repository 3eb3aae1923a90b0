/** OpenAPI documents as tools, called over real HTTP: what arrives is what the document says. */
import { expect, test } from 'vitest';
import { readDocument } from '../../../src/effects/http/openapi/document.ts';
import { operationsOf } from '../../../src/effects/http/openapi/operations.ts';
import { httpHandler } from '../../../src/effects/http/perform.ts';
import { EffectFailure } from '../../../src/engine/handler.ts';
import type { Source } from '../../../src/program/effect.ts';
import { type ApiAnswer, type ApiServer, type Sent, startApi } from '../../support/api-server.ts';
import { attempt } from '../../support/attempt.ts';

const shop = (server: string) => ({
  openapi: '3.0.3',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: `${server}/{version}`, variables: { version: { default: 'v1' } } }],
  security: [{ key: [] }],
  paths: {
    '/articles/{id}': {
      parameters: [
        { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
        { $ref: '#/components/parameters/Trace' },
      ],
      get: {
        operationId: 'articles.get',
        summary: 'One article',
        responses: {
          '200': {
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Article' } } },
          },
        },
      },
      put: {
        operationId: 'articles.put',
        requestBody: { $ref: '#/components/requestBodies/Article' },
        responses: {},
      },
      delete: { operationId: 'articles.delete', responses: {} },
    },
    '/articles': {
      get: {
        operationId: 'articles.list',
        parameters: [
          { name: 'tag', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
          {
            name: 'ids',
            in: 'query',
            explode: false,
            schema: { type: 'array', items: { type: 'integer' } },
          },
          {
            name: 'filter',
            in: 'query',
            style: 'deepObject',
            schema: { type: 'object', properties: { price: { type: 'object' } } },
          },
          { name: 'where', in: 'query', content: { 'application/json': { schema: {} } } },
          { name: 'session', in: 'cookie', schema: { type: 'string' } },
          { name: 'Authorization', in: 'header', schema: { type: 'string' } },
        ],
      },
      post: {
        operationId: 'articles.add',
        parameters: [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } }],
        requestBody: { $ref: '#/components/requestBodies/Article' },
      },
    },
    '/files/{path}': {
      get: { parameters: [{ name: 'path', in: 'path', schema: { type: 'string' } }] },
    },
    '/open': { get: { operationId: 'open', security: [] } },
  },
  components: {
    parameters: { Trace: { name: 'X-Trace', in: 'header', schema: { type: 'string' } } },
    requestBodies: {
      Article: {
        required: true,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Article' } } },
      },
    },
    schemas: {
      Article: {
        type: 'object',
        required: ['id', 'name'],
        properties: {
          id: { type: 'integer', readOnly: true },
          name: { type: 'string', maxLength: 20 },
          price: { type: 'number', nullable: true, minimum: 0, exclusiveMinimum: true },
          secret: { type: 'string', writeOnly: true },
          similar: { type: 'array', items: { $ref: '#/components/schemas/Article' } },
        },
      },
    },
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
  },
});

const key = 'k3y-0123456789';

interface Opened {
  readonly server: ApiServer;
  readonly sources: Source[];
  call(name: string, args?: Readonly<Record<string, unknown>>): Promise<unknown>;
  last(): Sent | undefined;
}

async function withShop(
  use: (opened: Opened) => Promise<void>,
  script?: (sent: Sent) => ApiAnswer,
  env: Readonly<Record<string, string>> = { SHOP_KEY: key },
): Promise<void> {
  await using server = await startApi(script);
  const text = JSON.stringify(shop(server.url));
  const document = readDocument(text, 'file:///shop.json', { folders: [] });
  const { tools } = operationsOf(document, { name: 'shop' });
  const sources: Source[] = [];
  await use({
    server,
    sources,
    call: async (name, args = {}) => {
      const tool = tools.find(({ spec }) => spec.name === name);
      if (!tool) throw new Error(`there is no ${name} among ${tools.map(({ spec }) => spec.name)}`);
      const context = { ...attempt(), source: (one: Source) => void sources.push(one) };
      return await httpHandler(tool, env).perform(args, context);
    },
    last: () => server.sent.at(-1),
  });
}

test('each operation is a tool of the namespace, with its class, parameters and result', () => {
  const document = readDocument(JSON.stringify(shop('http://shop.test')), 'file:///shop.json', {
    folders: [],
  });
  const { tools, problems } = operationsOf(document, { name: 'shop' });
  expect(problems).toEqual([]);
  expect(
    tools.map(({ spec: { name, effect, idempotent, destructive } }) => [
      name,
      effect,
      idempotent,
      destructive,
    ]),
  ).toEqual([
    ['shop.articles.get', 'read', true, false],
    ['shop.articles.put', 'write', true, false],
    ['shop.articles.delete', 'write', true, true],
    ['shop.articles.list', 'read', true, false],
    // The service recognises repetitions by the key that the engine sends.
    ['shop.articles.add', 'write', true, false],
    ['shop.get_files_path', 'read', true, false],
    ['shop.open', 'read', true, false],
  ]);
  const [get, put] = tools;
  expect(get?.spec).toMatchObject({
    description: 'One article. GET /articles/{id}',
    parameters: {
      properties: { id: { type: 'integer' }, X_Trace: { type: 'string' } },
      required: ['id'],
    },
    returns: { properties: { id: { type: 'integer' }, name: { type: 'string' } } },
  });
  // What is only read is no parameter, what is only sent no result, and `id` is that of the path.
  expect(get?.spec.returns?.properties).not.toHaveProperty('secret');
  expect(Object.keys(put?.spec.parameters.properties ?? {})).toEqual([
    ...['id', 'X_Trace', 'name', 'price', 'secret', 'similar'],
  ]);
  expect(put?.spec.parameters.properties).toMatchObject({
    price: { type: ['number', 'null'], exclusiveMinimum: 0 },
    secret: { writeOnly: true },
  });
});

test('arguments stand where the document says, and the key goes along unseen', async () => {
  await withShop(async ({ call, last, sources, server }) => {
    expect(await call('shop.articles.get', { id: 7, X_Trace: 'a b' })).toEqual({ ok: true });
    expect(last()).toMatchObject({ method: 'GET', target: '/v1/articles/7' });
    expect(last()?.headers).toMatchObject({ 'x-trace': 'a b', 'x-key': key });
    expect(sources).toMatchObject([{ url: `${server.url}/v1/articles/7` }]);

    await call('shop.articles.list', {
      tag: ['a&b', 'c'],
      ids: [1, 2],
      filter: { price: { lt: 5 } },
      where: { x: 1 },
      session: 's;1',
    });
    expect(last()?.target).toBe(
      '/v1/articles?tag=a%26b&tag=c&ids=1,2&filter%5Bprice%5D%5Blt%5D=5&where=%7B%22x%22%3A1%7D',
    );
    expect(last()?.headers.cookie).toBe('session=s%3B1');

    await call('shop.articles.put', { id: 7, name: 'Lamp', price: null });
    expect(last()).toMatchObject({ method: 'PUT', body: '{"name":"Lamp","price":null}' });
    expect(last()?.headers['content-type']).toBe('application/json');

    await call('shop.articles.add', { name: 'Lamp' });
    expect(last()?.headers['idempotency-key']).toBe('run-1/0#1/hash');
    await call('shop.open');
    expect(last()?.headers).not.toHaveProperty('x-key');
  });
});

test.each(['', '.', '..', null])('a path is no place for %j', async (path) => {
  await withShop(async ({ call, server }) => {
    await expect(call('shop.get_files_path', { path })).rejects.toMatchObject({
      code: 'PV4954',
      mayHaveActed: false,
    });
    expect(server.sent).toEqual([]);
  });
});

test('what has a meaning in paths loses it', async () => {
  await withShop(async ({ call, last }) => {
    await call('shop.get_files_path', { path: '../admin?x=1#y' });
    expect(last()?.target).toBe('/v1/files/..%2Fadmin%3Fx%3D1%23y');
  });
});

test('arguments that the schema refuses are never sent', async () => {
  await withShop(async ({ call, server }) => {
    const wrong = call('shop.articles.put', { id: 7, name: 'x'.repeat(21), price: 0 });
    await expect(wrong).rejects.toThrow(/name must NOT have more than 20 characters/);
    await expect(wrong).rejects.toThrow(/price must be > 0/);
    expect(server.sent).toEqual([]);
  });
});

test.each([
  [404, { error: 'no such article' }, { code: 'PV4704', retryable: false }, /no such article/],
  [401, 'who are you?', { code: 'PV4704', hint: 'check the key that it wants' }, /who are you/],
  [503, 'closed', { code: 'PV4702', retryable: true }, /closed/],
  [429, 'slow down', { code: 'PV4702', retryAfterMs: 2000 }, /asked too often/],
])('the status %i is a failure with what was said', async (status, body, shape, text) => {
  const headers = { 'retry-after': '2' };
  await withShop(
    async ({ call }) => {
      const failure = await call('shop.open').catch((thrown: unknown) => thrown);
      expect(failure).toBeInstanceOf(EffectFailure);
      expect(failure).toMatchObject({ ...shape, message: expect.stringMatching(text) });
    },
    () => ({ status, body, headers }),
  );
});

test('a key that a service repeats is taken out of results and errors', async () => {
  await withShop(
    async ({ call }) => {
      expect(await call('shop.articles.get', { id: 1 })).toEqual({ you: 'sent ***' });
      await expect(call('shop.articles.get', { id: 2 })).rejects.toThrow(/bad key \*\*\*/);
    },
    ({ index, headers }) =>
      index === 0
        ? { body: { you: `sent ${headers['x-key']}` } }
        : { status: 403, body: `bad key ${headers['x-key']}` },
  );
});

test('headers of the configuration go along, with what the environment has', async () => {
  await using server = await startApi();
  const text = JSON.stringify(shop(server.url));
  const document = readDocument(text, 'file:///shop.json', { folders: [] });
  const headers = { 'User-Agent': 'me/1', Authorization: `Bearer \${TOKEN}` };
  const { tools } = operationsOf(document, { name: 'shop', headers });
  const tool = tools.find(({ spec }) => spec.name === 'shop.open');
  expect(tool?.spec.keys).toEqual(['TOKEN']);
  const call = (env: Readonly<Record<string, string>>) =>
    tool && httpHandler(tool, env).perform({}, attempt());
  await call({ TOKEN: 'tok-0123456' });
  expect(server.sent[0]?.headers).toMatchObject({
    'user-agent': 'me/1',
    authorization: 'Bearer tok-0123456',
  });
  await expect(call({})).rejects.toMatchObject({ code: 'PV4952' });
});

test('without its key a tool says which variable to set, and asks nobody', async () => {
  await withShop(
    async ({ call, server }) => {
      await expect(call('shop.articles.get', { id: 1 })).rejects.toMatchObject({
        code: 'PV4952',
        hint: 'set SHOP_KEY in the environment or in .env',
        mayHaveActed: false,
      });
      expect(server.sent).toEqual([]);
    },
    undefined,
    {},
  );
});

test('numbers keep all their digits; text, bytes and nothing are what they are', async () => {
  const answers: ApiAnswer[] = [
    { headers: { 'content-type': 'application/json' }, body: '{"id": 12345678901234567890}' },
    { body: 'plain' },
    { headers: { 'content-type': 'image/png' }, body: Buffer.from([137, 80]) },
    { status: 204 },
    { headers: { 'content-type': 'application/json' }, body: '<html>' },
  ];
  await withShop(
    async ({ call }) => {
      const { stringify, fromJson, toJson } = await import('../../../src/program/json.ts');
      const first = toJson(fromJson(await call('shop.open')));
      expect(stringify(first)).toBe('{"id":12345678901234567890}');
      expect(await call('shop.open')).toBe('plain');
      expect(await call('shop.open')).toEqual(new Uint8Array([137, 80]));
      expect(await call('shop.open')).toBeNull();
      await expect(call('shop.open')).rejects.toMatchObject({ code: 'PV4955' });
    },
    ({ index }) => answers[index] ?? {},
  );
});
