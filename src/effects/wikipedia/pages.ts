/**
 * What the action API of MediaWiki answers (https://www.mediawiki.org/wiki/API:Main_page, format
 * version 2), read into what `Search` needs of it. Pure.
 */
import { EffectFailure, refusal } from '../../engine/handler.ts';
import { type Data, dataOf, rowsOf } from '../foreign-json.ts';

export interface Page {
  readonly title: string;
  /** Empty where there is no text. */
  readonly extract: string;
  readonly url: string;
  readonly revision: number | undefined;
  /** The title that leads to this one. */
  readonly redirectedFrom: string | undefined;
  readonly isDisambiguation: boolean;
  /** Titles that it links to. */
  readonly links: readonly string[];
}

export interface Hits {
  readonly titles: readonly string[];
  /** How the words may have been meant. */
  readonly suggestion: string | undefined;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** Errors that pass by themselves. */
const passing: ReadonlySet<string> = new Set(['maxlag', 'ratelimited', 'readonly', 'timeout']);

/** The `query` of an answer. Throws `EffectFailure` PV4702 to PV4704 for an error in its place. */
export function queryIn(answer: unknown): Data {
  const { error, query } = dataOf(answer);
  if (error !== undefined) {
    const { code, info } = dataOf(error);
    const name = textOf(code) ?? 'error';
    const isPassing = passing.has(name) || name.startsWith('internal_api_error');
    const message = `Wikipedia answers ${name}: ${textOf(info) ?? ''}`;
    throw new EffectFailure(isPassing ? 'PV4702' : 'PV4704', message, {
      retryable: isPassing,
      answered: true,
      unavailable: isPassing,
    });
  }
  if (typeof query === 'object' && query !== null) return dataOf(query);
  throw refusal('PV4703', 'Wikipedia answers without a query', {
    hint: 'check that the address is that of an api.php',
  });
}

/** The one page of a query for one title; undefined where there is none. */
export function pageIn(query: Data): Page | undefined {
  const [page] = rowsOf(query.pages);
  const title = textOf(page?.title);
  if (!page || title === undefined || page.missing === true || page.invalid === true) {
    return undefined;
  }
  return {
    title,
    extract: (textOf(page.extract) ?? '').trim(),
    url: textOf(page.canonicalurl) ?? textOf(page.fullurl) ?? '',
    revision: typeof page.lastrevid === 'number' ? page.lastrevid : undefined,
    redirectedFrom: textOf(rowsOf(query.redirects)[0]?.from),
    isDisambiguation: 'disambiguation' in dataOf(page.pageprops),
    links: rowsOf(page.links).flatMap((link) => textOf(link.title) ?? []),
  };
}

export function hitsIn(query: Data): Hits {
  return {
    titles: rowsOf(query.search).flatMap((hit) => textOf(hit.title) ?? []),
    suggestion: textOf(dataOf(query.searchinfo).suggestion),
  };
}

/** The first sentences of a text, as a language divides it. */
export function firstSentences(text: string, count: number, language: string): string {
  const found: string[] = [];
  for (const { segment } of new Intl.Segmenter(language, { granularity: 'sentence' }).segment(
    text.replace(/\s+/g, ' '),
  )) {
    const last = found.at(-1);
    // An initial or a short form ends no sentence: "J. R. R. Tolkien", "St. Louis", "c. 1500".
    if (last !== undefined && /(?:^|[\s(])(?:\p{L}|\p{Lu}\p{Ll}{0,2})\. ?$/u.test(last)) {
      found[found.length - 1] = last + segment;
    } else if (found.length === count) break;
    else found.push(segment);
  }
  return found.join('').trim();
}
