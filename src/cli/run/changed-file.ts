/**
 * Whether the file of a program has changed since its run began. A run goes on with the text that
 * it was started with; whoever has mended the file meanwhile is to know that.
 */
import { statSync } from 'node:fs';
import type { RunSummary } from '../../engine/journal/journal.ts';
import type { LoadedProgram } from '../../engine/past/past.ts';
import type { Warning } from '../../engine/result.ts';
import { readProgram } from '../program/source.ts';
import { isPlaying, standsAlone } from '../record/asked.ts';
import { playingSource } from '../record/seen-source.ts';
import { fileOf } from '../settings/run-settings.ts';
import { ourName } from '../view/result.ts';

/** Undefined where it has not, or where the run has a program of no file. */
export async function changedFile(
  summary: RunSummary,
  program: LoadedProgram,
): Promise<Warning | undefined> {
  const file = fileOf(summary);
  const kept = isPlaying(summary) ? playingSource(summary) : ownText(summary, program);
  if (kept === undefined || !statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
  if ((await textNow(file)) === kept) return undefined;
  return {
    code: 'PV6044',
    message: `${file} has changed; the run goes on with the text that it was started with`,
    hint: isPlaying(summary)
      ? `${ourName} run ${file} plays what the file has now`
      : `${ourName} fork ${summary.id} --program ${file} takes over what both have in common`,
  };
}

/** Of a run whose program nobody has changed on its way. */
const ownText = (summary: RunSummary, { type, text }: LoadedProgram): string | undefined =>
  standsAlone(summary) && type === 'program.loaded' ? text : undefined;

/** What cannot be read any more has changed, too. */
async function textNow(file: string): Promise<string | undefined> {
  try {
    return (await readProgram(file)).text;
  } catch {
    return undefined;
  }
}
