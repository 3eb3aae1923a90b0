/** The Node-RED tools against a stand-in of the server, and against ones that answer wrongly. */
import { describe, expect, test } from 'vitest';
import { listen } from '../../../examples/node-red/server.ts';
import { nodeRedHandlers } from '../../../src/effects/node-red/handlers.ts';
import type { Arguments } from '../../../src/engine/handler.ts';
import { type Attempt, attempt } from '../../support/attempt.ts';
import { startWebServer, type WebAnswer } from '../../support/web-server.ts';

interface Called {
  readonly result: unknown;
  readonly context: Attempt;
}

async function call(url: string, name: string, args: Arguments = {}): Promise<Called> {
  const handler = nodeRedHandlers({ url: new URL(url), token: 't0p' }).find(
    ({ spec }) => spec.name === name,
  );
  if (!handler) throw new Error(`no tool ${name}`);
  const context = attempt();
  const result = await handler.perform(args, context).catch((thrown: unknown) => thrown);
  return { result, context };
}

/** Against the stand-in of the example. */
async function ask(name: string, args: Arguments = {}): Promise<Called> {
  const { server, url } = await listen(0);
  try {
    return await call(url, name, args);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Against a server that answers each path so; others have no flow. */
async function askOf(
  flows: Readonly<Record<string, WebAnswer>>,
  name: string,
  args: Arguments = {},
): Promise<Called> {
  await using server = await startWebServer(
    ({ url }) => flows[url.pathname] ?? { status: 404, body: '<pre>Cannot GET</pre>' },
  );
  return await call(server.url, name, args);
}

test('the status says of which days there is something', async () => {
  const { result } = await ask('NodeStatus');
  expect(result).toMatchObject({
    ...{ status: 'operational', measurements: 30, from: '2025-01-06', to: '2025-02-04' },
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/),
  });
});

test('a day, a range with both ends, a joke', async () => {
  expect((await ask('Temperature', { date: '2025-02-04' })).result).toBe(18.36);
  const range = { start_date: '2025-01-06', end_date: '2025-01-08' };
  const { result, context } = await ask('TemperatureRange', range);
  expect(result).toEqual({ '2025-01-06': 8.42, '2025-01-07': 7.95, '2025-01-08': 6.18 });
  expect(Object.keys(Object(result))).toEqual(['2025-01-06', '2025-01-07', '2025-01-08']);
  expect(context.warnings).toEqual([]);
  expect((await ask('Joke')).result).toMatch(/thermometer/);
});

test('a day that nobody has measured is not available, and the failure says what is', async () => {
  expect((await ask('Temperature', { date: '2024-02-18' })).result).toMatchObject({
    ...{ code: 'PV4722', retryable: false, answered: true, hint: 'ask for days of these' },
    message:
      'the temperature of 2024-02-18 is not available: there are measurements of 30 days, from ' +
      '2025-01-06 to 2025-02-04',
  });
  const range = { start_date: '2024-02-15', end_date: '2024-02-17' };
  expect((await ask('TemperatureRange', range)).result).toMatchObject({
    code: 'PV4722',
    message: expect.stringContaining('of 2024-02-15 to 2024-02-17 is not available: there are'),
  });
});

test('days of a range that are missing are left out, and told', async () => {
  const range = { start_date: '2025-02-03', end_date: '2025-02-06' };
  const { result, context } = await ask('TemperatureRange', range);
  expect(result).toEqual({ '2025-02-03': 17.02, '2025-02-04': 18.36 });
  expect(context.warnings).toEqual([
    'of 4 days from 2025-02-03 to 2025-02-06, 2 days have no measurement',
  ]);
});

test.each([
  ['2025/02/04', 'date: got "2025/02/04", want a day as YYYY-MM-DD'],
  ['4 février', 'date: got "4 février", want a day as YYYY-MM-DD'],
  ['2025-02-30', 'date: there is no day 2025-02-30'],
  ['2025-13-01', 'date: there is no day 2025-13-01'],
  [20250204, 'date: got 20250204, want a day as YYYY-MM-DD'],
])('the day %j is refused before anything is asked', async (date, message) => {
  const { result } = await call('http://127.0.0.1:9', 'Temperature', { date });
  expect(result).toMatchObject({ code: 'PV4721', message, mayHaveActed: false });
});

test('a range that ends before it begins is refused', async () => {
  const range = { start_date: '2025-02-04', end_date: '2025-02-03' };
  expect((await ask('TemperatureRange', range)).result).toMatchObject({ code: 'PV4721' });
});

describe('servers that answer otherwise', () => {
  const list = (...dates: string[]): WebAnswer => ({
    body: { measurements: dates.map((date) => ({ date, temperature: 1, humidity: 2 })) },
  });

  test('the value of another day is never taken for that of the day', async () => {
    const flows = {
      '/query/temperature': { body: { date: '2025-02-04', temperature: 18.36 } },
      '/list/temperatures': list('2025-02-04'),
    };
    const { result } = await askOf(flows, 'Temperature', { date: '2024-01-01' });
    expect(result).toMatchObject({
      code: 'PV4722',
      message: expect.stringContaining('there are measurements of 1 day, from 2025-02-04'),
    });
  });

  test('temperatures that are texts, or none, are never said to be missing', async () => {
    const of = (date: string, temperature: unknown) => ({ date, temperature });
    const days = [of('2025-01-06', '18.4'), of('2025-01-07', '19,5'), of('2025-01-08', null)];
    const flows = { '/list/temperatures': { body: { measurements: days } } };
    const range = { start_date: '2025-01-06', end_date: '2025-01-08' };
    const { result, context } = await askOf(flows, 'TemperatureRange', range);
    expect(result).toEqual({ '2025-01-06': 18.4 });
    expect(context.warnings[0]).toContain('1 measurement is left out, no temperature');
    const answers = (body: unknown) => ({ ...flows, '/query/temperature': { body } });
    const day = { date: '2025-01-07' };
    const asText = await askOf(answers(of('2025-01-07', '-3')), 'Temperature', day);
    expect(asText.result).toBe(-3);
    const odd = await askOf(answers(of('2025-01-07', '19,5')), 'Temperature', day);
    expect(odd.result).toMatchObject({ code: 'PV4724', message: expect.stringContaining('19,5') });
    const none = await askOf(answers(of('2025-01-07', null)), 'Temperature', day);
    expect(none.result).toMatchObject({ code: 'PV4722' });
    const renamed = await askOf(
      { '/list/temperatures': { body: { temperatures: [] } } },
      'NodeStatus',
    );
    expect(renamed.result).toMatchObject({ code: 'PV4724', retryable: false });
  });

  test('an empty table is there, and has nothing', async () => {
    const empty = { status: 404, body: { error: 'none', status: 'not_found', code: 404 } };
    const status = await askOf({ '/list/temperatures': empty }, 'NodeStatus');
    expect(status.result).toMatchObject({ measurements: 0, from: null, to: null });
    const flows = { '/list/temperatures': empty, '/query/temperature': empty };
    expect((await askOf(flows, 'Temperature', { date: '2025-01-06' })).result).toMatchObject({
      message: 'the temperature of 2025-01-06 is not available: there are no measurements at all',
    });
  });

  test('a server without the flows is no server that is down', async () => {
    expect((await askOf({}, 'NodeStatus')).result).toMatchObject({
      ...{ code: 'PV4723', retryable: false },
      message: 'Node-RED answers, but has no flow /list/temperatures',
    });
    const bad = { status: 400, body: { error: 'bad date', status: 'invalid_format', code: 400 } };
    const { result } = await askOf({ '/query/temperature': bad }, 'Temperature', {
      date: '2025-01-06',
    });
    expect(result).toMatchObject({
      code: 'PV4704',
      message: 'Node-RED refused /query/temperature: bad date',
    });
    const fault = { status: 500, body: { error: 'no joke', status: 'error' } };
    expect((await askOf({ '/joke': fault }, 'Joke')).result).toMatchObject({
      ...{ code: 'PV4702', retryable: true },
    });
  });

  test('a server that is down is tried again; a path in front and a key are kept', async () => {
    const server = await startWebServer(() => list('2025-01-01'));
    expect((await call(`${server.url}/flows/`, 'NodeStatus')).result).toMatchObject({
      url: `${server.url}/flows/`,
    });
    expect(server.requests[0]?.url.pathname).toBe('/flows/list/temperatures');
    expect(server.requests[0]?.headers.authorization).toBe('Bearer t0p');
    await server[Symbol.asyncDispose]();
    expect((await call(server.url, 'NodeStatus')).result).toMatchObject({
      ...{ code: 'PV4701', retryable: true },
      hint: 'start Node-RED, or name its address: planvm:node-red?url=http://127.0.0.1:1880',
    });
  });
});
