/**
 * Passages of documents by how much they have to do with what is asked: by words (BM25), and where
 * there is an embedding model by meaning, too, both fused by reciprocal rank.
 */
import { DatabaseSync } from 'node:sqlite';
import type { Embedder } from '../model/embedder.ts';
import { embedTexts } from '../retrieve/embedding.ts';
import { anyOf, fold, termsOf } from '../retrieve/words.ts';

export type { Embedder };

/** Words of a question beyond these are not looked for. */
const termsMax = 128;
/** The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009). */
const fusionRank = 60;

/** Indexes of the passages, best first; those without a word of the question last, in order. */
export async function rank(
  passages: readonly string[],
  question: string,
  embedder: Embedder | undefined,
  signal: AbortSignal,
): Promise<number[]> {
  const found = await hits(passages, question, embedder, signal);
  return [...new Set([...found, ...passages.keys()])];
}

/** Only those with a word of the question, or all where there is an embedder; best first. */
export async function hits(
  passages: readonly string[],
  question: string,
  embedder: Embedder | undefined,
  signal: AbortSignal,
): Promise<number[]> {
  const rankings = [byWords(passages, question)];
  if (embedder) rankings.push(await byMeaning(passages, question, embedder, signal));
  const scores = new Map<number, number>();
  for (const ranking of rankings) {
    ranking.forEach((index, place) => {
      scores.set(index, (scores.get(index) ?? 0) + 1 / (fusionRank + place + 1));
    });
  }
  return [...scores].sort(([a, one], [b, other]) => other - one || a - b).map(([index]) => index);
}

function byWords(passages: readonly string[], question: string): number[] {
  const { words } = termsOf(question, termsMax);
  if (words.length === 0) return [];
  const db = new DatabaseSync(':memory:', { allowExtension: false });
  try {
    db.exec("CREATE VIRTUAL TABLE p USING fts5(text, tokenize = 'porter unicode61')");
    const insert = db.prepare('INSERT INTO p (rowid, text) VALUES (?, ?)');
    db.exec('BEGIN');
    passages.forEach((text, index) => {
      insert.run(index, fold(text));
    });
    db.exec('COMMIT');
    const found = db.prepare('SELECT rowid AS id FROM p WHERE p MATCH ? ORDER BY bm25(p), rowid');
    return found.all(anyOf(words)).map(({ id }) => Number(id));
  } finally {
    db.close();
  }
}

async function byMeaning(
  passages: readonly string[],
  question: string,
  embedder: Embedder,
  signal: AbortSignal,
): Promise<number[]> {
  const [asked, ...vectors] = await embedTexts(embedder, [question, ...passages], signal);
  const near = vectors.map((vector, index) => ({ index, score: dot(asked ?? [], vector) }));
  return near.sort((a, b) => b.score - a.score || a.index - b.index).map(({ index }) => index);
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
