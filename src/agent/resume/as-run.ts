/** Work that concerns a run: with the settings and the tools that the run was started with. */
import type { Journal, RunSummary } from '../../engine/journal/journal.ts';
import { loadProgram } from '../../engine/load.ts';
import { readPast } from '../../engine/past/read-past.ts';
import { ownGoal } from '../goal/goal-of.ts';
import type { Workspace } from '../port/workspace.ts';
import { load } from '../record/load.ts';
import { keptSettings } from '../settings/kept-settings.ts';
import { joinedBy, openToolbox, type Toolbox } from '../tools/toolbox.ts';
import { openToolsOf } from '../tools/tools-of-program.ts';
import { servedFor } from './effects-of.ts';

export interface RunTools {
  readonly workspace: Workspace;
  readonly toolbox: Toolbox;
}

export interface AsRunOptions {
  readonly journal: Journal;
  readonly workspace: Workspace;
  /** What the run is for, where the run does not know. */
  readonly goal?: string | undefined;
  /** Whether another program may take the place of the run's: it may call any tool. */
  readonly changes?: boolean;
}

/** Settings of the workspace come before those of the run. */
export async function asRun<Result>(
  run: RunSummary,
  { journal, workspace: own, goal, changes = false }: AsRunOptions,
  act: (tools: RunTools) => Promise<Result>,
): Promise<Result> {
  const workspace = await servedFor(run, await startedWith(run, own));
  const options = { joins: joinedBy(run), goal: ownGoal(journal, run, goal)?.text };
  const program = () => loadProgram(run.id, readPast(journal.events(run.id)), load).program;
  const toolbox = changes
    ? await openToolbox(workspace, options)
    : await openToolsOf(program, workspace, options);
  try {
    return await act({ workspace, toolbox });
  } finally {
    toolbox.close();
  }
}

const startedWith = async (run: RunSummary, own: Workspace): Promise<Workspace> =>
  (await own.forRun?.(run)) ?? {
    ...own,
    settings: { ...keptSettings(run), ...own.settings },
  };
