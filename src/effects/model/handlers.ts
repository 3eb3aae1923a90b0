/**
 * The model effects that every run has: `llm_generate`, `llm_condition`, `llm_call`. What performs
 * one is loaded when it is first called.
 */
import { type Handler, lateHandler } from '../../engine/handler.ts';
import type { LongValues } from '../digest/digester.ts';
import type { Model } from './model.ts';
import type { ModelSettings } from './model-settings.ts';
import { callSpec, conditionSpec, generateSpec } from './specs.ts';

/** Their declarations, for checking programs where there is no model. */
export { modelSpecs } from './specs.ts';

export function modelHandlers(
  model: Model,
  settings: ModelSettings = {},
  long: LongValues = {},
): Handler[] {
  const generate = async (): Promise<Handler> =>
    (await import('./generate.ts')).generateHandler(model, settings, long);
  const condition = async (): Promise<Handler> =>
    (await import('./condition.ts')).conditionHandler(model, settings, long);
  const call = async (): Promise<Handler> =>
    (await import('./call.ts')).callHandler(model, settings, long);
  return [
    lateHandler(generateSpec, generate, model),
    lateHandler(conditionSpec, condition, model),
    lateHandler(callSpec, call, model),
  ];
}
