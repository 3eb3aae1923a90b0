/** What a run that is started is to be found by, as a person has said it. */
import type { StartOptions } from '../../engine/run.ts';
import type { Workspace } from '../settings/workspace.ts';
import { refuseSecrets } from '../tools/toolbox.ts';
import type { NameFlags } from './run-options.ts';

/** `from`: the run that it came behind; the id is that of the first run. Throws for a secret. */
export function namesIn(
  workspace: Workspace,
  { runId: id, title, meta }: NameFlags,
  from?: string,
): Pick<StartOptions, 'id' | 'title' | 'metadata'> {
  if (title !== undefined) refuseSecrets(workspace, 'the title', title);
  if (meta) refuseSecrets(workspace, 'the metadata', JSON.stringify(meta));
  return {
    ...(id !== undefined && from === undefined && { id }),
    ...(title !== undefined && { title }),
    ...(meta && { metadata: meta }),
  };
}
