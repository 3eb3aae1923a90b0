/** `planvm:edgar`: what companies have filed with the American SEC. */
import { addressOf, optionReader, type ToolSet } from '../tool-set.ts';
import { edgarSpecs } from './specs.ts';

/** What the SEC allows (https://www.sec.gov/os/accessing-edgar-data), in a second. */
const perSecond = 10;

export const edgarSet: ToolSet = {
  name: 'edgar',
  about:
    'get_latest_form_text, get_report, list_filings: forms that companies have filed with the ' +
    'SEC, which wants a name and an address of mail of who asks (EDGAR_IDENTITY).',
  options: {
    userAgent: {
      about: 'Who asks: Ada Lovelace ada@example.org.',
      variable: 'EDGAR_IDENTITY',
    },
    url: {
      about: 'A mirror of www.sec.gov and data.sec.gov.',
      variable: 'PLANVM_EDGAR_URL',
    },
  },
  specs: edgarSpecs,
  async open(options, env) {
    const { edgarHandlers } = await import('./handlers.ts');
    const value = optionReader(this, options, env);
    const url = value('url');
    return edgarHandlers({
      userAgent: value('userAgent').replace(/[^\x20-\x7e]/g, ''),
      perSecond,
      ...(url !== '' && { url: addressOf('url', url) }),
    });
  },
};
