/** The effects of a control loop, for a run that is taken up again. */

import { keptOf } from '../../agent/record/kept.ts';
import type { Handler } from '../../engine/handler.ts';
import type { RunSummary } from '../../engine/journal/journal.ts';
import { asTools } from '../tools/toolbox.ts';
import { changingEffects } from './change-run.ts';
import { judgingEffects } from './judge-run.ts';
import type { EffectsPlace } from './loop-run.ts';
import { planningEffects } from './plan-run.ts';
import { routingEffects } from './route-run.ts';
import { taskLoopEffects } from './task-loop.ts';
import { talkingEffects } from './turn-run.ts';

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
