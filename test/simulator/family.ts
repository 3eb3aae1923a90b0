/** A run, and those within its effects. */
import type { Journal } from '../../src/engine/journal/journal.ts';

/** Ids, the run itself first. */
export const familyOf = (journal: Journal, run: string): string[] => [
  run,
  ...journal.list({ within: run }).flatMap(({ id }) => familyOf(journal, id)),
];
