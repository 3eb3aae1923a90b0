/** Runs as programs on a stack that others use. */
import { existsSync } from 'node:fs';
import type { Journal } from '../../engine/journal/journal.ts';
import { openJournal } from '../../engine/journal/open-journal.ts';
import { showRun } from '../../engine/views/show.ts';
import { stringify } from '../../program/json.ts';
import { AgentError } from '../port/errors.ts';
import { journalPath, type Workspace } from '../port/workspace.ts';
import { findRun } from '../record/find-run.ts';
import { load } from '../record/load.ts';

/**
 * A program that pushes what a run has answered: a run on a stack without an answer has answered
 * with what it left there. Nothing of the run is performed again. Undefined where there is no such
 * run; throws `AgentError` PV6043 for one that has not answered.
 */
export function runText(name: string, workspace: Workspace): string | undefined {
  const path = journalPath(workspace);
  if (!existsSync(path)) return undefined;
  const journal = openJournal(path);
  try {
    const id = runNamed(journal, name);
    if (id === undefined) return undefined;
    const { answers } = showRun({ journal, run: id, load });
    if (answers.length === 0) {
      throw new AgentError('PV6043', `run ${id} has answered nothing that a program could use`, {
        hint: 'take a run that is done',
        facts: { run: id, lacks: 'answer' },
      });
    }
    return answers.map(({ value }) => `data(${stringify(value)})\n`).join('');
  } finally {
    journal.close();
  }
}

/** By its id, by the beginning of one that no other run has, or as `last`. */
function runNamed(journal: Journal, name: string): string | undefined {
  if (name === 'last') return findRun(journal, name).id;
  const exact = journal.find(name);
  if (exact) return exact.id;
  const [found, ...others] =
    name.length < idPartMin ? [] : journal.list({ prefix: name, limit: 2 });
  return others.length === 0 ? found?.id : undefined;
}

/** A shorter beginning is more likely to be the name of a program. */
const idPartMin = 6;
