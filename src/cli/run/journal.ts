/** The journal of a workspace. */
import { existingJournal } from '../../agent/record/existing-journal.ts';
import type { Journal } from '../../engine/journal/journal.ts';
import type { Workspace } from '../settings/workspace.ts';

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
