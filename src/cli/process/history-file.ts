/** The lines that were typed into a prompt, kept from one session to the next. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** How many lines are kept. */
export const historyLinesMax = 1000;

/** Newest first, as readline wants them; none where there is no file yet. */
export function readHistory(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean).reverse();
  } catch {
    return [];
  }
}

/** A history that cannot be kept is no reason to fail: what was entered has been done. */
export function writeHistory(file: string, newestFirst: readonly string[]): void {
  const lines = newestFirst.slice(0, historyLinesMax).toReversed();
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, lines.map((line) => `${line}\n`).join(''), { mode: 0o600 });
  } catch {
    // Next time it begins without it.
  }
}
