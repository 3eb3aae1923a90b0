/** Servers as the metadata of an agent describe them. */
import { describe, expect, test } from 'vitest';
import { reachOf, readRemote } from '../../../src/effects/mcp/remote.ts';
import { StderrLog } from '../../../src/effects/mcp/stderr-log.ts';
import { openTransport } from '../../../src/effects/mcp/transport.ts';
import type { Json } from '../../../src/program/json.ts';
import { ref } from '../../support/cli.ts';
import { newFolder } from '../../support/mcp.ts';
import { startWeatherServer } from '../../support/weather-server.ts';

const place = { name: 'Weather', file: 'x.playbook.md:3' };
const read = (remote: Json) => readRemote(remote, place);
const transport = (remote: Json) => read(remote).server.transport;

const url = 'https://weather.example/mcp';

describe('what is described', () => {
  test.each<[string, Json, unknown]>([
    ['an address', { type: 'mcp', url }, { kind: 'http', url }],
    ['one of long ago', { transport: 'sse', url }, { kind: 'sse', url }],
    ['its other name', { transport: 'streamable-http', url }, { kind: 'http', url }],
    [
      'a process',
      { command: 'node', args: ['w.js', 1], env: { TOWN: 'Bonn', KEY: ref('KEY') } },
      {
        kind: 'stdio',
        command: 'node',
        args: ['w.js', '1'],
        env: { TOWN: 'Bonn', KEY: ref('KEY') },
      },
    ],
    ['a process in one line', { command: 'node w.js' }, { command: 'node', args: ['w.js'] }],
    [
      'a token',
      { url, auth: { type: 'bearer', env: 'KEY' } },
      { auth: { type: 'bearer', token: ref('KEY') } },
    ],
    [
      'a key in a header',
      { url, auth: { type: 'api_key', key: ref('KEY') } },
      { auth: { type: 'api_key', header: 'X-API-Key', key: ref('KEY') } },
    ],
    [
      'a password',
      { url, auth: { type: 'basic', username: 'ann', env: 'PASS' } },
      { auth: { type: 'basic', username: 'ann', password: ref('PASS') } },
    ],
  ])('%s', (_, remote, expected) => {
    expect(transport(remote)).toMatchObject(expected as object);
  });

  test.each<[Json, number]>([
    [5, 5000],
    [0.5, 500],
    ['500ms', 500],
    ['2 min', 120_000],
  ])('a timeout of %s bounds its start and each call', (timeout, ms) => {
    const timeoutHint = 'write a longer timeout: below remote:';
    const want = { timeoutMs: ms, startMs: ms, timeoutHint };
    expect(read({ url, timeout }).policy).toStrictEqual(want);
  });
});

test.each<[string, Json, string, string?]>([
  ['nothing', { type: 'mcp' }, 'got neither command nor url'],
  ['a text', 'https://x', 'remote: got "https://x", want members below it'],
  ['a slip', { url, tiemout: 3 }, 'remote has tiemout', 'did you mean timeout?'],
  ['another kind', { type: 'a2a', url }, 'remote.type: got "a2a", want mcp'],
  ['a way', { transport: 'websocket', url }, 'got "websocket", want streamable-http, sse or stdio'],
  [
    'memory',
    { url: 'memory://w.py?var=mcp' },
    'want an address of http',
    'a server that runs within',
  ],
  ['a password', { url: 'https://a:b@x/mcp' }, 'got one with a password in it'],
  [
    'a key',
    { url, headers: { Authorization: 'Bearer abc' } },
    'remote.headers.Authorization: got a key itself',
    `write Authorization: Bearer \${NAME}, and set NAME`,
  ],
  [
    'a key',
    { url, auth: { type: 'bearer', token: 'abc' } },
    'remote.auth.token: got a key itself',
    'name it: env: NAME, and set NAME',
  ],
  [
    'a key',
    { command: 'w', env: { API_KEY: 'abc' } },
    'remote.env.API_KEY: got a key itself',
    `write API_KEY: \${NAME}, and set NAME`,
  ],
  [
    'a key',
    { command: 'w', auth: { type: 'bearer', env: 'K' } },
    'remote.auth: got one for',
    'env',
  ],
  ['an address', { transport: 'stdio', command: 'w', url }, 'remote.url: got one for a process'],
  ['a header', { command: 'w', headers: { A: 'b' } }, 'remote.headers: got one for a process'],
  ['a process', { command: 'w', url }, 'remote.command: got one for an address', 'or the url'],
  ['a variable', { url, env: { A: 'b' } }, 'remote.env: got one for an address'],
  ['no key', { url, auth: { type: 'bearer' } }, 'remote.auth: got no token'],
  [
    'mtls',
    { url, auth: { type: 'mtls' } },
    'remote.auth.type: got "mtls", want bearer, api_key or',
  ],
  ['a time', { url, timeout: 'soon' }, 'remote.timeout: got "soon", want seconds'],
])('%s is refused, with its agent: %j', (_, remote, message, hint) => {
  const wanted = {
    code: 'PV4801',
    message: expect.stringContaining(message),
    ...(hint !== undefined && { hint: expect.stringContaining(hint) }),
  };
  expect(() => read(remote)).toThrow(expect.objectContaining(wanted));
  expect(() => read(remote)).toThrow(/^x\.playbook\.md:3: agent Weather: /);
});

test.each<[Json, string | undefined]>([
  [{ url }, undefined],
  [{ command: 'node', args: ['w.js'] }, 'the process node w.js'],
  [{ url: 'http://127.0.0.1:9000/mcp' }, 'http://127.0.0.1:9000/mcp, which is no address of'],
  [{ url: 'http://10.0.0.8/mcp' }, 'which is no address of the public web'],
  [{ url: 'http://localhost/mcp' }, 'which is no address of the public web'],
  [{ url, auth: { type: 'bearer', env: 'KEY' } }, `${url} with what KEY holds`],
  [{ url, headers: { 'X-Town': ref('TOWN') } }, `${url} with what TOWN holds`],
])('what %j reaches for is told', (remote, reach) => {
  const found = reachOf(read(remote).server);
  if (reach === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(reach);
});

test('an address that nobody has allowed leads nowhere but to the public web', async () => {
  await using weather = await startWeatherServer();
  const { server } = readRemote({ url: weather.url }, place);
  const { transport: way } = server;
  if (way.kind === 'stdio') throw new Error('a process');
  const open = openTransport(
    { ...server, transport: { ...way, isGuarded: true } },
    {
      env: {},
      folder: newFolder(),
      log: new StderrLog(() => {}),
      login: undefined,
      messageBytesMax: 1000,
    },
  );
  const sent = open.transport.send({ jsonrpc: '2.0', method: 'ping', id: 1 });
  await expect(sent).rejects.toThrow();
  expect(weather.seen).toStrictEqual([]);
});
