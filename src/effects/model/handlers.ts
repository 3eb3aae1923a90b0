/** The model effects that every run has: `llm_generate` and `llm_condition`. */

import type { Handler } from '../../engine/handler.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { conditionHandler, conditionSpec } from './condition.ts';
import { generateHandler, generateSpec, type ModelSettings } from './generate.ts';
import type { Model } from './model.ts';

/** Their declarations, for checking programs where there is no model. */
export const modelSpecs: readonly ToolSpec[] = [generateSpec, conditionSpec];

export function modelHandlers(model: Model, settings: ModelSettings = {}): Handler[] {
  return [generateHandler(model, settings), conditionHandler(model, settings)];
}
