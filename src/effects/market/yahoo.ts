/**
 * The chart interface of Yahoo Finance, which needs no key: `GET /v8/finance/chart/SYMBOL`. It
 * names currency and time zone, and corrects prices for splits. It has no capitalization without a
 * session of its own.
 */
import { type Data, dataOf, listOf } from '../foreign-json.ts';
import {
  type Ask,
  dayIn,
  jsonOf,
  newYork,
  numberOf,
  type Provider,
  strange,
  textOf,
} from './provider.ts';

const title = 'Yahoo Finance';
const daySeconds = 86_400;

/** The one result of a chart; undefined where the symbol is unknown. */
async function chart(
  symbol: string,
  parameters: Readonly<Record<string, string>>,
  ask: Ask,
): Promise<Data | undefined> {
  const path = `v8/finance/chart/${encodeURIComponent(symbol)}`;
  const answer = dataOf(jsonOf(await ask(path, parameters, [404]), title).chart);
  const [result] = listOf(answer.result);
  if (result !== undefined) return dataOf(result);
  const { code, description } = dataOf(answer.error);
  if (code === 'Not Found') return undefined;
  throw strange(title, textOf(description) ?? 'without a result');
}

export const yahoo: Provider = {
  name: 'yahoo',
  title,
  url: 'https://query1.finance.yahoo.com',
  async latest(symbol, ask) {
    const found = await chart(symbol, { range: '1d', interval: '1d' }, ask);
    if (!found) return undefined;
    const meta = dataOf(found.meta);
    const price = numberOf(meta.regularMarketPrice);
    const seconds = numberOf(meta.regularMarketTime);
    if (price === undefined || seconds === undefined) throw strange(title, 'without a price');
    const at = seconds * 1000;
    return { price, currency: textOf(meta.currency), date: dayIn(zoneOf(meta), at), at };
  },
  async series(symbol, from, to, ask) {
    const found = await chart(
      symbol,
      {
        period1: String(Date.parse(from) / 1000),
        // Exchanges east of Greenwich open a day that ends west of it: one more, never one less.
        period2: String(Date.parse(to) / 1000 + 2 * daySeconds),
        interval: '1d',
      },
      ask,
    );
    if (!found) return undefined;
    const meta = dataOf(found.meta);
    const zone = zoneOf(meta);
    const [quote] = listOf(dataOf(found.indicators).quote);
    const prices = listOf(dataOf(quote).close);
    const closes = listOf(found.timestamp).flatMap((seconds, index) => {
      const price = numberOf(prices[index]);
      const at = numberOf(seconds);
      // A day on which nothing was traded has null.
      if (price === undefined || at === undefined) return [];
      return [{ date: dayIn(zone, at * 1000), price }];
    });
    return { currency: textOf(meta.currency), closes, zone };
  },
  async similar(words, ask) {
    const found = jsonOf(await ask('v1/finance/search', { q: words, newsCount: '0' }), title);
    return listOf(found.quotes).flatMap((one) => textOf(dataOf(one).symbol) ?? []);
  },
};

const zoneOf = (meta: Data): string => textOf(meta.exchangeTimezoneName) ?? newYork;
