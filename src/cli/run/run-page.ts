/** Gathers what the page of a run shows, and writes it. */
import { writeFileSync } from 'node:fs';
import { reasonOf } from '../../agent/port/reason.ts';
import { fileOf } from '../../agent/settings/kept-settings.ts';
import { whole } from '../../engine/journal/export.ts';
import type { Journal, RunSummary } from '../../engine/journal/journal.ts';
import { readPast } from '../../engine/past/read-past.ts';
import type { RunResult } from '../../engine/result.ts';
import type { Look } from '../../engine/views/show.ts';
import { CliError } from '../failure.ts';
import type { Branch } from '../page/page.ts';
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
  const branches = treeOf(journal, summary);
  const parts = { summary, look, result, text, file, error, branches, exported };
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

/** The run, what it was forked from, and all forks; nothing where there are none. */
function treeOf(journal: Journal, run: RunSummary): Branch | undefined {
  let top = run;
  for (let base = run.base; base; base = top.base) {
    const found = journal.find(base.run);
    if (!found) break;
    top = found;
  }
  const branch = ({ id, title, status }: RunSummary): Branch => ({
    run: id,
    title,
    status,
    forks: journal.children(id).map(branch),
  });
  const tree = branch(top);
  return tree.forks.length > 0 || top !== run ? tree : undefined;
}
