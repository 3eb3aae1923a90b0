/** What is kept of answers between runs, and when it is asked again. */
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CacheOptions, cacheIn } from '../../../src/effects/web/cache.ts';
import { type Answer, request } from '../../../src/effects/web/request.ts';
import { attempt } from '../../support/attempt.ts';
import { startSite, webTools } from './site.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'planvm-cache-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const get = (url: string, changes: Partial<CacheOptions> = {}, headers = {}): Promise<Answer> =>
  request(new URL(url), {
    ...{ context: attempt(), inside: 'loopback', headers },
    through: cacheIn({ folder, inside: 'loopback', ...changes }),
  });

const textOf = ({ bytes }: Answer): string => Buffer.from(bytes).toString();

test('what is fresh is used again, with the time at which it was fetched', async () => {
  await using site = await startSite({
    '/a': { headers: { 'cache-control': 'max-age=60' }, body: 'A' },
  });
  const first = await get(`${site.url}/a`);
  const second = await get(`${site.url}/a`);
  expect(textOf(second)).toBe('A');
  expect(second.fetchedAt).toBe(first.fetchedAt);
  expect(second.headers['content-type']).toBe('text/html');
  expect(site.asked).toEqual(['/a']);
});

test('what is not is asked for with its mark', async () => {
  const marks: unknown[] = [];
  let version = '"1"';
  await using site = await startSite({
    '/a': ({ headers }) => {
      marks.push(headers['if-none-match']);
      const same = headers['if-none-match'] === version;
      return { status: same ? 304 : 200, headers: { etag: version }, body: same ? '' : version };
    },
  });
  const first = await get(`${site.url}/a`);
  const second = await get(`${site.url}/a`);
  expect([textOf(first), textOf(second)]).toEqual(['"1"', '"1"']);
  expect(second).toMatchObject({ status: 200, fetchedAt: first.fetchedAt });
  version = '"2"';
  expect(textOf(await get(`${site.url}/a`))).toBe('"2"');
  expect(marks).toEqual([undefined, '"1"', '"1"']);
});

test('what a server wants nobody to keep, and what a key has opened, is not kept', async () => {
  await using site = await startSite({
    '/no': { headers: { 'cache-control': 'no-store', etag: '"1"' }, body: 'A' },
    '/key': { headers: { 'cache-control': 'max-age=60' }, body: 'A' },
  });
  await get(`${site.url}/no`);
  await get(`${site.url}/key`, {}, { authorization: 'Bearer k' });
  expect(readdirSync(folder)).toEqual([]);
});

test('what was fetched under one rule serves no request under another', async () => {
  await using site = await startSite({
    '/a': { headers: { 'cache-control': 'max-age=60' }, body: 'A' },
  });
  await get(`${site.url}/a`);
  const closed = request(new URL(`${site.url}/a`), {
    ...{ context: attempt(), inside: 'none' },
    through: cacheIn({ folder, inside: 'none' }),
  });
  await expect(closed).rejects.toMatchObject({ code: 'PV4741' });
});

test('a broken file is as if it were not there; a folder that cannot be had costs only itself', async () => {
  await using site = await startSite({
    '/a': { headers: { 'cache-control': 'max-age=60' }, body: 'A' },
  });
  await get(`${site.url}/a`);
  const [name = ''] = readdirSync(folder);
  writeFileSync(join(folder, name), 'nonsense');
  expect(textOf(await get(`${site.url}/a`))).toBe('A');
  expect(textOf(await get(`${site.url}/a`, { folder: join(folder, name) }))).toBe('A');
});

test('others cannot read it', async () => {
  await using site = await startSite({
    '/a': { headers: { 'cache-control': 'max-age=60' }, body: 'A' },
  });
  const inner = join(folder, 'web');
  await get(`${site.url}/a`, { folder: inner });
  const [name = ''] = readdirSync(inner);
  expect(statSync(inner).mode & 0o777).toBe(0o700);
  expect(statSync(join(inner, name)).mode & 0o777).toBe(0o600);
});

test('what was used longest ago goes where it is full', async () => {
  const body = 'x'.repeat(1000);
  const page = { headers: { 'cache-control': 'max-age=60' }, body };
  await using site = await startSite({ '/a': page, '/b': page, '/c': page });
  const bounded = { bytesMax: 4000 };
  for (const path of ['/a', '/b', '/a', '/c']) await get(site.url + path, bounded);
  const left = readdirSync(folder).length;
  expect(left).toBeLessThan(3);
  await get(`${site.url}/c`, bounded);
  expect(site.asked.filter((path) => path === '/c')).toHaveLength(1);
});

test('the set keeps it where runs are kept', async () => {
  await using site = await startSite({
    '/a': { headers: { 'cache-control': 'max-age=60' }, body: '<p>Some text of a page.</p>' },
  });
  const call = await webTools({ cache: 'true' }, { PLANVM_HOME: folder });
  const first = (await call('download', { url: `${site.url}/a` })).result;
  const second = await call('download', { url: `${site.url}/a` });
  expect(second.result).toEqual(first);
  expect(second.sources[0]?.fetchedAt).toBe(Date.parse(String(first.fetchedAt)));
  expect(site.asked.filter((path) => path === '/a')).toHaveLength(1);
  expect(readdirSync(join(folder, 'cache', 'web')).length).toBeGreaterThan(0);
});
