/** Texts by how well their words fit a question, and several rankings as one. */
import { DatabaseSync } from 'node:sqlite';
import { anyOf, fold, termsOf } from './words.ts';

/** Words of a question beyond these are not looked for. */
export const termsMax = 128;
/** The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009). */
const fusionRank = 60;

/** What stands in any of the rankings, best first; what stands in none of them has no place. */
export function fused<Item>(
  rankings: readonly (readonly Item[])[],
): { readonly item: Item; readonly score: number }[] {
  const scores = new Map<Item, number>();
  for (const ranking of rankings) {
    for (const [place, item] of ranking.entries()) {
      scores.set(item, (scores.get(item) ?? 0) + 1 / (fusionRank + place + 1));
    }
  }
  return [...scores]
    .map(([item, score]) => ({ item, score }))
    .sort((one, other) => other.score - one.score);
}

/** Indexes of the texts that have a word of the question, best first (BM25). */
export function byWords(texts: readonly string[], question: string): number[] {
  const { words } = termsOf(question, termsMax);
  if (words.length === 0) return [];
  const db = new DatabaseSync(':memory:', { allowExtension: false });
  try {
    db.exec("CREATE VIRTUAL TABLE p USING fts5(text, tokenize = 'porter unicode61')");
    const insert = db.prepare('INSERT INTO p (rowid, text) VALUES (?, ?)');
    db.exec('BEGIN');
    texts.forEach((text, index) => {
      insert.run(index, fold(text));
    });
    db.exec('COMMIT');
    const found = db.prepare('SELECT rowid AS id FROM p WHERE p MATCH ? ORDER BY bm25(p), rowid');
    return found.all(anyOf(words)).map(({ id }) => Number(id));
  } finally {
    db.close();
  }
}
