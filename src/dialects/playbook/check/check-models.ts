/** Models that a file names: whether they are any, and whether they are asked. */
import type { Environment, SaidModels } from '../../dialect.ts';
import type { CompiledFile } from '../compiled/compiled.ts';
import { type Report, warn } from '../report.ts';
import { isAsked, isTranscript, modelProblem, playbookId, providerOf } from '../source/models.ts';
import type { Metadata, Place } from '../source/tree.ts';

/** Something that may name one. */
interface Head {
  readonly metadata: Metadata;
  readonly place: Place;
  readonly of: string;
  /** Agents or a playbook that it is said of, each by the names that a person may use. */
  readonly whose: readonly (readonly string[])[];
}

export function checkModels(
  file: CompiledFile,
  { models = { named: {} } }: Environment,
  report: Report,
): void {
  if (isTranscript(models.own)) return;
  for (const head of headsOf(file)) {
    const { metadata, of, place } = head;
    if (!('model' in metadata)) continue;
    const problem = modelProblem(metadata.model);
    if (problem !== undefined) {
      const hint = 'a model is named by its provider, too: openai/gpt-5-mini';
      warn(report, 'ignoredMetadata', place, `model ${of}: ${problem}`, {
        ...{ hint, about: 'model' },
      });
    } else if (!isDecided(head, models)) {
      const message = `got model: ${metadata.model} ${of}, of which nothing comes`;
      const hint = hintFor(String(metadata.model), head, models);
      warn(report, 'ignoredMetadata', place, message, { hint, about: 'model' });
    }
  }
}

function headsOf({ agents, metadata }: CompiledFile): Head[] {
  const playing = agents.filter(({ kind }) => kind === 'ai');
  const all = playing.map(({ name }) => [name]);
  const below = ({ written }: { readonly written: string }) => `below the heading ${written}`;
  return [
    { metadata, place: { line: 1, column: 1 }, of: 'at the head of the file', whose: all },
    ...agents.flatMap((agent): Head[] => [
      { ...agent, of: below(agent), whose: agent.kind === 'ai' ? [[agent.name]] : [] },
      ...agent.playbooks.map((playbook) => ({
        ...{ ...playbook, of: below(playbook) },
        whose: agent.kind === 'ai' ? [[playbookId(agent, playbook), agent.name]] : [],
      })),
    ]),
  ];
}

/** Whether it is asked, or a person has said whom to ask instead. */
const isDecided = ({ metadata, whose }: Head, models: SaidModels): boolean =>
  whose.length > 0 &&
  (isAsked(metadata.model, models) ||
    whose.every((names) => names.some((name) => name in models.named)));

function hintFor(model: string, { whose }: Head, { own }: SaidModels): string {
  const [[name] = []] = whose;
  if (name === undefined) return 'a model follows only agents that are neither people nor servers';
  const where = own === undefined ? `where the run has no model of ${providerOf(model)}, ` : '';
  return (
    `${where}who runs it says so: --agent-model ${name}=${model}, or in planvm.config.json ` +
    `"playbooks": { "models": { "${name}": "${model}" } }`
  );
}
