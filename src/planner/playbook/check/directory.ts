/**
 * What a model may call and whom it may speak to at a playbook: playbooks of its agent and public
 * ones of others, functions of the agent's code, tools of the run. Pure.
 */
import type { CalleeKind } from '../../../dialects/playbook/compiled.ts';
import type {
  LinkedAgent,
  LinkedFile,
  LinkedPlaybook,
} from '../../../dialects/playbook/link/linked.ts';
import { type CodeFunction, offeredFunctions } from '../../../dialects/playbook/source/code.ts';
import { nearest } from '../../../program/diagnostic.ts';
import { type JsonSchema, mandatory, type ToolSpec } from '../../../program/effect.ts';
import { toolNamesIn } from '../../../program/tool-names.ts';
import type { Expr } from '../reply/expr.ts';

export interface Callee {
  readonly kind: CalleeKind;
  /** What the loop calls it: `Agent.Name`, the name of a function or of a tool. */
  readonly name: string;
  /** What the model is told that it is called. */
  readonly shown: string;
  readonly parameters: readonly CalleeParameter[];
  /** Whether there may be other arguments than those. */
  readonly isOpen: boolean;
  readonly spec?: ToolSpec;
  readonly playbook?: LinkedPlaybook;
  /** Of a function: what it says that it does. */
  readonly about?: string;
  /** Whose it is, of several agents that are alike. */
  readonly on?: string | Expr;
}

export interface CalleeParameter {
  readonly name: string;
  /** Of a parameter of a tool. */
  readonly schema?: JsonSchema;
  readonly isRequired: boolean;
}

export interface Directory {
  /** By any of its names: `Book a bike` and `BookABike` are one. */
  readonly find: (name: string) => Callee | undefined;
  /** The name that was probably meant by one that does not exist. */
  readonly near: (name: string) => string | undefined;
  readonly callees: readonly Callee[];
  /** Other agents that can be spoken to. */
  readonly agents: readonly LinkedAgent[];
  /** People beside the user. */
  readonly people: readonly LinkedAgent[];
  /** Agents that were created while the program ran: which agent of the file each is like. */
  readonly made: Readonly<Record<string, string>>;
}

export interface DirectoryPlace {
  readonly file: LinkedFile;
  readonly agent: LinkedAgent;
  /** All that may be offered. */
  readonly tools: ReadonlyMap<string, ToolSpec>;
  readonly made?: Readonly<Record<string, string>>;
}

export function directoryOf({ file, agent, tools, made = {} }: DirectoryPlace): Directory {
  const byName = new Map<string, Callee>();
  const callees: Callee[] = [];
  const add = (callee: Callee, names: readonly string[]): void => {
    callees.push(callee);
    for (const name of names.map(wordOf)) if (!byName.has(name)) byName.set(name, callee);
  };
  for (const playbook of agent.playbooks.filter(({ mode }) => mode !== 'code')) {
    const { name, written, id } = playbook;
    add(ofPlaybook(playbook, name), [name, written, id]);
  }
  const marks = new Map(agent.playbooks.map(({ name, description }) => [name, description]));
  for (const callee of offeredFunctions(agent).map(ofFunction)) {
    const about = marks.get(callee.name) || callee.about;
    const { name } = callee;
    add(about ? { ...callee, about } : callee, [name, `${agent.name}.${name}`]);
  }
  for (const other of file.agents.filter((one) => one !== agent)) {
    for (const playbook of other.playbooks.filter(({ isPublic }) => isPublic)) {
      const { id, written } = playbook;
      add(ofPlaybook(playbook, id), [id, `${other.written}.${written}`]);
    }
  }
  const minds = file.agents.filter(({ kind }) => kind === 'ai');
  if (minds.length > 1) add(creating, [creating.name]);
  for (const [name, spec] of toolNamesIn(tools)) {
    if (name === spec.name) add(ofTool(spec), [name, `${agent.name}.${name}`]);
    else if (!byName.has(wordOf(name))) byName.set(wordOf(name), ofTool(spec));
  }
  const find = (name: string): Callee | undefined => {
    const [, owner = '', title = ''] = /^\s*(.+)\.([^.]+)$/.exec(name) ?? [];
    if (owner.startsWith('$')) return memberOf(callees, owner, title);
    const like = made[owner];
    const callee = byName.get(wordOf(like === undefined ? name : `${like}.${title}`));
    return callee && like !== undefined ? { ...callee, on: owner } : callee;
  };
  const near = (name: string): string | undefined => {
    const title = titleOf(name);
    const alike = callees.find((one) => titleOf(one.name) === title);
    return (alike ?? byName.get(nearest(wordOf(name), byName.keys()) ?? ''))?.shown;
  };
  const people = file.agents.filter(({ kind }) => kind === 'human');
  return { find, near, callees, agents: minds.filter((one) => one !== agent), people, made };
}

/** The only playbook of that title that another agent offers: `$ann.Guess`. */
function memberOf(callees: readonly Callee[], owner: string, title: string): Callee | undefined {
  const end = `.${wordOf(title)}`;
  const found = callees.filter(({ playbook }) => playbook && wordOf(playbook.id).endsWith(end));
  const [callee, other] = found;
  const on: Expr = { is: 'ref', name: owner, path: [] };
  return callee && !other ? { ...callee, on } : undefined;
}

/** `Book a bike`, `book_a_bike` and `BookABike` are one name. */
const wordOf = (name: string): string =>
  name
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}.]/gu, '')
    .toLowerCase();

const titleOf = (name: string): string => wordOf(name.slice(name.lastIndexOf('.') + 1));

/** Creates one more agent like one of the file; other arguments are variables of the new one. */
const creating: Callee = {
  ...{ kind: 'function', name: 'CreateAgent', shown: 'CreateAgent', isOpen: true },
  parameters: [
    { name: 'like', isRequired: true },
    { name: 'name', isRequired: false },
  ],
};

const ofPlaybook = (playbook: LinkedPlaybook, shown: string): Callee => ({
  ...{ kind: 'playbook', name: playbook.id, shown, playbook, isOpen: false },
  parameters: playbook.parameters.map((one) => ({
    name: one.name,
    isRequired: one.default === undefined,
  })),
});

function ofTool(spec: ToolSpec): Callee {
  const { properties = {}, additionalProperties } = spec.parameters;
  const required = new Set(mandatory(spec));
  const names = Object.entries(properties);
  const isOpen = additionalProperties !== undefined && additionalProperties !== false;
  return {
    ...{ kind: 'tool', name: spec.name, shown: spec.name, spec, isOpen },
    parameters: names.map(([name, schema]) => ({ name, schema, isRequired: required.has(name) })),
  };
}

/** A function of a block that others may call. */
const ofFunction = ({ about, mandatory: needed, name, parameters, takesMore }: CodeFunction) =>
  ({
    ...{ kind: 'function', name, shown: name, about, isOpen: takesMore },
    parameters: parameters.map((one) => ({ name: one, isRequired: needed.includes(one) })),
  }) satisfies Callee;
