/** Pages over TLS: certificates that this machine trusts, and those that it does not. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { certificate } from '../../support/certificate.ts';
import { Folder } from '../../support/cli.ts';
import { webTools } from './site.ts';

let server: Server;
let port = 0;
beforeAll(async () => {
  server = createServer(certificate, (request, response) => {
    if (request.url === '/robots.txt') response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'text/plain' }).end('over TLS');
  });
  server.listen(0);
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test('one that signs itself is refused, once, and the failure says what to set', async () => {
  const call = await webTools();
  const { result } = await call('download', { url: `https://127.0.0.1:${port}/` });
  expect(result).toMatchObject({
    code: 'PV4701',
    message: expect.stringContaining('its certificate is not good: self-signed certificate'),
    hint: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    retryable: false,
    mayHaveActed: false,
  });
});

test('of an authority that the machine is told of, it is good; for another name it is not', async () => {
  using folder = new Folder({ 'ca.pem': certificate.cert });
  const get = async (host: string) => {
    const url = `https://${host}:${port}/`;
    const args = ['tools', 'call', 'download', '--arg', `url=${url}`, '--json'];
    const tools = ['--tools', 'planvm:web?private=loopback&cache=false'];
    const env = { NODE_EXTRA_CA_CERTS: `${folder.path}/ca.pem` };
    return await folder.planvm([...args, ...tools], { env });
  };
  const [good, other] = await Promise.all([get('127.0.0.1'), get('127.0.0.2')]);
  expect(good.code).toBe(0);
  expect(good.stdout).toContain('over TLS');
  expect(other.code).toBe(1);
  expect(other.stdout + other.stderr).toMatch(/PV4701[\s\S]*certificate[\s\S]*127\.0\.0\.2/);
});
