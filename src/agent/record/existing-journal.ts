/** The journal of a workspace in which there are runs already. */
import { existsSync } from 'node:fs';
import type { Journal } from '../../engine/journal/journal.ts';
import { openJournal } from '../../engine/journal/open-journal.ts';
import { AgentError } from '../port/errors.ts';
import { type Files, journalPath } from '../port/workspace.ts';

/** The caller closes it. Throws `AgentError` PV6012 where there is none, and makes none. */
export function existingJournal(files: Files): Journal {
  const path = journalPath(files);
  if (existsSync(path)) return openJournal(path);
  throw new AgentError('PV6012', `there is no run yet: ${path} does not exist`, {
    hint: 'go to the folder where one was started',
    facts: { isMissing: true },
  });
}
