/** The one way out: what it reaches, where it follows, and what it gives up. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type RequestOptions, request } from '../../../src/effects/web/request.ts';
import { openWay } from '../../../src/effects/web/way.ts';
import { EffectFailure } from '../../../src/engine/handler.ts';
import { attempt } from '../../support/attempt.ts';
import { startWebServer } from '../../support/web-server.ts';

const context = attempt();
const open = { context, inside: 'loopback' } as const;

const failure = async (url: string, options: RequestOptions): Promise<EffectFailure> => {
  const thrown: unknown = await request(new URL(url), options).then(
    ({ url: got }) => new Error(`${got.href} has answered`),
    (error: unknown) => error,
  );
  if (thrown instanceof EffectFailure) return thrown;
  throw thrown;
};

async function raw(listener: RequestListener): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

describe('what is inside', () => {
  test.each([
    ...['http://127.0.0.1', 'http://2130706433', 'http://0x7f000001', 'http://0177.0.0.1'],
    ...['http://127.1', 'http://[::1]', 'http://[::ffff:127.0.0.1]', 'http://localhost'],
    ...['http://１２７.0.0.1', 'http://0.0.0.0'],
  ])('%s is not reached', async (host) => {
    await using server = await startWebServer(() => ({ body: 'secret' }));
    const { port } = new URL(server.url);
    const thrown = await failure(`${host}:${port}/`, { context });
    expect(thrown).toMatchObject({ code: 'PV4741', retryable: false, mayHaveActed: false });
    expect(server.requests).toEqual([]);
  });

  test('it is where a person opens it, or has configured it', async () => {
    await using server = await startWebServer(() => ({ body: 'mine' }));
    const url = new URL(server.url);
    expect(await request(url, open)).toMatchObject({ status: 200 });
    expect(await request(url, { context, configured: true })).toMatchObject({ status: 200 });
  });

  test('who joins a trace is whom a person has named', async () => {
    await using server = await startWebServer(({ headers }) => ({ body: headers }));
    const traced = { ...context, headers: { traceparent: '00-1-1-01' } };
    const url = new URL(server.url);
    const sent = async (options: RequestOptions): Promise<Record<string, unknown>> =>
      JSON.parse(Buffer.from((await request(url, options)).bytes).toString());
    expect(await sent({ context: traced, configured: true })).toHaveProperty('traceparent');
    expect(await sent({ ...open, context: traced })).not.toHaveProperty('traceparent');
  });

  test('a connection that was opened for one rule serves no other', async () => {
    await using server = await startWebServer(() => ({ body: 'mine' }));
    await request(new URL(server.url), { context, configured: true });
    expect(await failure(server.url, { context })).toMatchObject({ code: 'PV4741' });
    expect(server.requests).toHaveLength(1);
  });

  test('a name that is bound anew is looked at where it is connected to', async () => {
    await using server = await startWebServer(() => ({ body: 'secret' }));
    const { port } = new URL(server.url);
    const answers = ['93.184.215.14', '127.0.0.1'];
    const asked: string[] = [];
    const lookup: LookupFunction = (host, _options, done) => {
      asked.push(host);
      done(null, [{ address: answers.pop() ?? '', family: 4 }]);
    };
    const way = await openWay({ inside: 'none', lookup, env: {} });
    const thrown = await failure(`http://rebind.test:${port}/`, { context, way });
    expect(thrown.message).toBe(
      'rebind.test (127.0.0.1) may not be reached: it is a loopback address',
    );
    expect(asked).toEqual(['rebind.test']);
    expect(server.requests).toEqual([]);
    await way.close();
  });

  test('of several addresses of a name, those inside are left out', async () => {
    await using server = await startWebServer(() => ({ body: 'here' }));
    const { port } = new URL(server.url);
    const lookup: LookupFunction = (_host, _options, done) =>
      done(null, [
        { address: '10.0.0.1', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ]);
    const way = await openWay({ inside: 'loopback', lookup, env: {} });
    const answer = await request(new URL(`http://two.test:${port}/`), { ...open, way });
    expect(answer.status).toBe(200);
    await way.close();
  });

  test.each([
    ['http://127.0.0.1/', /loopback/],
    ['http://10.1.2.3/', /private/],
    ['http://router/', /private/],
    ['http://db.internal/', /private/],
    ['http://localhost./', /loopback/],
  ])('%s is not asked of a proxy', async (url, why) => {
    await using proxy = await startWebServer(() => ({ body: 'secret' }));
    const way = await openWay({ inside: 'none', env: { HTTP_PROXY: proxy.url } });
    const thrown = await failure(url, { context, way });
    expect(thrown.message).toMatch(why);
    expect(proxy.requests).toEqual([]);
    await way.close();
  });
});

test('what is public is asked of the proxy that the environment names', async () => {
  const asked: (string | undefined)[] = [];
  await using proxy = await raw((request, response) => {
    asked.push(request.url);
    response.end('by way of it');
  });
  const way = await openWay({ inside: 'none', env: { HTTP_PROXY: proxy.url } });
  const answer = await request(new URL('http://public.test/x'), { context, way });
  expect(Buffer.from(answer.bytes).toString()).toBe('by way of it');
  expect(asked).toEqual(['http://public.test/x']);
  await way.close();
});

describe('redirects', () => {
  test('lead on, and are told', async () => {
    await using server = await startWebServer(({ url }) =>
      url.pathname === '/c'
        ? { body: 'there' }
        : { status: 302, headers: { location: url.pathname === '/a' ? 'b' : '/c' } },
    );
    const answer = await request(new URL('/a', server.url), open);
    expect(answer.url.pathname).toBe('/c');
    expect(answer.redirects).toEqual([`${server.url}/a`, `${server.url}/b`]);
  });

  test('are looked at like any address', async () => {
    await using inner = await startWebServer(() => ({ body: 'secret' }));
    for (const location of [
      inner.url,
      'http://169.254.169.254/latest/meta-data/',
      'file:///etc/passwd',
      'http://user:pass@example.com/',
    ]) {
      await using server = await startWebServer(() => ({ status: 302, headers: { location } }));
      const thrown = await failure(server.url, { context, configured: true });
      expect(thrown).toMatchObject({ code: 'PV4741' });
    }
    expect(inner.requests).toEqual([]);
  });

  test('in a circle, without end and to nowhere', async () => {
    await using server = await startWebServer(({ url, index }) => ({
      status: 302,
      headers: {
        location:
          url.pathname === '/circle'
            ? '/circle'
            : url.pathname === '/odd'
              ? 'http://'
              : `/${index}`,
      },
    }));
    const end = async (path: string): Promise<string> =>
      (await failure(`${server.url}${path}`, open)).message.replace(server.url, 'S');
    expect(await end('/circle')).toMatch(/^S\/circle leads on in a circle/);
    expect(await end('/on')).toBe('S/on leads on more than 5 times');
    expect(await end('/odd')).toBe('S leads on to no address: http://');
  });

  test('keys go to the origin that they are for, and a body only where it is asked for', async () => {
    await using other = await startWebServer(({ headers }) => ({ body: headers }));
    await using server = await startWebServer(({ url }) => ({
      status: Number(url.pathname.slice(1)),
      headers: { location: other.url },
    }));
    const sent = {
      ...{ ...open, method: 'POST', body: 'x=1' },
      headers: { authorization: 'Bearer k', cookie: 'c', 'x-api-key': 'k', accept: 'text/x' },
    };
    for (const status of [302, 307]) {
      const answer = await request(new URL(`/${status}`, server.url), sent);
      const seen = JSON.parse(Buffer.from(answer.bytes).toString());
      expect(seen).toMatchObject({ accept: 'text/x' });
      expect(seen).not.toHaveProperty('authorization');
      expect(seen).not.toHaveProperty('cookie');
      expect(seen).not.toHaveProperty('x-api-key');
      expect(seen['content-length']).not.toBe('3');
    }
    expect(server.requests[0]?.headers).toMatchObject({ 'x-api-key': 'k', cookie: 'c' });
  });
});

describe('bodies', () => {
  const text = 'a page\n'.repeat(1000);
  test.each<[string, Uint8Array]>([
    ['gzip', gzipSync(text)],
    ['br', brotliCompressSync(text)],
    ['zstd', zstdCompressSync(text)],
    ['gzip, br', brotliCompressSync(gzipSync(text))],
    ['identity', Buffer.from(text)],
  ])('packed as %s', async (encoding, packed) => {
    await using server = await raw((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(packed);
    });
    const answer = await request(new URL(server.url), open);
    expect(Buffer.from(answer.bytes).toString()).toBe(text);
  });

  const zeros = Buffer.alloc(64 * 2 ** 20);
  test.each<[string, Uint8Array]>([
    ['gzip', gzipSync(zeros)],
    ['br', brotliCompressSync(zeros)],
    ['zstd', zstdCompressSync(zeros)],
    ['gzip, gzip', gzipSync(gzipSync(zeros))],
  ])('a bomb of %s is given up at its size', async (encoding, packed) => {
    await using server = await raw((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(packed);
    });
    expect(await failure(server.url, { ...open, bytesMax: 2 ** 20 })).toMatchObject({
      ...{ code: 'PV4743', answered: true },
      message: expect.stringMatching(/larger than 1048576 bytes/),
    });
  });

  test('one without end, and one that says it is large', async () => {
    await using endless = await raw((_request, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(zeros.subarray(0, 65_536)));
        response.once('drain', more);
      };
      more();
    });
    expect(await failure(endless.url, open)).toMatchObject({ code: 'PV4743' });
    await using large = await raw((_request, response) => {
      response.writeHead(200, { 'content-length': String(2 ** 40) }).flushHeaders();
    });
    expect(await failure(large.url, open)).toMatchObject({ code: 'PV4743' });
  });

  test.each<[string, Uint8Array]>([
    ['gzip', Buffer.from('no gzip at all')],
    ['gzip', gzipSync(text).subarray(0, 40)],
    ['br', Buffer.from('\xff\xff\xff')],
    ['x-unheard-of', Buffer.from('?')],
    ['gzip, gzip, gzip', gzipSync(gzipSync(gzipSync(text)))],
  ])('one that cannot be unpacked: %s', async (encoding, packed) => {
    await using server = await raw((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(packed);
    });
    expect(await failure(server.url, open)).toMatchObject({ code: 'PV4744', retryable: false });
  });
});

describe('silence', () => {
  test('before the headers, and within the body', async () => {
    await using mute = await raw(() => undefined);
    const quick = { ...open, idleMs: 50 };
    expect(await failure(mute.url, quick)).toMatchObject({
      ...{ code: 'PV4701', retryable: true, mayHaveActed: true },
      message: `${mute.url} cannot be reached: it was silent for too long before it answered`,
    });
    await using halting = await raw((_request, response) => {
      response.write('half');
    });
    expect((await failure(halting.url, quick)).message).toMatch(/within its answer/);
  });

  test('an attempt that is given up ends what drips', async () => {
    const given = attempt();
    await using dripping = await raw((_request, response) => {
      response.write('a');
      setImmediate(() => given.abort(new Error('too late')));
    });
    const asked = request(new URL(dripping.url), { ...open, context: given });
    await expect(asked).rejects.toThrow('too late');
  });

  test('nobody there: nothing can have been done', async () => {
    const server = await startWebServer(() => ({}));
    await server[Symbol.asyncDispose]();
    expect(await failure(server.url, { ...open, method: 'POST' })).toMatchObject({
      ...{ code: 'PV4701', retryable: true, mayHaveActed: false },
    });
  });
});
