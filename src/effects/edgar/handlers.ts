/** The tools of EDGAR: from a symbol to a company, to its filings, to the text of one of them. */
import {
  type AttemptContext,
  type EffectFailure,
  type Handler,
  refusal,
} from '../../engine/handler.ts';
import { isDay } from '../calendar-day.ts';
import { type Client, type EdgarOptions, edgarClient } from './client.ts';
import {
  type Company,
  companiesIn,
  companiesPath,
  companyOf,
  numberedCompany,
} from './companies.ts';
import {
  filingsIn,
  isForm,
  noSuchForm,
  type Submissions,
  sameForm,
  submissionsIn,
  submissionsPath,
} from './filings.ts';
import { type Found, reportOf } from './report.ts';
import { latestSpec, reportSpec } from './specs.ts';

/** How long the list of companies is kept, in milliseconds. */
const companiesMs = 3_600_000;

export function edgarHandlers(options: EdgarOptions): Handler[] {
  const find = finder(options);
  return [
    {
      spec: latestSpec,
      async perform(args, context) {
        const known = await find(args.symbol, context);
        const found = await filingOf(known, formOf(args.form), '');
        return await reportOf(known.client, found, args, context);
      },
    },
    {
      spec: reportSpec,
      async perform(args, context) {
        const until = dayOf(args.date);
        const known = await find(args.symbol, context);
        const found = await filingOf(known, formOf(args.form_type), until);
        return await reportOf(known.client, found, args, context);
      },
    },
  ];
}

interface Known {
  readonly client: Client;
  readonly company: Company;
  readonly submissions: Submissions;
  /** Lists of older filings that are looked through, in order. */
  readonly older: readonly string[];
}

/** Keeps the list of companies for a while: it is large, and everybody needs it. */
function finder(
  options: EdgarOptions,
): (symbol: unknown, context: AttemptContext) => Promise<Known> {
  let kept: { readonly companies: readonly Company[]; readonly until: number } | undefined;
  return async (given, context) => {
    const client = edgarClient(options, context);
    let named = numberedCompany(String(given));
    if (!named) {
      if (!kept || kept.until < Date.now()) {
        const companies = companiesIn(await client.json(companiesPath));
        kept = { companies, until: Date.now() + companiesMs };
      }
      named = companyOf(String(given), kept.companies);
    }
    const submissions = submissionsIn(await client.json(submissionsPath(named.cik)));
    const { symbol: own, cik } = named;
    const symbol = own || (submissions.symbols[0] ?? '');
    const company = { cik, symbol, name: submissions.name || named.name };
    const older = submissions.older.slice(0, options.older);
    return { client, company, submissions, older };
  };
}

/** The newest of a form, until a day where one is given. Throws `EffectFailure` PV4762. */
async function filingOf(at: Known, form: string, until: string): Promise<Found> {
  const { client, company, submissions, older } = at;
  let known = submissions.filings;
  for (const path of [undefined, ...older]) {
    if (path !== undefined) known = [...known, ...filingsIn(await client.json(path))];
    const filing = known.find(
      (one) => sameForm(one.form, form) && (until === '' || one.filingDate <= until),
    );
    if (!filing) continue;
    const amendments = known.filter(
      (one) =>
        sameForm(one.form, `${filing.form}/A`) &&
        one.filingDate >= filing.filingDate &&
        one.reportDate === filing.reportDate,
    );
    return { company, filing, amendments };
  }
  const unread = submissions.older.length - older.length;
  throw noSuchForm(form, company.name, known, { until, unread });
}

function formOf(given: unknown): string {
  const form = String(given).trim();
  if (isForm(form)) return form;
  throw wrong(`got the form ${form.slice(0, 40)}, want one such as 10-K`);
}

function dayOf(given: unknown): string {
  const [day = ''] = String(given).trim().split(/[T ]/);
  if (isDay(day)) return day;
  throw wrong(`date: got ${String(given).slice(0, 40)}, want a day such as 2024-05-10`);
}

const wrong = (message: string): EffectFailure => refusal('PV4762', message);
