/** How playbooks are played: as the call says, else the configuration, else the file itself. */
import {
  type Manner,
  mannerDefaults,
  mannerIn,
  ownManner,
  readManner,
} from '../../dialects/playbook/manner.ts';
import { readTree } from '../../dialects/playbook/reader.ts';
import { playbookId } from '../../dialects/playbook/source/models.ts';
import { nearest } from '../../program/diagnostic.ts';
import { AgentError } from '../port/errors.ts';
import type { AgentModels } from '../port/settings.ts';
import type { Workspace } from '../port/workspace.ts';

/** `text`: of the playbooks, compiled or not; what is wrong in it, checking it says. */
export function mannerOf(
  { settings }: Pick<Workspace, 'settings'>,
  flags: Partial<Manner>,
  text?: string,
): Manner {
  const own = text === undefined ? undefined : ownManner(readTree(text).tree.file.metadata);
  return {
    ...mannerDefaults,
    ...readManner(own).manner,
    ...settings.playbooks,
    ...mannerIn(flags),
  };
}

/**
 * What an option says of an agent that there is not, nobody would miss. Throws `AgentError` PV6002.
 * A configuration is for many files, and may name agents of others.
 */
export function refuseUnknownAgents(text: string, given: AgentModels | undefined): void {
  if (given === undefined) return;
  const agents = readTree(text).tree.file.agents.filter(({ kind }) => kind === 'ai');
  const known = agents.flatMap((agent) => [
    agent.name,
    ...agent.playbooks.map((playbook) => playbookId(agent, playbook)),
  ]);
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue;
    const near = nearest(name, known);
    const hint =
      near === undefined
        ? `the agents are ${agents.map((one) => one.name).join(', ')}`
        : `did you mean ${near}?`;
    throw new AgentError('PV6002', `there is no agent ${name} to have a model`, { hint });
  }
}
