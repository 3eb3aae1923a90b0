/**
 * One list of what several engines have found: each page once, best first. How well its words fit
 * (BM25) counts together with the places that the engines gave it (reciprocal rank). Pure.
 */
import { wordsOf } from '../../retrieve/words.ts';
import type { Result } from './engine.ts';

/** The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009). */
const fusionRank = 60;
/** The constants of BM25 (Robertson and Zaragoza 2009). */
const saturation = 1.2;
const lengthWeight = 0.75;

/** `wanted` is the query, with what its results are for. `lists` are in their engines' order. */
export function ranked(lists: readonly (readonly Result[])[], wanted: string): Result[] {
  const pages = new Map<string, { result: Result; rank: number }>();
  for (const list of lists) {
    for (const [index, result] of list.entries()) {
      const key = pageKey(result.url);
      const known = pages.get(key);
      const rank = (known?.rank ?? 0) + 1 / (fusionRank + index + 1);
      // The longest snippet says most.
      const best =
        known && known.result.snippet.length >= result.snippet.length ? known.result : result;
      pages.set(key, { result: best, rank });
    }
  }
  const all = [...pages.values()];
  const byWords = order(
    scores(
      all.map(({ result }) => result),
      wanted,
    ),
  );
  return all
    .map(({ result, rank }, index) => ({
      result,
      score: rank + 1 / (fusionRank + (byWords[index] ?? all.length) + 1),
    }))
    .sort((one, other) => other.score - one.score)
    .map(({ result }) => result);
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

/** By place in the list, its rank from 0; equals keep their order. */
function order(values: readonly number[]): number[] {
  const places = values.map((_value, index) => index);
  places.sort((one, other) => (values[other] ?? 0) - (values[one] ?? 0));
  const ranks: number[] = [];
  places.forEach((place, rank) => {
    ranks[place] = rank;
  });
  return ranks;
}

function scores(results: readonly Result[], wanted: string): number[] {
  const texts = results.map(({ title, snippet }) => wordsOf(`${title} ${title} ${snippet}`));
  const mean = texts.reduce((sum, words) => sum + words.length, 0) / Math.max(1, texts.length);
  const counts = texts.map((words) => {
    const count = new Map<string, number>();
    for (const word of words) count.set(word, (count.get(word) ?? 0) + 1);
    return count;
  });
  const terms = [...new Set(wordsOf(wanted))];
  const weights = terms.map((term) => {
    const having = counts.filter((count) => count.has(term)).length;
    return Math.log(1 + (texts.length - having + 0.5) / (having + 0.5));
  });
  return counts.map((count, index) => {
    const length = (texts[index]?.length ?? 0) / Math.max(1, mean);
    return terms.reduce((sum, term, at) => {
      const times = count.get(term) ?? 0;
      const damped = times + saturation * (1 - lengthWeight + lengthWeight * length);
      return sum + ((weights[at] ?? 0) * times * (saturation + 1)) / damped;
    }, 0);
  });
}
