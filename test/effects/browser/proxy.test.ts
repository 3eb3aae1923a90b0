/** What a browser's connections go through, where the environment names a company's proxy. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect, createServer as createTcp, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProxy } from '../../../src/effects/browser/proxy.ts';

const asked: string[] = [];
const echo = createTcp((socket) => void socket.pipe(socket));
const company = createServer((incoming, answer) => {
  asked.push(`${incoming.method} ${incoming.url} ${incoming.headers['proxy-authorization']}`);
  answer.end('by the company');
});
company.on('connect', (incoming, socket, head) => {
  asked.push(`CONNECT ${incoming.url}`);
  if (incoming.url?.startsWith('shut')) return void socket.end('HTTP/1.1 407 No\r\n\r\n');
  const out = connect((echo.address() as AddressInfo).port, '127.0.0.1');
  socket.write('HTTP/1.1 200 OK\r\n\r\n');
  out.write(head);
  out.pipe(socket).pipe(out);
});
beforeAll(async () => {
  for (const server of [echo, company]) await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  company.closeAllConnections();
  for (const server of [echo, company]) server.close();
});

const noName = (): never => {
  throw new Error('no name is resolved here');
};

async function through() {
  const at = `http://ann:open%20sesame@127.0.0.1:${(company.address() as AddressInfo).port}`;
  const env = { HTTP_PROXY: at, HTTPS_PROXY: at, NO_PROXY: 'direct.example.org' };
  const proxy = await startProxy('none', noName, env);
  const { hostname: host, port } = new URL(proxy.url);
  const answerTo = async (url: string): Promise<{ status?: number | undefined; text: string }> => {
    const sent = request({ host, port, path: url, agent: false, headers: { host: 'x' } }).end();
    const [answer] = await once(sent, 'response');
    let text = '';
    for await (const part of answer) text += String(part);
    return { status: answer.statusCode, text };
  };
  const tunnel = async (to: string): Promise<{ status?: number | undefined; socket: Socket }> => {
    const sent = request({ host, port, method: 'CONNECT', path: to, agent: false }).end();
    const [answer, socket] = await once(sent, 'connect');
    return { status: answer.statusCode, socket };
  };
  return { proxy, answerTo, tunnel };
}

test('requests and tunnels go by it, with its login, and no name is resolved here', async () => {
  asked.length = 0;
  const { proxy, answerTo, tunnel } = await through();
  await using _closed = proxy;
  expect(await answerTo('http://example.org/a?b')).toEqual({ status: 200, text: 'by the company' });
  const { status, socket } = await tunnel('example.org:443');
  expect(status).toBe(200);
  socket.write('there and back');
  const [back] = await once(socket, 'data');
  expect(String(back)).toBe('there and back');
  socket.destroy();
  const login = Buffer.from('ann:open sesame').toString('base64');
  expect(asked).toEqual([`GET http://example.org/a?b Basic ${login}`, 'CONNECT example.org:443']);
});

test('what is of the inside is not asked of it', async () => {
  asked.length = 0;
  const { proxy, answerTo, tunnel } = await through();
  await using _closed = proxy;
  for (const host of ['intranet', 'printer.local', '10.0.0.1', '169.254.169.254']) {
    expect(await answerTo(`http://${host}/`)).toMatchObject({ status: 403 });
    expect(await tunnel(`${host}:443`)).toMatchObject({ status: 403 });
    expect(proxy.refusals.get(host)).toMatchObject({ code: 'PV4741' });
  }
  expect(asked).toEqual([]);
});

test('a proxy that refuses is said to be what failed', async () => {
  const { proxy, tunnel } = await through();
  await using _closed = proxy;
  expect(await tunnel('shut.example.org:443')).toMatchObject({ status: 502 });
});
