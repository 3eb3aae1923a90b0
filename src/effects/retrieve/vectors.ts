/**
 * Nearest vectors by a plain scan: at a hundred thousand vectors this takes tens of milliseconds
 * and needs no index to be kept. The matrix is read once, and again when something has changed; it
 * takes four bytes for each number of each vector.
 */
import { EffectFailure } from '../../engine/handler.ts';
import type { Knowledge } from './knowledge.ts';

export interface Scored {
  /** Id of a chunk. */
  readonly id: number;
  readonly score: number;
}

interface Matrix {
  readonly version: string;
  readonly model: string;
  readonly dimensions: number;
  readonly ids: readonly number[];
  /** Vectors one after the other, each of length 1. */
  readonly values: Float32Array;
}

const matrices = new WeakMap<Knowledge, Matrix>();

/**
 * The chunks whose vectors are nearest to one of length 1, by cosine, best first. Throws
 * `EffectFailure` when the vectors are of different lengths.
 */
export function nearestVectors(
  knowledge: Knowledge,
  model: string,
  wanted: Float32Array,
  limit: number,
): Scored[] {
  const { ids, values, dimensions } = matrixOf(knowledge, model);
  if (ids.length > 0 && wanted.length !== dimensions) {
    const got = `${model} gave a vector of ${wanted.length} numbers`;
    throw misfit(`${got}, want ${dimensions} as in the knowledge base`);
  }
  const best: Scored[] = [];
  for (let index = 0; index < ids.length; index++) {
    const score = dot(values, index * dimensions, wanted);
    if (best.length >= limit && score <= (best.at(-1)?.score ?? 0)) continue;
    const rank = best.findLastIndex((other) => other.score >= score) + 1;
    best.splice(rank, 0, { id: ids[index] as number, score });
    if (best.length > limit) best.pop();
  }
  return best;
}

/** Both are as long as `wanted` says; a check for holes would double the time. */
export function dot(values: Float32Array, start: number, wanted: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < wanted.length; i++) {
    sum += (values[start + i] as number) * (wanted[i] as number);
  }
  return sum;
}

function matrixOf(knowledge: Knowledge, model: string): Matrix {
  const { version } = knowledge;
  const known = matrices.get(knowledge);
  if (known?.version === version && known.model === model) return known;
  const size = knowledge.get<{ count: number; bytes: number | null; least: number | null }>(
    'SELECT count(*) AS count, max(length(vector)) AS bytes, min(length(vector)) AS least ' +
      'FROM vectors WHERE model = ?',
    model,
  );
  if (size && size.bytes !== size.least) {
    throw misfit(`the vectors of ${model} in the knowledge base differ in length`);
  }
  const dimensions = (size?.bytes ?? 0) / Float32Array.BYTES_PER_ELEMENT;
  const values = new Float32Array((size?.count ?? 0) * dimensions);
  const ids: number[] = [];
  const rows = knowledge.each<{ chunk: number; vector: Uint8Array }>(
    // Equals are ordered by place, not by when they were loaded.
    'SELECT v.chunk, v.vector FROM vectors v JOIN chunks c ON c.id = v.chunk ' +
      'JOIN documents d ON d.id = c.document WHERE v.model = ? ORDER BY d.name, c.ordinal',
    model,
  );
  for (const { chunk, vector } of rows) {
    new Uint8Array(values.buffer, ids.length * dimensions * 4, vector.length).set(vector);
    ids.push(chunk);
  }
  const matrix = { version, model, dimensions, ids, values };
  matrices.set(knowledge, matrix);
  return matrix;
}

const misfit = (message: string): EffectFailure =>
  new EffectFailure('PV4309', message, {
    hint: 'the model has changed under its name: load the files into a new knowledge base',
  });
