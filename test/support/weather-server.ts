/**
 * An MCP server at an address of this machine, by streamable HTTP, and by SSE as it was before that:
 * it tells the weather of towns. Of Nowhere it says nothing, and never answers.
 */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: {
    readonly name?: string;
    readonly uri?: string;
    readonly requestId?: number | string;
    readonly arguments?: Readonly<Record<string, unknown>>;
    readonly protocolVersion?: string;
  };
}

export interface WeatherServer extends AsyncDisposable {
  readonly url: string;
  /** The same by SSE. */
  readonly sseUrl: string;
  /** Headers of its requests, in order. */
  readonly seen: readonly NodeJS.Dict<string | string[]>[];
  /** Calls of tools, in order. */
  readonly calls: readonly { readonly name: string; readonly args: unknown }[];
  /** Calls that the client has taken back, in order, by the name of their tool. */
  readonly cancelled: readonly string[];
}

const tools = [
  {
    name: 'forecast',
    description: 'The weather of a town.',
    inputSchema: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' } },
      required: ['city'],
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'near-by',
    description: 'Towns near a town.',
    inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'warn_all',
    description: 'Warns everybody.',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  },
];

/** `isLetIn` looks at the headers of each request; who is not let in is answered with 401. */
export async function startWeatherServer(
  isLetIn: (headers: NodeJS.Dict<string | string[]>) => boolean = () => true,
): Promise<WeatherServer> {
  const seen: NodeJS.Dict<string | string[]>[] = [];
  const calls: { name: string; args: unknown }[] = [];
  const cancelled: string[] = [];
  const open = new Map<number | string, string>();
  /** What came by SSE is answered on the stream of its session. */
  const streams = new Map<string, ServerResponse>();

  const answered = ({ id, method, params = {} }: Message): object | undefined => {
    const { name = '', arguments: args = {} } = params;
    if (method === 'notifications/cancelled') {
      cancelled.push(open.get(params.requestId ?? '') ?? 'nothing');
    }
    if (id === undefined) return undefined;
    if (method === 'tools/call') {
      calls.push({ name, args });
      open.set(id, name);
      if (Object.values(args).includes('Nowhere')) return undefined;
    }
    return { jsonrpc: '2.0', id, ...answerTo(method, params, name, args) };
  };

  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '', 'http://here');
    seen.push(request.headers);
    if (!isLetIn(request.headers)) return void response.writeHead(401).end();
    if (request.method === 'GET' && path.pathname === '/sse') {
      const session = String(streams.size + 1);
      streams.set(session, response);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return void response.write(`event: endpoint\ndata: /messages?session=${session}\n\n`);
    }
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const message: Message = JSON.parse(await text(request));
    const answer = answered(message);
    const stream = streams.get(path.searchParams.get('session') ?? '');
    if (stream && answer) stream.write(`data: ${JSON.stringify(answer)}\n\n`);
    if (stream || message.id === undefined) return void response.writeHead(202).end();
    if (!answer) return;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    ...{ url: `${origin}/mcp`, sseUrl: `${origin}/sse`, seen, calls, cancelled },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function answerTo(
  method: string | undefined,
  { protocolVersion, uri }: NonNullable<Message['params']>,
  name: string,
  { city }: Readonly<Record<string, unknown>>,
): object {
  switch (method) {
    case 'initialize': {
      const serverInfo = { name: 'weather', version: '1' };
      const capabilities = { tools: {}, resources: {}, prompts: {} };
      return { result: { protocolVersion, capabilities, serverInfo } };
    }
    case 'tools/list':
      return { result: { tools } };
    case 'tools/call':
      return { result: resultOf(name, String(city)) };
    case 'resources/list':
      return { result: { resources: [{ uri: climate, name: 'climate' }] } };
    case 'resources/read':
      if (uri !== climate) return { error: { code: -32002, message: `there is no ${uri}` } };
      return { result: { contents: [{ uri, text: 'mild and wet' }] } };
    case 'prompts/list':
      return { result: { prompts: [{ name: 'report', arguments: [{ name: 'city' }] }] } };
    case 'prompts/get': {
      const content = { type: 'text', text: `Write a report on ${city}.` };
      return { result: { messages: [{ role: 'user', content }] } };
    }
    default:
      return { error: { code: -32601, message: `no method ${method}` } };
  }
}

const climate = 'weather://climate';

function resultOf(name: string, city: string): object {
  if (city === 'Atlantis') {
    return { isError: true, content: [{ type: 'text', text: 'there is no Atlantis' }] };
  }
  if (name === 'near-by') return { content: [{ type: 'text', text: 'Ghent' }] };
  const forecast = { city, sky: 'rain', degrees: 12 };
  return {
    structuredContent: forecast,
    content: [{ type: 'text', text: JSON.stringify(forecast) }],
  };
}
