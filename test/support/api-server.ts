/** An interface over HTTP on the loopback address: keeps what was sent, to the letter. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Sent {
  readonly method: string;
  /** Path and query as they came. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  /** From 0. */
  readonly index: number;
}

export interface ApiAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text and bytes as they are, anything else as JSON. */
  readonly body?: unknown;
  /** The connection is cut instead. */
  readonly drop?: true;
}

export interface ApiServer extends AsyncDisposable {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly sent: Sent[];
}

/** Without a script, every answer is `{ "ok": true }`. */
export async function startApi(
  script: (sent: Sent) => ApiAnswer = () => ({ body: { ok: true } }),
): Promise<ApiServer> {
  const sent: Sent[] = [];
  const server = createServer(async (request, response) => {
    const parts: Uint8Array[] = [];
    for await (const part of request) parts.push(part);
    const one: Sent = {
      method: request.method ?? '',
      target: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(parts).toString('utf8'),
      index: sent.length,
    };
    sent.push(one);
    const { status = 200, headers = {}, body = '', drop } = script(one);
    if (drop) {
      response.destroy();
      return;
    }
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const type = isRaw ? 'text/plain' : 'application/json';
    response.writeHead(status, { 'content-type': type, ...headers });
    response.end(isRaw ? body : JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
