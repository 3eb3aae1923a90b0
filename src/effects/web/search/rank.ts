/**
 * One list of what several engines have found: each page once, best first. How well its words fit
 * counts together with the places that the engines gave it.
 */
import { byWords, fused } from '../../retrieve/ranking.ts';
import type { Result } from './engine.ts';

/** `wanted` is the query, with what its results are for. `lists` are in their engines' order. */
export function ranked(lists: readonly (readonly Result[])[], wanted: string): Result[] {
  const pages = new Map<string, Result>();
  for (const result of lists.flat()) {
    const key = pageKey(result.url);
    const known = pages.get(key);
    // The longest snippet says most.
    if (!known || known.snippet.length < result.snippet.length) pages.set(key, result);
  }
  const all = [...pages.values()];
  // The title counts twice.
  const texts = all.map(({ title, snippet }) => `${title} ${title} ${snippet}`);
  const places = lists.map((list) => list.flatMap(({ url }) => pages.get(pageKey(url)) ?? []));
  const words = byWords(texts, wanted).flatMap((index) => all[index] ?? []);
  return fused([...places, words]).map(({ item }) => item);
}

/** A page goes by several addresses: with www, marks of campaigns, a place within it. */
export function pageKey(given: string): string {
  const url = new URL(given);
  url.hash = '';
  for (const name of [...url.searchParams.keys()]) {
    if (/^(utm_|fbclid$|gclid$|msclkid$|mc_[ce]id$|ref$)/.test(name)) url.searchParams.delete(name);
  }
  url.searchParams.sort();
  const host = url.host.replace(/^(www|m|amp)\./, '');
  return `${host}${url.pathname.replace(/\/(index\.html?)?$/, '')}${url.search}`;
}
