/** The journal of a workspace, and one of its runs. */
import { existingJournal } from '../../agent/record/existing-journal.ts';
import { findRun } from '../../agent/record/find-run.ts';
import type { Journal, RunSummary } from '../../engine/journal/journal.ts';
import { openWorkspace, type Workspace, type WorkspaceOptions } from '../settings/workspace.ts';

/** The journal with everything in it; for those who read, it must be there already. */
export async function withJournal<T>(
  workspace: Pick<Workspace, 'home'>,
  act: (journal: Journal) => T | Promise<T>,
): Promise<T> {
  const journal = existingJournal(workspace);
  try {
    return await act(journal);
  } finally {
    journal.close();
  }
}

/** The run that is meant by a name, in its journal. Throws `AgentError` PV6012. */
export async function withRun<T>(
  name: string,
  act: (run: RunSummary, journal: Journal, workspace: Workspace) => T | Promise<T>,
  options?: WorkspaceOptions,
): Promise<T> {
  const workspace = await openWorkspace(options);
  return await withJournal(workspace, (journal) => act(findRun(journal, name), journal, workspace));
}
