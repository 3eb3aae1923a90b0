/**
 * Which models follow playbooks. A file comes from anybody, and its `model:` counts only where it
 * costs nobody another key and another address: within the provider of the run's own model. What a
 * person says of an agent or a playbook comes before that.
 */
import type { SaidModels } from '../../dialect.ts';
import type { Metadata } from './tree.ts';

interface Named {
  readonly name: string;
  readonly metadata: Metadata;
}

/** A file of playbooks, in any of its forms. */
interface FileWithModels {
  readonly metadata: Metadata;
  readonly agents: readonly (Named & { readonly playbooks: readonly Named[] })[];
}

/** `provider/model` by agent, `Desk`, and by playbook, `Desk.Main`, which comes first. */
export function modelsOf(
  { agents, metadata }: FileWithModels,
  said: SaidModels,
): ReadonlyMap<string, string> {
  if (isTranscript(said.own)) return new Map();
  const { named } = said;
  const used = agents.flatMap((agent) => {
    const ofAgent = named[agent.name];
    const written = [agent.metadata.model, metadata.model].find((one) => isAsked(one, said));
    const ofPlaybooks = agent.playbooks.map((playbook) => {
      const { model } = playbook.metadata;
      const id = playbookId(agent, playbook);
      return [id, named[id] ?? (ofAgent === undefined && isAsked(model, said) ? model : undefined)];
    });
    return [[agent.name, ofAgent ?? written], ...ofPlaybooks];
  });
  return new Map(
    used.flatMap(([name, model]) =>
      model === undefined ? [] : [[String(name), String(model)] as const],
    ),
  );
}

/**
 * The model that somebody wants for a playbook, a person or else the file, whether it is asked or
 * not: a run that is played once more, by a transcript, is to have the same lines.
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

/** Whether what a file says of a model holds without a word of anybody. */
export const isAsked = (model: unknown, { own }: SaidModels): boolean =>
  modelProblem(model) === undefined &&
  own !== undefined &&
  providerOf(String(model)) === providerOf(own);

/** A transcript has the replies of all models. */
export const isTranscript = (model: string | undefined): boolean =>
  model !== undefined && providerOf(model) === 'replay';

export const providerOf = (model: string): string => model.slice(0, model.indexOf('/'));

/** Of something that is to be `provider/model`. */
export function modelProblem(given: unknown): string | undefined {
  if (typeof given === 'string' && /^[^/\s]+\/\S/.test(given)) return undefined;
  const shown = typeof given === 'string' ? given : JSON.stringify(given);
  return `got ${shown}, want PROVIDER/NAME`;
}
