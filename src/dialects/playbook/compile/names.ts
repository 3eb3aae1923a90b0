/**
 * What the lines of a playbook may name: playbooks of their agent, public ones of others, functions
 * of blocks, tools; people and agents; variables of the call.
 */
import type { ToolSpec } from '../../../program/effect.ts';
import { namePattern } from '../../../program/name.ts';
import type { Recipient } from '../compiled.ts';
import type { Callable } from '../grammar/expression.ts';
import { type LineNames, titleKey } from '../grammar/forms.ts';
import { meetingOf } from '../source/meeting.ts';
import { type Agent, flatLines, type PlaybookHead } from '../source/tree.ts';
import { calleesOf } from './callees.ts';

/** A line as far as names need it: of a source, or of what is compiled. */
interface TextLine {
  readonly text: string;
  readonly block?: string;
  readonly children: readonly TextLine[];
}

interface TextPlaybook extends PlaybookHead {
  readonly lines: readonly TextLine[];
}

type TextAgent = Omit<Agent, 'playbooks'> & { readonly playbooks: readonly TextPlaybook[] };

export function namesOf(
  agent: TextAgent,
  agents: readonly TextAgent[],
  tools: Iterable<ToolSpec | string>,
): (playbook: TextPlaybook) => LineNames {
  const callees = calleesOf(agent, agents, tools);
  const titles = new Map<string, Callable>();
  for (const { name, written } of agent.playbooks) {
    const callee = callees.get(name);
    if (callee?.kind === 'playbook') titles.set(titleKey(written), callee);
  }
  const others = new Map<string, Recipient>();
  for (const { kind, name, written } of agents) {
    if (name === agent.name) continue;
    const to: Recipient = { kind: kind === 'human' ? 'person' : 'agent', name };
    for (const known of [name, written]) others.set(known.toLowerCase(), to);
  }
  return (playbook) => {
    const locals = localsOf(playbook);
    const dollars = new Set(dollarParameters(playbook));
    return {
      ...{ callees, titles, others },
      scopeOfDollar: (name) => (dollars.has(name) ? 'local' : 'state'),
      isLocal: (name) => locals.has(name),
      isMeeting: meetingOf(playbook) !== undefined,
    };
  };
}

const dollarParameters = ({ parameters }: TextPlaybook): readonly string[] =>
  parameters.flatMap(({ hasDollar, name }) => (hasDollar ? [name] : []));

const dollarForm = new RegExp(String.raw`(?<![\w$\\])\$\{?(${namePattern})`, 'gu');

/** The names of variables with a dollar in a text, without it. */
export const dollarNames = (text: string): readonly string[] =>
  [...text.matchAll(dollarForm)].map(([, name = '']) => name.normalize('NFC'));

const textsOf = (lines: readonly TextLine[]): string[] =>
  flatLines(lines).flatMap(({ block = '', text }) => [text, block]);

const assigned = new RegExp(`^(${namePattern})\\s*(?::[^=]*)?[-+*/]?=(?!=)`, 'u');
const looped = new RegExp(`^(?:for each|pour chaque)\\s+(${namePattern})\\s+(?:in|dans)\\s`, 'iu');

/** Variables of the call: plain parameters, and what lines set without a dollar. */
function localsOf({ parameters, lines }: TextPlaybook): ReadonlySet<string> {
  const set = textsOf(lines).flatMap((text) => {
    const [, name] = assigned.exec(text) ?? looped.exec(text) ?? [];
    return name === undefined ? [] : [name.normalize('NFC')];
  });
  return new Set([...parameters.flatMap((one) => (one.hasDollar ? [] : [one.name])), ...set]);
}
