/**
 * The tools that every run has. Owns what they need, the model and the knowledge base, each from
 * its first use on. What performs them is loaded when one is first called: most programs call few.
 */
import { type Handler, lateHandler, type RunLoop } from '../engine/handler.ts';
import { bindSpec, coerceSpec, listBindSpec } from './bind/specs.ts';
import { calculateHandler } from './calculate/calculate.ts';
import { clockHandlers } from './clock/handlers.ts';
import type { LongValues } from './digest/digester.ts';
import { modelHandlers } from './model/handlers.ts';
import type { Model } from './model/model.ts';
import type { ModelSettings } from './model/model-settings.ts';
import { askHandler } from './person/ask.ts';
import type { Knowledge } from './retrieve/knowledge.ts';
import { retrieveSpecs } from './retrieve/specs.ts';
import { tableAskHandlers } from './table-ask/handlers.ts';
import type { Sources } from './table-ask/sources.ts';

export interface World {
  /** Called once, when a model is first needed, and again only if it throws. */
  openModel(): Model;
  /** The same for the knowledge base. */
  openKnowledge(): Knowledge | Promise<Knowledge>;
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
  let opening: Promise<Knowledge> | undefined;
  let knowledge: Knowledge | undefined;
  const openedModel = (): Model => {
    model ??= world.openModel();
    return model;
  };
  const openedKnowledge = async (): Promise<Knowledge> => {
    opening ??= (async () => await world.openKnowledge())();
    try {
      knowledge = await opening;
      return knowledge;
    } catch (error) {
      opening = undefined;
      throw error;
    }
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
      ...bindHandlers(late, world, long),
      calculateHandler,
      askHandler,
      ...clockHandlers(),
    ],
    model: openedModel,
    close: () => knowledge?.close(),
  };
}

function bindHandlers(
  model: Model,
  { settings = {}, runLoop, long: own }: World,
  long: LongValues,
): Handler[] {
  const bind = async (): Promise<Handler> =>
    (await import('./bind/bind.ts')).bindHandler(model, runLoop, settings, own);
  const list = async (): Promise<Handler> =>
    (await import('./bind/typed.ts')).listBindHandler(model, settings, long);
  const coerce = async (): Promise<Handler> =>
    (await import('./bind/typed.ts')).coerceHandler(model, settings, long);
  return [
    lateHandler(bindSpec, bind, model),
    lateHandler(listBindSpec, list, model),
    lateHandler(coerceSpec, coerce, model),
  ];
}

const retrieveHandlers = (opened: () => Promise<Knowledge>): Handler[] =>
  retrieveSpecs.map((spec) =>
    lateHandler(spec, async () => {
      const { retrieveHandler } = await import('./retrieve/handlers.ts');
      return retrieveHandler(spec, opened);
    }),
  );
