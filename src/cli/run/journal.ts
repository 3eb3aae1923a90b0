/** The journal of a workspace. */
import { existsSync } from 'node:fs';
import { AgentError } from '../../agent/port/errors.ts';
import { journalPath } from '../../agent/port/workspace.ts';
import type { Journal } from '../../engine/journal/journal.ts';
import { openJournal } from '../../engine/journal/open-journal.ts';
import type { Workspace } from '../settings/workspace.ts';

/** The journal with everything in it; for those who read, it must be there already. */
export async function withJournal<T>(
  workspace: Pick<Workspace, 'home'>,
  act: (journal: Journal) => T | Promise<T>,
): Promise<T> {
  const path = journalPath(workspace);
  if (!existsSync(path)) {
    throw new AgentError('PV6012', `there is no run yet: ${path} does not exist`, {
      hint: 'start one with planvm run FILE, or go to the folder where it was started',
    });
  }
  const journal = openJournal(path);
  try {
    return await act(journal);
  } finally {
    journal.close();
  }
}
