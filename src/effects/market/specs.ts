/** The declarations of the tools of market data, apart from what performs them. */
import { type JsonSchema, type ToolSpec, toolSpec } from '../../program/effect.ts';
import { closed, flag, integer, optional, record, text } from '../tool/fields.ts';

const symbol: JsonSchema = text(
  'A symbol of a company such as AAPL; with the suffix of the exchange elsewhere.',
  { minLength: 1, maxLength: 20 },
);

const origin = {
  provider: text(),
  url: optional(text()),
  fetchedAt: optional(integer('Epoch milliseconds.')),
};

const common = {
  kind: 'retrieve',
  effect: 'read',
  limits: { timeoutMs: 30_000, concurrency: 4, callsPerMinute: 60 },
  keys: ['FINNHUB_API_KEY'],
} as const;

export const priceSpec: ToolSpec = toolSpec({
  name: 'get_stock_price',
  aliases: ['MarketHelpers.get_stock_price'],
  description:
    'Returns the price of a stock, of now or at the close of a day. Of a day without trade it ' +
    'returns the close of the day of trade before, in `date`, and says so in previousTradingDay.',
  ...common,
  parameters: closed({
    symbol,
    date: optional({
      type: ['string', 'null'],
      description: 'The day, YYYY-MM-DD; null or absent for the latest price.',
    }),
  }),
  returns: record({
    symbol: text(),
    price: { type: 'number' },
    currency: {
      type: ['string', 'null'],
      description: 'USD; GBp are hundredths of a pound. Null where nobody says it.',
    },
    date: text('The day of trade that the price is of.'),
    kind: { enum: ['close', 'last'], description: 'last: the day was not over.' },
    requestedDate: optional({ type: ['string', 'null'] }),
    previousTradingDay: flag('Whether date is before requestedDate.'),
    adjustedFor: optional({
      enum: ['splits', null],
      description: 'What old prices are corrected for; null for the latest one.',
    }),
    ...origin,
  }),
});

export const capitalizationSpec: ToolSpec = toolSpec({
  name: 'get_market_capitalization',
  aliases: [
    'MarketHelpers.get_market_capitalization',
    'get_current_market_capitalization',
    'MarketHelpers.get_current_market_capitalization',
  ],
  description: 'Returns what all shares of a company are worth now. FINNHUB_API_KEY has to be set.',
  ...common,
  parameters: closed({ symbol }),
  returns: record({
    symbol: text(),
    name: optional({ type: ['string', 'null'] }),
    marketCapitalization: { type: 'number', description: 'In whole units of the currency.' },
    currency: { type: ['string', 'null'] },
    ...origin,
  }),
});

export const marketSpecs: readonly ToolSpec[] = [priceSpec, capitalizationSpec];
