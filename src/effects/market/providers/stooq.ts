/**
 * The CSV files of Stooq, `GET /q/d/l/?s=aapl.us&i=d`: days of trade, without a currency, which the
 * suffix of the symbol tells. Programs may be met by a page in place of the file, which is a
 * failure.
 */
import { type Ask, newYork, numberOf, type Provider, type Series, strange } from '../provider.ts';

const title = 'Stooq';

interface Exchange {
  readonly currency: string;
  readonly zone: string;
}

/** By the suffix of its symbols. Those of London count in pence. */
const exchanges: Readonly<Record<string, Exchange>> = {
  us: { currency: 'USD', zone: newYork },
  uk: { currency: 'GBX', zone: 'Europe/London' },
  de: { currency: 'EUR', zone: 'Europe/Berlin' },
  pl: { currency: 'PLN', zone: 'Europe/Warsaw' },
  hu: { currency: 'HUF', zone: 'Europe/Budapest' },
  jp: { currency: 'JPY', zone: 'Asia/Tokyo' },
  hk: { currency: 'HKD', zone: 'Asia/Hong_Kong' },
};

/** A symbol without a suffix is one of the United States. */
const named = (symbol: string): string => {
  const name = symbol.toLowerCase();
  return /\.[a-z]{2}$/.test(name) ? name : `${name.replaceAll('.', '-')}.us`;
};

async function days(
  symbol: string,
  from: string,
  to: string,
  ask: Ask,
): Promise<Series | undefined> {
  const s = named(symbol);
  const [d1, d2] = [from, to].map((day) => day.replaceAll('-', ''));
  const { text } = await ask('q/d/l/', { s, i: 'd', ...(d1 && d2 && { d1, d2 }) });
  const [head = '', ...lines] = text.trim().split(/\r?\n/);
  if (/^no data/i.test(head)) return undefined;
  const columns = head.split(',');
  const [date, close] = [columns.indexOf('Date'), columns.indexOf('Close')];
  if (date < 0 || close < 0) throw strange(title, `with no table: ${head.slice(0, 80)}`);
  const closes = lines.flatMap((line) => {
    const fields = line.split(',');
    const price = numberOf(fields[close]);
    const day = fields[date];
    return price === undefined || day === undefined ? [] : [{ date: day, price }];
  });
  const exchange = exchanges[s.slice(-2)];
  return {
    currency: exchange?.currency ?? null,
    closes,
    adjustedFor: 'splits and dividends',
    zone: exchange?.zone ?? 'UTC',
  };
}

const dayMs = 86_400_000;

export const stooq: Provider = {
  name: 'stooq',
  title,
  url: 'https://stooq.com',
  async latest(symbol, ask) {
    const [from = '', to = ''] = [Date.now() - 14 * dayMs, Date.now() + dayMs].map((at) =>
      new Date(at).toISOString().slice(0, 10),
    );
    const found = await days(symbol, from, to, ask);
    const last = found?.closes.at(-1);
    return last && { ...last, currency: found?.currency ?? null };
  },
  series: days,
};
