/**
 * The tools that every run has. Owns what they need, the model and the knowledge base, each from
 * its first use on.
 */
import type { Handler, RunLoop } from '../engine/handler.ts';
import { bindHandler } from './bind/bind.ts';
import { coerceHandler, listBindHandler } from './bind/typed.ts';
import { calculateHandler } from './calculate/calculate.ts';
import { clockHandlers } from './clock/handlers.ts';
import type { LongValues } from './digest/digester.ts';
import type { ModelSettings } from './model/generate.ts';
import { modelHandlers } from './model/handlers.ts';
import type { Model } from './model/model.ts';
import { askHandler } from './person/ask.ts';
import { retrieveHandlers } from './retrieve/handlers.ts';
import type { Knowledge } from './retrieve/knowledge.ts';
import { tableAskHandlers } from './table-ask/handlers.ts';
import type { Sources } from './table-ask/sources.ts';

export interface World {
  /** Called once, when a model is first needed, and again only if it throws. */
  openModel(): Model;
  /** The same for the knowledge base. */
  openKnowledge(): Knowledge;
  readonly settings?: ModelSettings;
  /** For effects whose outcomes control loops make. */
  readonly runLoop: RunLoop;
  /** Which files and addresses tables may be made of; none where it is absent. */
  readonly sources?: Sources;
  /** For values that are longer than the window of the model. */
  readonly long?: Omit<LongValues, 'runLoop'>;
}

export interface BuiltIn {
  readonly handlers: readonly Handler[];
  /** Opens the model, or throws what keeps it from being opened. */
  model(): Model;
  close(): void;
}

export function builtInTools(world: World): BuiltIn {
  let model: Model | undefined;
  let knowledge: Knowledge | undefined;
  const openedModel = (): Model => {
    model ??= world.openModel();
    return model;
  };
  const openedKnowledge = (): Knowledge => {
    knowledge ??= world.openKnowledge();
    return knowledge;
  };
  const late: Model = {
    get name() {
      return openedModel().name;
    },
    // Only once it is open: asking for the price must not be what opens it.
    get price() {
      return model?.price;
    },
    complete: (request, context) => openedModel().complete(request, context),
  };
  const { settings = {}, runLoop } = world;
  const long = { runLoop, ...world.long };
  return {
    handlers: [
      ...modelHandlers(late, settings, long),
      ...tableAskHandlers(late, world),
      ...retrieveHandlers(openedKnowledge),
      bindHandler(late, runLoop, settings, world.long),
      listBindHandler(late, settings, long),
      coerceHandler(late, settings, long),
      calculateHandler,
      askHandler,
      ...clockHandlers(),
    ],
    model: openedModel,
    close: () => knowledge?.close(),
  };
}
