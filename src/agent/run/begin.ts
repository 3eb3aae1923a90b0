/**
 * The one place in which runs start: what all of them share is added here. `begin-again.ts` beside
 * it lets runs go on and fork, which takes what reads their programs again.
 */
import type { Journal } from '../../engine/journal/journal.ts';
import type { RunMetadata, RunRequest } from '../../engine/journal/run-identity.ts';
import type { ApprovalRule } from '../../engine/perform/approval-rule.ts';
import { type RunHandle, type StartOptions, startRun } from '../../engine/run.ts';
import type { Host } from '../port/host.ts';
import { type AgentSettings, approvalsIn } from '../port/settings.ts';
import type { Kept } from '../record/kept.ts';

/** Where a run goes, and by whose settings. */
export interface Place {
  readonly names?: RunNames | undefined;
  readonly journal: Journal;
  readonly workspace: {
    readonly settings: AgentSettings;
    readonly rule?: ApprovalRule | undefined;
  };
  readonly host: Host;
}

/** What runs are found by again. */
export interface RunNames {
  /**
   * Of the first run of a session: the same request under this id gives that session, another one
   * is refused. Letters, digits, `-_.`
   */
  readonly id?: string | undefined;
  /** What the id stands for, where that is not the program of the first run itself. */
  readonly request?: Partial<RunRequest> | undefined;
  readonly title?: string | undefined;
  /** Of all runs of the session. */
  readonly metadata?: RunMetadata | undefined;
}

type Shared = 'journal' | 'limits' | 'approvals' | 'rule' | 'person' | 'id' | 'metadata';

/** Throws as the engine's `startRun` does: `RunExists` for an id that stands for the same run. */
export function begin(place: Place, start: Omit<StartOptions, Shared>): RunHandle {
  const { settings } = place.workspace;
  const { title } = place.names ?? {};
  return startRun({
    ...{ ...start, ...approving(place), limits: settings.limits },
    ...namesFor(place, start),
    ...(title !== undefined && { title }),
  });
}

/** A run of a control loop of the planner: it changes nothing, so that nobody is asked. */
export function beginLoop(
  place: Omit<Place, 'host'>,
  start: Omit<StartOptions, Shared>,
): RunHandle {
  const { journal, workspace } = place;
  const { limits } = workspace.settings;
  return startRun({ ...start, journal, limits, ...namesFor(place, start) });
}

/** The id is that of the first run: later ones say which run they come after. */
function namesFor(
  { names = {} }: Pick<Place, 'names'>,
  { settings, request }: Pick<StartOptions, 'settings' | 'request'>,
): Pick<StartOptions, 'id' | 'request' | 'metadata'> {
  const { id, metadata } = names;
  const { asked, judging } = (settings ?? {}) as Kept;
  const isFirst = asked?.from === undefined && judging === undefined;
  const requested = names.request ?? request;
  return {
    ...(metadata && { metadata }),
    ...(id !== undefined && isFirst && { id, ...(requested && { request: requested }) }),
  };
}

/** What a run may do, and whom it asks. */
export const approving = ({
  journal,
  workspace,
  host,
}: Place): Pick<StartOptions, 'journal' | 'approvals' | 'rule' | 'person'> => ({
  ...{ journal, approvals: approvalsIn(workspace.settings), rule: workspace.rule },
  person: host.person,
});
