/** `planvm:web`: the set of the tools that read pages and search for them. */
import { folderOptions, foldersOf } from '../files/set.ts';
import { pagesLimit } from '../set-limits.ts';
import { limitReader, optionReader, type ToolSet } from '../tool-set.ts';
import { fetchOptionsOf, fetchSetOptions } from './fetch-options.ts';
import { searchSetOptions } from './search/set-options.ts';
import { searchSpecs } from './search/specs.ts';
import { downloadSpec, newsArticleSpec } from './specs.ts';

export const webSet: ToolSet = {
  name: 'web',
  about: 'Pages, PDF files and other texts of the web, and search engines.',
  options: {
    ...fetchSetOptions,
    pages: pagesLimit,
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
      pagesMax: limitReader(this, options, env)('pages'),
      ...(ocr !== '' && { ocr }),
    };
    return [
      downloadHandler(downloadSpec, all),
      downloadHandler(newsArticleSpec, all),
      ...searchHandlers(searchOptionsOf(this, options, env)),
    ];
  },
};
