/** The effects of a control loop, for a run that goes on. */
import type { Handler } from '../../engine/handler.ts';
import type { RunSummary } from '../../engine/journal/journal.ts';
import { loopRegistry } from '../goal/loop-registry.ts';
import type { EffectsPlace } from '../loops/loop-effects.ts';
import { taskLoopEffects } from '../loops/task-loop.ts';
import { loopOf } from '../record/asked.ts';
import { keptOf } from '../record/kept.ts';
import { asTools } from '../tools/toolbox.ts';

/** What a run may ask for that is part of a loop: the effects of the loop, or the tools. */
export async function loopEffects(
  record: RunSummary,
  place: EffectsPlace,
): Promise<ReadonlyMap<string, Handler>> {
  const { toolbox, workspace } = place;
  const withTools = await taskLoopEffects(record, toolbox, workspace);
  if (withTools) return withTools;
  const loop = loopOf(record);
  const own = loop && (await loopRegistry[loop].effects(keptOf(record), place));
  return own ? await asTools(own, workspace) : toolbox.handlers;
}
