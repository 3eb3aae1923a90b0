/**
 * Passages of documents by how much they have to do with what is asked: by words (BM25), and where
 * there is an embedding model by meaning, too, both fused by reciprocal rank.
 */
import type { Embedder } from '../model/embedder.ts';
import { embedTexts } from '../retrieve/embedding.ts';
import { byWords, fused } from '../retrieve/ranking.ts';
import { dot } from '../retrieve/vectors.ts';

export type { Embedder };

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
  return fused(rankings)
    .sort((a, b) => b.score - a.score || a.item - b.item)
    .map(({ item }) => item);
}

async function byMeaning(
  passages: readonly string[],
  question: string,
  embedder: Embedder,
  signal: AbortSignal,
): Promise<number[]> {
  const texts = [question, ...passages];
  const [asked = new Float32Array(), ...vectors] = await embedTexts(embedder, texts, signal);
  const near = vectors.map((vector, index) => ({ index, score: dot(vector, 0, asked) }));
  return near.sort((a, b) => b.score - a.score || a.index - b.index).map(({ index }) => index);
}
