/** Work that concerns a run: with the settings and the tools that the run was started with. */
import type { Journal, RunSummary } from '../../engine/journal/journal.ts';
import { loadProgram } from '../../engine/load.ts';
import { readPast } from '../../engine/past/read-past.ts';
import { ownGoal } from '../goal/goal-of.ts';
import type { Workspace } from '../port/workspace.ts';
import { load } from '../record/load.ts';
import { keptSettings } from '../settings/kept-settings.ts';
import { joinedBy, type Toolbox } from '../tools/toolbox.ts';
import { openToolsOf } from '../tools/tools-of-program.ts';
import { servedFor } from './effects-of.ts';

export interface RunTools {
  readonly workspace: Workspace;
  readonly toolbox: Toolbox;
}

/** Settings of the workspace come before those of the run. */
export async function asRun<Result>(
  run: RunSummary,
  { journal, workspace: own }: { readonly journal: Journal; readonly workspace: Workspace },
  act: (tools: RunTools) => Promise<Result>,
): Promise<Result> {
  const settings = { ...keptSettings(run), ...own.settings };
  const workspace = await servedFor(run, { ...own, settings });
  const past = readPast(journal.events(run.id));
  const toolbox = await openToolsOf(() => loadProgram(run.id, past, load).program, workspace, {
    joins: joinedBy(run),
    goal: ownGoal(journal, run)?.text,
  });
  try {
    return await act({ workspace, toolbox });
  } finally {
    toolbox.close();
  }
}
