/** `planvm:web`: the set of the tools that read pages and search for them. */
import { join, resolve } from 'node:path';
import { folderOptions, foldersOf } from '../files/set.ts';
import { type Environment, optionReader, type SetOption, type ToolSet } from '../tool-set.ts';
import type { FetchOptions } from './fetch-page.ts';
import { searchSetOptions } from './search/set-options.ts';
import { searchSpecs } from './search/specs.ts';
import { downloadSpec, newsArticleSpec } from './specs.ts';

/** What a set has that fetches what programs and pages name: `insideOf` reads it. */
export const privateOption: SetOption = {
  about: 'What may be reached that is not public: none; loopback, this machine; all, its networks.',
  variable: 'PLANVM_WEB_PRIVATE',
  default: 'none',
};

export const webSet: ToolSet = {
  name: 'web',
  about: 'Pages, PDF files and other texts of the web, and search engines.',
  options: {
    private: privateOption,
    userAgent: {
      about: 'Who asks, as sites see it.',
      variable: 'PLANVM_USER_AGENT',
      default: 'planvm/0.1',
    },
    robots: {
      about: 'obey: what a site does not want to be fetched is not; ignore, for sites of your own.',
      variable: 'PLANVM_WEB_ROBOTS',
      default: 'obey',
    },
    cache: {
      about: 'Whether answers are kept and used again, as HTTP allows; true or false.',
      variable: 'PLANVM_WEB_CACHE',
      default: 'true',
    },
    megabytes: { about: 'The largest that is fetched, 1 to 256.', default: '32' },
    ocr: {
      about:
        'A program that reads scans, as ocrmypdf does: a PDF file in, one with text, or text, out.',
      variable: 'PLANVM_OCR',
    },
    ...searchSetOptions,
    ...folderOptions,
  },
  specs: [downloadSpec, newsArticleSpec, ...searchSpecs],
  async open(options, env) {
    const { downloadHandler } = await import('./download.ts');
    const { openFetch } = await import('./fetch-page.ts');
    const { searchOptionsOf } = await import('./search/options.ts');
    const { searchHandlers } = await import('./search/search.ts');
    const value = optionReader(this, options, env);
    const fetching = await fetchOptionsOf(this, options, env);
    const ocr = value('ocr').trim();
    const all = {
      ...{ fetch: openFetch(fetching), bytesMax: fetching.bytesMax },
      folders: foldersOf(this, options, env),
      ...(ocr !== '' && { ocr }),
    };
    return [
      downloadHandler(downloadSpec, all),
      downloadHandler(newsArticleSpec, all),
      ...searchHandlers(searchOptionsOf(this, options, env)),
    ];
  },
};

/** How a set fetches, by its options. Throws `BadToolSet`. */
async function fetchOptionsOf(
  set: ToolSet,
  options: Environment,
  env: Environment,
): Promise<FetchOptions> {
  const { openRobots } = await import('./robots.ts');
  const { cacheIn } = await import('./cache.ts');
  const value = optionReader(set, options, env);
  const inside = insideOf(set, options, env);
  const userAgent = value('userAgent', /^[\x20-\x7e]+$/, 'letters of ASCII');
  const isObeying = value('robots', /^(obey|ignore)$/, 'obey or ignore') === 'obey';
  const isKept = value('cache', /^(true|false)$/, 'true or false') === 'true';
  const sized = /^([1-9]\d?|1\d\d|2[0-4]\d|25[0-6])$/;
  const folder = join(resolve(env.PLANVM_HOME ?? '.planvm'), 'cache', 'web');
  return {
    ...{ inside, userAgent },
    bytesMax: Number(value('megabytes', sized, 'a number from 1 to 256')) * 2 ** 20,
    ...(isObeying && { robots: openRobots(userAgent) }),
    ...(isKept && { cache: cacheIn({ folder, inside }) }),
  };
}

/** What a set that has `privateOption` may reach. Throws `BadToolSet`. */
export function insideOf(
  set: ToolSet,
  options: Environment,
  env: Environment,
): 'none' | 'loopback' | 'all' {
  const value = optionReader(set, options, env);
  const given = value('private', /^(none|loopback|all)$/, 'none, loopback or all');
  return given === 'loopback' || given === 'all' ? given : 'none';
}
