/** The thread that reads a page for `pageText`. */
import { serve } from '../../apart/serve.ts';
import { articleOf, type Described, descriptionOf } from './article.ts';
import { boundedHtml } from './bounds.ts';
import { isElement, type PageDocument, pageParser } from './dom.ts';
import { markdownOf } from './markdown.ts';
import { linksMax, type PageInput, type PageLink, type PageText } from './page.ts';
import { absolute, baseOf, evenTables, makeAddressesAbsolute, replaceFrames } from './tidy.ts';
import { dropUnseen, withoutUnseenCharacters } from './unseen.ts';

/** Larger or deeper pages are not searched for their content: each element costs a lot there. */
const searchedMax = { characters: 1_500_000, elements: 20_000, depth: 150 };
/** Content that is less than this part of the page, and short, is probably not all of it. */
const least = { part: 0.15, characters: 400 };

serve<PageInput>(read);

async function read({ html: all, url, whole }: PageInput): Promise<PageText> {
  const { html, left } = boundedHtml(all);
  const documentOf = await pageParser();
  const document = documentOf(html);
  const base = baseOf(document, url);
  const refresh = refreshOf(document, base);
  const scripted = document.querySelector(programs) !== null;
  const hidden = dropUnseen(document);
  makeAddressesAbsolute(document, base);
  const frames = replaceFrames(document, base);
  evenTables(document);
  const links = linksOf(document);
  const described = descriptionOf(document);
  // Where a page leaves its head out, its title is no part of the text.
  for (const title of [...document.body.querySelectorAll('title')]) title.remove();
  const page = markdownOf(document.body);
  const isSmall = html.length <= searchedMax.characters && isSearched(document);
  // The search changes the document: it comes last.
  const article = whole || !isSmall ? undefined : await articleOf(document, url);
  const content = article && isEnough(article.text, page) ? article.text : undefined;
  return {
    ...clean({ ...described, ...article?.described }),
    text: withoutUnseenCharacters(content ?? page),
    ...{ frames, links, hidden, scripted, whole: content === undefined },
    ...(refresh && { refresh }),
    ...(left !== undefined && { left }),
  };
}

const isEnough = (text: string, page: string): boolean =>
  text.trim() !== '' &&
  (text.length >= least.characters || text.length >= page.length * least.part);

/** What a page says of itself is as long, and as odd, as it likes. */
function clean({ title = '', ...rest }: Described): Described & { readonly title: string } {
  const short = (text: string): string =>
    withoutUnseenCharacters(text).replace(/\s+/g, ' ').trim().slice(0, 300);
  const kept = Object.entries(rest).flatMap(([name, value]) => {
    const text = short(value ?? '');
    return text === '' ? [] : [[name, text]];
  });
  return { title: short(title), ...Object.fromEntries(kept) };
}

/** `<meta http-equiv="refresh" content="0; url=…">` */
const programs =
  'script[src], script:not([type]), script[type="module"], script[type*="javascript"]';

function refreshOf(document: PageDocument, base: string): PageText['refresh'] {
  for (const one of document.querySelectorAll('meta[http-equiv]')) {
    if (one.getAttribute('http-equiv')?.toLowerCase() !== 'refresh') continue;
    if (one.parentElement?.localName === 'noscript') continue;
    const content = one.getAttribute('content') ?? '';
    const [, seconds = '', given = ''] =
      /^\s*([\d.]+)\s*[;,]\s*(?:url\s*=\s*)?(.*)$/is.exec(content) ?? [];
    const url = given === '' ? undefined : absolute(given.replace(/^['"]|['"]\s*$/g, ''), base);
    if (url?.startsWith('http')) return { url, seconds: Number(seconds) };
  }
  return undefined;
}

function linksOf(document: PageDocument): PageLink[] {
  const found = new Map<string, string>();
  for (const one of document.querySelectorAll('a[href]')) {
    const url = one.getAttribute('href') ?? '';
    const text = withoutUnseenCharacters(one.textContent ?? '')
      .replace(/\s+/g, ' ')
      .trim();
    if (text !== '' && !found.has(url)) found.set(url, text.slice(0, 200));
    if (found.size >= linksMax) break;
  }
  return [...found].map(([url, text]) => ({ text, url }));
}

function isSearched(document: PageDocument): boolean {
  let [depth, elements] = [0, 0];
  let open = [document.body];
  while (open.length > 0) {
    elements += open.length;
    if (++depth > searchedMax.depth || elements > searchedMax.elements) return false;
    open = open.flatMap((one) => [...one.childNodes].filter(isElement));
  }
  return true;
}
