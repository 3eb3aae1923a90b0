/** A service on the loopback interface: a real HTTP server whose answers a test gives. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Served {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** From 0. */
  readonly index: number;
}

export interface WebAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text and bytes as they are, anything else as JSON. */
  readonly body?: unknown;
  /** The connection is cut instead. */
  readonly drop?: true;
  /** Nothing ever comes. */
  readonly hang?: true;
}

export interface WebServer extends AsyncDisposable {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly requests: Served[];
}

export async function startWebServer(script: (request: Served) => WebAnswer): Promise<WebServer> {
  const requests: Served[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const served = { url, headers: request.headers, index: requests.length };
    requests.push(served);
    send(response, script(served));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function send(response: ServerResponse, answer: WebAnswer): void {
  const { status = 200, headers = {}, body = '', drop, hang } = answer;
  if (drop) response.destroy();
  if (drop || hang) return;
  const isText = typeof body === 'string';
  const type = isText ? 'text/html' : 'application/json';
  response.writeHead(status, { 'content-type': type, ...headers });
  response.end(isText || body instanceof Uint8Array ? body : JSON.stringify(body));
}
