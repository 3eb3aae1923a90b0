/** Tools of OpenAPI documents and of requests in a configuration, and what a run may call of them. */
import { expect, test } from 'vitest';
import { type ApiAnswer, type Sent, startApi } from '../support/api-server.ts';
import { Folder } from '../support/cli.ts';

const key = 'card-0042-secret';

const document = (server: string) =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'A shop', version: '1' },
    servers: [{ url: server }],
    security: [{ key: [] }],
    paths: {
      '/things/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        get: { operationId: 'getThing' },
        delete: { operationId: 'dropThing' },
        post: {
          operationId: 'sendThing',
          parameters: [{ name: 'to', in: 'query', required: true, schema: { type: 'string' } }],
        },
      },
      '/broken': { get: { parameters: [{ $ref: '#/gone' }] } },
    },
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
  });

interface Shop {
  readonly folder: Folder;
  readonly sent: readonly Sent[];
  readonly url: string;
}

/** A folder with the document of a shop that echoes what it is sent. */
async function inShop(
  files: Readonly<Record<string, unknown>>,
  use: (shop: Shop) => Promise<void>,
  script: (sent: Sent) => ApiAnswer = ({ target, headers }) => ({
    body: { target, key: headers['x-key'] ?? null },
  }),
): Promise<void> {
  await using server = await startApi(script);
  using folder = new Folder({ '.env': `SHOP_KEY=${key}\n`, 'shop.json': document(server.url) });
  for (const [name, content] of Object.entries(files)) {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    folder.write(name, text.replaceAll('http://shop', server.url));
  }
  await use({ folder, sent: server.sent, url: server.url });
}

const program = 'answer(shop.getThing(id = 7)["target"])\n';

test('a document is tools for check, run and a call by hand, with a key that nobody sees', async () => {
  await inShop({ 'p.star': program }, async ({ folder, sent }) => {
    const open = ['--openapi', 'shop.json'];
    const checked = await folder.planvm(['check', 'p.star', ...open]);
    expect(checked.stdout).toContain('a valid program');
    const wrong = await folder.planvm(['check', '-', '--dialect', 'starlark', ...open], {
      input: 'shop.getThing(di = 7)',
    });
    expect(wrong.stdout).toContain('shop.getThing has no parameter di');
    expect(sent).toEqual([]);

    const ran = await folder.planvm(['run', 'p.star', ...open]);
    expect(ran.stdout).toBe('/things/7\n');
    expect(ran.stderr).toContain('GET /broken: #/gone refers to nothing: it is no tool');
    expect(sent[0]?.headers['x-key']).toBe(key);
    const exported = folder.read((await folder.planvm(['export', 'last'])).stdout.trim());
    expect(exported).toContain('***');
    expect(exported).not.toContain(key);

    const called = await folder.planvm(['tools', 'call', 'getThing', '--arg', 'id=1', ...open]);
    expect(JSON.parse(called.stdout)).toEqual({ target: '/things/1', key: '***' });
  });
});

test('what cannot be undone waits for a person, whatever it is called by', async () => {
  await inShop({ 'p.llmcompiler': '1. dropThing[7]\n2. join($1)\n' }, async ({ folder, sent }) => {
    const args = ['run', 'p.llmcompiler', '--openapi', 'shop.json', '--no-join'];
    expect((await folder.planvm(args)).code).toBe(4);
    expect(sent).toEqual([]);
    const yes = await folder.planvm([...args, '--yes', 'shop.drop*']);
    expect(yes.code).toBe(0);
    const near = await folder.planvm([...args, '--yes', 'shop.dropThin']);
    expect(near).toMatchObject({ code: 2, stderr: expect.stringContaining('shop.dropThing?') });
  });
});

test('an address is fetched once; check knows the tools without a network, and later runs', async () => {
  const answers = ({ target, index }: Sent): ApiAnswer =>
    target === '/api.json'
      ? { status: index > 1 ? 503 : 200, body: document('http://shop') }
      : { body: { target } };
  await inShop(
    { 'p.star': program },
    async ({ folder, url, sent }) => {
      folder.write(
        'planvm.config.json',
        JSON.stringify({ openapi: [{ source: `${url}/api.json`, name: 'shop', server: url }] }),
      );
      const before = await folder.planvm(['check', 'p.star']);
      expect(before.stdout).toContain('api.json may declare it');
      expect(sent).toEqual([]);
      expect((await folder.planvm(['run', 'p.star'])).stdout).toBe('/things/7\n');
      expect((await folder.planvm(['check', 'p.star'])).stdout).toMatch(/✔.* a valid program/);
      expect((await folder.planvm(['run', 'p.star'])).stdout).toBe('/things/7\n');
      expect(sent.map(({ target }) => target)).toEqual(['/api.json', '/things/7', '/things/7']);
    },
    answers,
  );
});

test.each([
  [{ openapi: 'gone.yaml' }, 'PV6504', 'gone.yaml: there is no such file'],
  [{ openapi: [{ source: 'shop.json', allow: ['x*'] }] }, 'PV6504', 'allowed by x*'],
  [{ http: { 'a b': 'GET http://shop/' } }, 'PV6505', 'http: a b: want a name'],
  [{ http: { a: 'fetch http://shop/' } }, 'PV6505', 'want a method and an address'],
  [{ http: { a: { request: 'GET http://shop/', effekt: 'read' } } }, 'PV6004', 'http'],
  [{ openapi: 'shop.json', deny: ['shop.dropThin'] }, 'PV6501', 'no tool shop.dropThin'],
  [{ openapi: 'shop.json', allow: ['@none'] }, 'PV6501', 'no set of tools @none'],
  [{ openapi: 'shop.json', pins: { getThing: { di: 1 } } }, 'PV6502', 'no parameter di to pin'],
  [{ openapi: 'shop.json', toolOverrides: { getThin: {} } }, 'PV6503', 'no tool getThin'],
  [{ http: { a: { request: 'GET http://shop/', headers: { x: key } } } }, 'PV6025', 'SHOP_KEY'],
])('the configuration %j is refused', async (config, code, text) => {
  await inShop({ 'planvm.config.json': config }, async ({ folder, sent }) => {
    const ended = await folder.planvm(['tools']);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain(code);
    expect(ended.stderr).toContain(text);
    expect(ended.stderr).not.toContain(key);
    expect(sent).toEqual([]);
  });
});

test('what a run may call is kept with it: for resuming, and for its forks', async () => {
  const config = {
    openapi: 'shop.json',
    toolsets: { look: ['shop.get*', 'ask'] },
    approve: 'none',
  };
  // Both names come from outside, where no check has seen them.
  const text = [
    'name = ask(question = "Which tool?")',
    'result = task(name, {"id": 7})',
    'answer(result.value if result.ok else result.error.message)',
  ].join('\n');
  await inShop({ 'planvm.config.json': config, 'p.star': text }, async ({ folder, sent }) => {
    expect((await folder.planvm(['run', 'p.star', '--allow', '@look'])).code).toBe(4);
    folder.write('planvm.config.json', JSON.stringify({ openapi: 'shop.json', approve: 'none' }));
    const refused = await folder.planvm(['answer', 'last', 'shop.dropThing']);
    expect(refused.stdout).toContain('there is no tool "shop.dropThing"');
    const fork = ['fork', 'last', '--at', '2', '--set', 'name="shop.dropThing"'];
    expect((await folder.planvm(fork)).stdout).toContain('there is no tool');
    expect(sent).toEqual([]);
    const allowed = await folder.planvm(['run', 'p.star']);
    expect(allowed.code).toBe(4);
    expect((await folder.planvm(['answer', 'last', 'dropThing'])).stdout).toContain('/things/7');
    expect(sent.map(({ method }) => method)).toEqual(['DELETE']);
  });
});

test('what is forbidden in one place is forbidden, and says so', async () => {
  const config = { openapi: 'shop.json', deny: ['shop.dropThing'] };
  await inShop({ 'planvm.config.json': config, 'p.star': program }, async ({ folder }) => {
    const list = await folder.planvm(['tools', 'ls', 'shop', '--deny', 'sendThing', '--json']);
    const names = JSON.parse(list.stdout).map(({ name }: { name: string }) => name);
    expect(names).toEqual(['shop.getThing']);
    const none = await folder.planvm(['check', 'p.star', '--deny', 'shop.*,llm_*']);
    expect(none.stdout).toContain('shop.getThing is not allowed here');
  });
});

test('a pinned parameter is nobody’s but the person’s', async () => {
  const config = {
    openapi: 'shop.json',
    approve: 'none',
    pins: { 'shop.send*': { to: { env: 'SHOP_RECEIVER' } } },
  };
  const receiver = 'ann@receivers.example';
  const files = {
    'planvm.config.json': config,
    'p.star': 'answer(shop.sendThing(id = 7))\n',
    'q.star': 'answer(try_call(shop.sendThing, id = 7, **{"to": "eve"}).error.message)\n',
  };
  await inShop(files, async ({ folder, sent }) => {
    const env = { env: { SHOP_RECEIVER: receiver } };
    const unset = await folder.planvm(['run', 'p.star']);
    expect(unset.stderr).toContain('takes a value out of SHOP_RECEIVER, which is not set');
    const ran = await folder.planvm(['run', 'p.star'], env);
    expect(ran.code).toBe(0);
    expect(sent[0]?.target).toBe('/things/7?to=ann%40receivers.example');
    const exported = folder.read((await folder.planvm(['export', 'last'], env)).stdout.trim());
    expect(exported).not.toContain(receiver);
    const refused = await folder.planvm(['run', 'q.star'], env);
    expect(refused.stderr).toContain('tool shop.sendThing has no parameter "to"');
    expect(sent).toHaveLength(1);
    const described = await folder.planvm(['spec', 'llmcompiler'], env);
    const [, own = ''] = /`shop\.sendThing(.*(?:\n {2}- .*)*)/.exec(described.stdout) ?? [];
    expect(own).not.toBe('');
    expect(own).not.toMatch(/`to`|[([]to\b/);
    expect((await folder.planvm(['tools', 'show', 'sendThing'], env)).stdout).toContain(
      'pinned: to = $SHOP_RECEIVER',
    );
  });
});

test('limits and what a tool does are said by name, alias or pattern', async () => {
  const config = {
    openapi: 'shop.json',
    http: { 'find.things': { request: 'POST http://shop/find', aliases: ['Finder.find'] } },
    toolLimits: { 'shop.*': { callsPerRun: 1 }, getThing: { timeoutMs: 5000 } },
    toolOverrides: { 'Finder.find': { effect: 'read' }, 'shop.*': { destructive: true } },
  };
  const text = 'shop.getThing(id = 1)\nshop.getThing(id = 2)\nanswer(Finder.find())\n';
  await inShop({ 'planvm.config.json': config, 'p.star': text }, async ({ folder, sent }) => {
    const list = JSON.parse((await folder.planvm(['tools', '--json'])).stdout);
    expect(list).toContainEqual(
      expect.objectContaining({
        name: 'shop.getThing',
        destructive: true,
        limits: { timeoutMs: 5000, concurrency: 4, callsPerRun: 1 },
      }),
    );
    expect(list).toContainEqual(
      expect.objectContaining({ name: 'find.things', effect: 'read', idempotent: true }),
    );
    const ran = await folder.planvm(['run', 'p.star', '--approve', 'none']);
    expect(ran.code).toBe(5);
    expect(sent.filter(({ target }) => target.startsWith('/things'))).toHaveLength(1);
  });
});
