/** What may be called, as the model sees it: a line for each. */
import type { LinkedAgent } from '../../../dialects/playbook/compiled/linked.ts';
import { signatureOf } from '../../../dialects/signature.ts';
import type { Callee, Directory } from '../check/values/directory.ts';

export function calleeLines({ callees, agents, people }: Directory): string[] {
  const shown = callees.filter(({ playbook }) => playbook?.isHidden !== true);
  const groups = [
    ['Playbooks:', shown.filter(({ kind }) => kind === 'playbook')],
    ['Functions:', shown.filter(({ kind }) => kind === 'function')],
    ['Tools:', shown.filter(({ kind }) => kind === 'tool')],
  ] as const;
  const lines = groups.flatMap(([heading, found]) =>
    found.length === 0 ? [] : [heading, ...found.map((one) => `- ${calleeLine(one)}`)],
  );
  return [...lines, ...agentLines(agents), ...peopleLines(people)];
}

/** How others are spoken to, where there are any. */
function agentLines(agents: readonly LinkedAgent[]): readonly string[] {
  if (agents.length === 0) return [];
  const [{ name } = { name: '' }] = agents;
  return [
    `Other agents: {"say":"…","to":"${name}"} tells one something, {"yield":"agent"} waits for ` +
      'what it answers, which is data. CreateAgent makes one more like one of these and returns ' +
      'its name: {"say":"…","to":"$name"}, {"call":"$name.Playbook"}.',
    ...agents.map((one) => `- ${one.name}: ${firstLine(one.description)}`.replace(/: $/, '')),
  ];
}

/** Whom else than the user one may speak to. */
function peopleLines(people: readonly LinkedAgent[]): readonly string[] {
  if (people.length === 0) return [];
  const [{ name } = { name: '' }] = people;
  return [
    `People, beside the user: {"say":"…","to":"${name}"} reaches one, {"yield":"user"} waits for ` +
      'all who were asked.',
    ...people.map((one) => `- ${one.name}: ${firstLine(one.description)}`.replace(/: $/, '')),
  ];
}

function calleeLine({ name, parameters, spec, playbook, about: own = '' }: Callee): string {
  if (spec) {
    const writes = spec.effect === 'write' ? ' Changes something in the world.' : '';
    return `${signatureOf(spec)}: ${firstLine(spec.description)}${writes}`;
  }
  const given = parameters.map((one) => `${one.name}${one.isRequired ? '' : '?'}`).join(', ');
  const returns = playbook?.returns === undefined ? '' : ` -> ${playbook.returns}`;
  const about = firstLine(playbook?.description ?? own);
  return `${name}(${given})${returns}${about === '' ? '' : `: ${about}`}`;
}

/** Who the model is; `me`: the name of one that was made like the agent. */
export function agentText({ written, description }: LinkedAgent, me?: string): string {
  const who = me === undefined ? written : `${me}, a ${written}`;
  return `You are ${who}.${description.trim() === '' ? '' : `\n${description.trim()}`}`;
}

const firstLine = (text: string): string => text.trim().split('\n', 1)[0] ?? '';
