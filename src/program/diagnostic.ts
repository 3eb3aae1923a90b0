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

/** `1 step`, `2 steps`. */
export const counted = (n: number, noun: string): string => `${n} ${n === 1 ? noun : `${noun}s`}`;

// Tables of diagnostic codes whose rows have names: a row is a code, a space and its meaning. The
// code that uses them reads the names, the reference page reads codes and meanings.

/** `PV` and four digits. */
const codeLength = 6;

/** The code of each name. */
export function codesByName<Name extends string>(
  table: Readonly<Record<Name, string>>,
): Readonly<Record<Name, string>> {
  const rows = Object.entries<string>(table).map(([name, row]) => [name, codeOf(row)] as const);
  return Object.fromEntries(rows) as Record<Name, string>;
}

/** The meaning of each code. */
export function meaningsOf(table: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.values(table).map((row) => [codeOf(row), row.slice(codeLength + 1)]),
  );
}

const codeOf = (row: string): string => row.slice(0, codeLength);

/** The same where codes and meanings stand in two tables, so that only one of them is loaded. */
export function meaningsByName<Name extends string>(
  codes: Readonly<Record<Name, string>>,
  meanings: Readonly<Record<Name, string>>,
): Record<string, string> {
  const rows = Object.entries<string>(codes);
  return Object.fromEntries(rows.map(([name, code]) => [code, meanings[name as Name]]));
}

// What was thrown, as text: code outside of planvm throws anything.

/** `TypeError: no number`, and for what is no error its JSON: `{"code":7}`. */
export function thrownText(thrown: unknown): string {
  return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : textOf(thrown);
}

/** The message alone, where there is one. */
export function thrownMessage(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message || thrown.name : textOf(thrown);
}

function textOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown);
  try {
    return JSON.stringify(thrown) ?? Object.prototype.toString.call(thrown);
  } catch {
    // It has a cycle, or its getters throw.
    return Object.prototype.toString.call(thrown);
  }
}
