/** What runs of `planvm mcp` wait for, asked of the user of a client that has forms. */
import { join } from 'node:path';
import {
  Client,
  type ElicitRequest,
  type ElicitResult,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Folder } from '../support/cli.ts';
import { serving } from '../support/mcp-served.ts';
import { root } from '../support/repo.ts';

interface Called {
  readonly isError?: boolean;
  readonly structuredContent?: Readonly<Record<string, unknown>>;
}

interface Asking {
  readonly client: Client;
  readonly call: (name: string, args: Record<string, unknown>) => Promise<Called>;
  /** What the user was asked, in order. */
  readonly asked: { message: string; properties: Record<string, unknown> }[];
}

type User = (asked: { message: string }, index: number) => ElicitResult;

function userOf(client: Client, user: User): Asking {
  const asked: Asking['asked'] = [];
  client.setRequestHandler('elicitation/create', ({ params }: ElicitRequest): ElicitResult => {
    const schema = 'requestedSchema' in params ? params.requestedSchema : undefined;
    asked.push({ message: params.message, properties: { ...schema?.properties } });
    return user(params, asked.length - 1);
  });
  onTestFinished(async () => await client.close());
  return {
    client,
    asked,
    call: async (name, args) => (await client.callTool({ name, arguments: args })) as Called,
  };
}

const capabilities = { elicitation: { form: {} } };

/** A client of the era before this year, over stdio. */
async function overStdio(folder: Folder, user: User): Promise<Asking> {
  const client = new Client({ name: 'desk', version: '1' }, { capabilities });
  const asking = userOf(client, user);
  await client.connect(
    new StdioClientTransport({
      ...{ command: process.execPath, args: [join(root, 'bin/planvm.js'), 'mcp'] },
      ...{ cwd: folder.path, env: { PATH: process.env.PATH ?? '', HOME: folder.path } },
      stderr: 'ignore',
    }),
  );
  return asking;
}

/** A client of this year's revision, by HTTP. */
async function overHttp(folder: Folder, user: User): Promise<Asking> {
  const address = await serving(folder);
  const versionNegotiation = { mode: { pin: '2026-07-28' } } as const;
  const client = new Client({ name: 'desk', version: '2' }, { capabilities, versionNegotiation });
  const asking = userOf(client, user);
  await client.connect(new StreamableHTTPClientTransport(new URL(address)));
  return asking;
}

const accept = (content: Record<string, string | number | boolean>): ElicitResult => ({
  action: 'accept',
  content,
});

const wipes = `export default [{ name: 'wipe', description: 'Wipes.', effect: 'write',
  destructive: true, parameters: { type: 'object', properties: { what: { type: 'string' } } },
  run: ({ what }) => 'wiped ' + what }];`;

const withWipe = (): Folder =>
  new Folder({ 'tools.mjs': wipes, 'planvm.config.json': { tools: './tools.mjs' } });

describe.each([
  ['over stdio, of the era before', overStdio],
  ['by HTTP, of this year', overHttp],
])('a client with forms (%s)', (_, connect) => {
  test('asks its user what the run asks, one thing after the other', async () => {
    using folder = new Folder();
    const replies = [accept({ answer: 'Ada' }), accept({ answer: 12 }), accept({ answer: 9 })];
    const { call, asked } = await connect(folder, (_form, i) => replies[i] ?? accept({}));
    const program =
      'who = ask("Who?")\n' +
      'n = ask("How many for " + who + "?", schema = {"type": "integer", "maximum": 9})\n' +
      'answer("%s: %d" % (who, n))\n';
    const done = await call('run', { program, dialect: 'starlark' });
    expect(done.structuredContent).toMatchObject({ status: 'done', answer: 'Ada: 9' });
    expect(asked.map(({ message }) => message)).toStrictEqual([
      'Who?',
      'How many for Ada?',
      expect.stringMatching(/does not fit: .+ How many for Ada\?$/),
    ]);
    expect(asked[1]?.properties).toStrictEqual({ answer: { type: 'integer', maximum: 9 } });
    const exported = await folder.planvm(['export', 'last', '-o', '-']);
    expect(exported.stdout).toContain('a person at desk');
  });

  test('lets its user approve what cannot be undone, and deny it', async () => {
    using folder = withWipe();
    const replies = [
      accept({ approve: true, note: 'they are copies' }),
      accept({ approve: false, note: 'not this one' }),
    ];
    const { call, asked } = await connect(folder, (_form, i) => replies[i] ?? accept({}));
    const done = await call('run', { program: 'answer(wipe(what = "tmp"))\n' });
    expect(done.structuredContent).toMatchObject({ status: 'done', answer: 'wiped tmp' });
    expect(asked[0]?.message).toBe(
      'wipe {"what":"tmp"} is to be approved (effect 0#1): it cannot be undone',
    );
    const denied = await call('run', { program: 'answer(wipe(what = "home"))\n' });
    expect(denied.structuredContent).toMatchObject({
      ...{ status: 'failed', error: { code: 'PV4020' } },
    });
    expect(String(denied.structuredContent?.error && JSON.stringify(denied))).toContain(
      'wipe was not approved by a person at desk: not this one',
    );
  });

  test('leaves a run waiting whose user says nothing', async () => {
    using folder = withWipe();
    const { call, asked } = await connect(folder, () => ({ action: 'decline' }));
    const left = await call('run', { program: 'answer(wipe(what = "tmp"))\n' });
    expect(left.structuredContent).toMatchObject({ status: 'waiting', reason: 'approval' });
    expect(asked).toHaveLength(1);
    expect((await folder.planvm(['approve', 'last'])).stdout).toBe('wiped tmp\n');
  });

  test('has its answers checked: what is no decision approves nothing', async () => {
    using folder = withWipe();
    const { call } = await connect(folder, () => accept({ approve: 'yes' }));
    const left = await call('run', { program: 'answer(wipe(what = "tmp"))\n' }).catch(
      ({ message }: Error) => ({ structuredContent: { refused: message } }),
    );
    expect(JSON.stringify(left)).not.toContain('wiped tmp');
    expect((await folder.planvm(['runs', '--status', 'waiting', '--json'])).stdout).toContain(
      '"waiting"',
    );
  });
});

test('choices and deeper data are asked for as what forms can have', async () => {
  using folder = new Folder();
  const replies = [
    accept({ answer: '{"n":1}' }),
    accept({ a: 'x', b: true }),
    accept({ answer: '[1,2]' }),
  ];
  const { call, asked } = await overStdio(folder, (_form, i) => replies[i] ?? accept({}));
  const object =
    '{"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "boolean"}}}';
  const list = '{"type": "array", "items": {"type": "integer"}}';
  const program = `answer([ask("One?", choices = ["a", {"n": 1}]),
    ask("Two?", schema = ${object}), ask("Three?", schema = ${list})])\n`;
  const done = await call('run', { program, dialect: 'starlark' });
  expect(done.structuredContent?.answer).toStrictEqual([{ n: 1 }, { a: 'x', b: true }, [1, 2]]);
  expect(asked.map(({ properties }) => Object.keys(properties))).toStrictEqual([
    ['answer'],
    ['a', 'b'],
    ['answer'],
  ]);
  expect(asked[0]?.properties).toStrictEqual({
    answer: { type: 'string', enum: ['a', '{"n":1}'] },
  });
});
