/**
 * Alpha Vantage (https://www.alphavantage.co/documentation/): one address, a `function`, and
 * numbers as texts. Every status is 200: limits and mistakes are told in fields of their own,
 * `Note`, `Information` and `Error Message`. Prices are as they were traded, split or not.
 */
import { EffectFailure, refusal } from '../../../engine/handler.ts';
import { type Data, dataOf, listOf } from '../../foreign-json.ts';
import { type Ask, jsonOf, newYork, numberOf, type Provider, textOf } from '../provider.ts';

const title = 'Alpha Vantage';

/** A compact answer holds the last hundred days of trade. */
const compactDays = 120;
const dayMs = 86_400_000;

async function query(parameters: Readonly<Record<string, string>>, ask: Ask): Promise<Data> {
  const answer = jsonOf(await ask('query', parameters), title);
  const note = textOf(answer.Note) ?? textOf(answer.Information);
  if (note !== null) throw noted(note);
  return answer;
}

/** A limit that passes, or something that this key may not have. */
function noted(note: string): EffectFailure {
  const isLimit = /rate limit|call frequency|requests? per (day|minute|second)/i.test(note);
  if (!isLimit) {
    return refusal('PV4774', `${title} says: ${note}`, {
      hint: 'take another provider: planvm:market?provider=yahoo',
    });
  }
  const passes = !/per day/i.test(note);
  return new EffectFailure('PV4702', `${title} is asked too often: ${note}`, {
    ...{ answered: true, retryable: passes, unavailable: true },
    hint: passes ? 'ask less often: limits.callsPerMinute' : 'its limit is for a day',
  });
}

/** Without a suffix a symbol is traded in the United States; else the service is asked. */
async function currencyOf(symbol: string, ask: Ask): Promise<string | null> {
  if (!symbol.includes('.')) return 'USD';
  const found = await matches(symbol, ask);
  const same = found.find((one) => textOf(one['1. symbol']) === symbol);
  return textOf(same?.['8. currency']);
}

async function matches(keywords: string, ask: Ask): Promise<readonly Data[]> {
  const found = await query({ function: 'SYMBOL_SEARCH', keywords }, ask);
  return listOf(found.bestMatches).map(dataOf);
}

export const alphaVantage: Provider = {
  name: 'alphavantage',
  title,
  url: 'https://www.alphavantage.co',
  variable: 'ALPHAVANTAGE_API_KEY',
  keyIn: { parameter: 'apikey' },
  async latest(symbol, ask) {
    const answer = await query({ function: 'GLOBAL_QUOTE', symbol }, ask);
    const quote = dataOf(answer['Global Quote']);
    const price = numberOf(quote['05. price']);
    const date = textOf(quote['07. latest trading day']);
    if (price === undefined || date === null) return undefined;
    return { price, currency: await currencyOf(symbol, ask), date };
  },
  async series(symbol, from, _to, ask) {
    const isRecent = Date.parse(from) > Date.now() - compactDays * dayMs;
    const outputsize = isRecent ? 'compact' : 'full';
    const answer = await query({ function: 'TIME_SERIES_DAILY', symbol, outputsize }, ask);
    if (textOf(answer['Error Message']) !== null) return undefined;
    const zone = textOf(dataOf(answer['Meta Data'])['5. Time Zone']);
    const days = Object.entries(dataOf(answer['Time Series (Daily)']));
    const closes = days.flatMap(([date, day]) => {
      const price = numberOf(dataOf(day)['4. close']);
      return price === undefined ? [] : [{ date, price }];
    });
    closes.sort((one, other) => (one.date < other.date ? -1 : 1));
    return {
      currency: await currencyOf(symbol, ask),
      closes,
      adjustedFor: 'nothing',
      zone: zone === null || zone === 'US/Eastern' ? newYork : zone,
    };
  },
  async capitalization(symbol, ask) {
    const about = await query({ function: 'OVERVIEW', symbol }, ask);
    const amount = numberOf(about.MarketCapitalization);
    if (amount === undefined) return undefined;
    return { name: textOf(about.Name), amount, currency: textOf(about.Currency) };
  },
  async similar(words, ask) {
    const found = await matches(words, ask);
    return found.flatMap((one) => textOf(one['1. symbol']) ?? []);
  },
};
