/** Gathers what the page of a run shows, and writes it. */

import { fileOf } from '../../agent/settings/kept-settings.ts';
import { whole } from '../../engine/journal/export.ts';
import type { Journal, RunSummary } from '../../engine/journal/journal.ts';
import { readPast } from '../../engine/past/read-past.ts';
import type { RunResult } from '../../engine/result.ts';
import { familyOf } from '../../engine/views/family.ts';
import type { Look } from '../../engine/views/show.ts';
import { writeText } from '../process/files.ts';
import { errorText } from '../view/result.ts';

export async function pageOf(
  journal: Journal,
  summary: RunSummary,
  look: Look,
  result: RunResult | undefined,
  exported?: string,
): Promise<string> {
  const { runPage } = await import('../page/page.ts');
  const text = readPast(look.events).program?.text ?? '';
  const file = fileOf(summary);
  const error = result?.error && errorText(result.error, { text, file }, false);
  const tree = familyOf(journal, summary.id);
  const family = tree.forks.length > 0 || summary.base ? tree : undefined;
  const parts = { summary, look, result, text, file, error, family, exported };
  return whole(summary.id, false, () => runPage(parts));
}

/** Throws `CliError` PV6024 where the file cannot be written. */
export const writePage = (file: string, page: string): void =>
  writeText(file, page, 'PV6024', 'name another file with -o FILE');
