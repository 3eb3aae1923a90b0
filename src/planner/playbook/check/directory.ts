/**
 * What a model may call and whom it may speak to at a playbook: what lines of its agent may, agents
 * that were created, and people. Pure.
 */
import { calleesOf } from '../../../dialects/playbook/compile/callees.ts';
import type { Callable } from '../../../dialects/playbook/grammar/expression.ts';
import type { LinkedAgent, LinkedFile } from '../../../dialects/playbook/link/linked.ts';
import { nearest } from '../../../program/diagnostic.ts';
import type { ToolSpec } from '../../../program/effect.ts';
import type { Expr } from '../reply/expr.ts';

export interface Callee extends Callable {
  /** Whose it is, of several agents that are alike. */
  readonly on?: string | Expr;
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
}

export interface DirectoryPlace {
  readonly file: LinkedFile;
  readonly agent: LinkedAgent;
  /** All that may be offered. */
  readonly tools: ReadonlyMap<string, ToolSpec>;
  /** Agents that were created while the program ran: which agent of the file each is like. */
  readonly made?: Readonly<Record<string, string>>;
}

export function directoryOf({ file, agent, tools, made = {} }: DirectoryPlace): Directory {
  const { agents } = file;
  const minds = agents.filter(({ kind }) => kind === 'ai');
  const offered = new Map<string, Callable>(calleesOf(agent, agents, tools.values()));
  if (minds.length > 1) offered.set(creating.name, offered.get(creating.name) ?? creating);
  const callees = [...new Set(offered.values())];
  const byName = new Map<string, Callable>();
  const add = (name: string, callee: Callable): void => {
    if (!byName.has(wordOf(name))) byName.set(wordOf(name), callee);
  };
  for (const [name, callee] of offered) add(name, callee);
  for (const callee of callees) {
    const { name, shown, written } = callee;
    if (written !== undefined) add(shown === name ? writtenId(callee, agents) : written, callee);
    // Each may be named with the agent that has it.
    if (shown !== name || callee.kind !== 'playbook') add(`${agent.name}.${shown}`, callee);
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
  const people = agents.filter(({ kind }) => kind === 'human');
  return { find, near, callees, agents: minds.filter((one) => one !== agent), people };
}

/** `Tax clerk.Get the rate`. */
function writtenId({ name, written = '' }: Callable, agents: readonly LinkedAgent[]): string {
  const owner = agents.find((agent) => name.startsWith(`${agent.name}.`));
  return `${owner?.written}.${written}`;
}

/** The only playbook of that title that another agent offers: `$ann.Guess`. */
function memberOf(callees: readonly Callable[], owner: string, title: string): Callee | undefined {
  const end = `.${wordOf(title)}`;
  const found = callees.filter(
    ({ kind, name }) => kind === 'playbook' && wordOf(name).endsWith(end),
  );
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
const creating: Callable = {
  ...{ kind: 'function', name: 'CreateAgent', shown: 'CreateAgent', about: '', takesMore: true },
  parameters: [
    { name: 'like', isRequired: true },
    { name: 'name', isRequired: false },
  ],
};
