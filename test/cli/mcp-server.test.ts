/**
 * `planvm mcp`, spoken to by clients of others: the one of the AI SDK over stdio, those of both
 * versions of the reference SDK by HTTP.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createMCPClient, type MCPClient } from '@ai-sdk/mcp';
import { StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Folder } from '../support/cli.ts';
import { reference } from '../support/mcp.ts';
import { serving } from '../support/mcp-served.ts';
import { startModelServer } from '../support/model-server.ts';
import { root } from '../support/repo.ts';

interface Called {
  readonly isError?: boolean;
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
}

async function overStdio(folder: Folder, env: Record<string, string> = {}): Promise<MCPClient> {
  const transport = new StdioMCPTransport({
    command: process.execPath,
    args: [join(root, 'bin/planvm.js'), 'mcp'],
    cwd: folder.path,
    env: { PATH: process.env.PATH ?? '', HOME: folder.path, ...env },
  });
  const client = await createMCPClient({ transport });
  onTestFinished(async () => await client.close());
  return client;
}

const calling =
  (client: MCPClient) =>
  async (name: string, args: Record<string, unknown> = {}): Promise<Called> =>
    (await client.callTool({ name, arguments: args })) as Called;

describe('over stdio, to the client of the AI SDK', () => {
  test('checks, runs, asks back, goes on and shows', async () => {
    using folder = new Folder();
    const call = calling(await overStdio(folder));
    const wrong = await call('check', { program: '[{"seq_no": 0}]' });
    expect(wrong.structuredContent).toMatchObject({
      ok: false,
      diagnostics: expect.arrayContaining([expect.objectContaining({ code: 'PV2105', line: 1 })]),
    });
    expect(wrong.isError).toBeFalsy();
    const program = 'answer(n * 2)\n';
    const done = await call('run', { program, dialect: 'starlark', inputs: { n: 21 } });
    expect(done.structuredContent).toMatchObject({ status: 'done', answer: 42 });
    expect(JSON.parse(done.content[0]?.text ?? '')).toStrictEqual(done.structuredContent);
    const asked = await call('run', { program: 'answer("Hi " + ask("Who?"))\n' });
    expect(asked.structuredContent).toMatchObject({
      status: 'waiting',
      waits: [{ kind: 'question', question: 'Who?' }],
    });
    const run = asked.structuredContent?.run;
    expect((await call('answer', { run, answer: 'Ada' })).structuredContent).toMatchObject({
      ...{ run, status: 'done', answer: 'Hi Ada' },
    });
    const shown = await call('show', { run });
    expect(shown.structuredContent).toMatchObject({ effects: [{ name: 'ask', status: 'done' }] });
    const listed = await call('runs', { status: 'done' });
    expect(listed.structuredContent?.runs).toHaveLength(2);
    // The same journal as every command's.
    expect((await folder.planvm(['runs', '--json'])).stdout).toContain(String(run));
  });

  test('says what has failed, with code and hint', async () => {
    using folder = new Folder();
    const call = calling(await overStdio(folder));
    const failed = await call('run', { program: 'answer(1 // 0)\n', dialect: 'starlark' });
    expect(failed.isError).toBe(true);
    expect(failed.structuredContent).toMatchObject({ status: 'failed', error: { line: 1 } });
    const invalid = await call('run', { program: 'answer(nothing)\n', dialect: 'starlark' });
    expect(invalid.structuredContent).toMatchObject({ status: 'invalid' });
    const noModel = await call('ask', { goal: 'anything' });
    expect(noModel.structuredContent).toMatchObject({ error: { code: 'PV6011' } });
    const misspelt = await call('run', { programme: 'x' });
    expect(misspelt.structuredContent).toMatchObject({ error: { code: 'PV6002' } });
    const gone = await call('show', { run: 'r0' });
    expect(gone.structuredContent).toMatchObject({ error: { code: 'PV6012' } });
    await expect(call('nothing')).rejects.toThrow('there is no tool nothing');
  });

  test('has no tool that approves, and marks what only reads', async () => {
    using folder = new Folder({
      'tools.mjs': wipes,
      'planvm.config.json': { tools: './tools.mjs' },
    });
    const client = await overStdio(folder);
    const { tools } = await client.listTools();
    const reading = tools.filter(({ annotations }) => annotations?.readOnlyHint === true);
    expect(reading.map(({ name }) => name)).toStrictEqual(['check', 'show', 'runs']);
    expect(tools.map(({ name }) => name)).not.toContain('approve');
    const call = calling(client);
    const asked = await call('run', { program: 'answer(wipe())\n' });
    expect(asked.structuredContent).toMatchObject({
      ...{ status: 'waiting', reason: 'approval' },
      waits: [{ kind: 'approval', tool: 'wipe' }],
    });
    const tried = await call('answer', { run: 'last', answer: true });
    expect(tried.structuredContent).toMatchObject({ error: { code: 'PV5142' } });
    expect((await folder.planvm(['approve', 'last'])).stdout).toBe('wiped\n');
  });

  test('approves nothing that a sub-agent is about to do', async () => {
    await using server = await startModelServer(() => '```starlark\nanswer(wipe())\n```');
    using folder = new Folder({
      'tools.mjs': wipes,
      'planvm.config.json': { tools: './tools.mjs', model: 'openai/test' },
    });
    const call = calling(await overStdio(folder, server.env.openai));
    const asked = await call('run', { program: 'answer(delegate("Clean up."))\n' });
    expect(asked.structuredContent).toMatchObject({
      ...{ status: 'waiting', reason: 'approval' },
      waits: [{ kind: 'approval', tool: 'wipe' }],
    });
    for (const answer of ['yes', true, { approved: true }]) {
      const tried = await call('answer', { run: 'last', effect: '0#1', answer });
      expect(tried.structuredContent).toMatchObject({ error: { code: 'PV5142' } });
    }
    const again = await call('resume', { run: 'last' });
    expect(again.structuredContent).toMatchObject({ status: 'waiting', reason: 'approval' });
    const approved = await folder.planvm(['approve', 'last'], { env: server.env.openai });
    expect(approved.stdout).toBe('wiped\n');
  });

  test('offers each saved plan as a tool, with its inputs', async () => {
    using folder = new Folder({ 'greet.star': 'answer("Hi " + name)\n' });
    const ran = await folder.planvm(['run', 'greet.star', '--input', 'name=Ada']);
    expect(ran.code).toBe(0);
    await folder.planvm(['plans', 'save', 'last', '--goal', 'Greet somebody', '--label', 'a/b']);
    const client = await overStdio(folder);
    const { tools } = await client.listTools();
    const greet = tools.find(({ name }) => name === 'plan_a_b');
    expect(greet).toMatchObject({
      description: 'Runs the saved plan for: Greet somebody',
      inputSchema: { required: ['name'] },
    });
    const call = calling(client);
    expect((await call('plan_a_b', { name: 'Eve' })).structuredContent).toMatchObject({
      ...{ status: 'done', answer: 'Hi Eve' },
    });
    expect((await call('plan_a_b')).structuredContent).toMatchObject({ error: { code: 'PV6002' } });
  });

  test('lets the configured model write a program for a goal', async () => {
    using folder = new Folder({ 'planvm.config.json': { model: 'openai/fake' } });
    await using models = await startModelServer(() => "```starlark\nanswer('as asked')\n```");
    const call = calling(await overStdio(folder, { ...models.env.openai }));
    const asked = await call('ask', { goal: 'Say it', dialect: 'starlark' });
    expect(asked.structuredContent).toMatchObject({ status: 'done', answer: 'as asked' });
    expect(models.requests[0]?.prompt).toContain('Say it');
  });

  test('names the sources of answers, as results of commands do', async () => {
    using folder = new Folder({
      'tools.mjs': `export default [{ name: 'look', description: 'Looks.', effect: 'read',
        run(_, context) { context.source({ url: 'https://a.example/page' }); return 'seen'; } }];`,
      'planvm.config.json': { tools: './tools.mjs' },
    });
    const call = calling(await overStdio(folder));
    const program = 'answer(look() + ask("And?"))\n';
    const left = await call('run', { program });
    const done = await call('answer', { run: left.structuredContent?.run, answer: '!' });
    const sources = [{ effect: '0#1', tool: 'look', url: 'https://a.example/page' }];
    expect(done.structuredContent).toMatchObject({ answers: [{ value: 'seen!', sources }] });
    const shown = await call('show', { run: 'last' });
    expect(shown.structuredContent).toMatchObject({ result: { answers: [{ sources }] } });
    const ran = await call('run', { program: 'answer(look())\n' });
    expect(ran.structuredContent).toMatchObject({ answers: [{ sources }] });
  });

  test('keeps what tools print out of the protocol', async () => {
    using folder = new Folder({
      'tools.mjs': loud,
      'planvm.config.json': { tools: './tools.mjs' },
    });
    const call = calling(await overStdio(folder));
    const done = await call('run', { program: 'answer(shout())\n' });
    expect(done.structuredContent).toMatchObject({ status: 'done', answer: 'quiet' });
  });
});

const wipes = `export default [{ name: 'wipe', description: 'Wipes.', effect: 'write',
  destructive: true, run: () => 'wiped' }];`;
const loud = `export default [{ name: 'shout', description: 'Shouts.', effect: 'read',
  run() { console.log('{"jsonrpc":"2.0"}'); process.stdout.write('x\\n'); return 'quiet'; } }];`;
const slow = `import { existsSync, writeFileSync } from 'node:fs';
  import { setTimeout } from 'node:timers/promises';
  export default [
    { name: 'quick', description: 'Quick.', effect: 'read', run: () => 'q' },
    { name: 'slow', description: 'Waits.', effect: 'read', async run(_, { signal }) {
      writeFileSync('waiting', '');
      while (!existsSync('open')) await setTimeout(10, undefined, { signal });
      return 's'; } }];`;

describe('by HTTP', () => {
  test('serves the client of the first SDK, with progress, in a session', async () => {
    using folder = new Folder({
      'tools.mjs': slow,
      'planvm.config.json': { tools: './tools.mjs' },
    });
    const url = await serving(folder);
    const require = createRequire(reference('everything'));
    const load = async (name: string): Promise<Record<string, never>> =>
      await import(pathToFileURL(require.resolve(`@modelcontextprotocol/sdk/${name}`)).href);
    const { Client: First } = await load('client/index.js');
    const { StreamableHTTPClientTransport: Transport } = await load('client/streamableHttp.js');
    const client = new (First as unknown as typeof Client)({ name: 'first', version: '1' });
    const transport = new (Transport as unknown as typeof StreamableHTTPClientTransport)(
      new URL(url),
    );
    await client.connect(transport);
    onTestFinished(async () => await client.close());
    const heard: string[] = [];
    const params = { name: 'run', arguments: { program: 'answer(quick())\n' } };
    const onprogress = ({ message = '' }): void => void heard.push(message);
    // The first SDK has the schema of the result in between.
    const call = client.callTool.bind(client) as unknown as (
      params: object,
      schema: undefined,
      options: object,
    ) => Promise<Called>;
    const done = await call(params, undefined, { onprogress });
    expect(done.structuredContent).toMatchObject({ status: 'done', answer: 'q' });
    expect(heard).toContain('quick (0#1) is done');
  });

  test('serves a client of this year without a session; what it cancels can be resumed', async () => {
    using folder = new Folder({
      'tools.mjs': slow,
      'planvm.config.json': { tools: './tools.mjs' },
    });
    const url = await serving(folder);
    const client = new Client(
      { name: 'second', version: '2' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    onTestFinished(async () => await client.close());
    const stop = new AbortController();
    const call = async (name: string, args: object, signal?: AbortSignal): Promise<Called> =>
      (await client.callTool({ name, arguments: { ...args } }, signal ? { signal } : {})) as Called;
    const program = 'answer(quick() + slow())\n';
    const running = call('run', { program }, stop.signal);
    const statusOf = async (): Promise<unknown> => {
      const { structuredContent } = await call('runs', {}).catch(() => ({ structuredContent: {} }));
      return (structuredContent as { runs?: { status: string }[] }).runs?.[0]?.status;
    };
    while ((await statusOf()) !== 'running') {}
    while (!existsSync(join(folder.path, 'waiting'))) await statusOf();
    stop.abort();
    await expect(running).rejects.toThrow();
    while ((await statusOf()) === 'running') {}
    expect(await statusOf()).toBe('suspended');
    folder.write('open', '');
    const resumed = await call('resume', { run: 'last' });
    expect(resumed.structuredContent).toMatchObject({ status: 'done', answer: 'qs' });
  });

  test('lets nobody in who may not', async () => {
    using folder = new Folder();
    const url = await serving(folder, { PLANVM_MCP_TOKEN: 'a-long-secret' });
    const ask = async (headers: Record<string, string>, to = url): Promise<number> => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
      const accept = 'application/json, text/event-stream';
      const all = { 'content-type': 'application/json', accept, ...headers };
      return (await fetch(to, { method: 'POST', headers: all, body })).status;
    };
    const authorization = 'Bearer a-long-secret';
    expect(await ask({})).toBe(401);
    expect(await ask({ authorization: 'Bearer a-long-secreT' })).toBe(401);
    expect(await ask({ authorization, origin: 'https://evil.example' })).toBe(403);
    expect(await ask({ authorization }, url.replace('/mcp', '/other'))).toBe(404);
    expect(await ask({ authorization, 'mcp-session-id': 'none' })).toBe(404);
    const client = new Client({ name: 'third', version: '3' });
    const requestInit = { headers: { authorization } };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    expect((await client.listTools()).tools.length).toBeGreaterThan(5);
    await client.close();
  });

  test('is not opened to other machines without a token', async () => {
    using folder = new Folder();
    const open = await folder.planvm(['mcp', '--http', '--host', '0.0.0.0', '--port', '0']);
    expect(open.code).toBe(2);
    expect(open.stderr).toContain('PV6902');
    const astray = await folder.planvm(['mcp', '--port', '4']);
    expect(astray.stderr).toContain('--host and --port are for --http');
  });
});
