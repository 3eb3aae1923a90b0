/**
 * The models of a run by what they do: the planner writes and repairs programs, the worker answers
 * what programs ask, the judge judges answers. A role without a model of its own has the worker's.
 */
import type { Model } from '../../effects/model/model.ts';
import { openModel } from '../../effects/model/open.ts';
import { prices } from '../../effects/model/prices.ts';
import { CliError } from '../failure.ts';
import type { Setting, Settings } from '../settings/settings.ts';
import type { Workspace } from '../settings/workspace.ts';

const modelRoles = ['planner', 'worker', 'judge'] as const;

export type ModelRole = (typeof modelRoles)[number];

/** Each opens its model when it is first called, and throws as `configuredModel` does. */
export type Models = Readonly<Record<ModelRole, () => Model>>;

export interface ModelOptions {
  /** Transcript that every reply of the model is appended to. */
  readonly record?: string | undefined;
  /** Milliseconds between the words of a replayed reply; 0 where absent. */
  readonly paceMs?: number;
}

/** What a role is set to; undefined where no model is configured for it. */
export function roleSetting(settings: Settings, role: ModelRole): Setting<string> | undefined {
  const { model, plannerModel, judgeModel } = settings;
  return { planner: plannerModel, worker: undefined, judge: judgeModel }[role] ?? model;
}

/** `worker` is open already, or opens itself. Two roles of one reference share one model. */
export function openRoles(
  workspace: Workspace,
  worker: () => Model,
  options: ModelOptions = {},
): Models {
  const { settings } = workspace;
  const opened = new Map<string, Model>();
  const roleModel = (role: ModelRole): Model => {
    const reference = roleSetting(settings, role)?.value;
    if (reference === undefined || reference === settings.model?.value) return worker();
    const model = opened.get(reference) ?? configuredModel(workspace, options, role);
    opened.set(reference, model);
    return model;
  };
  return { planner: () => roleModel('planner'), worker, judge: () => roleModel('judge') };
}

/** Throws `CliError` PV6011 where none is configured, `EffectFailure` for one that is none. */
export function configuredModel(
  { settings, env }: Workspace,
  { record, paceMs }: ModelOptions = {},
  role: ModelRole = 'worker',
): Model {
  const reference = roleSetting(settings, role)?.value;
  if (reference !== undefined) {
    return openModel(reference, {
      env,
      prices: { ...prices, ...settings.prices?.value },
      ...(record && { record }),
      ...(paceMs && { paceMs }),
    });
  }
  throw new CliError('PV6011', 'a model is needed, and none is configured', {
    hint: 'name one with --model provider/model or PLANVM_MODEL, or replay with --replay FILE',
  });
}
