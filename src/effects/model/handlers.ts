/** The model effects that every run has: `llm_generate`, `llm_condition`, `llm_call`. */
import type { Handler } from '../../engine/handler.ts';
import type { LongValues } from '../digest/digester.ts';
import { callHandler } from './call.ts';
import { conditionHandler } from './condition.ts';
import { generateHandler, type ModelSettings } from './generate.ts';
import type { Model } from './model.ts';

/** Their declarations, for checking programs where there is no model. */
export { modelSpecs } from './specs.ts';

export function modelHandlers(
  model: Model,
  settings: ModelSettings = {},
  long: LongValues = {},
): Handler[] {
  return [
    generateHandler(model, settings),
    conditionHandler(model, settings),
    callHandler(model, settings, long),
  ];
}
