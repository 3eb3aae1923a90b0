/** What a run that is started is to be found by, as a person has said it. */

import type { Workspace } from '../../agent/port/workspace.ts';
import type { RunNames } from '../../agent/run/begin.ts';
import { refuseSecrets } from '../../agent/tools/toolbox.ts';
import type { NameFlags } from './run-options.ts';

/** Throws `AgentError` PV6025 for a secret. */
export function namesIn(
  workspace: Workspace,
  { runId: id, title, meta: metadata }: NameFlags,
): RunNames {
  if (title !== undefined) refuseSecrets(workspace, 'the title', title);
  if (metadata) refuseSecrets(workspace, 'the metadata', JSON.stringify(metadata));
  return { id, title, metadata };
}
