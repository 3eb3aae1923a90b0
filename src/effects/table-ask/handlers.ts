/**
 * `table` and `table_ask`, as every run has them. What reads tables and runs SQL is loaded when one
 * is first called.
 */
import { type Handler, lateHandler, type RunLoop } from '../../engine/handler.ts';
import type { Model } from '../model/model.ts';
import type { ModelSettings } from '../model/model-settings.ts';
import type { Sources } from './sources.ts';
import { tableAskSpec, tableSpec } from './specs.ts';

interface World {
  readonly settings?: ModelSettings;
  readonly runLoop?: RunLoop;
  readonly sources?: Sources;
}

export function tableAskHandlers(model: Model, world: World): Handler[] {
  const { settings = {}, runLoop, sources = () => undefined } = world;
  const make = async (): Promise<Handler> =>
    (await import('./make-table.ts')).tableHandler({ model, settings }, sources);
  const ask = async (): Promise<Handler> =>
    (await import('./ask-table.ts')).tableAskHandler(model, settings, runLoop);
  return [lateHandler(tableSpec, make, model), lateHandler(tableAskSpec, ask, model)];
}
