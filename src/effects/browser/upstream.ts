/**
 * The proxy of a company, by which a browser's connections go out where the environment names one.
 * A person has set its address, so it may be anywhere; it resolves names, so what it is asked for
 * is looked at as a name.
 */
import { type IncomingMessage, type RequestOptions, request as requestByHttp } from 'node:http';
import { request as requestByHttps } from 'node:https';
import type { Duplex } from 'node:stream';
import { hostOf, type Inside } from '../web/address.ts';
import { namedRefusal, proxyOf } from '../web/way.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Undefined: directly. Throws `EffectFailure` PV4741 for a name of the inside. */
export function upstreamOf(url: URL, inside: Inside, env: Environment): URL | undefined {
  const proxy = URL.parse(proxyOf(url, env) ?? '');
  if (!proxy) return undefined;
  const refused = namedRefusal(hostOf(url), inside);
  if (refused) throw refused;
  return proxy;
}

/** What a request to the proxy has, `path` being all of an address, or host and port. */
export function askUpstream(
  proxy: URL,
  options: RequestOptions & { readonly path: string },
): ReturnType<typeof requestByHttp> {
  const request = proxy.protocol === 'https:' ? requestByHttps : requestByHttp;
  const port = proxy.port || (proxy.protocol === 'https:' ? 443 : 80);
  const { username, password } = proxy;
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const authorization = `Basic ${Buffer.from(login).toString('base64')}`;
  return request({
    ...options,
    ...{ host: hostOf(proxy), port },
    headers: {
      ...options.headers,
      ...(username !== '' && { 'proxy-authorization': authorization }),
    },
  });
}

/** A connection to a host by way of the proxy. `failed` hears once why there is none. */
export function tunnelBy(
  proxy: URL,
  url: URL,
  timeout: number,
  joined: (out: Duplex) => void,
  failed: (thrown: unknown) => void,
): void {
  const path = `${url.hostname}:${url.port || 443}`;
  const asked = askUpstream(proxy, { method: 'CONNECT', path, headers: { host: path }, timeout });
  asked.once('connect', (answer: IncomingMessage, out) => {
    if (answer.statusCode === 200) return joined(out.setTimeout(0));
    out.destroy();
    failed(new Error(`the proxy ${proxy.host} answers with ${answer.statusCode}`));
  });
  asked.once('timeout', () => asked.destroy(new Error(`the proxy ${proxy.host} is silent`)));
  asked.once('error', failed);
  asked.end();
}
