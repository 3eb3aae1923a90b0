import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { describeOwner, isGone, processOwner } from '../../src/engine/journal/owner.ts';

const module = new URL('../../src/engine/journal/owner.ts', import.meta.url).href;
const own = processOwner();
const [host = '', pid = '', start = ''] = own.split(':');

test('names host, pid and start', () => {
  expect([host, pid]).toEqual([hostname(), String(process.pid)]);
  expect(start).toMatch(/^\d+(-[0-9a-f]{8})?$/);
  expect(processOwner()).toBe(own);
});

test('another process is gone once it has ended, and not before', async () => {
  const script = `console.log((await import('${module}')).processOwner()); process.stdin.resume()`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  const [line] = await once(child.stdout, 'data');
  const owner = String(line).trim();
  expect(owner).toMatch(`${hostname()}:${child.pid}:`);
  expect(isGone(owner)).toBe(false);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(isGone(owner)).toBe(true);
});

// Only Linux tells when another process has started.
test.skipIf(!existsSync('/proc/self/stat'))('a reused pid does not pass for its owner', () => {
  const [tick = '', mark = ''] = start.split('-');
  expect(isGone(`${host}:${pid}:${Number(tick) + 1}-${mark}`)).toBe(true);
  expect(isGone(`${host}:${pid}:${tick}-${mark}`)).toBe(false);
});

test.each([
  ['another host', `other-${host}:999999999:${start}`],
  ['another boot or container', `${host}:999999999:1-00000000`],
  ['a name of another form', 'someone'],
  ['a pid of zero', `${host}:0:${start}`],
  ['no start', `${host}:${pid}:`],
])('%s is never certainly gone', (_, owner) => {
  expect(isGone(owner)).toBe(false);
});

test('a person reads process and host', () => {
  expect(describeOwner('web1:4711:99-3fa9c01b')).toBe('process 4711 on web1');
  expect(describeOwner('someone')).toBe('someone');
});
