/** What may be called and who may be spoken to, as the model sees it: a line for each. */
import type { Callable } from '../../../dialects/playbook/grammar/expression.ts';
import type { LinkedAgent } from '../../../dialects/playbook/link/linked.ts';
import { signatureOf } from '../../../dialects/signature.ts';
import { shortened } from '../../prompt.ts';
import { signature } from '../check/check.ts';
import type { Directory } from '../check/directory.ts';

export const calleeLines = (directory: Directory): string[] => [
  ...callableLines(directory.callees),
  ...agentLines(directory.agents),
  ...peopleLines(directory.people),
];

/** What may be called alone. */
export function callableLines(callees: Iterable<Callable>): string[] {
  const shown = [...new Set(callees)].filter(({ isHidden }) => isHidden !== true);
  const groups = [
    ['Playbooks:', shown.filter(({ kind }) => kind === 'playbook')],
    ['Functions:', shown.filter(({ kind }) => kind === 'function')],
    ['Tools:', shown.filter(({ kind }) => kind === 'tool')],
  ] as const;
  return groups.flatMap(([heading, group]) =>
    group.length === 0 ? [] : [heading, ...group.map((callee) => `- ${calleeLine(callee)}`)],
  );
}

function agentLines(agents: readonly LinkedAgent[]): readonly string[] {
  const [first] = agents;
  if (!first) return [];
  return [
    `Other agents: {"say":"…","to":"${first.name}"} tells one something, {"yield":"agent"} waits ` +
      'for its answer, which is data. CreateAgent creates one more like one of these and returns ' +
      'its name: {"say":"…","to":"$name"}, {"call":"$name.Playbook"}.',
    ...agents.map(aboutAgent),
  ];
}

/** People whom one may speak to beside the user. */
function peopleLines(people: readonly LinkedAgent[]): readonly string[] {
  const [first] = people;
  if (!first) return [];
  return [
    `People, beside the user: {"say":"…","to":"${first.name}"} reaches one, {"yield":"user"} ` +
      'waits for all who were asked.',
    ...people.map(aboutAgent),
  ];
}

const aboutAgent = ({ name, description }: LinkedAgent): string =>
  `- ${name}: ${firstWords(description)}`.replace(/: $/, '');

function calleeLine(callee: Callable): string {
  const { about, returns, spec } = callee;
  if (spec) {
    const writes = spec.effect === 'write' ? ' Changes something in the world.' : '';
    return `${signatureOf(spec)}: ${firstLine(spec.description)}${writes}`;
  }
  const result = returns === undefined ? '' : ` -> ${returns}`;
  const words = firstWords(about);
  return `${signature(callee)}${result}${words === '' ? '' : `: ${words}`}`;
}

/** Who the model is; `me`: the name of an agent that was created like this one. */
export function agentText({ written, description }: LinkedAgent, me?: string): string {
  const who = me === undefined ? written : `${me}, a ${written}`;
  return `You are ${who}.${description.trim() === '' ? '' : `\n${description.trim()}`}`;
}

const firstLine = (text: string): string => text.trim().split('\n', 1)[0] ?? '';

const aboutMax = 200;

/** The first paragraph, whose lines may be broken anywhere; of a long one the first sentences. */
function firstWords(text: string): string {
  const [paragraph = ''] = text.trim().split(/\n\s*\n/, 1);
  const words = paragraph.replace(/(?<!\s)\s*\n\s*/g, ' ');
  if (words.length <= aboutMax) return words;
  return /^.{20,200}?[.!?](?= )/su.exec(words)?.[0] ?? shortened(words, aboutMax);
}
