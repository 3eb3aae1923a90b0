/** Gathers what the page of a run shows, and writes it. */
import { writeFileSync } from 'node:fs';
import { reasonOf } from '../../agent/port/reason.ts';
import { fileOf } from '../../agent/settings/kept-settings.ts';
import { whole } from '../../engine/journal/export.ts';
import type { Journal, RunSummary } from '../../engine/journal/journal.ts';
import { readPast } from '../../engine/past/read-past.ts';
import type { RunResult } from '../../engine/result.ts';
import { familyOf } from '../../engine/views/family.ts';
import type { Look } from '../../engine/views/show.ts';
import { CliError } from '../failure.ts';
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
export function writePage(file: string, page: string): void {
  try {
    writeFileSync(file, page, { mode: 0o600 });
  } catch (cause) {
    throw new CliError('PV6024', `cannot write ${file}: ${reasonOf(cause)}`, {
      hint: 'name another file with -o FILE',
      cause,
    });
  }
}
