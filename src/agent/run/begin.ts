/** The one place in which runs start, go on and fork: what all of them share is added here. */
import { forkRun } from '../../engine/fork/fork.ts';
import type { ForkDraft, ForkOptions } from '../../engine/fork/fork-draft.ts';
import type { Journal } from '../../engine/journal/journal.ts';
import type { ApprovalRule } from '../../engine/perform/approval-rule.ts';
import {
  type ResumeOptions,
  type RunHandle,
  resumeRun,
  type StartOptions,
  startRun,
} from '../../engine/run.ts';
import type { Host } from '../host.ts';
import { load } from '../record/load.ts';
import { type AgentSettings, approvalsIn } from '../settings.ts';

/** Where a run goes, and by whose settings. */
export interface Place {
  readonly journal: Journal;
  readonly workspace: {
    readonly settings: AgentSettings;
    readonly rule?: ApprovalRule | undefined;
  };
  readonly host: Host;
}

type Shared = 'journal' | 'limits' | 'approvals' | 'rule' | 'person';

/** Throws as the engine's `startRun` does. */
export function begin(place: Place, start: Omit<StartOptions, Shared>): RunHandle {
  const { settings } = place.workspace;
  return startRun({ ...start, ...approving(place), limits: settings.limits });
}

/** A run of a control loop of the planner: it changes nothing, so that nobody is asked. */
export function beginLoop(
  { journal, workspace }: Omit<Place, 'host'>,
  start: Omit<StartOptions, Shared>,
): RunHandle {
  return startRun({ ...start, journal, limits: workspace.settings.limits });
}

/** Throws as the engine's `resumeRun` does; `limits` are those that differ from the run's. */
export function goOnWith(
  place: Place,
  options: Pick<ResumeOptions, 'run' | 'handlers' | 'assume' | 'limits' | 'gate'>,
): RunHandle {
  return resumeRun({ ...options, ...approving(place), load });
}

/** Throws as the engine's `forkRun` does. */
export const beginFork = (place: Place, options: ForkOptions, draft: ForkDraft): RunHandle =>
  forkRun({ ...options, rule: place.workspace.rule, person: place.host.person }, draft);

const approving = ({ journal, workspace, host }: Place) => ({
  ...{ journal, approvals: approvalsIn(workspace.settings), rule: workspace.rule },
  person: host.person,
});
