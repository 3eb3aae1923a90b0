/** The model effects that every run has: `llm_generate`, `llm_condition`, `llm_call`. */
import type { Handler } from '../../engine/handler.ts';
import type { LongValues } from '../digest/digester.ts';
import { callHandler } from './call.ts';
import { conditionHandler } from './condition.ts';
import { generateHandler } from './generate.ts';
import type { Model } from './model.ts';
import type { ModelSettings } from './model-settings.ts';

/** Their declarations, for checking programs where there is no model. */
export { modelSpecs } from './specs.ts';

export function modelHandlers(
  model: Model,
  settings: ModelSettings = {},
  long: LongValues = {},
): Handler[] {
  return [
    generateHandler(model, settings, long),
    conditionHandler(model, settings, long),
    callHandler(model, settings, long),
  ];
}
