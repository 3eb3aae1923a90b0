/** What tables are made of, and how much of it. */
import type { SourceOptions } from '../data/source.ts';

/** What may be read by path or address; undefined: nothing. */
export type Sources = () => Promise<SourceOptions> | undefined;

/** Of a table, and of what SQL gives: as many as the set planvm:data has by default. */
export const rowsMax = 20_000;
export const memoryBytes: number = 768 * 2 ** 20;
