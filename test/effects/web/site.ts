/** A site on the loopback interface that answers with bytes, for what reads pages. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openSet } from '../../../src/effects/tool-set.ts';
import { webSet } from '../../../src/effects/web-set.ts';
import type { Handler } from '../../../src/engine/handler.ts';
import type { Source } from '../../../src/program/effect.ts';
import { type Attempt, attempt } from '../../support/attempt.ts';

export interface Page {
  readonly status?: number;
  /** Default: `text/html`. Empty: none is sent. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface Site extends AsyncDisposable {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** Paths that were asked for, in order. */
  readonly asked: string[];
}

/** By path, what it answers; anything else is not found. */
export async function startSite(
  pages: Readonly<Record<string, Page | ((request: IncomingMessage) => Page)>>,
): Promise<Site> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    asked.push(path);
    const found = pages[path] ?? pages[path.split('?')[0] ?? ''];
    const page = typeof found === 'function' ? found(request) : found;
    const { status = page ? 200 : 404, type = 'text/html', headers = {}, body = '' } = page ?? {};
    response.writeHead(status, { ...(type !== '' && { 'content-type': type }), ...headers });
    response.end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export interface Called {
  /** What it returned, or threw. */
  readonly result: Readonly<Record<string, unknown>>;
  readonly context: Attempt;
  readonly sources: readonly Source[];
}

/** Tools of `planvm:web` that may reach this machine, and keep nothing. */
export async function webTools(
  options: Readonly<Record<string, string>> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<(name: string, args: Readonly<Record<string, unknown>>) => Promise<Called>> {
  const all = { private: 'loopback', cache: 'false', ...options };
  const handlers = await openSet(webSet, all, env);
  return async (name, args) => {
    const handler = handlers.find(({ spec }) => spec.name === name) as Handler;
    const sources: Source[] = [];
    const context = { ...attempt(), source: (source: Source) => void sources.push(source) };
    const result = (await handler
      .perform(args, context)
      .catch((thrown: unknown) => thrown)) as Called['result'];
    return { result, context, sources };
  };
}
