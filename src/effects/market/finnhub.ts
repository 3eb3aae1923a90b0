/**
 * Finnhub (https://finnhub.io/docs/api): `quote`, `stock/candle`, which free keys do not have, and
 * `stock/profile2`. A symbol that it does not know has zeros and empty objects.
 */
import { type Data, dataOf, listOf } from '../foreign-json.ts';
import { type Ask, dayIn, jsonOf, newYork, numberOf, type Provider, textOf } from './provider.ts';

const title = 'Finnhub';

const profile = async (symbol: string, ask: Ask): Promise<Data> =>
  jsonOf(await ask('stock/profile2', { symbol }), title);

export const finnhub: Provider = {
  name: 'finnhub',
  title,
  url: 'https://finnhub.io/api/v1',
  variable: 'FINNHUB_API_KEY',
  keyHeader: 'x-finnhub-token',
  async latest(symbol, ask) {
    const quote = jsonOf(await ask('quote', { symbol }), title);
    const price = numberOf(quote.c);
    const seconds = numberOf(quote.t);
    if (!price || !seconds) return undefined;
    const { currency } = await profile(symbol, ask);
    const at = seconds * 1000;
    return { price, currency: textOf(currency), date: dayIn(newYork, at), at };
  },
  async series(symbol, from, to, ask) {
    const times = { from: Date.parse(from) / 1000, to: Date.parse(to) / 1000 + 86_399 };
    const candles = jsonOf(
      await ask('stock/candle', {
        ...{ symbol, resolution: 'D', from: String(times.from), to: String(times.to) },
      }),
      title,
    );
    const about = await profile(symbol, ask);
    const prices = listOf(candles.c);
    const closes = listOf(candles.t).flatMap((seconds, index) => {
      const price = numberOf(prices[index]);
      const at = numberOf(seconds);
      if (price === undefined || at === undefined) return [];
      // A candle of a day stands at midnight, UTC.
      return [{ date: new Date(at * 1000).toISOString().slice(0, 10), price }];
    });
    if (closes.length === 0 && Object.keys(about).length === 0) return undefined;
    return { currency: textOf(about.currency), closes, zone: newYork };
  },
  async capitalization(symbol, ask) {
    const { marketCapitalization, currency, name } = await profile(symbol, ask);
    const millions = numberOf(marketCapitalization);
    if (millions === undefined) return undefined;
    const amount = Math.round(millions * 1e6);
    return { name: textOf(name), amount, currency: textOf(currency) };
  },
  async similar(words, ask) {
    const found = jsonOf(await ask('search', { q: words }), title);
    return listOf(found.result).flatMap((one) => textOf(dataOf(one).symbol) ?? []);
  },
};
