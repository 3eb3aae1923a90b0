/** `Search`: an article of Wikipedia, or of another wiki that runs MediaWiki, by its title. */
import {
  type AttemptContext,
  type EffectFailure,
  type Handler,
  refusal,
} from '../../engine/handler.ts';
import { defined } from '../foreign-json.ts';
import { addressAt, getJson } from '../web/get-json.ts';
import { firstSentences, type Hits, hitsIn, type Page, pageIn, queryIn } from './pages.ts';
import { searchSpec } from './spec.ts';

export interface WikipediaOptions {
  /** Address of the `api.php`; that of the language where it is absent. */
  readonly url?: URL;
  /** `en`, `fr`. */
  readonly language: string;
  /** How many sentences of an article are returned. */
  readonly sentences: number;
  /** Who asks; Wikimedia wants to know. */
  readonly userAgent: string;
}

/** How many similar titles a failure names. */
const similarMax = 5;

export function searchHandler(options: WikipediaOptions): Handler {
  return {
    spec: searchSpec,
    async perform({ query }, context) {
      const title = String(query).trim();
      const page = await article(title, options, context);
      if (page && !page.isDisambiguation) return resultOf(page, options);
      if (page) throw ambiguous(title, page);
      throw notFound(title, await similar(title, options, context));
    },
  };
}

/** The introduction, or the whole where there is none. Titles have no `|`: it parts several. */
async function article(
  title: string,
  options: WikipediaOptions,
  context: AttemptContext,
): Promise<Page | undefined> {
  if (title === '' || /[|#<>[\]{}]/.test(title)) return undefined;
  const ask = async (intro: boolean): Promise<Page | undefined> => {
    const parameters = {
      prop: 'extracts|info|links|pageprops',
      ...{ titles: title, redirects: '1', explaintext: '1', ...(intro && { exintro: '1' }) },
      ...{ inprop: 'url', ppprop: 'disambiguation', plnamespace: '0', pllimit: '20' },
    };
    return pageIn(await request(parameters, options, context));
  };
  const page = await ask(true);
  return page && page.extract === '' && !page.isDisambiguation ? await ask(false) : page;
}

async function similar(
  title: string,
  options: WikipediaOptions,
  context: AttemptContext,
): Promise<Hits> {
  const parameters = {
    ...{ list: 'search', srsearch: title, srnamespace: '0' },
    ...{ srlimit: String(similarMax), srprop: '', srinfo: 'suggestion' },
  };
  return hitsIn(await request(parameters, options, context));
}

async function request(
  parameters: Readonly<Record<string, string>>,
  { url, language, userAgent }: WikipediaOptions,
  context: AttemptContext,
): Promise<ReturnType<typeof queryIn>> {
  const base = url ?? new URL(`https://${language}.wikipedia.org/w/api.php`);
  const all = { action: 'query', format: 'json', formatversion: '2', ...parameters };
  const address = addressAt(base, '', all);
  const headers = { 'user-agent': userAgent, 'accept-language': language };
  const hint = 'check the network, or the address: planvm:wikipedia?url=https://…/w/api.php';
  const { data } = await getJson(address, { service: 'Wikipedia', context, headers, hint });
  return queryIn(data);
}

/** Where it is from stands beside what it says. */
function resultOf(
  { title, extract, url, revision, redirectedFrom }: Page,
  { sentences, language }: WikipediaOptions,
): Record<string, unknown> {
  const text = firstSentences(extract, sentences, language);
  return defined({ text, title, url, revision, redirectedFrom });
}

const quoted = (titles: readonly string[]): string => titles.map((one) => `"${one}"`).join(', ');

const failure = (code: string, message: string, hint: string): EffectFailure =>
  refusal(code, message, { hint });

function notFound(title: string, { titles, suggestion }: Hits): EffectFailure {
  const meant = suggestion === undefined ? '' : `did you mean ${suggestion}? `;
  const hint = titles.length === 0 ? 'search for something else' : `similar: ${quoted(titles)}`;
  return failure('PV4711', `could not find ${JSON.stringify(title)}`, `${meant}${hint}`);
}

function ambiguous(title: string, { links }: Page): EffectFailure {
  const some = links.slice(0, 2 * similarMax);
  const hint = some.length === 0 ? 'say which one is meant' : `search for one of ${quoted(some)}`;
  return failure('PV4712', `${JSON.stringify(title)} may refer to several articles`, hint);
}
