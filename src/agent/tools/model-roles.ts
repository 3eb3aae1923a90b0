/**
 * The models of a run by what they do: the planner writes and repairs programs, the worker answers
 * what programs ask, the judge judges answers. A role without a model of its own has the worker's.
 */

import { type Embedder, openEmbedder } from '../../effects/model/embedder.ts';
import type { Model } from '../../effects/model/model.ts';
import { openModel, withSystem } from '../../effects/model/open.ts';
import { prices } from '../../effects/model/prices.ts';
import { AgentError } from '../port/errors.ts';
import type { AgentSettings } from '../port/settings.ts';
import type { ModelRole, Workspace } from '../port/workspace.ts';

/** Each opens its model when it is first called, and throws as `configuredModel` does. */
export type Models = Readonly<Record<ModelRole, () => Model>>;

/** What a role is set to; undefined where no model is configured for it. */
export function roleSetting(settings: AgentSettings, role: ModelRole): string | undefined {
  const { model, plannerModel, judgeModel } = settings;
  return { planner: plannerModel, worker: undefined, judge: judgeModel }[role] ?? model;
}

/**
 * A model by its reference, opened when it is first asked for; the worker, which is open already
 * or opens itself, where there is no reference or it is its own. Throws as `configuredModel` does.
 */
export function modelsByReference(
  workspace: Workspace,
  worker: () => Model,
): (reference: string | undefined) => Model {
  const opened = new Map<string, Model>();
  return (reference) => {
    if (reference === undefined || reference === workspace.settings.model) return worker();
    const model = opened.get(reference) ?? modelOf(reference, workspace);
    opened.set(reference, model);
    return model;
  };
}

/** Two roles of one reference share one model. */
export function openRoles(
  { settings, models = {} }: Workspace,
  named: (reference: string | undefined) => Model,
): Models {
  const roleModel = (role: ModelRole) => (): Model =>
    models[role] ?? models.worker ?? named(roleSetting(settings, role));
  return { planner: roleModel('planner'), worker: roleModel('worker'), judge: roleModel('judge') };
}

/** Throws `AgentError` PV6011 where none is configured, `EffectFailure` for one that is none. */
export function configuredModel(workspace: Workspace, role: ModelRole = 'worker'): Model {
  const { models = {}, settings } = workspace;
  const own = models[role] ?? models.worker;
  if (own) return withSystem(own, settings.system);
  const reference = roleSetting(settings, role);
  if (reference !== undefined) return modelOf(reference, workspace);
  throw new AgentError('PV6011', 'a model is needed, and none is configured', {
    hint: 'name one as provider/model',
    facts: { role },
  });
}

const modelOf = (reference: string, { settings, env, record, paceMs }: Workspace): Model =>
  withSystem(
    openModel(reference, {
      env,
      prices: { ...prices, ...settings.prices },
      ...(record && { record }),
      ...(paceMs && { paceMs }),
    }),
    settings.system,
  );

/** The embedding model; undefined where none is configured. Throws as `openEmbedder` does. */
export const embedderIn = ({
  settings,
  env,
}: Pick<Workspace, 'settings' | 'env'>): Embedder | undefined =>
  settings.embeddings === undefined ? undefined : openEmbedder(settings.embeddings, { env });
