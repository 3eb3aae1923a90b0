/** `planvm:web`: the set of the tools that read pages and search for them. */
import { browserOptionsOf, browserSetOptions } from './browser/set.ts';
import { folderOptions, foldersOf } from './files/set.ts';
import { pagesLimit } from './set-limits.ts';
import type { ToolSet } from './tool-set.ts';
import { fetchOptionsOf, fetchSetOptions } from './web/fetch-options.ts';
import { searchSetOptions } from './web/search/set-options.ts';
import { searchSpecs } from './web/search/specs.ts';
import { downloadSpec, newsArticleSpec } from './web/specs.ts';

/** No profile: a page that a program names is never opened with the sessions of a person. */
const { executable, window, sandbox } = browserSetOptions;

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
    ...{ executable, window, sandbox },
    ...searchSetOptions,
    ...folderOptions,
  },
  specs: [downloadSpec, newsArticleSpec, ...searchSpecs],
  async open(read) {
    const { renderer } = await import('./browser/renderer.ts');
    const { downloadHandler } = await import('./web/download.ts');
    const { openFetch } = await import('./web/fetch-page.ts');
    const { searchOptionsOf } = await import('./web/search/options.ts');
    const { searchHandlers } = await import('./web/search/search.ts');
    const fetching = await fetchOptionsOf(read);
    const ocr = read.text('ocr').trim();
    const all = {
      ...{ fetch: openFetch(fetching), fileBytes: fetching.bytesMax },
      render: renderer(browserOptionsOf(read)),
      folders: foldersOf(read),
      pagesMax: read.limit('pages'),
      ...(ocr !== '' && { ocr }),
    };
    return [
      downloadHandler(downloadSpec, all),
      downloadHandler(newsArticleSpec, all),
      ...searchHandlers(searchOptionsOf(read)),
    ];
  },
};
