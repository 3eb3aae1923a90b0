/**
 * Readline as every prompt here has it: what is typed shows on stderr, since stdout is for results,
 * and what was entered is kept for the next session. A pipe has neither.
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface, type Interface } from 'node:readline/promises';

export interface PromptLines {
  /** Whether stdin is a terminal that shows what is typed. */
  readonly isTyped: boolean;
  /** Where the lines that were typed are kept. */
  readonly historyFile: string;
  /** As readline wants it: candidates, and the end of the line that they take the place of. */
  complete(line: string): [string[], string];
}

export function openLines({ isTyped, historyFile, complete }: PromptLines): Interface {
  const lines = createInterface({
    input: process.stdin,
    ...(isTyped && { output: process.stderr }),
    terminal: isTyped,
    history: isTyped ? readHistory(historyFile) : [],
    historySize: historyLinesMax,
    removeHistoryDuplicates: true,
    completer: complete,
  });
  lines.on('history', (newestFirst) => writeHistory(historyFile, newestFirst));
  return lines;
}

/** Forgets what stands at the prompt. */
export function clearLine(lines: Interface | undefined): void {
  // To its end, and away from there to its beginning.
  lines?.write(null, { ctrl: true, name: 'e' });
  lines?.write(null, { ctrl: true, name: 'u' });
}

/** How many lines are kept. */
const historyLinesMax = 1000;

/** Newest first, as readline wants them; none where there is no file yet. */
function readHistory(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean).reverse();
  } catch {
    return [];
  }
}

/** A history that cannot be written does not fail the command, which is done by then. */
function writeHistory(file: string, newestFirst: readonly string[]): void {
  const lines = newestFirst.slice(0, historyLinesMax).toReversed();
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, lines.map((line) => `${line}\n`).join(''), { mode: 0o600 });
  } catch {
    // Next time it begins without it.
  }
}
