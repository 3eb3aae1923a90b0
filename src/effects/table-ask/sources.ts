/** What tables are made of, and how much of it. */
import type { SourceLimits, SourceOptions } from '../data/source.ts';
import { memoryLimit, rowsLimit } from '../set-limits.ts';

/** What may be read by path or address; undefined: nothing. */
export type Sources = () => Promise<SourceOptions> | undefined;

/** Of a table that no set reads, and of what SQL gives: what planvm:data has by default. */
export const ownLimits: Pick<SourceLimits, 'rows' | 'memoryBytes'> = {
  rows: Number(rowsLimit.default),
  memoryBytes: Number(memoryLimit.default) * 2 ** 20,
};
