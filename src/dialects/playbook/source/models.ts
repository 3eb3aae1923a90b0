/**
 * Which models follow playbooks. The `model:` of a file counts only within the provider of the
 * run's own model: a file costs nobody another key and another address. A person comes first.
 */
import { modelProblem, providerOf } from '../../../program/model-name.ts';
import type { SaidModels } from '../../dialect.ts';
import type { Metadata } from './tree.ts';

interface Named {
  readonly name: string;
  readonly metadata: Metadata;
}

interface FileWithModels {
  readonly metadata: Metadata;
  readonly agents: readonly (Named & { readonly playbooks: readonly Named[] })[];
}

/** `provider/model` by agent, `Desk`, and by playbook, `Desk.Main`, which comes first. */
export function modelsOf(
  { agents, metadata }: FileWithModels,
  said: SaidModels,
): ReadonlyMap<string, string> {
  const models = new Map<string, string>();
  if (isTranscript(said.own)) return models;
  const add = (name: string, model: unknown): void => {
    if (model !== undefined) models.set(name, String(model));
  };
  for (const agent of agents) {
    const ofAgent = said.named[agent.name];
    const written = [agent.metadata.model, metadata.model].find((model) => isAsked(model, said));
    add(agent.name, ofAgent ?? written);
    for (const playbook of agent.playbooks) {
      const id = playbookId(agent, playbook);
      const { model } = playbook.metadata;
      const own = ofAgent === undefined && isAsked(model, said) ? model : undefined;
      add(id, said.named[id] ?? own);
    }
  }
  return models;
}

/**
 * The model that somebody wants for a playbook, a person or else the file, whether it is asked or
 * not: a run that is replayed by a transcript has the same lines.
 */
export function modelNamed(
  file: Pick<FileWithModels, 'metadata'>,
  agent: Named,
  playbook: Named,
  named: SaidModels['named'],
): string | undefined {
  const said = named[playbookId(agent, playbook)] ?? named[agent.name];
  const written = [playbook, agent, file].find(({ metadata }) => 'model' in metadata);
  return said ?? (written && String(written.metadata.model));
}

export const playbookId = (agent: { readonly name: string }, playbook: { readonly name: string }) =>
  `${agent.name}.${playbook.name}`;

/** Whether the model that a file names is asked though no person has said so. */
export const isAsked = (model: unknown, { own }: SaidModels): boolean =>
  modelProblem(model) === undefined &&
  own !== undefined &&
  providerOf(String(model)) === providerOf(own);

/** A transcript has the replies of all models. */
export const isTranscript = (model: string | undefined): boolean =>
  model !== undefined && providerOf(model) === 'replay';
