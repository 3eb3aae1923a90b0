/** What a run was started with, as a layer of settings. */
import { keptSettings } from '../../agent/settings/kept-settings.ts';
import { isImported } from '../../engine/journal/distrust.ts';
import type { RunRecord } from '../../engine/journal/journal.ts';
import type { Limits } from '../../program/limits.ts';
import { givenLimits } from './limit-options.ts';
import type { Layer } from './settings.ts';
import type { Workspace } from './workspace.ts';

/** After the flags of the call that resumes, before everything else; see `keptSettings`. */
export function earlierSettings(record: RunRecord): Layer | undefined {
  const values = keptSettings(record);
  return values && { origin: () => 'the run', values, limits: {} };
}

/** What limits a run goes on with, where they are not those that it has. */
export const limitsFor = (
  record: RunRecord,
  workspace: Workspace,
  flags: object,
): Partial<Limits> => (isImported(record) ? workspace.settings.limits : givenLimits(flags));
