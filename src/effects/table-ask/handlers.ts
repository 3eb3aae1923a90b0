/**
 * `table` and `table_ask`, as every run has them. What reads tables and runs SQL is loaded when one
 * is first called.
 */
import type { Handler, RunLoop } from '../../engine/handler.ts';
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
  return [
    {
      spec: tableSpec,
      model: () => model,
      async perform(args, context) {
        const { tableHandler } = await import('./make-table.ts');
        return await tableHandler({ model, settings, runLoop }, sources).perform(args, context);
      },
    },
    {
      spec: tableAskSpec,
      model: () => model,
      async perform(args, context) {
        const { tableAskHandler } = await import('./ask-table.ts');
        return await tableAskHandler(model, settings, runLoop).perform(args, context);
      },
    },
  ];
}
