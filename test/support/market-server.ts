/**
 * Providers of market data on the loopback interface, each in its own format: two weeks of one stock
 * on two exchanges, with a weekend and a day without trade.
 */
import { type Served, startWebServer, type WebAnswer, type WebServer } from './web-server.ts';

/** Days of trade; 2024-05-09 is none, 11 and 12 are a weekend. */
const closes: Readonly<Record<string, number>> = {
  '2024-05-06': 181.71,
  '2024-05-07': 182.4,
  '2024-05-08': 182.74,
  '2024-05-10': 183.05,
  '2024-05-13': 186.28,
};
/** Midday of the last of them in New York. */
const now = Date.UTC(2024, 4, 13, 16, 30) / 1000;

const known = (symbol: string | null): boolean => /^(AAPL|VOD\.L)$/.test(`${symbol}`);

const secondsAt = (day: string, hour: number): number => Date.parse(day) / 1000 + hour * 3600;

export const key = 'demo-key-4711-Abc';

/** Yahoo's chart: bars stand at the opening of the exchange. */
export function yahooAnswer({ url }: Served): WebAnswer {
  if (url.pathname === '/v1/finance/search') {
    return { body: { quotes: [{ symbol: 'AAPL', shortname: 'Apple Inc.' }, { symbol: 'APLE' }] } };
  }
  const [, symbol = ''] = /^\/v8\/finance\/chart\/(.+)$/.exec(url.pathname) ?? [];
  if (!known(symbol)) {
    const error = { code: 'Not Found', description: 'No data found, symbol may be delisted' };
    return { status: 404, body: { chart: { result: null, error } } };
  }
  const [from, to] = ['period1', 'period2'].map((name) => Number(url.searchParams.get(name)));
  const isRange = url.searchParams.has('range');
  const bars = Object.entries(closes)
    .map(([day, close]) => ({ at: secondsAt(day, 13.5), close }))
    .filter(({ at }) => isRange || (at >= Number(from) && at <= Number(to)));
  const meta = {
    ...{ currency: symbol === 'AAPL' ? 'USD' : 'GBp', symbol, exchangeName: 'NMS' },
    exchangeTimezoneName: symbol === 'AAPL' ? 'America/New_York' : 'Europe/London',
    ...{ regularMarketPrice: 186.28, regularMarketTime: now, gmtoffset: -14400 },
  };
  const result = {
    meta,
    // A bar without a trade is null, as Yahoo has it.
    timestamp: [...bars.map(({ at }) => at), secondsAt('2024-05-09', 13.5)],
    indicators: { quote: [{ close: [...bars.map(({ close }) => close), null] }] },
  };
  return { body: { chart: { result: [result], error: null } } };
}

export function finnhubAnswer({ url, headers }: Served): WebAnswer {
  if (headers['x-finnhub-token'] !== key) {
    return { status: 401, body: { error: 'Invalid API key' } };
  }
  const symbol = url.searchParams.get('symbol');
  switch (url.pathname) {
    case '/quote':
      return known(symbol)
        ? { body: { c: 186.28, d: 3.2, h: 187.1, l: 184.6, o: 185.4, pc: 183.05, t: now } }
        : { body: { c: 0, d: null, h: 0, l: 0, o: 0, pc: 0, t: 0 } };
    case '/stock/profile2':
      return known(symbol)
        ? { body: { currency: 'USD', name: 'Apple Inc', marketCapitalization: 2_852_123.5 } }
        : { body: {} };
    case '/stock/candle': {
      if (symbol === 'PAID') {
        return { status: 403, body: { error: "You don't have access to this resource." } };
      }
      const [from, to] = ['from', 'to'].map((name) => Number(url.searchParams.get(name)));
      const bars = Object.entries(closes).filter(
        ([day]) => secondsAt(day, 0) >= Number(from) && secondsAt(day, 0) <= Number(to),
      );
      if (!known(symbol) || bars.length === 0) return { body: { s: 'no_data' } };
      const t = bars.map(([day]) => secondsAt(day, 0));
      return { body: { s: 'ok', t, c: bars.map(([, close]) => close) } };
    }
    case '/search':
      return { body: { count: 1, result: [{ symbol: 'AAPL', description: 'APPLE INC' }] } };
    default:
      return { status: 404, body: 'no such page' };
  }
}

export type Provided = (request: Served) => WebAnswer;

export const startMarket = (answer: Provided): Promise<WebServer> => startWebServer(answer);
