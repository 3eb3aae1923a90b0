/**
 * The playbook by which an agent answers what is said to it while its program is idle, and no
 * trigger is about that: its description says who it is, and it may call what it has.
 */
import type { LinkedFile, LinkedPlaybook } from './linked.ts';

const name = 'Reply';

/** The file with that playbook for the agent that people talk to, which is the first. */
export function withReply(file: LinkedFile): LinkedFile {
  const talker = file.agents.find(({ kind }) => kind === 'ai');
  if (!talker || replyOf(file)) return file;
  const reply: LinkedPlaybook = {
    ...{ name, written: name, id: `${talker.name}.${name}`, mode: 'react', first: '' },
    description:
      'Somebody talks to you. Answer the last message, as the one you are, and return; where a ' +
      'playbook is for what is wanted, call it first. End the program when you are told goodbye.',
    ...{ parameters: [], triggers: [], steps: [], notes: [], metadata: {}, lines: new Map() },
    ...{ isPublic: false, isHidden: true, isQuiet: false, place: talker.place },
  };
  const agents = file.agents.map((agent) =>
    agent === talker ? { ...agent, playbooks: [...agent.playbooks, reply] } : agent,
  );
  return { ...file, agents };
}

/** An agent may have one of its own. */
export const replyOf = ({ agents }: LinkedFile): LinkedPlaybook | undefined =>
  agents.find(({ kind }) => kind === 'ai')?.playbooks.find((playbook) => playbook.name === name);
