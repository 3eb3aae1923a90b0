/**
 * Playbooks by which agents answer what is said to them and no trigger is about: the description of
 * an agent says who it is, and it may call what it has. One is for people, who talk to the first
 * agent of a file while its program is idle; where there are several agents, each hears the others.
 */

import { type CompiledFile, isMachines, type Trigger } from '../compiled.ts';
import type { LinkedAgent, LinkedFile, LinkedPlaybook } from '../link/linked.ts';

const name = 'Reply';
const earName = 'HearAgent';

/** The file with those playbooks. */
export function withReply(file: LinkedFile): LinkedFile {
  const minds = file.agents.filter(({ kind }) => kind === 'ai');
  const [talker] = minds;
  return {
    ...file,
    agents: file.agents.map((agent) => {
      const own = [
        ...(agent === talker ? [hidden(agent, name, toPeople)] : []),
        ...(minds.length > 1 && agent.kind === 'ai' ? [hidden(agent, earName, toAgents)] : []),
      ].filter((one) => !named(agent, one.name));
      return { ...agent, playbooks: [...agent.playbooks, ...own] };
    }),
  };
}

const toPeople =
  'Somebody talks to you. Answer the last message, as the one you are, and return; where a ' +
  'playbook is for what is wanted, call it first. End the program when you are told goodbye.';

const toAgents =
  'Another agent talks to you, not the person. Answer its last message as the one you are: say ' +
  'your answer, and return; say nothing where none is needed. Where a playbook of yours is for ' +
  'what is wanted, call it first.';

const hidden = (agent: LinkedAgent, title: string, description: string): LinkedPlaybook => ({
  ...{ name: title, written: title, id: `${agent.name}.${title}`, mode: 'react', first: '' },
  ...{ description, parameters: [], triggers: [], notes: [], metadata: {} },
  ...{ lines: new Map(), isPublic: false, isHidden: true, place: agent.place },
});

const named = ({ playbooks }: LinkedAgent, title: string): LinkedPlaybook | undefined =>
  playbooks.find((playbook) => playbook.name === title);

/** An agent may have one of its own. */
export function replyOf({ agents }: LinkedFile): LinkedPlaybook | undefined {
  const talker = agents.find(({ kind }) => kind === 'ai');
  return talker && named(talker, name);
}

/** By agents, the ids of the playbooks by which they hear others. */
export const earsOf = ({ agents }: LinkedFile): Record<string, string> =>
  Object.fromEntries(
    agents.flatMap((agent) => {
      const ear = named(agent, earName);
      return ear ? [[agent.name, ear.id]] : [];
    }),
  );

/**
 * Whether playing it asks a model: functions that are set off by what can be computed do not.
 * `isIdle`: it hears messages, which its agent answers.
 */
export function asksModel({ agents }: LinkedFile, isIdle: boolean): boolean {
  const isWorded = ({ isHidden, lines, mode }: LinkedPlaybook): boolean =>
    mode === 'steps'
      ? lines.size === 0 || ![...lines.values()].every(isMachines)
      : mode !== 'code' && !isHidden;
  const isFollowed = (playbook: LinkedPlaybook): boolean =>
    isWorded(playbook) ||
    playbook.triggers.some(
      ({ clock, code, condition }) =>
        code !== 'BGN' && condition === undefined && clock === undefined,
    );
  return isIdle || agents.some(({ playbooks }) => playbooks.some(isFollowed));
}

/** Whether nothing begins by itself, and words or events set playbooks off. */
export function onlyListens({ agents }: Pick<CompiledFile, 'agents'>): boolean {
  const triggers = agents
    .filter(({ kind }) => kind === 'ai')
    .flatMap(({ playbooks }) => playbooks.flatMap((playbook) => playbook.triggers));
  const isBeginning = ({ clock, code }: Trigger): boolean => code === 'BGN' || clock !== undefined;
  return !triggers.some(isBeginning) && triggers.some(({ names }) => names.length === 0);
}
