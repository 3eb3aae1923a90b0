/** The page of a run, made and written for commands. */

import { keptResult } from '../../agent/record/kept-result.ts';
import { fileOf } from '../../agent/settings/kept-settings.ts';
import { whole } from '../../engine/journal/export.ts';
import type { Journal, RunSummary } from '../../engine/journal/journal.ts';
import { readPast } from '../../engine/past/read-past.ts';
import type { Look } from '../../engine/views/show.ts';
import { writeText } from '../process/files.ts';
import { errorText } from '../view/result.ts';

export async function pageOf(
  journal: Journal,
  summary: RunSummary,
  look: Look,
  exported?: string,
): Promise<string> {
  const { runPage } = await import('../../page/page.ts');
  const result = keptResult(journal, summary.id);
  const ran = { text: readPast(look.events).program?.text ?? '', file: fileOf(summary) };
  const error = result?.error && errorText(result.error, ran, false);
  const parts = { summary, look, result, error, exported };
  return whole(summary.id, false, () => runPage(parts));
}

/** Throws `CliError` PV6024 where the file cannot be written. */
export const writePage = (file: string, page: string): void =>
  writeText(file, page, 'PV6024', 'name another file with -o FILE');
