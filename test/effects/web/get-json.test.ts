/** What becomes of answers over HTTP: data, or a failure that says whether to try again. */
import { describe, expect, test } from 'vitest';
import { type GetOptions, getJson } from '../../../src/effects/web/get-json.ts';
import { EffectFailure } from '../../../src/engine/handler.ts';
import { attempt } from '../../support/attempt.ts';
import { startWebServer, type WebAnswer } from '../../support/web-server.ts';

async function get(answer: WebAnswer, options: Partial<GetOptions> = {}): Promise<unknown> {
  await using server = await startWebServer(() => answer);
  const all = { service: 'The shop', context: attempt(), ...options };
  return await getJson(new URL('/x?y=1', server.url), all).catch((thrown: unknown) => thrown);
}

test('data, with headers sent', async () => {
  await using server = await startWebServer(({ url, headers }) => ({
    body: { path: url.pathname + url.search, accept: headers.accept, key: headers['x-key'] },
  }));
  const made = await getJson(new URL('/x?y=1', server.url), {
    ...{ service: 'The shop', context: attempt(), headers: { 'x-key': 'k' } },
  });
  const data = { path: '/x?y=1', accept: 'application/json', key: 'k' };
  expect(made).toEqual({ status: 200, data });
});

test('integers keep all their digits', async () => {
  expect(await get({ body: '{"id": 1915883588174806058, "n": [1, 2.5, 1e30]}' })).toEqual({
    status: 200,
    data: { id: 1915883588174806058n, n: [1, 2.5, 1e30] },
  });
});

test('a status that the caller reads is no failure', async () => {
  expect(await get({ status: 404, body: { error: 'no' } }, { accept: [404] })).toEqual({
    status: 404,
    data: { error: 'no' },
  });
});

describe('failures', () => {
  test.each<[string, WebAnswer, object]>([
    [
      'a rate limit, with the wait that is asked for',
      { status: 429, headers: { 'retry-after': '7' }, body: 'slow down' },
      {
        ...{ code: 'PV4702', retryable: true, retryAfterMs: 7000, answered: true },
        message: 'The shop is asked too often (429): slow down',
      },
    ],
    [
      'a fault of the service',
      { status: 503, body: '' },
      { code: 'PV4702', retryable: true, retryAfterMs: undefined, message: 'The shop fails (503)' },
    ],
    [
      'a refusal',
      { status: 403, body: { no: 1 } },
      { code: 'PV4704', retryable: false, hint: 'check the key that it wants' },
    ],
    [
      'no JSON',
      { body: '<p>Hello</p>' },
      {
        ...{ code: 'PV4703', retryable: false },
        message: 'The shop answered with no JSON (200): <p>Hello</p>',
      },
    ],
    [
      'too much',
      { body: 'x'.repeat(8 * 2 ** 20 + 1) },
      {
        ...{ code: 'PV4743', hint: 'ask for less' },
        message: 'The shop sent too much: it is larger than 8388608 bytes',
      },
    ],
    ['a connection that breaks', { drop: true }, { code: 'PV4701', retryable: true }],
  ])('%s', async (_what, answer, failure) => {
    const thrown = await get(answer);
    expect(thrown).toBeInstanceOf(EffectFailure);
    expect(thrown).toMatchObject(failure);
  });

  test('nobody there', async () => {
    const server = await startWebServer(() => ({}));
    await server[Symbol.asyncDispose]();
    const asked = getJson(new URL(server.url), {
      ...{ service: 'The shop', context: attempt(), hint: 'open it' },
    });
    await expect(asked).rejects.toMatchObject({
      ...{ code: 'PV4701', retryable: true, hint: 'open it' },
      message: expect.stringMatching(/^The shop at http:\S+ cannot be reached: .*ECONNREFUSED/),
    });
  });

  test('an attempt that is given up ends the request', async () => {
    const context = attempt();
    await using server = await startWebServer(() => {
      context.abort(new Error('too late'));
      return { hang: true };
    });
    const asked = getJson(new URL(server.url), { service: 'The shop', context });
    await expect(asked).rejects.toThrow('too late');
  });
});
