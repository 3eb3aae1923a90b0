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

interface Own {
  readonly journal: Journal;
  readonly workspace: Workspace;
  /** The file to which the replies of models are recorded. */
  readonly record?: string | undefined;
}

/** Settings of the workspace come before those of the run. */
export async function asRun<Result>(
  run: RunSummary,
  own: Own,
  act: (tools: RunTools) => Promise<Result>,
): Promise<Result> {
  const tools = await openAsRun(run, own);
  try {
    return await act(tools);
  } finally {
    tools.toolbox.close();
  }
}

/** The same for whoever closes the toolbox later. */
export async function openAsRun(
  run: RunSummary,
  { journal, workspace: own, record }: Own,
): Promise<RunTools> {
  const settings = { ...keptSettings(run), ...own.settings };
  const workspace = await servedFor(run, { ...own, settings });
  const past = readPast(journal.events(run.id));
  const toolbox = await openToolsOf(() => loadProgram(run.id, past, load).program, workspace, {
    ...{ record, joins: joinedBy(run) },
    goal: ownGoal(journal, run)?.text,
  });
  return { workspace, toolbox };
}
