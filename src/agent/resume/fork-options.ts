/** What a fork of a run needs: its tools as the run had them, and all that the engine is told. */

import type { ForkOptions } from '../../engine/fork/fork-draft.ts';
import { isImported } from '../../engine/journal/distrust.ts';
import type { ForkEdit } from '../../engine/journal/fork-edit.ts';
import type { Journal, RunSummary } from '../../engine/journal/journal.ts';
import type { Allowed } from '../../planner/playbook/ends.ts';
import type { Limits } from '../../program/limits.ts';
import type { Host } from '../port/host.ts';
import { approvalsIn } from '../port/settings.ts';
import type { Workspace } from '../port/workspace.ts';
import { isPlaying } from '../record/asked.ts';
import { load } from '../record/load.ts';
import { settingsOf } from '../settings/kept-settings.ts';
import { refuseSecrets, type Toolbox } from '../tools/toolbox.ts';
import { effectsOf } from './effects-of.ts';
import { refuseOtherLoop } from './imported-loop.ts';

export interface ForkPlace {
  readonly journal: Journal;
  readonly base: RunSummary;
  readonly workspace: Workspace;
  /** Of the caller, who closes it. */
  readonly toolbox: Toolbox;
  readonly allowed: Allowed;
}

interface ForkPlan {
  readonly file: string;
  readonly limits?: Partial<Limits>;
  readonly saying?: Host['saying'];
}

/** Throws `AgentError` where the edit has a secret in it, and as `refuseOtherLoop` does. */
export async function forkOptions(
  { journal, base, workspace, toolbox, allowed }: ForkPlace,
  edit: ForkEdit,
  { file, limits = {}, saying }: ForkPlan,
): Promise<ForkOptions> {
  await refuseOtherLoop(base, journal, toolbox, workspace);
  const meant = await editIn(base, toolbox, edit);
  for (const [what, text] of textsIn(meant)) refuseSecrets(workspace, what, text);
  return {
    ...{ journal, load, run: base.id, edit: meant },
    limits: isImported(base) ? { ...workspace.settings.limits, ...limits } : limits,
    handlers: await effectsOf(base, { journal, toolbox, workspace }, allowed, saying),
    approvals: approvalsIn(workspace.settings),
    settings: { ...settingsOf(workspace.settings, file), ...toolbox.kept },
  };
}

/** The edit as the program of the run has it. */
async function editIn(base: RunSummary, { specs }: Toolbox, edit: ForkEdit): Promise<ForkEdit> {
  if (edit.set === undefined || !isPlaying(base)) return edit;
  const { inLoopInputs } = await import('../playbook/fork-inputs.ts');
  return inLoopInputs(edit, base, specs);
}

/** What of an edit goes into the journal, and what it is called. */
function textsIn({ set = {}, outcomes = {}, program, note = '' }: ForkEdit): [string, string][] {
  return [
    ...Object.entries(set).map(([name, text]): [string, string] => [`the variable ${name}`, text]),
    ...Object.entries(outcomes).map(([effect, outcome]): [string, string] => {
      return [`the outcome of ${effect}`, outcome.ok ? outcome.value : outcome.error.message];
    }),
    ['the program', program?.text ?? ''],
    ['the note', note],
  ];
}
