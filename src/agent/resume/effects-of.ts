/** What a run that is taken up again may ask for. */

import type { Handler } from '../../engine/handler.ts';
import type { RunSummary } from '../../engine/journal/journal.ts';
import type { Allowed } from '../../planner/playbook/ends.ts';
import type { EffectsPlace } from '../loops/loop-effects.ts';
import type { Host } from '../port/host.ts';
import type { AgentModels } from '../port/settings.ts';
import type { Workspace } from '../port/workspace.ts';
import { isPlaying, standsAlone } from '../record/asked.ts';

/** The workspace with servers that the run has brought along. */
export async function servedFor(record: RunSummary, workspace: Workspace): Promise<Workspace> {
  if (!isPlaying(record)) return workspace;
  const { withAgentsOf } = await import('../playbook/agent-servers.ts');
  return await withAgentsOf(record, workspace);
}

/** The tools, or the effects of its loop; planning is loaded for runs that belong to it. */
export async function effectsOf(
  record: RunSummary,
  place: EffectsPlace,
  allowed: Allowed & { readonly agentModels?: AgentModels | undefined },
  saying: Host['saying'],
): Promise<ReadonlyMap<string, Handler>> {
  const { toolbox, workspace } = place;
  if (isPlaying(record)) {
    const { refuseUnknownAgents } = await import('../playbook/manner-of.ts');
    const { keptPlaying, playingOf, withAllowed } = await import('../playbook/playing.ts');
    const kept = keptPlaying(record);
    if (kept) refuseUnknownAgents(kept.text, allowed.agentModels);
    if (kept) {
      return (await playingOf(withAllowed(kept, allowed), toolbox, workspace, saying)).handlers;
    }
  }
  if (standsAlone(record)) return toolbox.handlers;
  const { loopEffects } = await import('./loop-effects.ts');
  return await loopEffects(record, place);
}
