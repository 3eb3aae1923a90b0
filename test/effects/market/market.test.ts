/** Prices and what companies are worth, from providers that each speak their own format. */
import { describe, expect, test } from 'vitest';
import { marketHandlers } from '../../../src/effects/market/handlers.ts';
import type { ProviderName } from '../../../src/effects/market/provider.ts';
import { EffectFailure } from '../../../src/engine/handler.ts';
import type { Source } from '../../../src/program/effect.ts';
import { attempt } from '../../support/attempt.ts';
import {
  finnhubAnswer,
  key,
  type Provided,
  startMarket,
  yahooAnswer,
} from '../../support/market-server.ts';
import { startWebServer, type WebAnswer } from '../../support/web-server.ts';

const env = { FINNHUB_API_KEY: key };

const all: readonly [ProviderName, Provided][] = [
  ['yahoo', yahooAnswer],
  ['finnhub', finnhubAnswer],
];
const answers = new Map(all);

interface Called {
  readonly result: Record<string, unknown>;
  readonly warnings: readonly string[];
  readonly sources: readonly Source[];
  readonly asked: readonly string[];
}

async function call(
  tool: 'price' | 'capitalization',
  args: Readonly<Record<string, unknown>>,
  provider: ProviderName,
  instead?: Provided,
): Promise<Called> {
  const answer = instead ?? answers.get(provider);
  await using server = await startMarket(answer ?? yahooAnswer);
  const [price, capitalization] = marketHandlers({ env, provider, url: new URL(server.url) });
  const sources: Source[] = [];
  const context = { ...attempt(), source: (source: Source) => void sources.push(source) };
  const handler = tool === 'price' ? price : capitalization;
  const result = await handler?.perform(args, context).catch((thrown: unknown) => thrown);
  return {
    result: result as Record<string, unknown>,
    warnings: context.warnings,
    sources,
    asked: server.requests.map(({ url }) => `${url.pathname}${url.search}`),
  };
}

describe.each(all)('%s', (provider) => {
  test('the close of a day', async () => {
    const { result, warnings, sources } = await call(
      'price',
      { symbol: 'aapl', date: '2024-05-08' },
      provider,
    );
    expect(result).toMatchObject({
      ...{ symbol: 'AAPL', price: 182.74, currency: 'USD', date: '2024-05-08', kind: 'close' },
      ...{
        requestedDate: '2024-05-08',
        previousTradingDay: false,
        adjustedFor: 'splits',
        provider,
      },
    });
    expect(warnings).toEqual([]);
    expect(sources).toEqual([
      {
        url: result.url,
        title: expect.stringContaining('AAPL'),
        fetchedAt: result.fetchedAt,
      },
    ]);
  });

  test.each([
    ['a Sunday', '2024-05-12', '2024-05-10', 183.05],
    ['a day without trade', '2024-05-09', '2024-05-08', 182.74],
  ])('%s has the close before it, and says so', async (_what, date, before, price) => {
    const { result, warnings } = await call('price', { symbol: 'AAPL', date }, provider);
    expect(result).toMatchObject({
      ...{ price, date: before, requestedDate: date, previousTradingDay: true },
    });
    expect(warnings).toEqual([`AAPL was not traded on ${date}: the price is that of ${before}`]);
  });

  test('a day before anything was traded', async () => {
    const { result } = await call('price', { symbol: 'AAPL', date: '1975-01-02' }, provider);
    expect(result).toMatchObject({ code: 'PV4773', answered: true, retryable: false });
  });

  test('a symbol that it does not know', async () => {
    const latest = await call('price', { symbol: 'AAPPL' }, provider);
    const dated = await call('price', { symbol: 'AAPPL', date: '2024-05-08' }, provider);
    for (const { result } of [latest, dated]) {
      expect(result).toBeInstanceOf(EffectFailure);
      expect(result).toMatchObject({ code: 'PV4771', answered: true, retryable: false });
      expect(result.message).toMatch(/knows no symbol AAPPL$/);
    }
    const near = { yahoo: 'AAPL, APLE', finnhub: 'AAPL' };
    expect(latest.result.hint).toContain(`near: ${near[provider]}`);
  });

  test('a page in place of data is a failure', async () => {
    const page: Provided = () => ({ body: '<!doctype html><title>Checking your browser</title>' });
    const { result } = await call('price', { symbol: 'AAPL', date: '2024-05-08' }, provider, page);
    expect(result).toMatchObject({ code: 'PV4703', answered: true });
  });
});

test.each(['yahoo', 'finnhub'] as const)('the latest price of %s', async (name) => {
  const { result } = await call('price', { symbol: 'AAPL', date: null }, name);
  expect(result).toMatchObject({
    ...{ price: 186.28, currency: 'USD', date: '2024-05-13', kind: 'last' },
    ...{ requestedDate: null, previousTradingDay: false, adjustedFor: null },
  });
});

test('a price in pence says so', async () => {
  const { result } = await call('price', { symbol: 'VOD.L', date: '2024-05-08' }, 'yahoo');
  expect(result.currency).toBe('GBp');
});

describe('market capitalization', () => {
  test('in whole units', async () => {
    const { result, sources } = await call('capitalization', { symbol: 'AAPL' }, 'finnhub');
    expect(result).toMatchObject({
      ...{ symbol: 'AAPL', name: 'Apple Inc', currency: 'USD', provider: 'finnhub' },
      marketCapitalization: 2_852_123_500_000,
    });
    expect(sources).toHaveLength(1);
  });

  test('of what is no company', async () => {
    const { result } = await call('capitalization', { symbol: 'NASDAQ' }, 'finnhub');
    expect(result).toMatchObject({ code: 'PV4771' });
  });

  test('a provider without it says which has it', async () => {
    const { result, asked } = await call('capitalization', { symbol: 'AAPL' }, 'yahoo');
    expect(result).toMatchObject({
      code: 'PV4774',
      message: 'Yahoo Finance has no market capitalization',
      hint: expect.stringMatching(/set FINNHUB_API_KEY .*server of your own/),
    });
    expect(asked).toEqual([]);
  });
});

describe('what is refused without asking', () => {
  test.each([
    [{ symbol: 'AAPL', date: 'May 8th' }, 'PV4772', 'date: got May 8th, want a day'],
    [{ symbol: 'AAPL', date: '2024-02-30' }, 'PV4772', 'date: got 2024-02-30, want a day'],
    [{ symbol: 'AAPL', date: '2999-01-01' }, 'PV4772', 'date: 2999-01-01 is in the future'],
    [{ symbol: 'Apple Inc' }, 'PV4771', 'got APPLE INC, want a symbol such as AAPL'],
    [{ symbol: '../v1' }, 'PV4771', 'got ../V1, want a symbol'],
  ])('%j', async (args, code, message) => {
    const { result, asked } = await call('price', args, 'yahoo');
    expect(result).toMatchObject({ code, answered: true, mayHaveActed: false });
    expect(result.message).toContain(message);
    expect(asked).toEqual([]);
  });
});

describe('limits and keys', () => {
  test.each<[string, ProviderName, WebAnswer, object]>([
    [
      'what a key may not have',
      'finnhub',
      { status: 403, body: { error: `${key} has no access to this resource.` } },
      { code: 'PV4774', retryable: false },
    ],
    [
      'too many requests',
      'yahoo',
      { status: 429, headers: { 'retry-after': '3' }, body: 'Too Many Requests' },
      { code: 'PV4702', retryable: true, retryAfterMs: 3000 },
    ],
    ['a fault', 'finnhub', { status: 502, body: key }, { code: 'PV4702', retryable: true }],
  ])('%s', async (_what, provider, answer, failure) => {
    const args = { symbol: 'AAPL', date: '2024-05-08' };
    const { result } = await call('price', args, provider, () => answer);
    expect(result).toMatchObject({ ...failure, answered: true });
    expect(`${result.message} ${result.hint}`).not.toContain(key);
  });

  test('a key is in no address, and in nothing that is told', async () => {
    const { result, sources, asked } = await call('price', { symbol: 'AAPL' }, 'finnhub');
    expect(JSON.stringify([result, sources, asked])).not.toContain(key);
  });

  test('the provider is the first whose key is set, else one that needs none', async () => {
    await using server = await startMarket((request) =>
      request.url.pathname.startsWith('/v8/') ? yahooAnswer(request) : finnhubAnswer(request),
    );
    const url = new URL(server.url);
    const providerOf = async (variables: Readonly<Record<string, string>>): Promise<unknown> => {
      const [price] = marketHandlers({ env: variables, url });
      const found = await price?.perform({ symbol: 'AAPL' }, attempt());
      return (found as Called['result'] | undefined)?.provider;
    };
    expect(await providerOf({})).toBe('yahoo');
    expect(await providerOf({ FINNHUB_API_KEY: key })).toBe('finnhub');
  });

  test('a key that is missing is named', async () => {
    const [price] = marketHandlers({ env: {}, provider: 'finnhub' });
    await expect(price?.perform({ symbol: 'AAPL' }, attempt())).rejects.toMatchObject({
      code: 'PV4770',
      message: 'Finnhub needs a key, and FINNHUB_API_KEY is not set',
      mayHaveActed: false,
    });
  });

  test("a server of one's own needs none, and is sent none", async () => {
    await using server = await startWebServer(({ url }) =>
      url.pathname.endsWith('/stock/profile2')
        ? { body: { name: 'Apple', marketCapitalization: 2_800_000, currency: 'USD' } }
        : { status: 404 },
    );
    const options = { env: {}, provider: 'finnhub', url: new URL(server.url) } as const;
    const [, capitalization] = marketHandlers(options);
    expect(await capitalization?.perform({ symbol: 'AAPL' }, attempt())).toMatchObject({
      ...{ name: 'Apple', marketCapitalization: 2_800_000_000_000, provider: 'finnhub' },
    });
    expect(server.requests.some(({ headers }) => 'x-finnhub-token' in headers)).toBe(false);
  });
});
