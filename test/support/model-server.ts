/**
 * A model provider on the loopback interface: a real HTTP server that speaks the wire formats of
 * OpenAI (chat completions and embeddings, which Ollama speaks too), Anthropic (messages) and
 * Google (generateContent and embeddings), streamed and whole. A script says what it answers, or
 * how it fails. It waits for nothing but the promises that the script gives it.
 */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import type { Answer, ServedRequest } from './model-exchange.ts';
import { type Dialect, dialectOf } from './model-wire.ts';

export type { Answer, ServedRequest } from './model-exchange.ts';

/** What the server does with a request. A text is a complete answer. */
export type ServedReply =
  | string
  | Answer
  | { readonly vectors: readonly (readonly number[])[] }
  /** An HTTP error, with a body in the provider's format unless one is given. */
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly message?: string;
      readonly code?: string;
      readonly body?: string;
    }
  /** Accepts the request and never answers. */
  | { readonly hang: true }
  /** Closes the connection before the first byte. */
  | { readonly drop: true }
  /** Exactly this, with status 200. */
  | { readonly raw: string; readonly contentType?: string };

export type Script = (request: ServedRequest) => ServedReply | Promise<ServedReply>;

export interface ModelServer {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** Every request so far, in order of arrival. */
  readonly requests: readonly ServedRequest[];
  /** Environments that lead each provider here, and all of them together. */
  readonly env: Readonly<
    Record<'openai' | 'anthropic' | 'google' | 'ollama' | 'all', Readonly<Record<string, string>>>
  >;
  /** Ends all connections, also those of requests that hang. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Texts are answered in order, and the last one again and again. */
export function inOrder(...replies: readonly ServedReply[]): Script {
  return ({ index }) => replies[Math.min(index, replies.length - 1)] ?? { status: 500 };
}

export async function startModelServer(script: Script): Promise<ModelServer> {
  const requests: ServedRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const dialect = dialectOf(incoming.url ?? '', text === '' ? {} : JSON.parse(text));
    if (dialect === undefined) {
      response.writeHead(404).end(`nothing at ${incoming.url}`);
      return;
    }
    const gone = new Promise<void>((resolve) => {
      // It may have gone while its request was read.
      if (response.closed) resolve();
      response.once('close', () => response.writableFinished || resolve());
    });
    const request: ServedRequest = {
      ...dialect.request,
      body: dialect.body,
      headers: incoming.headers,
      index: requests.length,
      abandoned: gone,
    };
    requests.push(request);
    try {
      await serve(await script(request), dialect, response, gone);
    } catch (error) {
      // A script that throws is a mistake in the test: it shows in the client's error.
      if (!response.headersSent) response.writeHead(500);
      response.end(`the script failed: ${error}`);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { address, port } = server.address() as AddressInfo;
  if (isIP(address) !== 4) throw new Error(`not on the loopback interface: ${address}`);
  const url = `http://127.0.0.1:${port}`;
  const close = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { url, requests, env: environments(url), close, [Symbol.asyncDispose]: close };
}

async function serve(
  reply: ServedReply,
  dialect: Dialect,
  response: ServerResponse,
  gone: Promise<void>,
): Promise<void> {
  if (typeof reply === 'string') return await answer({ text: reply }, dialect, response, gone);
  if ('text' in reply) return await answer(reply, dialect, response, gone);
  if ('hang' in reply) return;
  if ('drop' in reply) {
    response.destroy();
    return;
  }
  if ('raw' in reply) {
    response.writeHead(200, { 'content-type': reply.contentType ?? 'text/event-stream' });
    response.end(reply.raw);
    return;
  }
  if ('vectors' in reply) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(dialect.embeddings(reply.vectors)));
    return;
  }
  const { status, headers, message = `status ${status}`, code, body } = reply;
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body ?? JSON.stringify(dialect.error(status, message, code)));
}

async function answer(
  reply: Answer,
  dialect: Dialect,
  response: ServerResponse,
  gone: Promise<void>,
): Promise<void> {
  if (reply.whole || !dialect.request.streamed) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(dialect.whole(reply)));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  let left = reply.cutAfterBytes ?? Number.POSITIVE_INFINITY;
  const pieces = reply.pieces ?? reply.text.match(/\S+\s*|\s+/g) ?? [];
  const { opening, closing } = dialect.frames(reply);
  const events = [...opening, ...pieces.map((piece) => dialect.piece(piece)), ...closing];
  const gated = opening.length + 1;
  for (const [index, event] of events.entries()) {
    if (index >= gated && index < opening.length + pieces.length) {
      await Promise.race([reply.gate, gone]);
    }
    const bytes = Buffer.from(event);
    await write(response, bytes.subarray(0, left));
    left -= bytes.length;
    if (left <= 0) {
      response.destroy();
      return;
    }
  }
  response.end();
}

/** Written and handed to the system, so that a cut comes after the bytes that precede it. */
async function write(response: ServerResponse, bytes: Buffer): Promise<void> {
  if (response.destroyed) return;
  await new Promise<void>((resolve) => {
    response.write(bytes, () => resolve());
  });
}

function environments(url: string): ModelServer['env'] {
  const openai = { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'key-of-openai' };
  const anthropic = { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'key-of-anthropic' };
  const google = { GOOGLE_BASE_URL: url, GOOGLE_GENERATIVE_AI_API_KEY: 'key-of-google' };
  const ollama = { OLLAMA_HOST: url };
  const all = { ...openai, ...anthropic, ...google, ...ollama };
  return { openai, anthropic, google, ollama, all };
}
