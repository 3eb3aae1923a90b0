/**
 * The text that a run is shown beside: its program, or, where that plays playbooks, these as they
 * were written. Without their text at hand, what is known of their lines stands at its places.
 */
import { unbundle } from '../../dialects/bundled.ts';
import type { RunRecord } from '../../engine/journal/journal.ts';
import { isOfAnother, type Program, type Step } from '../../program/program.ts';
import { keptOf } from './kept.ts';

/** The same for a run of which something is said; undefined where it plays none. */
export function playbooksSeen(
  record: Pick<RunRecord, 'settings'>,
  program: Program,
): string | undefined {
  return isOfAnother(program) ? sourceSeen(record, program, '') : undefined;
}

export function sourceSeen(
  record: Pick<RunRecord, 'settings'> | undefined,
  program: Program,
  text: string,
): string {
  if (!isOfAnother(program)) return text;
  return (record && playedText(record)) ?? linesOf(program.steps);
}

/** The text of the playbooks that a run plays. */
export const playedText = (record: Pick<RunRecord, 'settings'>): string | undefined =>
  keptOf(record).playbook?.text;

/** Of that text the one file that a place is in, and its name where that is not the first. */
export function fileSeen(
  source: string,
  file: string | undefined,
): { readonly text: string; readonly name?: string } {
  const { main, files } = unbundle(source);
  const text = file === undefined ? undefined : files.get(file);
  return text === undefined || file === undefined ? { text: main } : { text, name: file };
}

function linesOf(steps: readonly Step[]): string {
  const lines: string[] = [];
  for (const { file, line, column, objective = '' } of steps) {
    if (file !== undefined)
      lines[line - 1] ??= `${' '.repeat(Math.max(0, column - 3))}- ${objective}`;
  }
  return Array.from(lines, (line = '') => line).join('\n');
}
