/**
 * What a step of a playbook may call, by every name that means it: playbooks of its agent, public
 * ones of others, functions of the agent's code, tools of the run. Pure.
 */
import type { Step } from '../../../../dialects/playbook/compiled/compiled.ts';
import type {
  LinkedAgent,
  LinkedFile,
  LinkedPlaybook,
} from '../../../../dialects/playbook/compiled/linked.ts';
import { aboutOf } from '../../../../dialects/playbook/source/code.ts';
import { plan } from '../../../../dialects/starlark/parse/options.ts';
import { parse } from '../../../../dialects/starlark/parse/parser.ts';
import type { Expression } from '../../../../dialects/starlark/parse/syntax.ts';
import { nearest } from '../../../../program/diagnostic.ts';
import { mandatory, type ToolSpec } from '../../../../program/effect.ts';
import { toolNamesIn } from '../../../../program/tool-names.ts';
import { writtenTerm } from '../../reply/forms/syntax.ts';
import type { Expr } from '../../reply/term.ts';

export type CalleeKind = 'playbook' | 'function' | 'tool';

export interface Callee {
  readonly kind: CalleeKind;
  /** What the loop calls: `FreeBikes`, `Weather.Forecast`; that of an own playbook has no agent. */
  readonly name: string;
  readonly parameters: readonly CalleeParameter[];
  /** Whether there may be other arguments than those. */
  readonly isOpen: boolean;
  readonly spec?: ToolSpec;
  /** Whose it is, of several agents that are alike: its name, or where that stands by then. */
  readonly on?: string | Expr;
  readonly playbook?: LinkedPlaybook;
  /** Of a function: what it says that it does. */
  readonly about?: string;
  /** Of a function: whether nobody notices that it is called. */
  readonly isQuiet?: boolean;
  /** Variables of the agent, as written, that it may set; absent, or with `*`, any. */
  readonly sets?: ReadonlySet<string> | undefined;
}

/** Whether somebody may notice that it is called, or called once more, as far as is known. */
export const mayWrite = ({ spec, playbook, isQuiet }: Callee): boolean => {
  if (spec) return spec.effect === 'write';
  return playbook ? playbook.isQuiet !== true : isQuiet !== true;
};

export interface CalleeParameter {
  readonly name: string;
  /** Of a tool in the words of its schema; functions say none. */
  readonly type?: string | undefined;
  readonly isRequired: boolean;
  /** What it has where a call leaves it out; absent where that is not plain, or it is required. */
  readonly usual?: Value;
}

type Value = Expr & { readonly is: 'value' };

/** What a variable, `$ann` or `$players[1]`, has by now; itself where nobody knows that yet. */
export type Held = (written: string) => string | Expr | undefined;

export interface Directory {
  readonly find: (name: string, held?: Held) => Callee | undefined;
  /** What is near to a name that there is not. */
  readonly near: (name: string) => string | undefined;
  readonly callees: readonly Callee[];
  /** Others that can be spoken to. */
  readonly agents: readonly LinkedAgent[];
  /** People by name, beside the user. */
  readonly people: readonly LinkedAgent[];
  /** Names of agents that were made while the program ran. */
  readonly made: readonly string[];
}

export function directoryOf(
  file: LinkedFile,
  agent: LinkedAgent,
  tools: ReadonlyMap<string, ToolSpec>,
): Directory {
  const byName = new Map<string, Callee>();
  const callees: Callee[] = [];
  const add = (callee: Callee, names: readonly string[]): void => {
    callees.push(callee);
    for (const name of names) if (!byName.has(name)) byName.set(name, callee);
  };
  for (const playbook of agent.playbooks.filter(({ mode }) => mode !== 'code')) {
    const own = { ...ofPlaybook(playbook, playbook.name), sets: agent.sets.get(playbook.id) };
    add(own, [playbook.name, playbook.written, playbook.id]);
  }
  const marks = agent.playbooks.filter(({ mode }) => mode === 'code');
  for (const found of agent.code.flatMap(({ text }) => functionsIn(text))) {
    const isQuiet = agent.quiet.has(found.name);
    const one = { ...found, isQuiet, sets: agent.sets.get(found.name) };
    // What stands at its mark is said of it before what it says itself.
    const marked = marks.find(({ name }) => name === one.name)?.description;
    add(marked ? { ...one, about: marked } : one, [one.name, `${agent.name}.${one.name}`]);
  }
  for (const other of file.agents) {
    if (other === agent) continue;
    for (const playbook of other.playbooks.filter(({ isPublic }) => isPublic)) {
      const theirs = { ...ofPlaybook(playbook, playbook.id), sets: agent.sets.get(playbook.id) };
      add(theirs, [playbook.id, `${other.written}.${playbook.written}`]);
    }
  }
  const minds = file.agents.filter(({ kind }) => kind === 'ai');
  if (minds.length > 1) add(creating, [creating.name]);
  for (const [name, spec] of toolNamesIn(tools)) {
    if (name === spec.name) add(ofTool(spec), [name, `${agent.name}.${name}`]);
    else if (!byName.has(name)) byName.set(name, ofTool(spec));
  }
  const byWord = new Map([...byName].toReversed().map(([name, one]) => [wordOf(name), one]));
  return {
    find: (name) => byName.get(name.trim()) ?? byWord.get(wordOf(name)),
    near: (name) => {
      const title = wordOf(titleIn(name));
      const alike = callees.find((one) => wordOf(titleIn(one.name)) === title);
      return alike?.name ?? byName.get(nearest(name, byName.keys()) ?? '')?.name;
    },
    callees,
    agents: minds.filter((one) => one !== agent),
    people: file.agents.filter(({ kind }) => kind === 'human'),
    made: [],
  };
}

/** `Rate` of `Clerk.Rate`: who is right about what is called may be wrong about whose it is. */
const titleIn = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

/** Makes one more agent like one of the file; other arguments are variables of the new one. */
const creating: Callee = {
  ...{ kind: 'function', name: 'CreateAgent', isOpen: true },
  parameters: [
    { name: 'like', isRequired: true },
    { name: 'name', isRequired: false },
  ],
};

/**
 * With the agents that were made while the program ran: `Ann.Guess` is one's own `Player.Guess`,
 * and `$ann.Guess` that of the one whose name the variable has.
 */
export function withMade(directory: Directory, made: Readonly<Record<string, string>>): Directory {
  const find = (name: string, held?: Held): Callee | undefined => {
    const [, written = '', title = ''] = /^(.+)\.([^.]+)$/.exec(name.trim()) ?? [];
    const isName = written in made || (!written.startsWith('$') && directory.find(name));
    const id = isName ? written : (held?.(written) ?? written);
    if (typeof id !== 'string') return offered(directory, title, id);
    const like = made[id];
    const found = directory.find(id === written && !like ? name : `${like ?? id}.${title}`);
    if (like === undefined) return found;
    return found?.playbook?.isPublic ? { ...found, on: id } : undefined;
  };
  return { ...directory, find, made: Object.keys(made) };
}

/** The only playbook of that title that another agent offers. */
function offered({ callees }: Directory, title: string, on: Expr): Callee | undefined {
  const found = callees.filter(({ name, kind }) => kind === 'playbook' && isOf(name, title));
  return found.length === 1 && found[0] ? { ...found[0], on } : undefined;
}

const isOf = (name: string, title: string): boolean => wordOf(name).endsWith(`.${wordOf(title)}`);

/** What tells a callee from all others: that of one agent from that of another like it, too. */
export const idOf = ({ name, on }: Pick<Callee, 'name' | 'on'>): string =>
  on === undefined ? name : `${typeof on === 'string' ? on : anyone} ${name}`;

const anyone = '*';

/** Whether a step calls what a reply calls, by its id. */
export const sameIn =
  ({ find }: Directory) =>
  ({ call }: Step, id: string): boolean => {
    if (!call) return false;
    const found = find(call.callee);
    // Whose it is may be known later: then it is that playbook of any of them.
    if (!found) return call.callee === id || isMember(call.callee, id);
    const own = idOf(found);
    const isOpen = [own, id].some((one) => one.startsWith(`${anyone} `));
    return own === id || (isOpen && id.endsWith(` ${found.name}`));
  };

/** Whether `$ann.Guess` may be `Player.Guess`: it has no value that is known here. */
const isMember = (written: string, id: string): boolean =>
  written.includes('.') && isOf(id, written.slice(written.lastIndexOf('.') + 1));

/** `Book a bike`, `book_a_bike` and `BookABike` are one name. */
const wordOf = (name: string): string =>
  name
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}.]/gu, '')
    .toLowerCase();

const ofPlaybook = (playbook: LinkedPlaybook, name: string): Callee => ({
  ...{ kind: 'playbook', name, playbook, isOpen: false },
  parameters: playbook.parameters.map((one) => ({
    name: one.name,
    type: one.type,
    isRequired: one.default === undefined,
    ...usualOf(one.default),
  })),
});

function ofTool(spec: ToolSpec): Callee {
  const { properties = {}, additionalProperties } = spec.parameters;
  const required = new Set(mandatory(spec));
  const parameters = Object.entries(properties).map(([name, { default: usual = null, type }]) => ({
    ...{ name, isRequired: required.has(name) },
    type: type && [type].flat().join(' | '),
    usual: { is: 'value', value: usual } as const,
  }));
  return {
    ...{ kind: 'tool', name: spec.name, spec },
    parameters,
    isOpen: additionalProperties !== undefined && additionalProperties !== false,
  };
}

/** Functions of a block that others may call; what does not parse has been refused by the check. */
function functionsIn(text: string): readonly Callee[] {
  const body = parse(text, plan).file?.body ?? [];
  return body.flatMap((statement): readonly Callee[] => {
    if (statement.kind !== 'def' || statement.name.name.startsWith('_')) return [];
    const { parameters } = statement.function;
    const named = parameters.flatMap((one) =>
      one.kind === 'parameter' || one.kind === 'optional'
        ? [
            {
              ...{ name: one.name.name, isRequired: one.kind === 'parameter' },
              ...(one.kind === 'optional' && usualIn(one.value)),
            },
          ]
        : [],
    );
    const isOpen = parameters.some(({ kind }) => kind === 'starstar');
    const { name } = statement.name;
    return [{ kind: 'function', name, parameters: named, isOpen, about: aboutOf(statement) }];
  });
}

function usualOf(text = ''): { readonly usual?: Value } {
  const term = writtenTerm(text);
  return term?.is === 'value' ? { usual: term } : {};
}

function usualIn(written: Expression): { readonly usual?: Value } {
  if (written.kind === 'name') return usualOf(written.name);
  const value = written.kind === 'literal' ? written.value : undefined;
  const isPlain = typeof value === 'string' || typeof value === 'number';
  return isPlain ? { usual: { is: 'value', value } } : {};
}
