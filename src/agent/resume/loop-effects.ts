/** The effects of a control loop, for a run that is taken up again. */

import type { Handler } from '../../engine/handler.ts';
import type { RunSummary } from '../../engine/journal/journal.ts';
import { changingEffects } from '../loops/change-run.ts';
import { judgingEffects } from '../loops/judge-run.ts';
import type { EffectsPlace } from '../loops/loop-run.ts';
import { planningEffects } from '../loops/plan-run.ts';
import { routingEffects } from '../loops/route-run.ts';
import { taskLoopEffects } from '../loops/task-loop.ts';
import { talkingEffects } from '../loops/turn-run.ts';
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
  if (keptOf(record).transpiling) {
    const { transpileHandlers } = await import('../../planner/playbook/transpile.ts');
    return await asTools(transpileHandlers(toolbox.models.planner), workspace);
  }
  const own =
    routingEffects(record, toolbox) ??
    talkingEffects(record, toolbox) ??
    planningEffects(record, toolbox) ??
    changingEffects(record, place) ??
    judgingEffects(record, toolbox);
  return own ? await asTools(own, workspace) : toolbox.handlers;
}
