/** Tables and documents by address go the way of pages: rules of the site, kept answers, limits. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { dataSet } from '../../../src/effects/data/set.ts';
import { openSet } from '../../../src/effects/tool-set.ts';
import { attempt } from '../../support/attempt.ts';
import { startWebServer, type WebAnswer } from '../../support/web-server.ts';
import { DataFolder } from './tools.ts';

const home = mkdtempSync(join(tmpdir(), 'planvm-data-'));
afterAll(() => rmSync(home, { recursive: true }));

const csv = (body: string, headers: Readonly<Record<string, string>> = {}): WebAnswer => ({
  headers: { 'content-type': 'text/csv', ...headers },
  body,
});
const none: WebAnswer = { status: 404 };

test.each([
  ['read_table', (source: string) => ({ source })],
  ['sql', (source: string) => ({ query: 'SELECT a FROM t', tables: { t: source } })],
  ['parse_pdf', (source: string) => ({ source })],
])('what a site wants no program to fetch is not, by %s', async (tool, argsOf) => {
  await using server = await startWebServer(({ url }) =>
    url.pathname === '/robots.txt'
      ? { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /own/\n' }
      : csv('a\n1\n'),
  );
  using box = new DataFolder();
  const source = `${server.url}/own/t.csv`;
  await expect(box.call(tool, argsOf(source))).rejects.toMatchObject({ code: 'PV4745' });
  expect(server.requests.map(({ url }) => url.pathname)).toEqual(['/robots.txt']);
});

test('an answer is kept and asked for again by its mark, by whichever tool', async () => {
  await using server = await startWebServer(({ url, headers }) => {
    if (url.pathname === '/robots.txt') return none;
    const etag = { etag: '"one"', 'cache-control': 'no-cache' };
    return headers['if-none-match'] === '"one"'
      ? { status: 304, headers: etag }
      : csv('a\n1\n', etag);
  });
  const env = { PLANVM_HOME: home };
  const call = async (tool: string, args: object): Promise<unknown> => {
    const handlers = await openSet(dataSet, { private: 'loopback' }, env);
    const handler = handlers.find(({ spec }) => spec.name === tool);
    return await handler?.perform({ ...args }, attempt());
  };
  const source = `${server.url}/t.csv`;
  expect(await call('read_table', { source })).toMatchObject({ rows: [{ a: 1 }] });
  expect(await call('sql', { query: 'SELECT a FROM t', tables: { t: source } })).toEqual([
    { a: 1 },
  ]);
  const asked = server.requests.filter(({ url }) => url.pathname === '/t.csv');
  expect(asked.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"one"']);
});

test('what is too large is not fetched, nor read; the option says how large', async () => {
  const large = `a\n${'1\n'.repeat(2 ** 20)}`;
  await using server = await startWebServer(({ url }) =>
    url.pathname === '/robots.txt' ? none : csv(large),
  );
  using box = new DataFolder({ 'large.csv': large });
  box.options = { megabytes: '1' };
  const read = (source: string): Promise<unknown> => box.call('read_table', { source });
  await expect(read(`${server.url}/large.csv`)).rejects.toMatchObject({ code: 'PV4743' });
  await expect(read('large.csv')).rejects.toMatchObject({ code: 'PV4922' });
});

test('rows that one call returns are a limit of the set', async () => {
  using box = new DataFolder({ 'a.csv': 'a\n1\n2\n3\n4\n' });
  box.options = { rows: '3' };
  const message = expect.stringContaining('want at most 3 from one call');
  await expect(box.call('read_table', { source: 'a.csv' })).rejects.toMatchObject({ message });
  await expect(
    box.call('sql', { query: 'SELECT a FROM t', tables: { t: 'a.csv' } }),
  ).rejects.toMatchObject({ message: 'the result has more than 3 rows' });
  box.options = { rows: '4' };
  expect(await box.call('read_table', { source: 'a.csv' })).toMatchObject({ total: 4 });
});

test.each([
  ['rows', '0', 'a number from 1 to 1000000'],
  ['pages', '1e9', 'a number from 1 to 100000'],
  ['megabytes', '257', 'a number from 1 to 256'],
  ['memoryMegabytes', 'many', 'a number from 1 to 16384'],
])('a limit that is none: %s=%s', async (option, given, want) => {
  await expect(openSet(dataSet, { [option]: given }, {})).rejects.toThrow(
    `planvm:data: ${option}: got ${given}, want ${want}`,
  );
});

test('a name in percents that are none is a name all the same', async () => {
  await using server = await startWebServer(({ url }) =>
    url.pathname === '/robots.txt' ? none : csv('a\n1\n'),
  );
  using box = new DataFolder();
  const read = await box.call('read_table', { source: `${server.url}/100%.csv` });
  expect(read).toMatchObject({ name: '100%.csv', rows: [{ a: 1 }] });
});
