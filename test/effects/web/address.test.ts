/** Which addresses are open to programs, in all the ways in which they can be written. */
import { expect, test } from 'vitest';
import {
  type Inside,
  isThisMachine,
  refusedAddress,
  urlProblem,
} from '../../../src/effects/web/address.ts';
import { proxyOf } from '../../../src/effects/web/way.ts';

const opens = (address: string): readonly Inside[] =>
  (['none', 'loopback', 'all'] as const).filter((inside) => !refusedAddress(address, inside));

test.each([
  ...['93.184.215.14', '8.8.8.8', '2606:2800:21f:cb07::1', '64:ff9b::808:808', '::ffff:8.8.8.8'],
  ...['2002:808:808::1'],
])('%s is public', (address) => {
  expect(opens(address)).toEqual(['none', 'loopback', 'all']);
});

test.each([
  ...['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '64:ff9b::7f00:1'],
  ...['2002:7f00:1::', '::7f00:1', '::ffff:0:127.0.0.1'],
])('%s is this machine', (address) => {
  expect(opens(address)).toEqual(['loopback', 'all']);
});

test.each([
  ...['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', 'fc00::1'],
  ...['fd12:3456::1', '::ffff:10.0.0.1', '64:ff9b::a00:1', '198.18.0.1'],
])('%s is of a network', (address) => {
  expect(opens(address)).toEqual(['all']);
});

test.each([
  ...['169.254.169.254', '::ffff:169.254.169.254', '64:ff9b::a9fe:a9fe', 'fd00:ec2::254'],
  ...['100.100.100.200', 'fe80::1', 'fe80::1%eth0', '0.0.0.0', '0.1.2.3', '::', '224.0.0.1'],
  ...['255.255.255.255', 'ff02::1', '64:ff9b:1::7f00:1', '2001:0:7f00:1::', 'elsewhere', ''],
])('%s is never open', (address) => {
  expect(opens(address)).toEqual([]);
});

test.each([
  ['http://example.com/', undefined],
  ['https://example.com:8443/', undefined],
  ['ftp://example.com/', 'got the scheme ftp:, want http: or https:'],
  ['file:///etc/passwd', 'got the scheme file:, want http: or https:'],
  ['javascript:alert(1)', 'got the scheme javascript:, want http: or https:'],
  ['http://user:pass@example.com/', 'there is a password in it'],
  ['http://user@example.com/', 'there is a password in it'],
  ['http://example.com:22/', 'nobody serves pages at port 22'],
  ['http://example.com:6667/', 'nobody serves pages at port 6667'],
])('%s', (url, problem) => {
  expect(urlProblem(new URL(url), false)).toBe(problem);
});

test.each([
  ['http://localhost:1/', true],
  ['http://app.localhost/', true],
  ['http://127.9.9.9/', true],
  ['http://[::1]:8080/', true],
  ['http://127.evil.example/', false],
  ['http://localhost.evil.example/', false],
  ['http://128.0.0.1/', false],
])('%s is of this machine: %s', (url, own) => {
  expect(isThisMachine(new URL(url))).toBe(own);
});

test('a person may configure any port', () => {
  expect(urlProblem(new URL('http://example.com:22/'), true)).toBeUndefined();
});

test.each([
  ['http://a.test/', { HTTP_PROXY: 'http://p:1' }, 'http://p:1'],
  ['https://a.test/', { HTTP_PROXY: 'http://p:1' }, undefined],
  ['https://a.test/', { https_proxy: 'http://p:2', HTTPS_PROXY: 'http://p:1' }, 'http://p:2'],
  ['http://a.test/', { HTTP_PROXY: 'http://p:1', NO_PROXY: 'b.test, a.test' }, undefined],
  ['http://x.a.test/', { HTTP_PROXY: 'http://p:1', NO_PROXY: '.a.test' }, undefined],
  ['http://xa.test/', { HTTP_PROXY: 'http://p:1', NO_PROXY: 'a.test' }, 'http://p:1'],
  ['http://a.test:8080/', { HTTP_PROXY: 'http://p:1', NO_PROXY: 'a.test:80' }, 'http://p:1'],
  ['http://a.test/', { HTTP_PROXY: 'http://p:1', NO_PROXY: '*' }, undefined],
  ['http://127.0.0.1/', { HTTP_PROXY: 'http://p:1' }, undefined],
  ['http://a.test/', { HTTP_PROXY: 'socks://p:1' }, undefined],
])('the proxy of %s by %j', (url, env, proxy) => {
  expect(proxyOf(new URL(url), env)).toBe(proxy);
});
