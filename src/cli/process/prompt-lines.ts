/**
 * Readline as every prompt here has it: what is typed shows on stderr, since stdout is for results,
 * and what was entered is kept for the next session. A pipe has neither.
 */
import { createInterface, type Interface } from 'node:readline/promises';
import { historyLinesMax, readHistory, writeHistory } from './history-file.ts';

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
