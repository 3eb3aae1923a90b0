/** Servers at an address, by streamable HTTP: the reference one, and answers that are none. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { ref } from '../../support/cli.ts';
import { reference, toolsOf } from '../../support/mcp.ts';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** The address of a server that answers so. */
async function answering(
  answer: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>,
): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

test('the server of the reference is spoken to by HTTP', async () => {
  const port = await freePort();
  const child = spawn(process.execPath, [reference('everything'), 'streamableHttp'], {
    env: { PATH: process.env.PATH, PORT: String(port) },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stderr.setEncoding('utf8');
  while (!said.includes('listening on port')) {
    const [text] = await once(child.stderr, 'data');
    said += text;
  }
  const every = await toolsOf({ name: 'every', url: `http://127.0.0.1:${port}/mcp` });
  expect(await every.call('echo', { message: 'by HTTP' })).toBe('Echo: by HTTP');
  expect(await every.call('get-sum', { a: 2, b: 3 })).toBe('The sum of 2 and 3 is 5.');
});

test('headers go along with their variables; a refusal names what to do', async () => {
  const seen: unknown[] = [];
  const url = await answering((request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(401).end();
  });
  const given = {
    url,
    headers: { Authorization: `Bearer ${ref('GIT_TOKEN')}` },
    variables: { GIT_TOKEN: 'abc' },
  };
  await expect(toolsOf(given)).rejects.toMatchObject({
    code: 'PV4809',
    hint: expect.stringContaining('planvm mcp login odd'),
  });
  expect(seen[0]).toBe('Bearer abc');
});

test('a variable that is not set is named before anything is asked', async () => {
  let asked = 0;
  const url = await answering((_, response) => {
    asked++;
    response.end();
  });
  const headers = { Authorization: `Bearer ${ref('NO_SUCH_VARIABLE')}` };
  await expect(toolsOf({ url, headers })).rejects.toMatchObject({
    code: 'PV4802',
    message: 'odd.headers.Authorization: the variable NO_SUCH_VARIABLE is not set',
  });
  expect(asked).toBe(0);
});

test.each([
  ['a page', 'text/html', '<html>hello</html>', 200],
  ['a failure', 'text/plain', 'down', 503],
  ['an empty answer', 'application/json', '', 200],
])('%s is no server', async (_, type, body, status) => {
  const url = await answering((_request, response) => {
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  await expect(toolsOf({ url, policy: { startMs: 3000 } })).rejects.toMatchObject({
    code: 'PV4803',
    mayHaveActed: false,
  });
});

test('nobody at an address is said with the reason', async () => {
  const url = `http://127.0.0.1:${await freePort()}/mcp`;
  await expect(toolsOf({ url })).rejects.toMatchObject({
    code: 'PV4803',
    message: expect.stringContaining('ECONNREFUSED'),
  });
});

test('a redirect to another origin is not followed', async () => {
  let reached = 0;
  const other = await answering((_, response) => {
    reached++;
    response.end();
  });
  const url = await answering((_, response) => {
    response.writeHead(307, { location: other }).end();
  });
  await expect(toolsOf({ url, headers: { Authorization: 'Bearer abc' } })).rejects.toMatchObject({
    code: 'PV4803',
  });
  expect(reached).toBe(0);
});

/** A server of one tool that answers in JSON or by events; `result` is the text of its result. */
const serving = (isStream: boolean, result: string): Promise<string> =>
  answering((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece) => pieces.push(piece));
    request.on('end', () => {
      const text = Buffer.concat(pieces).toString();
      const { id, method } = text === '' ? { id: undefined, method: '' } : JSON.parse(text);
      if (id === undefined) {
        response.writeHead(request.method === 'GET' ? 405 : 202).end();
        return;
      }
      const known: Record<string, string> = {
        initialize: JSON.stringify({
          protocolVersion: '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name: 'exact', version: '1' },
        }),
        'tools/list': '{"tools":[{"name":"give","inputSchema":{"type":"object"}}]}',
        'tools/call': result,
      };
      const document = known[method] ?? '{}';
      const message = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${document}}`;
      const type = isStream ? 'text/event-stream' : 'application/json';
      response.writeHead(200, { 'content-type': type });
      response.end(isStream ? `event: message\r\ndata: ${message}\r\n\r\n` : message);
    });
  });

test.each([false, true])('integers keep their digits by HTTP, events: %s', async (isStream) => {
  const content = '{"ids":[{"id":1915883588174806058}],"n":1}';
  const url = await serving(isStream, `{"content":[],"structuredContent":${content}}`);
  const { call } = await toolsOf({ url, policy: { protocol: 'legacy' } });
  expect(await call('give')).toStrictEqual({ ids: [{ id: 1915883588174806058n }], n: 1 });
});

test.each([false, true])('a result that is too large is named, events: %s', async (isStream) => {
  const text = 'x'.repeat(70 * 2 ** 20);
  const url = await serving(isStream, `{"content":[{"type":"text","text":"${text}"}]}`);
  const { call } = await toolsOf({ url, policy: { protocol: 'legacy' } });
  await expect(call('give')).rejects.toMatchObject({ code: 'PV4814', retryable: false });
});
