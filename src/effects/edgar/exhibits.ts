/**
 * What else is in a filing, from its index page: a table of files with their types. Reports of what
 * has just happened, 8-K and 6-K, say the most in their exhibits 99. Pure.
 */

export interface Exhibit {
  /** `EX-99.1` */
  readonly type: string;
  readonly title: string;
  /** Path of its file. */
  readonly path: string;
}

/** Files in the order of the page; the form itself is none of them. */
export function exhibitsIn(page: string): readonly Exhibit[] {
  return [...page.matchAll(/<tr\b[^>]*(?:>|$)([\s\S]*?)(?:<\/tr>|$)/gi)].flatMap(([, row = '']) => {
    const cells = [...row.matchAll(/<td\b[^>]*(?:>|$)([\s\S]*?)(?:<\/td>|$)/gi)].map(
      ([, cell = '']) => cell,
    );
    const [, description = '', document = '', type = ''] = cells;
    const [, href = ''] = /href="([^"]+)"/i.exec(document) ?? [];
    const path = href.replace(/^\/ix\?doc=/, '');
    if (!/^EX-/i.test(plain(type)) || !path.startsWith('/Archives/')) return [];
    return [{ type: plain(type), title: plain(description), path }];
  });
}

const plain = (html: string): string =>
  html
    .replace(/<[^>]*(?:>|$)/g, '')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&amp;', '&')
    .trim();

/** Exhibits that are read along with the form, and no others: press releases and the like. */
export const told = ({ type }: Exhibit): boolean => /^EX-99/i.test(type);
