/**
 * The server at an address, by streamable HTTP, for clients of either era: those of before 2026
 * have sessions, which are kept here; others need none. Pages of the web must not reach it, so
 * requests that a browser makes for another origin, or by another name, are refused.
 */
import { randomUUID, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  isLegacyRequest,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { type Calls, newServer } from './server.ts';

export interface HttpOptions {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** What clients have to send; none is asked for where it is absent. */
  readonly token: string | undefined;
  readonly calls: Calls;
}

export interface Served {
  readonly url: string;
  close(): Promise<void>;
}

/** Sessions that clients may have open at once; the oldest gives way. */
const sessionsMax = 256;
const path = '/mcp';

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127\./.test(host);

/** Throws Node's own error where the address cannot be had. */
export async function serveHttp(options: HttpOptions): Promise<Served> {
  const { host, port } = options;
  const sessions = new Sessions(options.calls);
  const modern = createMcpHandler(() => newServer(options.calls), {
    legacy: 'reject',
    onerror: (error) => options.calls.host.report(error.message),
  });
  const answer = async (request: Request): Promise<Response> =>
    refusal(request, options) ??
    ((await isLegacyRequest(request.clone()))
      ? await sessions.answer(request)
      : await modern.fetch(request));
  const server = createServer((incoming, outgoing) => {
    respond(incoming, outgoing, answer).catch(() => outgoing.destroy());
  });
  server.listen(port, host);
  await once(server, 'listening');
  const { port: taken } = server.address() as AddressInfo;
  const name = isIP(host) === 6 ? `[${host}]` : host;
  return {
    url: `http://${name}:${taken}${path}`,
    async close() {
      await Promise.allSettled([modern.close(), sessions.close()]);
      server.closeAllConnections();
      server.close();
    },
  };
}

function refusal(request: Request, { host, token }: HttpOptions): Response | undefined {
  if (new URL(request.url).pathname !== path) return new Response(null, { status: 404 });
  const isLocal = isLoopback(host);
  const wrong =
    (isLocal ? hostHeaderValidationResponse(request, localhostAllowedHostnames()) : undefined) ??
    originValidationResponse(request, [...localhostAllowedOrigins(), ...(isLocal ? [] : [host])]);
  if (wrong) return wrong;
  const given = /^Bearer +(.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? '';
  if (token === undefined || isSame(given, token)) return undefined;
  const error = { code: -32_001, message: 'the bearer token is missing or wrong' };
  return Response.json(
    { jsonrpc: '2.0', id: null, error },
    { status: 401, headers: { 'www-authenticate': 'Bearer' } },
  );
}

function isSame(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Clients of before 2026: each has a session, with a server of its own. */
class Sessions {
  readonly #calls: Calls;
  readonly #open = new Map<string, WebStandardStreamableHTTPServerTransport>();

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  async answer(request: Request): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    const known = id === null ? undefined : this.#open.get(id);
    if (known) return await known.handleRequest(request);
    if (id !== null) {
      const error = { code: -32_001, message: 'there is no such session' };
      return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 404 });
    }
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (session) => this.#add(session, transport),
      onsessionclosed: (session) => void this.#open.delete(session),
    });
    await newServer(this.#calls).connect(transport);
    return await transport.handleRequest(request);
  }

  #add(id: string, transport: WebStandardStreamableHTTPServerTransport): void {
    const [oldest] = this.#open;
    if (this.#open.size >= sessionsMax && oldest) {
      this.#open.delete(oldest[0]);
      oldest[1].close().catch(() => {});
    }
    this.#open.set(id, transport);
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#open.values()].map((one) => one.close()));
    this.#open.clear();
  }
}

/** Between Node's requests and those of the web; a client that goes away aborts its own. */
async function respond(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answer: (request: Request) => Promise<Response>,
): Promise<void> {
  const gone = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) gone.abort();
  });
  const { method = 'GET', headers, url = '/' } = incoming;
  const pairs = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    [value ?? ''].flat().join(', '),
  ]);
  const hasBody = !['GET', 'HEAD'].includes(method);
  const request = new Request(new URL(url, `http://${headers.host ?? 'localhost'}`), {
    method,
    headers: pairs,
    signal: gone.signal,
    ...(hasBody && { body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' }),
  });
  const response = await answer(request);
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (!response.body) {
    outgoing.end();
    return;
  }
  // A stream that is read by nobody any more is no failure.
  await pipeline(Readable.fromWeb(response.body as never), outgoing).catch(() => {});
}
