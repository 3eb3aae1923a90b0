/**
 * What a browser's connections go through: a proxy on this machine, for as long as a browser lives,
 * that looks at every address at the moment of the connection, as the one way out does. A browser
 * resolves names itself and follows what pages say; a look at its requests would not do.
 */
import { lookup as systemLookup } from 'node:dns';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, isIP, type LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import { EffectFailure } from '../../engine/handler.ts';
import { hostOf, type Inside, isThisMachine, urlProblem } from '../web/address.ts';
import { refusedUrl } from '../web/failures.ts';
import { addressRefusal, guarded } from '../web/way.ts';
import { askUpstream, tunnelBy, upstreamOf } from './upstream.ts';

export interface GuardingProxy extends AsyncDisposable {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** By host, why it was not reached. */
  readonly refusals: ReadonlyMap<string, EffectFailure>;
}

/** How long it waits for a connection to come about, in milliseconds. */
const connectTimeoutMs = 15_000;

export async function startProxy(
  inside: Inside,
  lookup: LookupFunction = systemLookup as LookupFunction,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<GuardingProxy> {
  const refusals = new Map<string, EffectFailure>();
  const open = new Set<Duplex>();
  const keep = (stream: Duplex): void => {
    open.add(stream);
    stream.once('close', () => open.delete(stream)).on('error', () => stream.destroy());
  };
  const guardedLookup = guarded(lookup, inside);
  /** Throws `EffectFailure` where an address as it stands may not be reached. */
  const checked = (url: URL): URL => {
    // A person has opened this machine: servers under development have any port.
    const problem = urlProblem(url, inside !== 'none' && isThisMachine(url));
    const host = hostOf(url);
    const refused = problem === undefined ? undefined : refusedUrl(url, problem);
    const literal = isIP(host) === 0 ? undefined : addressRefusal(host, inside);
    if (refused ?? literal) throw refused ?? literal;
    return url;
  };
  const note = (host: string, thrown: unknown): string => {
    if (thrown instanceof EffectFailure) refusals.set(host, thrown);
    return thrown instanceof Error ? thrown.message : 'it cannot be reached';
  };
  const server = createServer((asked, answer) => {
    try {
      const url = checked(new URL(asked.url ?? ''));
      const way = { lookup: guardedLookup, upstream: upstreamOf(url, inside, env) };
      forward(url, asked, answer, way, note);
    } catch (thrown) {
      refuse(answer, note(hostIn(asked.url), thrown));
    }
  });
  server.on('connection', keep);
  server.on('connect', (asked, socket, head) => {
    let url: URL;
    let upstream: URL | undefined;
    try {
      url = checked(new URL(`https://${asked.url ?? ''}`));
      upstream = upstreamOf(url, inside, env);
    } catch (thrown) {
      note(hostIn(`https://${asked.url}`), thrown);
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    const host = hostOf(url);
    const port = Number(url.port || 443);
    const failed = (thrown: unknown): void => {
      note(host, thrown);
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    };
    const joined = (out: Duplex): void => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      out.write(head);
      out.pipe(socket).pipe(out);
    };
    if (upstream) {
      const keepJoined = (out: Duplex): void => {
        keep(out);
        joined(out);
      };
      tunnelBy(upstream, url, connectTimeoutMs, keepJoined, failed);
      return;
    }
    const out = connect({ host, port, lookup: guardedLookup, timeout: connectTimeoutMs });
    keep(out);
    out.once('timeout', () => out.destroy());
    out.once('error', failed);
    out.once('connect', () => joined(out.setTimeout(0)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refusals,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      for (const stream of open) stream.destroy();
      await closed;
    },
  };
}

const hostIn = (url: string | undefined): string => {
  const parsed = URL.parse(url ?? '');
  return parsed ? hostOf(parsed) : '';
};

function forward(
  url: URL,
  asked: IncomingMessage,
  answer: ServerResponse,
  way: { readonly lookup: LookupFunction; readonly upstream: URL | undefined },
  note: (host: string, thrown: unknown) => string,
): void {
  const { 'proxy-connection': _proxy, ...headers } = asked.headers;
  const { lookup, upstream } = way;
  const hop = { method: asked.method, headers, timeout: connectTimeoutMs };
  const out = upstream
    ? askUpstream(upstream, { ...hop, path: url.href })
    : request(url, { ...hop, lookup });
  out.once('response', (response) => {
    answer.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(answer);
    response.once('error', () => answer.destroy());
  });
  out.once('timeout', () => out.destroy(new Error('it was silent for too long')));
  out.once('error', (thrown) => {
    const why = note(hostOf(url), thrown);
    if (answer.headersSent) answer.destroy();
    else refuse(answer, why);
  });
  answer.once('close', () => out.destroy());
  asked.pipe(out);
}

/** What it says is for whoever looks at the window of the browser. */
function refuse(answer: ServerResponse, why: string): void {
  answer.writeHead(403, { 'content-type': 'text/plain; charset=utf-8' }).end(why);
}
