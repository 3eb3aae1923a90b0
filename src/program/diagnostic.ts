/**
 * What `check` and the machine tell a person, and the model that has to repair the program, about
 * a place in its text. Rendering lives in `dialects/diagnostic.ts`.
 */
import type { Site } from './effect.ts';

export type Severity = 'error' | 'warning';

/** A place in a program of several files. */
export interface FileSite extends Site {
  /** The file it is in, from the folder of the program's first one; absent for that. */
  readonly file?: string;
}

export interface Diagnostic extends FileSite {
  /** `PV` and four digits; the table of codes is docs/reference/diagnostics.md. */
  readonly code: string;
  readonly severity: Severity;
  /** One sentence: *got X, want Y*. */
  readonly message: string;
  /** What to write instead. */
  readonly hint?: string;
  /** A name that is wrong only because no tool that is known has it; there may be others. */
  readonly unknown?: string;
  /** Label of the step it belongs to. */
  readonly step?: string;
  readonly notes?: readonly Note[];
}

/** Another place that explains the first: where the twin stands, where the list was opened. */
export interface Note extends FileSite {
  readonly message: string;
}

/**
 * The nearest of `names` to what was written, if it is near enough to be a slip: a third of the
 * letters at most are other ones. Case and underscores are no slips.
 */
export function nearest(name: string, names: Iterable<string>): string | undefined {
  if (name.length > nameMax) return undefined;
  const wanted = folded(name);
  let best: string | undefined;
  let bestDistance = Infinity;
  for (const candidate of names) {
    const known = folded(candidate);
    if (candidate.length > nameMax || known === '') continue;
    const slips = Math.floor(Math.max(wanted.length, known.length) / 3);
    const limit = Math.min(slips + 1, bestDistance);
    const distance = editDistance(wanted, known, limit);
    if (distance >= limit) continue;
    best = candidate;
    bestDistance = distance;
  }
  return best;
}

/** Names beyond this are no slips of a hand. */
const nameMax = 200;

const folded = (name: string): string => name.toLowerCase().replaceAll('_', '');

/**
 * How many letters are to be added, left out, put in place of others or swapped with the one before
 * them, each once: given up (as `limit`) once it cannot be below `limit`.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before: readonly number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity;
      row.push(Math.min(substitution, swap, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    before = previous;
    previous = row;
  }
  return previous[b.length] ?? limit;
}
