/**
 * What the lines of a playbook may name: playbooks of their agent, public ones of others, functions
 * of blocks, tools; people and agents; variables of the call.
 */

import { mandatory, type ToolSpec } from '../../../program/effect.ts';
import { namePattern } from '../../../program/name.ts';
import type { Recipient } from '../compiled.ts';
import type { Callable, CallableParameter } from '../grammar/expression.ts';
import { type LineNames, titleKey } from '../grammar/forms.ts';
import { readCode, variablesIn } from '../source/code.ts';
import { meetingOf, withGiven } from '../source/meeting.ts';
import type { Agent, CodeBlock, Parameter, PlaybookHead, Scope } from '../source/tree.ts';

/** A line as far as names need it: of a source, or of what is compiled. */
interface TextLine {
  readonly text: string;
  readonly block?: string;
  readonly children: readonly TextLine[];
}

export interface TextPlaybook extends PlaybookHead {
  readonly triggers: readonly { readonly text: string }[];
  readonly lines: readonly TextLine[];
}

export interface TextAgent extends Pick<Agent, 'name' | 'written' | 'kind' | 'metadata'> {
  readonly code: readonly CodeBlock[];
  readonly playbooks: readonly TextPlaybook[];
}

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
    for (const one of [name, written]) others.set(one.toLowerCase(), to);
  }
  const sharing = sharedNames(agent);
  const scopeOf = (playbook: TextPlaybook, name: string): Scope => {
    const isParameter = playbook.parameters.some((one) => one.hasDollar && one.name === name);
    return isParameter && !sharing(playbook, name) ? 'local' : 'state';
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

/** Later ones win: tools, playbooks, functions. */
function calleesOf(
  agent: TextAgent,
  agents: readonly TextAgent[],
  tools: Iterable<ToolSpec | string>,
): ReadonlyMap<string, Callable> {
  const callees = new Map<string, Callable>();
  for (const tool of tools) {
    if (typeof tool === 'string') callees.set(tool, { kind: 'tool', name: tool });
    else
      for (const name of [tool.name, ...(tool.aliases ?? [])]) callees.set(name, toolCallee(tool));
  }
  for (const other of agents) {
    for (const playbook of other.playbooks) {
      const isOwn = other.name === agent.name;
      if (!isOwn && !playbook.isPublic) continue;
      const id = `${other.name}.${playbook.name}`;
      const callee: Callable = { kind: 'playbook', name: id, parameters: parametersOf(playbook) };
      callees.set(id, callee);
      // To its own agent a function is one, whatever else plays it.
      if (isOwn && playbook.mode !== 'code') callees.set(playbook.name, callee);
    }
  }
  for (const { functions } of agent.code.map(readCode)) {
    for (const { name, parameters, mandatory: required, takesMore } of functions) {
      const known = parameters.map((one) => ({ name: one, isRequired: required.includes(one) }));
      callees.set(name, { kind: 'function', name, parameters: known, takesMore });
    }
  }
  return callees;
}

function toolCallee(tool: ToolSpec): Callable {
  const required = new Set(mandatory(tool));
  const parameters = Object.keys(tool.parameters.properties ?? {}).map((name) => {
    return { name, isRequired: required.has(name) };
  });
  return { kind: 'tool', name: tool.name, parameters };
}

function parametersOf(playbook: TextPlaybook): readonly CallableParameter[] {
  const { parameters } = playbook;
  return (meetingOf(playbook) ? withGiven(parameters) : parameters).map((one) => {
    const { name, hasDollar = false, default: value } = one;
    return { name, hasDollar, isRequired: value === undefined };
  });
}

const dollarForm = new RegExp(String.raw`(?<![\w$\\])\$\{?(${namePattern})`, 'gu');

/** The names of variables with a dollar in a text, without it. */
export const dollarNames = (text: string): readonly string[] =>
  [...text.matchAll(dollarForm)].map(([, name = '']) => name.normalize('NFC'));

const textsOf = (lines: readonly TextLine[]): string[] =>
  lines.flatMap(({ block = '', children, text }) => [text, block, ...textsOf(children)]);

/** Whether the rest of the agent reads `$x` as its own: no parameter of that playbook is shared. */
function sharedNames(agent: TextAgent): (playbook: TextPlaybook, name: string) => boolean {
  const users = new Map<string, Set<TextPlaybook | undefined>>();
  const use = (name: string, by: TextPlaybook | undefined): void => {
    users.set(name, (users.get(name) ?? new Set()).add(by));
  };
  for (const name of agent.code.flatMap(variablesIn)) use(name.replace(/^\$/, ''), undefined);
  for (const playbook of agent.playbooks) {
    const own = new Set(playbook.parameters.map(({ name }) => name));
    const texts = [playbook.description, ...textsOf(playbook.lines)];
    for (const name of texts.flatMap(dollarNames)) if (!own.has(name)) use(name, playbook);
    for (const { text } of playbook.triggers) {
      for (const name of dollarNames(text)) use(name, undefined);
    }
  }
  return (playbook, name) => [...(users.get(name) ?? [])].some((one) => one !== playbook);
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
