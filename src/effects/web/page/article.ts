/** Finds the content of a page, and what the page says of itself. */
import { importOptional } from '../../optional-package.ts';
import { type PageDocument, packages } from './dom.ts';

export interface Described {
  readonly title?: string;
  readonly author?: string;
  readonly published?: string;
  readonly language?: string;
}

/** Changes the document. Undefined where no content can be found. */
export async function articleOf(
  document: PageDocument,
  url: string,
): Promise<{ readonly text: string; readonly described: Described } | undefined> {
  const { Defuddle } = await importOptional<typeof import('defuddle/node')>(
    packages,
    'defuddle/node',
  );
  try {
    const found = await Defuddle(document as never, url, {
      markdown: true,
      // It would fetch on its own, past every rule of what may be reached.
      useAsync: false,
      fetch: () => Promise.reject(new Error('nothing is fetched here')),
    });
    const { content, title, author, published, language } = found;
    const given = { title, author, published, language };
    const said = Object.entries(given).filter(([, text]) => text !== '' && text !== undefined);
    return { text: content.trim(), described: Object.fromEntries(said) };
  } catch {
    // It stumbles over a page now and then: the whole page is read in its place.
    return undefined;
  }
}

export function descriptionOf(document: PageDocument): Described {
  const title =
    document.querySelector('title')?.textContent ??
    document.querySelector('meta[property="og:title"]')?.getAttribute('content') ??
    document.querySelector('h1')?.textContent ??
    '';
  const language = document.documentElement?.getAttribute('lang') ?? '';
  return { title, language };
}
