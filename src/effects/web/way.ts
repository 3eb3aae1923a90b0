/**
 * The ways out: pools of connections, one for each rule of what may be reached, so that a
 * connection that one rule has allowed serves no request of another. Every address is checked when
 * it is connected to, not when its name is looked at, so that a name that is bound anew between
 * the two leads nowhere. Through a proxy it is the proxy that resolves names: there only the names
 * can be looked at.
 */
import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { Dispatcher } from 'undici';
import { type EffectFailure, refusal } from '../../engine/handler.ts';
import { hostOf, type Inside, isThisMachine, refusedAddress } from './address.ts';

export interface Way {
  dispatcherFor(url: URL): Dispatcher;
  close(): Promise<void>;
}

export interface WayOptions {
  /** `anywhere`: what a person has configured. */
  readonly inside: Inside | 'anywhere';
  /** Resolves names instead of the system. */
  readonly lookup?: LookupFunction;
  /** Read for `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`. Default: that of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Connections to one host at the same time. */
const connectionsPerHost = 4;

const connectTimeoutMs = 15_000;

const ways = new Map<string, Promise<Way>>();

/** The way that all requests under one rule share. */
export function wayFor(inside: Inside | 'anywhere'): Promise<Way> {
  const known = ways.get(inside) ?? openWay({ inside });
  ways.set(inside, known);
  return known;
}

/** Imports `undici` on first use. */
export async function openWay(options: WayOptions): Promise<Way> {
  const { Agent, ProxyAgent, buildConnector } = await import('undici');
  const { inside, lookup = systemLookup as LookupFunction, env = process.env } = options;
  const common = { connections: connectionsPerHost, allowH2: false };
  const connector = buildConnector({
    ...{ allowH2: false, timeout: connectTimeoutMs },
    lookup: inside === 'anywhere' ? lookup : guarded(lookup, inside),
  });
  const direct = new Agent({
    ...common,
    connect(wanted, callback) {
      const host = wanted.hostname;
      const refused =
        inside === 'anywhere' || isIP(host) === 0 ? undefined : addressRefusal(host, inside);
      if (refused) callback(refused, null);
      else connector(wanted, callback);
    },
  });
  const proxies = new Map<string, Dispatcher>();
  const proxyAt = (uri: string): Dispatcher => {
    const known = proxies.get(uri) ?? new ProxyAgent({ uri, ...common });
    proxies.set(uri, known);
    return known;
  };
  return {
    dispatcherFor(url) {
      const proxy = proxyOf(url, env);
      if (proxy === undefined) return direct;
      const refused = inside === 'anywhere' ? undefined : namedRefusal(hostOf(url), inside);
      if (refused) throw refused;
      return proxyAt(proxy);
    },
    async close() {
      await Promise.all([direct, ...proxies.values()].map((one) => one.close()));
    },
  };
}

/** Of what a name resolves to, what may be reached; where that is nothing, the name is refused. */
export function guarded(lookup: LookupFunction, inside: Inside): LookupFunction {
  return (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error) return done(error, []);
      const all = Array.isArray(found) ? found : [{ address: found, family: isIP(found) }];
      const open = all.filter(({ address }) => refusedAddress(address, inside) === undefined);
      const [first] = open;
      if (first === undefined) {
        return done(addressRefusal(all[0]?.address ?? '', inside, host) ?? null, []);
      }
      if (options.all) done(null, open);
      else done(null, first.address, first.family);
    });
  };
}

/** The failure for an address that may not be reached, `PV4741`; undefined for one that may. */
export function addressRefusal(
  address: string,
  inside: Inside,
  host?: string,
): EffectFailure | undefined {
  const kind = refusedAddress(address, inside);
  if (kind === undefined) return undefined;
  const where = host === undefined ? address : `${host} (${address})`;
  return refusal('PV4741', `${where} may not be reached: it is ${kind}`, {
    hint: /loopback|private/.test(kind)
      ? 'programs reach what is public; a person opens more: the option private of the set'
      : 'name an address of the public web',
  });
}

/** Behind a proxy: addresses as they stand, and names that can only be of the inside. */
export function namedRefusal(host: string, inside: Inside): EffectFailure | undefined {
  if (isIP(host) !== 0) return addressRefusal(host, inside);
  const name = host.toLowerCase().replace(/\.$/, '');
  if (/(^|\.)localhost$/.test(name)) {
    return inside === 'none' ? addressRefusal('127.0.0.1', inside, host) : undefined;
  }
  const isInside = !name.includes('.') || /\.(local|internal|lan|home\.arpa|intranet)$/.test(name);
  return isInside && inside !== 'all' ? addressRefusal('10.0.0.0', inside, host) : undefined;
}

/** The proxy for an address, by the variables that most programs know. */
export function proxyOf(
  url: URL,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const name = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const proxy = env[name] ?? env[name.toUpperCase()];
  if (proxy === undefined || !/^https?:\/\//.test(proxy)) return undefined;
  if (isThisMachine(url)) return undefined;
  const host = hostOf(url);
  const direct = (env.no_proxy ?? env.NO_PROXY ?? '').split(/[\s,]+/).filter(Boolean);
  const isDirect = direct.some((given) => {
    const [entry = '', port] = given.replace(/^\*?\./, '').split(/:(\d+)$/);
    const isHost = entry === '*' || host === entry || host.endsWith(`.${entry}`);
    return isHost && (port === undefined || port === portOf(url));
  });
  return isDirect ? undefined : proxy;
}

const portOf = ({ port, protocol }: URL): string =>
  port !== '' ? port : protocol === 'https:' ? '443' : '80';
