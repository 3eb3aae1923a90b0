/** A filing that was found, and how it is told. */
import type { Client } from './client.ts';
import type { Company } from './companies.ts';
import { documentPath, type Filing, indexPath } from './filings.ts';

export interface Found {
  readonly company: Company;
  readonly filing: Filing;
  /** Of the same time, filed later. */
  readonly amendments: readonly Filing[];
}

export function shownFiling(filing: Filing, cik: number, client: Client): Record<string, unknown> {
  const { form, accessionNumber, filingDate, reportDate } = filing;
  const url = client.addressOf(documentPath(cik, filing));
  const indexUrl = client.addressOf(indexPath(cik, filing));
  return { form, accessionNumber, filingDate, reportDate, url, indexUrl };
}
