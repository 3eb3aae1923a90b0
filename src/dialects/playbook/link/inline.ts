/**
 * Small playbooks in the place of their calls, so that a model does both in one go. The line of the
 * call keeps its number and becomes the head of the callee's lines: arguments are set first, under
 * names that are new there; a return sets the result and goes to the end of the block.
 */
import { counted } from '../../../program/counted.ts';
import type { SaidModels } from '../../dialect.ts';
import {
  type CompiledAgent,
  type CompiledFile,
  type CompiledPlaybook,
  type Does,
  type Expression,
  flatLines,
  type Line,
  type Variable,
} from '../compiled.ts';
import { meetingOf } from '../source/meeting.ts';
import { modelNamed, playbookId } from '../source/models.ts';
import { liveIn, variablesOf, writtenIn } from './flow.ts';
import { graphOf } from './graph.ts';
import type { Inlining } from './linked.ts';

export interface Inlined {
  readonly file: CompiledFile;
  readonly inlining: readonly Inlining[];
  /** `Agent.Caller:03.02` to `Callee:02`. */
  readonly origins: ReadonlyMap<string, string>;
}

type Call = Extract<Does, { is: 'call' }>;

/** What is the same for all calls of an agent. */
interface Linking {
  readonly linesMax: number;
  readonly modelOf: (playbook: CompiledPlaybook) => string | undefined;
  /** The playbooks of the agent by their ids, each with all its lines. */
  readonly callees: ReadonlyMap<string, Callee>;
  readonly inlining: Inlining[];
  readonly origins: Map<string, string>;
}

interface Callee {
  readonly playbook: CompiledPlaybook;
  readonly all: readonly Line[];
}

/** A playbook in which others are to stand. */
interface Caller {
  readonly id: string;
  readonly model: string | undefined;
  /** Names of variables that mean something in it. */
  readonly taken: Set<string>;
}

/** The playbooks that stand around an inlined line, and how many more lines may. */
interface Around {
  readonly ids: readonly string[];
  readonly budget: { lines: number };
}

export function inlined(
  file: CompiledFile,
  linesMax: number,
  models: SaidModels['named'],
): Inlined {
  const inlining: Inlining[] = [];
  const origins = new Map<string, string>();
  const agents = file.agents.map((agent) => {
    const linking: Linking = {
      ...{ linesMax, inlining, origins },
      modelOf: (playbook) => modelNamed(file, agent, playbook, models),
      callees: new Map(
        agent.playbooks.map((playbook) => {
          return [playbookId(agent, playbook), { playbook, all: flatLines(playbook.lines) }];
        }),
      ),
    };
    const shared = stateOf(agent);
    const playbooks = agent.playbooks.map((playbook) => {
      const id = playbookId(agent, playbook);
      const taken = new Set([...shared, ...variablesOf(playbook).map(({ name }) => name)]);
      const caller = { id, model: linking.modelOf(playbook), taken };
      return { ...playbook, lines: playbook.lines.map((line) => expanded(line, caller, linking)) };
    });
    return { ...agent, playbooks };
  });
  return { file: { ...file, agents }, inlining, origins };
}

/** The names of the variables that the playbooks of an agent share. */
export const stateOf = ({ playbooks }: CompiledAgent): string[] => [
  ...new Set(
    playbooks.flatMap(variablesOf).flatMap(({ name, scope }) => (scope === 'state' ? [name] : [])),
  ),
];

/** A line with its callee's lines in its place, where they may stand there, and so on in those. */
function expanded(line: Line, caller: Caller, linking: Linking, around?: Around): Line {
  const { callees, inlining, linesMax, origins } = linking;
  const { does, number } = line;
  const callee = does.is === 'call' ? callees.get(does.callee.name) : undefined;
  if (does.is !== 'call' || !callee) {
    const children = line.children.map((child) => expanded(child, caller, linking, around));
    return { ...line, children };
  }
  const { ids, budget } = around ?? { ids: [caller.id], budget: { lines: linesMax } };
  const lines = callee.all.length;
  const size = counted(lines, 'line');
  const against =
    lines > budget.lines
      ? `${size}, more than ${budget.lines}`
      : reasonAgainst(does, callee, [...ids, does.callee.name], caller.model, linking);
  const isInlined = against === undefined;
  const why = against ?? `${size}, at most ${linesMax}`;
  const { name } = callee.playbook;
  inlining.push({ at: `${caller.id}:${number}`, callee: name, lines, isInlined, why });
  if (!isInlined) return line;
  budget.lines -= lines;
  const within = { ids: [...ids, does.callee.name], budget };
  const head = placed(line, does, callee.playbook, caller, origins);
  const children = head.children.map((child) => expanded(child, caller, linking, within));
  return { ...head, children };
}

/** Why a playbook does not stand in the place of a call; undefined where it does. */
function reasonAgainst(
  { args, into }: Call,
  { all, playbook: callee }: Callee,
  ids: readonly string[],
  model: string | undefined,
  { modelOf }: Linking,
): string | undefined {
  const { description, lines, notes, parameters } = callee;
  const [first] = lines;
  if (!first) return 'it has no lines';
  if (new Set(ids).size < ids.length || all.some((line) => ids.includes(calledAt(line) ?? ''))) {
    return 'it comes to call itself';
  }
  if (meetingOf(callee)) return 'it is a meeting';
  if (notes.length > 0) return 'it has notes, which are for it alone';
  if (/\{[^}]/.test(description)) return 'its description is filled in when it starts';
  if (description.trim().includes('\n')) return 'its description has more than one line';
  if (modelOf(callee) !== model) return 'it has another model than its caller';
  const returns = all.flatMap(({ does }) => (does.is === 'return' ? [does] : []));
  if (returns.some(({ inWords }) => inWords)) return 'it returns words';
  if (!into && returns.some(({ value }) => value?.calls.length)) return 'it returns a call';
  const names = new Set(parameters.map(({ name }) => name));
  const isComplete =
    Object.keys(args).every((name) => names.has(name)) &&
    parameters.every((parameter) => parameter.name in args || parameter.default !== undefined);
  if (!isComplete) return 'its arguments do not fit its parameters';
  const shared = parameters.find(({ scope }) => scope === 'state');
  if (shared) return `it sets $${shared.name}, which others read`;
  const needed = liveIn(graphOf(lines))?.get(first.number);
  if (!needed) return 'it has too many variables';
  const unset = needed.find((key) => !key.startsWith('$') && !names.has(key));
  return unset && `each call of it begins without ${unset}`;
}

/** The id of the playbook, or the name of the tool or function, that a line calls. */
export const calledAt = ({ does }: Line): string | undefined =>
  (does.is === 'return' ? does.call : does.is === 'call' ? does : undefined)?.callee.name;

const padded = (order: number): string => String(order).padStart(2, '0');

/** The call as the head of the callee's lines. */
function placed(
  head: Line,
  { args, into, type }: Call,
  callee: CompiledPlaybook,
  { id, taken }: Caller,
  origins: Map<string, string>,
): Line {
  const names = newNames(callee, taken);
  const written = writtenIn(callee);
  const added = (text: string, does: Does): Line => ({
    ...{ number: '', code: does.is === 'go' ? 'JMP' : 'EXE', text, does, children: [] },
    ...{ place: head.place, names: does.is === 'set' ? [does.to] : [] },
  });
  const setting = callee.parameters.map(({ default: unbound = 'None', name, type: declared }) => {
    const value = args[name] ?? constant(unbound);
    const to: Variable = { name: names.get(name) ?? name, scope: 'local' };
    const target = written(name) === name ? to.name : `$${to.name}`;
    return added(`${target} = ${value.source}`, set(to, value, declared));
  });
  const last = callee.lines.at(-1);
  const none =
    into && last?.does.is !== 'return' ? [added('None', set(into, constant('None')))] : [];
  const inside = (order: number): string => `${head.number}.${padded(order)}`;
  const end = inside(setting.length + callee.lines.length + none.length + 1);
  const shifted = (number: string): string => {
    const [top = '', ...below] = number.split('.');
    return [inside(Number(top) + setting.length), ...below].join('.');
  };
  let isLeft = false;
  function moved(line: Line): Line {
    const number = shifted(line.number);
    origins.set(`${id}:${number}`, `${callee.name}:${line.number}`);
    const own = { ...line, number, children: line.children.map(moved) };
    const { does } = line;
    if (does.is === 'go' && /^\d/.test(does.to)) {
      return { ...own, does: { is: 'go', to: shifted(does.to) } };
    }
    if (does.is !== 'return') return own;
    const value = does.value ?? constant('None');
    const sets: Does = into ? set(into, value, type ?? callee.returns) : { is: 'note' };
    if (line.number === last?.number) return { ...own, does: sets };
    isLeft = true;
    const leaving = [added(own.text, sets), added(end, { is: 'go', to: end })];
    const children = leaving.map((step, at) => ({
      ...step,
      number: `${number}.${padded(at + 1)}`,
    }));
    return { ...own, does: { is: 'note' }, children };
  }
  const body = [...setting, ...renamed(callee.lines, names, written).map(moved), ...none];
  const lines = isLeft ? [...body, added(`The end of ${callee.written}`, { is: 'note' })] : body;
  const children = lines.map((line, at) => ({ ...line, number: inside(at + 1) }));
  return { ...head, does: { is: 'note' }, children };
}

const set = (to: Variable, value: Expression, type?: string): Does => ({
  ...{ is: 'set', to, value },
  ...(type !== undefined && { type }),
});

const constant = (code: string): Expression => ({ source: code, code, reads: [], calls: [] });

/** The local variables of a callee, by names that nothing has where it comes to stand. */
function newNames(callee: CompiledPlaybook, taken: Set<string>): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { name, scope } of variablesOf(callee)) {
    if (scope === 'state' || names.has(name)) continue;
    const base = `${callee.name.charAt(0).toLowerCase()}${callee.name.slice(1)}_${name}`;
    let free = name;
    for (let number = 1; taken.has(free); number += 1) {
      free = number === 1 ? base : `${base}_${number}`;
    }
    names.set(name, free);
    taken.add(free);
  }
  return names;
}

/** Lines with new names of variables, in their texts and blocks as well. */
function renamed(
  lines: readonly Line[],
  names: ReadonlyMap<string, string>,
  written: (key: string) => string,
): readonly Line[] {
  const words = [...names.keys()].map(written).toSorted((a, b) => b.length - a.length);
  const form = `(?<![\\p{XIDC}$.])(?:${words.join('|').replaceAll('$', '\\$')})(?!\\p{XIDC})`;
  const pattern = new RegExp(form, 'gu');
  const newName = (name: string): string =>
    name.startsWith('$') ? `$${names.get(name.slice(1))}` : (names.get(name) ?? name);
  const withNames = (value: unknown, key = ''): unknown => {
    if (typeof value === 'string') {
      return key === 'text' || key === 'block' ? value.replace(pattern, newName) : value;
    }
    if (Array.isArray(value)) return value.map((item) => withNames(item));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([name, item]) => [name, withNames(item, name)]);
    const copy = Object.fromEntries(entries);
    if (copy.scope === 'local') copy.name = names.get(copy.name) ?? copy.name;
    return copy;
  };
  return names.size === 0 ? lines : (withNames(lines) as readonly Line[]);
}
