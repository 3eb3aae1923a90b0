/**
 * `get_stock_price` and `get_market_capitalization`, by whichever provider there is. A price is
 * never silently that of another day: the day it is of is a field, and a step back is a warning.
 */
import {
  type AttemptContext,
  type EffectFailure,
  type Handler,
  refusal,
} from '../../engine/handler.ts';
import { isDay } from '../calendar-day.ts';
import { dayIn, type Provider } from './provider.ts';
import { type MarketOptions, open, type Service } from './service.ts';
import { capitalizationSpec, priceSpec } from './specs.ts';

const dayMs = 86_400_000;
/** No exchange is closed for longer. */
const stepBackDays = 14;

export const marketHandlers = (options: MarketOptions): Handler[] => [
  {
    spec: priceSpec,
    async perform(args, context) {
      const symbol = symbolOf(args.symbol);
      const given = typeof args.date === 'string' ? args.date.trim() : '';
      if (given === '') return await latestPrice(symbol, options, context);
      return await priceOf(symbol, dayOf(given), options, context);
    },
  },
  {
    spec: capitalizationSpec,
    async perform(args, context) {
      const symbol = symbolOf(args.symbol);
      const service = open(options, context);
      const { provider, ask } = service;
      if (!provider.capitalization) throw without(provider);
      const found = await provider.capitalization(symbol, ask);
      if (!found) throw await unknown(symbol, service);
      const { name, amount, currency } = found;
      const origin = service.origin(`${symbol}: market capitalization`);
      return { symbol, name, marketCapitalization: amount, currency, ...origin };
    },
  },
];

async function latestPrice(
  symbol: string,
  options: MarketOptions,
  context: AttemptContext,
): Promise<object> {
  const service = open(options, context);
  const quote = await service.provider.latest(symbol, service.ask);
  if (!quote) throw await unknown(symbol, service);
  const { price, currency, date, at } = quote;
  return {
    ...{ symbol, price, currency, date },
    ...(at !== undefined && { time: new Date(at).toISOString() }),
    ...{ kind: 'last', requestedDate: null, previousTradingDay: false, adjustedFor: null },
    ...service.origin(`${symbol}: price`),
  };
}

async function priceOf(
  symbol: string,
  day: string,
  options: MarketOptions,
  context: AttemptContext,
): Promise<object> {
  const service = open(options, context);
  const from = new Date(Date.parse(day) - stepBackDays * dayMs).toISOString().slice(0, 10);
  const series = await service.provider.series(symbol, from, day, service.ask);
  if (!series) throw await unknown(symbol, service);
  const { currency, zone } = series;
  const found = series.closes.findLast(({ date }) => date <= day);
  if (!found || found.date < from) throw untraded(symbol, day, service.provider);
  const { date, price } = found;
  const previousTradingDay = date !== day;
  if (previousTradingDay) {
    context.warn(`${symbol} was not traded on ${day}: the price is that of ${date}`);
  }
  const origin = service.origin(`${symbol}: price of ${date}`);
  const kind = date === dayIn(zone, origin.fetchedAt) ? 'last' : 'close';
  const asked = { requestedDate: day, previousTradingDay };
  return { symbol, price, currency, date, kind, ...asked, adjustedFor: 'splits', ...origin };
}

function symbolOf(given: unknown): string {
  const symbol = String(given).trim().toUpperCase();
  if (/^[A-Z0-9^][A-Z0-9.^=-]{0,19}$/.test(symbol)) return symbol;
  throw refusal('PV4771', `got ${symbol.slice(0, 40)}, want a symbol such as AAPL`, {
    hint: 'look up the symbol of the company first',
  });
}

function dayOf(given: string): string {
  const [day = ''] = given.split(/[T ]/);
  if (!isDay(day)) {
    throw wrongDay(`date: got ${given.slice(0, 40)}, want a day such as 2024-05-10`);
  }
  // Somewhere it is tomorrow already.
  if (Date.parse(`${day}T00:00:00Z`) <= Date.now() + dayMs) return day;
  throw wrongDay(`date: ${day} is in the future`, 'leave the date out for the latest price');
}

const wrongDay = (message: string, hint?: string): EffectFailure =>
  refusal('PV4772', message, { hint });

const without = ({ title }: Provider): EffectFailure =>
  refusal('PV4774', `${title} has no market capitalization`, {
    hint:
      'set FINNHUB_API_KEY (finnhub.io); a server of your own needs none: ' +
      'planvm:market?provider=finnhub&url=…',
  });

const untraded = (symbol: string, day: string, { title }: Provider): EffectFailure =>
  refusal('PV4773', `${title} has no price of ${symbol} in the ${stepBackDays} days to ${day}`, {
    hint: 'it was not listed then, or no more; take another day',
  });

/** With symbols that may have been meant. */
async function unknown(symbol: string, { provider, ask }: Service): Promise<EffectFailure> {
  // The failure to tell of is that of the symbol, whatever comes of this question.
  const found = await provider.similar(symbol, ask).catch(() => []);
  const near = found.filter((one) => one !== symbol).slice(0, 5);
  const hint = near.length === 0 ? 'look up the symbol of the company' : `near: ${near.join(', ')}`;
  return refusal('PV4771', `${provider.title} knows no symbol ${symbol}`, { hint });
}
