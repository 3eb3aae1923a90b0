/** An MCP server at an address of this machine, by streamable HTTP: it tells the weather of towns. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: {
    readonly name?: string;
    readonly arguments?: Readonly<Record<string, unknown>>;
    readonly protocolVersion?: string;
  };
}

export interface WeatherServer extends AsyncDisposable {
  readonly url: string;
  /** Headers of its requests, in order. */
  readonly seen: readonly NodeJS.Dict<string | string[]>[];
  /** Calls of tools, in order. */
  readonly calls: readonly { readonly name: string; readonly args: unknown }[];
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
  const server = createServer(async (request, response) => {
    seen.push(request.headers);
    if (!isLetIn(request.headers)) return void response.writeHead(401).end();
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method, params = {} }: Message = JSON.parse(await text(request));
    if (id === undefined) return void response.writeHead(202).end();
    const { name = '', arguments: args = {} } = params;
    if (method === 'tools/call') calls.push({ name, args });
    const found = answerTo(method, params, name, args);
    const answer = { jsonrpc: '2.0', id, ...found };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    ...{ url: `http://127.0.0.1:${port}/mcp`, seen, calls },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function answerTo(
  method: string | undefined,
  { protocolVersion }: NonNullable<Message['params']>,
  name: string,
  { city }: Readonly<Record<string, unknown>>,
): object {
  switch (method) {
    case 'initialize': {
      const serverInfo = { name: 'weather', version: '1' };
      return { result: { protocolVersion, capabilities: { tools: {} }, serverInfo } };
    }
    case 'tools/list':
      return { result: { tools } };
    case 'tools/call':
      return { result: resultOf(name, String(city)) };
    default:
      return { error: { code: -32601, message: `no method ${method}` } };
  }
}

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
