/** Opens the tools of a fork as its base had them. */
import { ownGoal } from '../../agent/goal/goal-of.ts';
import { servedFor } from '../../agent/resume/effects-of.ts';
import type { ForkPlace } from '../../agent/resume/fork-options.ts';
import { refuseOtherLoop } from '../../agent/resume/imported-loop.ts';
import { joinedBy, openToolbox } from '../../agent/tools/toolbox.ts';
import type { Journal, RunSummary } from '../../engine/journal/journal.ts';
import { readPast } from '../../engine/past/read-past.ts';
import type { Allowed } from '../../planner/playbook/ends.ts';
import { earlierSettings, openWorkspace, type WorkspaceOptions } from '../settings/workspace.ts';

/** `given` is what a caller says of settings, which counts more than what the run had. */
export async function openFork(
  journal: Journal,
  base: RunSummary,
  given: Pick<WorkspaceOptions, 'flags' | 'limits'> & {
    readonly record?: string | undefined;
    readonly allowed?: Allowed;
  },
): Promise<ForkPlace> {
  const { record, allowed = {}, ...options } = given;
  const own = await openWorkspace({ ...options, earlier: earlierSettings(base) });
  const workspace = await servedFor(base, own);
  const goal = ownGoal(journal, base)?.text;
  const toolbox = await openToolbox(workspace, { record, joins: joinedBy(base), goal });
  const { program } = readPast(journal.events(base.id));
  try {
    await refuseOtherLoop(base, program?.text ?? '', toolbox, workspace);
  } catch (error) {
    toolbox.close();
    throw error;
  }
  return { journal, base, workspace, toolbox, allowed };
}
