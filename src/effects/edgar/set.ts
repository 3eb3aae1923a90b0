/** `planvm:edgar`: what companies have filed with the American SEC. */
import { megabytesLimit } from '../set-limits.ts';
import type { ToolSet } from '../tool-set.ts';
import { edgarSpecs } from './specs.ts';

export const edgarSet: ToolSet = {
  name: 'edgar',
  about:
    'get_latest_form_text, get_report: forms that companies have filed with the SEC, ' +
    'which wants a name and an address of mail of who asks (EDGAR_IDENTITY).',
  options: {
    userAgent: {
      about: 'Who asks: Ada Lovelace ada@example.org.',
      variable: 'EDGAR_IDENTITY',
    },
    url: {
      about: 'A mirror of www.sec.gov and data.sec.gov.',
      variable: 'PLANVM_EDGAR_URL',
    },
    perSecond: {
      about: 'Requests in a second, of all tools together; the SEC allows ten.',
      default: '10',
      limit: { unit: 'requests', most: 10 },
    },
    // Larger files are no filings that anybody reads.
    megabytes: { ...megabytesLimit, default: '96' },
    exhibits: {
      about: 'Exhibits of one filing that are read.',
      default: '8',
      limit: { unit: 'exhibits', most: 100 },
    },
    older: {
      about: 'Lists of older filings, a thousand and more each, that are looked through.',
      default: '12',
      limit: { unit: 'lists', most: 1000 },
    },
  },
  specs: edgarSpecs,
  async open({ text, limit, address }) {
    const { edgarHandlers } = await import('./handlers.ts');
    return edgarHandlers({
      userAgent: text('userAgent').replace(/[^\x20-\x7e]/g, ''),
      ...{ perSecond: limit('perSecond'), exhibits: limit('exhibits') },
      older: limit('older'),
      fileBytes: limit('megabytes') * 2 ** 20,
      ...(text('url') !== '' && { url: address('url') }),
    });
  },
};
