/** What the lines of a playbook may name: playbooks, functions, agents, tools and variables. */
import { mandatory, type ToolSpec } from '../../../../program/effect.ts';
import { readCode } from '../../source/code.ts';
import { isOpen, meetingOf, withGiven } from '../../source/meeting.ts';
import type { Agent, Metadata, Mode, Parameter, PlaybookFile } from '../../source/tree.ts';
import { writtenName } from '../../text/variables.ts';
import { eventsOf, type Triggered } from '../triggers/events.ts';
import type { OtherAgents } from './agent-lines.ts';
import { holdingIn } from './holding.ts';
import { madeIn } from './made.ts';

/** What can be called, and how it is known. */
export interface Callee {
  /** As steps write it: `FreeBikes`, or `Weather.Forecast` for one of another agent. */
  readonly name: string;
  readonly kind: 'playbook' | 'function' | 'tool';
  /** Names of parameters, as written; absent where nobody knows them. */
  readonly parameters?: readonly string[];
  /** Of those, the ones that a call has to give. */
  readonly mandatory?: readonly string[];
  /** It takes arguments that are none of its parameters. */
  readonly takesMore?: boolean;
  /** A meeting: whether it names those who attend itself, or its calls have to. */
  readonly meeting?: 'named' | 'open';
  /** Of another agent that does not offer it. */
  readonly isPrivate?: true;
}

export interface Names extends OtherAgents {
  readonly callees: ReadonlyMap<string, Callee>;
  /** The same by how people say it: `book a bike`. */
  readonly spoken: ReadonlyMap<string, Callee>;
  /** Playbooks by their titles: `ask for a PIN`, of another agent `desk.ask for a PIN`. */
  readonly titles: ReadonlyMap<string, Callee>;
  /** The same by the words that say what is done, without those that lead to what with. */
  readonly bare: ReadonlyMap<string, Callee>;
  readonly agents: ReadonlySet<string>;
  /** Those whose headings write another name than they have, by that. */
  readonly written: ReadonlyMap<string, string>;
  /** Agents that are people, by how steps name them. */
  readonly people: ReadonlySet<string>;
  /** Agents that another one may be made like, by every way to write their names. */
  readonly models: ReadonlyMap<string, string>;
  /** Agents that are servers: nobody knows here what they offer. */
  readonly remote: ReadonlySet<string>;
  /** What triggers of the file say of events that they are for. */
  readonly events: readonly string[];
}

/** Functions of the machinery that every playbook may call. */
export const ownCallees: ReadonlySet<string> = new Set([
  ...['Say', 'SendMessage', 'WaitForMessage', 'EndProgram', 'Ask', 'CreateAgent'],
  ...['SaveArtifact', 'LoadArtifact', 'Loadfile', 'LoadFile', 'Return', 'Yield'],
]);

/** The head of a playbook, as far as calls need it. */
interface Head {
  readonly name: string;
  readonly written: string;
  readonly parameters: readonly Parameter[];
  readonly metadata: Metadata;
  readonly isPublic: boolean;
  readonly mode: Mode;
  readonly steps?: readonly Line[];
  readonly triggers: readonly Triggered[];
}

interface Line {
  readonly text: string;
  readonly children: readonly Line[];
}

type Named = Pick<Agent, 'name' | 'written' | 'code' | 'kind'> & {
  readonly playbooks: readonly Head[];
};

/** What an agent of a file may name; of tools perhaps no more than the name is known. */
export function namesFor(
  agent: Named,
  { agents }: { readonly agents: readonly Named[] } | PlaybookFile,
  tools: Iterable<ToolSpec | string> = [],
): Names {
  const callees = new Map<string, Callee>();
  const spoken = new Map<string, Callee>();
  const titles = new Map<string, Callee>();
  const remote = new Set(agents.filter(({ kind }) => kind === 'mcp').map(({ name }) => name));
  for (const tool of tools) {
    for (const callee of toolCallees(tool)) {
      callees.set(callee.name, callee);
      // What a server offers is said by its agent's name: of other tools the words are too many.
      const [server = ''] = callee.name.split('.');
      if (remote.has(server)) spoken.set(spokenForm(callee.name), callee);
    }
  }
  for (const other of agents) {
    const prefix = other === agent ? '' : `${other.name}.`;
    for (const head of other.playbooks) {
      // To its own agent a function is one, whatever else plays it.
      if (prefix === '' && head.mode === 'code') continue;
      const isPrivate = prefix !== '' && !head.isPublic;
      const callee = calleeOf(head, prefix, isPrivate);
      callees.set(callee.name, callee);
      if (prefix === '') callees.set(`${agent.name}.${head.name}`, callee);
      if (isPrivate) continue;
      const whose = prefix === '' ? [''] : [prefix, `${other.written}.`];
      for (const one of whose) titles.set(titleForm(`${one}${head.written}`), callee);
      for (const text of [head.written, wordsOf(head.name)]) {
        const key = spokenForm(text);
        if (key !== '' && !spoken.has(key)) spoken.set(key, callee);
      }
    }
  }
  for (const { functions } of agent.code.map(readCode)) {
    for (const { name, parameters, mandatory, takesMore } of functions) {
      const takes = { parameters, mandatory, takesMore };
      const callee: Callee = { name, kind: 'function', ...takes };
      callees.set(name, callee);
      spoken.set(spokenForm(wordsOf(name)), callee);
    }
  }
  const minds = agents.filter(({ kind }) => kind === 'ai');
  const made = madeIn(agents, writtenAs(minds));
  const holding = holdingIn(agent.playbooks, writtenAs(minds));
  for (const [name, like] of made) offerAs(name, like, callees);
  const people = agents.filter(({ kind }) => kind === 'human').map(({ name }) => name);
  return {
    ...{ callees, spoken, titles, remote },
    events: agents.flatMap(({ playbooks }) =>
      playbooks.flatMap(({ triggers }) => eventsOf(triggers)),
    ),
    bare: onlyOnes([...spoken].map(([words, callee]) => [bareForm(words), callee])),
    models: minds.length > 1 ? writtenAs(minds) : new Map(),
    agents: new Set(agents.map(({ name }) => name)),
    written: new Map(
      agents.flatMap(({ name, written }) => (written === name ? [] : [[written, name] as const])),
    ),
    people: new Set(people),
    others: new Map([
      ...[...made.keys(), ...holding].map((name) => [name, name] as const),
      ...writtenAs(minds.filter((other) => other !== agent)),
    ]),
  };
}

/** Without names that two have. */
function onlyOnes<T>(all: readonly (readonly [string, T])[]): ReadonlyMap<string, T> {
  const found = new Map(all);
  for (const [name, one] of all) if (found.get(name) !== one) found.delete(name);
  return found;
}

const writtenAs = (agents: readonly Named[]): ReadonlyMap<string, string> =>
  new Map(
    agents.flatMap(({ name, written }) => [
      [name, name],
      [written, name],
    ]),
  );

/** What `Greeter.Greet` is, `Anna.Greet` is, where Anna is made like the Greeter. */
function offerAs(name: string, like: string, callees: Map<string, Callee>): void {
  for (const [written, callee] of [...callees]) {
    if (!written.startsWith(`${like}.`)) continue;
    const own = `${name}${written.slice(like.length)}`;
    callees.set(own, { ...callee, name: own });
  }
}

/** By each of its names. */
function toolCallees(tool: ToolSpec | string): Callee[] {
  if (typeof tool === 'string') return [{ name: tool, kind: 'tool' }];
  const { name, aliases = [], parameters } = tool;
  const known = {
    parameters: Object.keys(parameters.properties ?? {}),
    mandatory: [...mandatory(tool)],
  };
  return [name, ...aliases].map((one) => ({ name: one, kind: 'tool', ...known }));
}

function calleeOf(head: Head, prefix: string, isPrivate: boolean): Callee {
  const meeting = meetingOf(head);
  const parameters = meeting ? withGiven(head.parameters) : head.parameters;
  const written = parameters.map(writtenName);
  const mandatory = parameters.flatMap(({ default: value }, at) =>
    value === undefined ? [written[at] ?? ''] : [],
  );
  return {
    ...{ name: `${prefix}${head.name}`, kind: 'playbook', parameters: written, mandatory },
    ...(meeting && { meeting: isOpen(meeting) ? 'open' : 'named' }),
    ...(isPrivate ? { isPrivate } : {}),
  };
}

/** `BookABike` and `book_a_bike` as words. */
const wordsOf = (name: string): string =>
  name
    .replace(/_/g, ' ')
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2');

/** How titles are compared: as they are written, but for case, blanks and what ends a line. */
export const titleForm = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[\s.:!]+$/, '')
    .trim();

/** How two texts are compared that say the same: without case, articles and marks. */
export const spokenForm = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^["'`\s]*\d+[.)]\s/, '')
    .replace(/["'`.:!]/g, '')
    .replace(/(?<!\p{XIDC})(the|a|an|playbook)(?!\p{XIDC})/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** `find an answer to the` and `FindAnAnswer` are one: what leads to its subject is left out. */
export const bareForm = (text: string): string =>
  spokenForm(text)
    .replace(leading, ' ')
    .replace(/[,\s]+/g, ' ')
    .trim();

const leading =
  /(?<!\p{XIDC})(?:to|for|about|with|on|of|from|at|by|using|given|pour|de|avec)(?!\p{XIDC})/gu;
