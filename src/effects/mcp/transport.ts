/** Ways to a server: a process of its own, or an address. */
import { isAbsolute, join } from 'node:path';
import {
  type OAuthClientProvider,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { refusal } from '../../engine/handler.ts';
import type { Environment } from '../tool-set.ts';
import { wayFor } from '../web/way.ts';
import type { HttpAuth, HttpTransport, McpServer, StdioTransport } from './config.ts';
import { expand, expandAll } from './expand.ts';
import { ExactAnswers, MessageBuffer } from './messages.ts';
import type { StderrLog } from './stderr-log.ts';

export interface TransportParts {
  readonly env: Environment;
  /** The folder of the file that names the server. */
  readonly folder: string;
  readonly log: StderrLog;
  readonly login: OAuthClientProvider | undefined;
  readonly messageBytesMax: number;
}

export interface Opened {
  readonly transport: Transport;
  /** Of a process. */
  readonly pid: () => number | undefined;
  /** After it was connected. */
  readonly connected: () => void;
}

/** Throws `EffectFailure` PV4802 and PV4803 for what the configuration says. */
export function openTransport(server: McpServer, parts: TransportParts): Opened {
  const { transport } = server;
  if (transport.kind === 'stdio') return openProcess(server.name, transport, parts);
  const answers = new ExactAnswers(parts.messageBytesMax);
  const address = openAddress(server.name, transport, parts, answers);
  return {
    transport: address,
    pid: () => undefined,
    connected: () => answers.complete(address),
  };
}

/** It gets what a process needs and what its configuration gives it; no other variable of ours. */
function openProcess(name: string, stdio: StdioTransport, parts: TransportParts): Opened {
  const { env, folder, log, messageBytesMax } = parts;
  const cwd = expand(stdio.cwd ?? '', env, `${name}.cwd`);
  const transport = new StdioClientTransport({
    command: expand(stdio.command, env, `${name}.command`),
    args: stdio.args.map((arg, index) => expand(arg, env, `${name}.args[${index}]`)),
    env: { ...getDefaultEnvironment(), ...expandAll(stdio.env, env, `${name}.env`) },
    cwd: isAbsolute(cwd) ? cwd : join(folder, cwd),
    stderr: 'pipe',
    maxBufferSize: messageBytesMax,
  });
  // The package has one buffer only, which drops digits and ends with a large message. It starts a
  // subclass of its transport in another way, so the buffer is replaced instead.
  Reflect.set(transport, '_readBuffer', new MessageBuffer(messageBytesMax));
  transport.stderr?.on('data', (piece: unknown) => log.add(String(piece)));
  return { transport, pid: () => transport.pid ?? undefined, connected: () => {} };
}

function openAddress(
  name: string,
  http: HttpTransport,
  parts: TransportParts,
  answers: ExactAnswers,
): Transport {
  const { env, login } = parts;
  const given = expand(http.url, env, `${name}.url`);
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw refusal('PV4803', `${name}.url: got no address of http or https`, {
      hint: 'write "url": "https://…/mcp"',
    });
  }
  const headers = {
    ...expandAll(http.headers, env, `${name}.headers`),
    ...(http.auth && authHeader(http.auth, env, `${name}.auth`)),
  };
  const options = {
    requestInit: { headers },
    ...(login && { authProvider: login }),
    fetch: answers.fetchBy(http.isGuarded ? guardedFetch : fetch),
  };
  return http.kind === 'sse'
    ? new SSEClientTransport(url, options)
    : new StreamableHTTPClientTransport(url, options);
}

function authHeader(auth: HttpAuth, env: Environment, where: string): Record<string, string> {
  switch (auth.type) {
    case 'bearer':
      return { Authorization: `Bearer ${expand(auth.token, env, `${where}.token`)}` };
    case 'api_key':
      return { [auth.header]: expand(auth.key, env, `${where}.key`) };
    case 'basic': {
      const username = expand(auth.username, env, `${where}.username`);
      const password = expand(auth.password, env, `${where}.password`);
      const both = Buffer.from(`${username}:${password}`).toString('base64');
      return { Authorization: `Basic ${both}` };
    }
  }
}

/** Goes nowhere but to the public web, whatever names and redirections lead to. */
const guardedFetch: typeof fetch = async (input, init) => {
  const undici = await import('undici');
  const way = await wayFor('none');
  const url = new URL(input instanceof Request ? input.url : input);
  const options = { ...init, dispatcher: way.dispatcherFor(url) };
  const answer: unknown = await undici.fetch(url, options as Parameters<typeof undici.fetch>[1]);
  return answer as Response;
};
