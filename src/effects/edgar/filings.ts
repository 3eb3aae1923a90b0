/**
 * What a company has filed, from `submissions/CIK##########.json`: columns of equal length, the
 * newest first, and files with the same columns for what is older. Pure.
 */
import { type EffectFailure, refusal } from '../../engine/handler.ts';
import { dataOf, listOf } from '../foreign-json.ts';

export interface Filing {
  /** `0000320193-24-000123` */
  readonly accessionNumber: string;
  readonly form: string;
  readonly filingDate: string;
  /** The end of the time that it is about; empty where it has none. */
  readonly reportDate: string;
  /** The name of its main file; empty for old ones, which are one file. */
  readonly document: string;
  readonly description: string;
}

export interface Submissions {
  readonly name: string;
  readonly symbols: readonly string[];
  readonly filings: readonly Filing[];
  /** Paths of files with older ones, the newest first. */
  readonly older: readonly string[];
}

export const submissionsPath = (cik: number): string =>
  `/submissions/CIK${String(cik).padStart(10, '0')}.json`;

export function submissionsIn(answer: unknown): Submissions {
  const { name, tickers, filings } = dataOf(answer);
  const { recent, files } = dataOf(filings);
  return {
    name: String(name ?? ''),
    symbols: listOf(tickers).map(String),
    filings: filingsIn(recent),
    older: listOf(files).map((one) => `/submissions/${String(dataOf(one).name)}`),
  };
}

export function filingsIn(columns: unknown): readonly Filing[] {
  const named = dataOf(columns);
  const column = (name: string): readonly unknown[] => listOf(named[name]);
  const [forms, days, periods] = ['form', 'filingDate', 'reportDate'].map(column);
  const [documents, words] = ['primaryDocument', 'primaryDocDescription'].map(column);
  return column('accessionNumber').map((accession, index) => ({
    accessionNumber: String(accession),
    form: String(forms?.[index] ?? ''),
    filingDate: String(days?.[index] ?? ''),
    reportDate: String(periods?.[index] ?? ''),
    // In a folder of its own stands how a browser shows it, not what was filed.
    document: String(documents?.[index] ?? '').replace(/^xsl[^/]*\//, ''),
    description: String(words?.[index] ?? ''),
  }));
}

/** `10k`, `Form 10-K` and `10-K` are one form; an amendment, `10-K/A`, is another. */
export const sameForm = (one: string, other: string): boolean => plain(one) === plain(other);

const plain = (form: string): string =>
  form
    .toUpperCase()
    .replace(/^FORM\b/, '')
    .replace(/[\s-]/g, '');

export const isForm = (form: string): boolean => /^[A-Z0-9/]{1,16}$/.test(plain(form));

/** What stands in for a form where a company is no American one. */
const foreign: Readonly<Record<string, readonly string[]>> = {
  '10K': ['20-F', '40-F'],
  '10Q': ['6-K'],
  '8K': ['6-K'],
};

/** Where a form was looked for. */
interface Looked {
  /** A day; empty: until today. */
  readonly until: string;
  /** Lists of older filings that were not looked through. */
  readonly unread: number;
}

/** Says which forms there are, the commonest first. */
export function noSuchForm(
  form: string,
  company: string,
  filings: readonly Filing[],
  { until, unread }: Looked,
): EffectFailure {
  const counts = new Map<string, number>();
  for (const one of filings) counts.set(one.form, (counts.get(one.form) ?? 0) + 1);
  const common = [...counts].toSorted(([, one], [, other]) => other - one).slice(0, 12);
  const listed = common.map(([name, count]) => `${name} (${count})`).join(', ');
  const instead = foreign[plain(form)]?.filter((name) => counts.has(name)) ?? [];
  const more =
    unread === 0
      ? ''
      : `; ${unread} older lists were not looked through, planvm:edgar?older= allows more`;
  const hint =
    instead.length > 0
      ? `it files ${instead.join(' and ')} in its place`
      : `it has filed ${listed === '' ? 'nothing' : listed}`;
  const when = until === '' ? '' : ` until ${until}`;
  return refusal('PV4762', `${company} has filed no ${form.toUpperCase()}${when}`, {
    hint: `${hint}${more}`,
  });
}

/** `/Archives/edgar/data/320193/000032019324000123` */
const folderPath = (cik: number, { accessionNumber }: Filing): string =>
  `/Archives/edgar/data/${cik}/${accessionNumber.replaceAll('-', '')}`;

/** Of the main file, or of all files in one where there is none. */
export const documentPath = (cik: number, filing: Filing): string =>
  `${folderPath(cik, filing)}/${filing.document || `${filing.accessionNumber}.txt`}`;

export const indexPath = (cik: number, filing: Filing): string =>
  `${folderPath(cik, filing)}/${filing.accessionNumber}-index.htm`;
