/** What a search engine is to `search`: one question, and its results in one shape. */
import type { AttemptContext } from '../../../engine/handler.ts';
import { withoutUnseenCharacters } from '../page/unseen.ts';

export interface Query {
  readonly text: string;
  /** How many results are wanted; engines give as many as they do. */
  readonly count: number;
  readonly about: 'web' | 'news';
}

export interface Result {
  readonly url: string;
  readonly title: string;
  readonly snippet: string;
  readonly engine: EngineName;
  /** As the engine writes it: a date, or "3 hours ago". */
  readonly published?: string;
}

export type EngineName = 'serpapi' | 'brave' | 'tavily' | 'searxng' | 'hacker-news';

export interface Engine {
  readonly name: EngineName;
  /** Throws `EffectFailure` PV4701 to PV4704. */
  find(query: Query, context: AttemptContext): Promise<Result[]>;
}

/** Longest title and snippet, in characters. */
const charactersMax = { title: 300, snippet: 2000 };

/** A result as an engine gives it. */
export type Found = Readonly<Record<'url' | 'title' | 'snippet' | 'published', unknown>>;

/** Undefined for one that leads to no page. */
export function resultOf(engine: EngineName, given: Found): Result | undefined {
  const url = typeof given.url === 'string' ? URL.parse(given.url) : null;
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  const published = plain(given.published, 100);
  return {
    ...{ url: url.href, engine },
    title: plain(given.title, charactersMax.title),
    snippet: plain(given.snippet, charactersMax.snippet),
    ...(published !== '' && { published }),
  };
}

/** Engines mark the words that were found, and write as in HTML. */
function plain(given: unknown, charactersMax: number): string {
  if (typeof given !== 'string') return '';
  // What is cut here is far beyond what is shown.
  const text = given
    .slice(0, 10 * charactersMax)
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replace(/&(amp|lt|gt|quot|nbsp|#0*39|#x0*27|apos);/gi, (whole, name: string) => {
      return entities[name.toLowerCase().replace(/^#x?0*/, '#')] ?? whole;
    });
  const one = withoutUnseenCharacters(text).replace(/\s+/g, ' ').trim();
  return one.length > charactersMax ? `${one.slice(0, charactersMax - 1)}…` : one;
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: ' ',
  apos: "'",
  '#39': "'",
  '#27': "'",
};
