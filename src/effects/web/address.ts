/**
 * Which addresses a request may go to that a program, or a page, has named. The world outside is
 * open. What lies inside (this machine, its networks, what a cloud tells its machines) is not: a
 * page that a model has read could otherwise ask for it. Pure.
 */
import ipaddr from 'ipaddr.js';

/** What may be reached of the inside: nothing, this machine, or its networks, too. */
export type Inside = 'none' | 'loopback' | 'all';

type Address = ReturnType<typeof ipaddr.parse>;

/** Of an address that may not be reached: what it is, `a loopback address`. */
export function refusedAddress(text: string, inside: Inside): string | undefined {
  if (!ipaddr.isValid(text)) return 'no address';
  const address = unwrapped(ipaddr.parse(text));
  if (metadata.has(address.toString())) return 'an address at which a cloud tells its secrets';
  const range = address.range();
  if (range === 'unicast' || range === 'as112' || range === 'as112v6') return undefined;
  if (range === 'loopback') return inside === 'none' ? 'a loopback address' : undefined;
  // Where clouds tell their machines what only these are to know.
  if (range === 'linkLocal') return 'a link-local address';
  if (networks.has(range)) return inside === 'all' ? undefined : 'a private address';
  return `an address that nobody serves pages at (${range})`;
}

const networks: ReadonlySet<string> = new Set([
  ...['private', 'uniqueLocal', 'carrierGradeNat'],
  // Not routed in public; programs that tunnel traffic give them to names.
  ...['reserved', 'benchmarking'],
]);

/** Those outside link-local, which is closed anyway. */
const metadata: ReadonlySet<string> = new Set([
  ...['100.100.100.200', '192.0.0.192', '168.63.129.16', 'fd00:ec2::254', 'fd20:ce::254'],
]);

/** The IPv4 address that an IPv6 one only carries; a gateway would go there. */
function unwrapped(address: Address): Address {
  const bytes = address.toByteArray();
  if (bytes.length === 4) return address;
  const at = offsetOf(address, bytes);
  return at === undefined ? address : ipaddr.fromByteArray(bytes.slice(at, at + 4));
}

function offsetOf(address: Address, bytes: readonly number[]): number | undefined {
  const range: string = address.range();
  if (range === 'ipv4Mapped' || range === 'rfc6145') return 12;
  // 64:ff9b::/96 ends in it; 64:ff9b:1::/48 is of one network only and stays closed.
  if (range === 'rfc6052') return bytes[5] === 0 ? 12 : undefined;
  if (range === '6to4') return 2;
  // ::a.b.c.d, long given up. The unspecified address and loopback are ranges of their own.
  return range === 'unicast' && bytes.slice(0, 12).every((byte) => byte === 0) ? 12 : undefined;
}

/**
 * What is wrong with an address that is asked for, before any name is resolved: its scheme, a
 * password in it, a port at which something else than the web listens.
 */
export function urlProblem(url: URL, isConfigured: boolean): string | undefined {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return `got the scheme ${url.protocol}, want http: or https:`;
  }
  if (url.username !== '' || url.password !== '') return 'there is a password in it';
  const port = Number(url.port);
  const isOdd = (port > 0 && port < 1024 && port !== 80 && port !== 443) || oddPorts.has(port);
  return isOdd && !isConfigured ? `nobody serves pages at port ${port}` : undefined;
}

/** From 1024 on, those that browsers refuse: https://fetch.spec.whatwg.org/#port-blocking */
const oddPorts: ReadonlySet<number> = new Set([
  ...[1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566],
  ...[6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080],
]);

/** Whether an address says itself that it is of this machine; where names lead is not known. */
export function isThisMachine(url: URL): boolean {
  const host = hostOf(url);
  if (host === 'localhost' || host.endsWith('.localhost') || host === '::1') return true;
  return ipaddr.IPv4.isValid(host) && host.startsWith('127.');
}

/** A host as `net` takes it: an IPv6 address without its brackets. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');
