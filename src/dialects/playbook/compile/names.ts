/**
 * What the lines of a playbook may name: playbooks of their agent, public ones of others, functions
 * of blocks, tools; people and agents; variables of the call.
 */
import type { ToolSpec } from '../../../program/effect.ts';
import { namePattern } from '../../../program/name.ts';
import type { Recipient } from '../compiled.ts';
import type { Callable } from '../grammar/expression.ts';
import { type LineNames, titleKey } from '../grammar/forms.ts';
import { variablesIn } from '../source/code.ts';
import { meetingOf } from '../source/meeting.ts';
import {
  type Agent,
  flatLines,
  type Parameter,
  type PlaybookHead,
  type Scope,
} from '../source/tree.ts';
import { calleesOf } from './callees.ts';

/** A line as far as names need it: of a source, or of what is compiled. */
interface TextLine {
  readonly text: string;
  readonly block?: string;
  readonly children: readonly TextLine[];
}

interface TextPlaybook extends PlaybookHead {
  readonly triggers: readonly { readonly text: string }[];
  readonly lines: readonly TextLine[];
}

type TextAgent = Omit<Agent, 'playbooks'> & { readonly playbooks: readonly TextPlaybook[] };

/** For each playbook of an agent. */
export interface AgentNames {
  of(playbook: TextPlaybook): LineNames;
  /** The parameters with the scopes that they have. */
  parametersOf(playbook: TextPlaybook): readonly Parameter[];
}

export function namesOf(
  agent: TextAgent,
  agents: readonly TextAgent[],
  tools: Iterable<ToolSpec | string>,
): AgentNames {
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
  const usersOf = variableUsers(agent);
  const scopeOf = (playbook: TextPlaybook, name: string): Scope => {
    if (!playbook.parameters.some((one) => one.hasDollar && one.name === name)) return 'state';
    // A parameter is shared where the rest of the agent reads it as its own.
    return [...(usersOf.get(name) ?? [])].some((user) => user !== playbook) ? 'state' : 'local';
  };
  return {
    of(playbook) {
      const locals = localsOf(playbook);
      return {
        ...{ callees, titles, others },
        scopeOfDollar: (name) => scopeOf(playbook, name),
        isLocal: (name) => locals.has(name),
        isMeeting: meetingOf(playbook) !== undefined,
      };
    },
    parametersOf: (playbook) =>
      playbook.parameters.map((one) =>
        one.hasDollar ? { ...one, scope: scopeOf(playbook, one.name) } : one,
      ),
  };
}

const dollarForm = new RegExp(String.raw`(?<![\w$\\])\$\{?(${namePattern})`, 'gu');

/** The names of variables with a dollar in a text, without it. */
export const dollarNames = (text: string): readonly string[] =>
  [...text.matchAll(dollarForm)].map(([, name = '']) => name.normalize('NFC'));

const textsOf = (lines: readonly TextLine[]): string[] =>
  flatLines(lines).flatMap(({ block = '', text }) => [text, block]);

/** Who names `$x` that is no parameter of its own: playbooks, or code and triggers of the agent. */
function variableUsers(agent: TextAgent): ReadonlyMap<string, ReadonlySet<TextPlaybook | 'agent'>> {
  const users = new Map<string, Set<TextPlaybook | 'agent'>>();
  const use = (names: readonly string[], by: TextPlaybook | 'agent'): void => {
    for (const name of names) users.set(name, (users.get(name) ?? new Set()).add(by));
  };
  use(agent.code.flatMap(variablesIn).flatMap(dollarNames), 'agent');
  for (const { triggers } of agent.playbooks) {
    use(
      triggers.flatMap(({ text }) => dollarNames(text)),
      'agent',
    );
  }
  for (const playbook of agent.playbooks) {
    const own = new Set(playbook.parameters.map(({ name }) => name));
    const texts = [playbook.description, ...textsOf(playbook.lines)];
    use(
      texts.flatMap(dollarNames).filter((name) => !own.has(name)),
      playbook,
    );
  }
  return users;
}

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
