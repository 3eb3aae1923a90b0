/** What a program will cost, as far as that is known before it runs. */
import { type CostEstimate, estimateCost as estimateWith } from '../../effects/model/estimate.ts';
import type { ToolSpec } from '../../program/effect.ts';
import type { Program } from '../../program/program.ts';
import type { Value } from '../../program/value.ts';
import type { Workspace } from '../port/workspace.ts';

/** The estimate for the model, the prices and the bounds that a workspace has. */
export function estimateCost(
  program: Program,
  tools: ReadonlyMap<string, ToolSpec>,
  inputs: ReadonlyMap<string, Value>,
  { settings }: Pick<Workspace, 'settings'>,
): CostEstimate {
  const { model, prices, system, maxOutputTokens, contextWindow } = settings;
  const own = {
    ...(system && { system }),
    ...(maxOutputTokens && { maxOutputTokens }),
    ...(contextWindow && { contextWindow }),
  };
  return estimateWith(program, { tools, inputs, model, settings: own, prices });
}
