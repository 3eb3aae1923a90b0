/** The list of companies and their symbols, `company_tickers.json`, and how one is found in it. */
import { refusal } from '../../engine/handler.ts';
import { nearest } from '../../program/diagnostic.ts';
import { dataOf } from '../foreign-json.ts';

export interface Company {
  readonly cik: number;
  /** Empty where only the number is known. */
  readonly symbol: string;
  readonly name: string;
}

export const companiesPath = '/files/company_tickers.json';

/** `{"0": {"cik_str": 320193, "ticker": "AAPL", "title": "Apple Inc."}, …}` */
export const companiesIn = (answer: unknown): readonly Company[] =>
  Object.values(dataOf(answer)).flatMap((one) => {
    const { cik_str: cik, ticker, title } = dataOf(one);
    if (typeof cik !== 'number' || typeof ticker !== 'string') return [];
    return [{ cik, symbol: ticker, name: String(title) }];
  });

/** A number that needs no list: `320193`, `CIK0000320193`. */
export function numberedCompany(given: string): Company | undefined {
  const [, digits = ''] = /^(?:CIK)?0*([1-9]\d{0,9})$/i.exec(given.trim()) ?? [];
  return digits === '' ? undefined : { cik: Number(digits), symbol: '', name: '' };
}

/** Classes of shares stand behind a hyphen: BRK.B is BRK-B. Throws `EffectFailure` PV4761. */
export function companyOf(given: string, companies: readonly Company[]): Company {
  const symbol = given.trim().toUpperCase().replace(/[./ ]/g, '-');
  const found = companies.find((one) => one.symbol === symbol);
  if (found) return found;
  const near = nearCompanies(given.trim(), symbol, companies);
  const listed = near.map((one) => `${one.symbol} (${one.name})`).join(', ');
  throw refusal('PV4761', `EDGAR knows no company ${given.trim().slice(0, 40)}`, {
    hint: listed === '' ? 'look up its symbol, or give its number: CIK…' : `near: ${listed}`,
  });
}

const nearMax = 5;

/** Those whose name begins with the words come first, then the nearest symbol. */
function nearCompanies(
  given: string,
  symbol: string,
  companies: readonly Company[],
): readonly Company[] {
  const words = given.toLowerCase();
  const named = companies.filter(({ name }) => name.toLowerCase().startsWith(words));
  const near = nearest(
    symbol,
    companies.map((one) => one.symbol),
  );
  const spelt = companies.filter((one) => one.symbol === near);
  return [...new Set([...named.slice(0, nearMax - 1), ...spelt])].slice(0, nearMax);
}
