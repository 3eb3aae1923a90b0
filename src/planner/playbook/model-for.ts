/** Playbooks of one run may be followed by several models. */
import type { Model } from '../../effects/model/model.ts';
import type { AskedModel } from '../../engine/handler.ts';

/** Who follows a playbook, `Agent.Name`; without one, the run's own, which does all else. */
export type ModelFor = (playbook?: string) => Model;

export function askedBy(model: ModelFor, playbook: string | undefined): AskedModel {
  const { name, price } = model(playbook);
  return { name, price, isOther: name !== model().name };
}
