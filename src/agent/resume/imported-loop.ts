/**
 * Imported runs of control loops. A loop has effects that no program has, so that the text of one
 * that came in a file must be that of this folder's own loop.
 */

import { isImported } from '../../engine/journal/distrust.ts';
import type { Journal, RunSummary } from '../../engine/journal/journal.ts';
import { readPast } from '../../engine/past/read-past.ts';
import { AgentError } from '../port/errors.ts';
import type { Workspace } from '../port/workspace.ts';
import { loopFile } from '../program/loop-file.ts';
import { isPlaying } from '../record/asked.ts';
import { keptOf } from '../record/kept.ts';
import type { Toolbox } from '../tools/toolbox.ts';

/** Throws `AgentError` PV6067. */
export async function refuseOtherLoop(
  run: RunSummary,
  journal: Journal,
  toolbox: Toolbox,
  workspace: Workspace,
): Promise<void> {
  if (!isImported(run)) return;
  const { taskLoop } = keptOf(run);
  const own = isPlaying(run)
    ? await playedHere(run, toolbox, workspace)
    : taskLoop && [loopFile(workspace, taskLoop.loop).text];
  const { program } = readPast(journal.events(run.id));
  if (own === undefined || own.includes(program?.text ?? '')) return;
  const message = `run ${run.id} was imported, and its control loop is not that of this folder`;
  throw new AgentError('PV6067', message, { hint: 'it can be shown; start it again to go on' });
}

/** The programs that the playbooks of a run are here. */
async function playedHere(
  run: RunSummary,
  toolbox: Toolbox,
  workspace: Workspace,
): Promise<string[]> {
  const { playingOf, wovenProgram } = await import('../playbook/playing.ts');
  const { playbook } = keptOf(run);
  if (!playbook) return [];
  const playing = await playingOf(playbook, toolbox, workspace);
  return [wovenProgram(playing, run.title, toolbox, workspace).source.text];
}
