/** `planvm:linkedin`: profiles of people, with the session of the user. */
import { browserOptionsOf, browserSetOptions } from '../browser/set.ts';
import type { ToolSet } from '../tool-set.ts';
import { BadToolSet } from '../tool-set-names.ts';
import { searchSetOptions } from '../web/search/set-options.ts';
import { linkedInSpecs } from './specs.ts';

export const linkedInSet: ToolSet = {
  name: 'linkedin',
  about:
    'search_linkedin_profile by a search engine, get_linkedin_profile by a browser with a ' +
    'session of your own.',
  options: {
    url: {
      about: 'Where LinkedIn is.',
      variable: 'PLANVM_LINKEDIN_URL',
      default: 'https://www.linkedin.com',
    },
    results: {
      about: 'Profiles that one search returns.',
      default: '10',
      limit: { unit: 'profiles', most: 50 },
    },
    ...browserSetOptions,
    ...searchSetOptions,
  },
  specs: linkedInSpecs,
  async open(read) {
    const { linkedInHandlers } = await import('./handlers.ts');
    const { searchHandlers } = await import('../web/search/search.ts');
    const { searchOptionsOf } = await import('../web/search/options.ts');
    const [search] = searchHandlers(searchOptionsOf(read));
    if (!search) throw new BadToolSet('planvm:linkedin: nothing searches the web');
    return linkedInHandlers({
      ...{ base: read.address('url'), search, browser: browserOptionsOf(read) },
      resultsMax: read.limit('results'),
    });
  },
};
