/**
 * Pieces of text for a query: by words (BM25), by meaning (cosine of vectors), or by both, fused by
 * reciprocal rank.
 */
import { embedTexts } from './embedding.ts';
import type { Knowledge } from './knowledge.ts';
import { fused, termsMax } from './ranking.ts';
import { nearestVectors, type Scored } from './vectors.ts';
import { anyOf, termsOf } from './words.ts';

export interface FoundChunk {
  readonly text: string;
  /** `file.md#Heading > Heading`, with the headings the text stands under. */
  readonly source: string;
  /** Higher is better, comparable within one answer: BM25, cosine, or fused rank. */
  readonly score: number;
  /** Where it stands in the file, from 1. */
  readonly lines: readonly [first: number, last: number];
}

export interface SearchContext {
  readonly signal: AbortSignal;
  warn(message: string): void;
}

/** Candidates that each ranking gives to the fusion, at least. */
const candidatesMin = 50;

/** Best first, at most `limit`. Throws `EffectFailure` when the embedding model fails. */
export async function searchChunks(
  knowledge: Knowledge,
  query: string,
  limit: number,
  context: SearchContext,
): Promise<FoundChunk[]> {
  const { words, left } = termsOf(query, termsMax);
  if (left > 0) {
    context.warn(`the query has ${words.length + left} words; the last ${left} were not used`);
  }
  const vector = await vectorOf(knowledge, query, context);
  const candidates = vector ? Math.max(candidatesMin, 4 * limit) : limit;
  return knowledge.read(() => {
    const byWords = searchWords(knowledge, words, candidates);
    const ranked = vector ? fusedIds([byWords, vector.nearest(candidates)]) : byWords;
    return ranked.slice(0, limit).flatMap((scored) => found(knowledge, scored));
  });
}

function searchWords(knowledge: Knowledge, words: readonly string[], limit: number): Scored[] {
  if (words.length === 0) return [];
  // What the headings say counts twice. Equals are ordered by place, not by when they were loaded.
  return knowledge.all<Scored>(
    'SELECT c.id, -bm25(chunk_words, 2.0, 1.0) AS score FROM chunk_words w ' +
      'JOIN chunks c ON c.id = w.rowid JOIN documents d ON d.id = c.document ' +
      'WHERE chunk_words MATCH ? ORDER BY score DESC, d.name, c.ordinal LIMIT ?',
    anyOf(words),
    limit,
  );
}

interface QueryVector {
  nearest(limit: number): Scored[];
}

/** Undefined where vectors cannot be compared: no embedding model, or none of its vectors. */
async function vectorOf(
  knowledge: Knowledge,
  query: string,
  context: SearchContext,
): Promise<QueryVector | undefined> {
  const { embedder } = knowledge;
  if (!embedder) return undefined;
  const { chunks, vectors } = knowledge.counts();
  const usable = vectors[embedder.name] ?? 0;
  if (usable < chunks) {
    const others = Object.keys(vectors).filter((name) => name !== embedder.name);
    const stale = others.length > 0 ? `; there are vectors of ${others.join(', ')}` : '';
    context.warn(
      `${chunks - usable} of ${chunks} chunks have no vector of ${embedder.name}${stale}; ` +
        'they are found by their words only until planvm ingest loads their files again',
    );
  }
  if (usable === 0) return undefined;
  const [vector] = await embedTexts(embedder, [query], context.signal);
  return {
    nearest: (limit) => (vector ? nearestVectors(knowledge, embedder.name, vector, limit) : []),
  };
}

const fusedIds = (rankings: readonly (readonly Scored[])[]): Scored[] =>
  fused(rankings.map((ranking) => ranking.map(({ id }) => id))).map(({ item, score }) => ({
    ...{ id: item, score },
  }));

interface ChunkRow {
  readonly text: string;
  readonly heading: string;
  readonly name: string;
  readonly first: number;
  readonly last: number;
}

function found(knowledge: Knowledge, { id, score }: Scored): FoundChunk[] {
  const row = knowledge.get<ChunkRow>(
    'SELECT c.text, c.heading, d.name, c.first_line AS first, c.last_line AS last ' +
      'FROM chunks c JOIN documents d ON d.id = c.document WHERE c.id = ?',
    id,
  );
  if (!row) return [];
  const source = row.heading === '' ? row.name : `${row.name}#${row.heading}`;
  return [{ text: row.text, source, score: rounded(score), lines: [row.first, row.last] }];
}

/** Enough digits to tell ranks apart, few enough to read. */
const rounded = (score: number): number => Number(score.toPrecision(5));
