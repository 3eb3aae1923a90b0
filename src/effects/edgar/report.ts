/** What a call is given of a filing: its text or a section of it, and where that is from. */
import type { Arguments, AttemptContext } from '../../engine/handler.ts';
import type { Client } from './client.ts';
import type { Company } from './companies.ts';
import { type Exhibit, exhibitsIn, told } from './exhibits.ts';
import { filingText } from './filing-text.ts';
import { documentPath, type Filing, indexPath } from './filings.ts';
import { sectionOf, sectionsOf } from './sections.ts';
import { charactersDefault } from './specs.ts';

export interface Found {
  readonly company: Company;
  readonly filing: Filing;
  /** Of the same time, filed later. */
  readonly amendments: readonly Filing[];
}

/** Throws `EffectFailure` PV4763, PV4764, and what the client throws. */
export async function reportOf(
  client: Client,
  { company, filing, amendments }: Found,
  args: Arguments,
  context: AttemptContext,
): Promise<Record<string, unknown>> {
  const { cik, symbol, name } = company;
  const file = await client.get(documentPath(cik, filing));
  const main = await filingText(file, context.signal);
  const exhibits = /^(8-K|6-K)/.test(filing.form)
    ? exhibitsIn(new TextDecoder().decode((await client.get(indexPath(cik, filing))).bytes))
    : undefined;
  const more = exhibits && (await exhibitText(client, exhibits, context));
  const sections = sectionsOf(main, filing.form);
  const wanted = typeof args.section === 'string' ? args.section.trim() : '';
  const section = wanted === '' ? undefined : sectionOf(wanted, sections);
  const whole = section ? main.slice(section.start, section.end).trim() : main + (more ?? '');
  const max = Number(args.maxCharacters ?? charactersDefault);
  const truncated = whole.length > max;
  if (truncated) {
    context.warn(`the text of the filing was cut from ${whole.length} to ${max} characters`);
  }
  for (const { form, filingDate } of amendments) {
    context.warn(`there is a later ${form}, filed on ${filingDate}, which changes this one`);
  }
  const title = `${name}: ${filing.form} of ${filing.filingDate}`;
  context.source({ url: file.url.href, title: `EDGAR: ${title}`, fetchedAt: file.fetchedAt });
  return {
    text: truncated ? whole.slice(0, max) : whole,
    ...{ symbol, company: name, cik },
    ...shownFiling(filing, cik, client),
    section: section?.id ?? null,
    sections: sections.map((one) => ({
      ...{ id: one.id, title: one.title, characters: one.end - one.start },
    })),
    ...(exhibits && {
      exhibits: exhibits.map(({ type, title: words, path }) => ({
        ...{ type, title: words, url: client.addressOf(path) },
      })),
    }),
    amendments: amendments.map((one) => shownFiling(one, cik, client)),
    ...{ truncated, fetchedAt: file.fetchedAt },
  };
}

function shownFiling(filing: Filing, cik: number, client: Client): Record<string, unknown> {
  const { form, accessionNumber, filingDate, reportDate } = filing;
  const url = client.addressOf(documentPath(cik, filing));
  const indexUrl = client.addressOf(indexPath(cik, filing));
  return { form, accessionNumber, filingDate, reportDate, url, indexUrl };
}

/** What stands behind the form: each exhibit below a line with its name. */
async function exhibitText(
  client: Client,
  exhibits: readonly Exhibit[],
  context: AttemptContext,
): Promise<string> {
  const readable = exhibits.filter((one) => told(one) && /\.(html?|txt)$/i.test(one.path));
  const left = exhibits.filter(told).length - Math.min(readable.length, client.exhibitsMax);
  if (left > 0) context.warn(`${left} exhibits of the filing were not read`);
  let text = '';
  for (const { type, title, path } of readable.slice(0, client.exhibitsMax)) {
    const file = await client.get(path);
    const { url, fetchedAt } = file;
    context.source({ url: url.href, title: `EDGAR: ${type} ${title}`.trim(), fetchedAt });
    text += `\n\n${type} ${title}`.trimEnd();
    text += `\n\n${await filingText(file, context.signal)}`;
  }
  return text;
}
