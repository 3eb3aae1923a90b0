/**
 * Small playbooks in the place of their calls, so that a model does both in one go. The line of the
 * call keeps its number and becomes the head of the callee's lines: arguments are set first, under
 * names that are new there; a return sets the result and goes to the end of the block.
 */
import { counted } from '../../../program/diagnostic.ts';
import type { SaidModels } from '../../dialect.ts';
import {
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
}

type Call = Extract<Does, { is: 'call' }>;

interface Callee {
  readonly playbook: CompiledPlaybook;
  readonly all: readonly Line[];
  readonly model: string | undefined;
}

/** Where a line stands. */
interface Site {
  readonly linesMax: number;
  /** The playbooks of the agent by their ids. */
  readonly callees: ReadonlyMap<string, Callee>;
  /** The playbook that has the line, and those that are inlined around it. */
  readonly ids: readonly [caller: string, ...string[]];
  /** Under an inlined call: how many more lines may come in its place. */
  readonly budget?: { lines: number };
  readonly inlining: Inlining[];
}

export function inlined(
  file: CompiledFile,
  linesMax: number,
  models: SaidModels['named'],
): Inlined {
  const inlining: Inlining[] = [];
  const agents = file.agents.map((agent) => {
    const callees = new Map<string, Callee>();
    for (const playbook of agent.playbooks) {
      const model = modelNamed(file, agent, playbook, models);
      const all = flatLines(playbook.lines);
      callees.set(playbookId(agent, playbook), { playbook, all, model });
    }
    const playbooks = agent.playbooks.map((playbook) => {
      const ids: Site['ids'] = [playbookId(agent, playbook)];
      const site = { linesMax, callees, ids, inlining };
      return { ...playbook, lines: playbook.lines.map((line) => expanded(line, site)) };
    });
    return { ...agent, playbooks };
  });
  return { file: { ...file, agents }, inlining };
}

/** A line with its callee's lines in its place, where they may stand there, and so on in those. */
function expanded(line: Line, site: Site): Line {
  const { callees, ids, inlining, linesMax } = site;
  const { does, number } = line;
  const callee = does.is === 'call' ? callees.get(does.callee.name) : undefined;
  if (does.is !== 'call' || !callee) {
    return { ...line, children: line.children.map((child) => expanded(child, site)) };
  }
  const budget = site.budget ?? { lines: linesMax };
  const within: Site = { ...site, ids: [...ids, does.callee.name], budget };
  const lines = callee.all.length;
  const size = counted(lines, 'line');
  const isTooLarge = lines > budget.lines;
  const against = isTooLarge
    ? `${size}, more than ${budget.lines}`
    : reasonAgainst(does, callee, within);
  const why = against ?? `${size}, at most ${linesMax}`;
  const isInlined = against === undefined;
  const { playbook } = callee;
  inlining.push({ at: `${ids[0]}:${number}`, callee: playbook.name, lines, isInlined, why });
  if (!isInlined) return line;
  budget.lines -= lines;
  const head = placed(line, does, playbook);
  return { ...head, children: head.children.map((child) => expanded(child, within)) };
}

/** Why a playbook does not stand in the place of a call; undefined where it does. */
function reasonAgainst(
  { args, into }: Call,
  { all, model, playbook: callee }: Callee,
  { callees, ids }: Site,
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
  if (model !== callees.get(ids[0])?.model) return 'it has another model than its caller';
  const returning = all.filter(({ does }) => does.is === 'return');
  const last = lines.at(-1);
  if (returning.some((line) => line !== last)) return 'it returns in its midst';
  const returned = last?.does.is === 'return' ? last.does : undefined;
  if (returned?.inWords) return 'it returns words';
  if (!into && returned?.value?.calls.length) return 'it returns a call';
  const names = new Set(parameters.map(({ name }) => name));
  const isComplete =
    Object.keys(args).every((name) => names.has(name)) &&
    parameters.every((parameter) => parameter.name in args || parameter.default !== undefined);
  if (!isComplete) return 'its arguments do not fit its parameters';
  const needed = liveIn(graphOf(lines))?.get(first.number);
  if (!needed) return 'it has too many variables';
  const unset = needed.find((key) => !key.startsWith('$') && !names.has(key));
  return unset && `each call of it begins without ${unset}`;
}

/** The id of the playbook, or the name of the tool or function, that a line calls. */
export const calledAt = ({ does }: Line): string | undefined =>
  (does.is === 'return' ? does.call : does.is === 'call' ? does : undefined)?.callee.name;

/** The call as the head of the callee's lines. */
function placed(head: Line, { args, into, type }: Call, callee: CompiledPlaybook): Line {
  const locals = variablesOf(callee).filter(({ scope }) => scope === 'local');
  // A playbook sets its own variables before it reads them, so all calls of it may share them.
  const names = new Map(locals.map(({ name }) => [name, `${callee.name}__${name}`]));
  const written = writtenIn(flatLines(callee.lines));
  const numberOf = (order: number): string => `${head.number}.${String(order).padStart(2, '0')}`;
  const setting = (text: string, to: Variable, value: Expression, declared?: string): Line => {
    const does = set(to, value, declared);
    return { number: '', code: 'EXE', text, does, children: [], place: head.place, names: [to] };
  };
  const before = callee.parameters.map(({ default: unbound = 'None', name, type: declared }) => {
    const value = args[name] ?? constant(unbound);
    const to: Variable = { name: names.get(name) ?? name, scope: 'local' };
    const target = written(name) === name ? to.name : `$${to.name}`;
    return setting(`${target} = ${value.source}`, to, value, declared);
  });
  const shifted = (number: string): string => {
    const [top = '', ...below] = number.split('.');
    return [numberOf(Number(top) + before.length), ...below].join('.');
  };
  const inNewPlace = (does: Does): Does => {
    if (does.is === 'go' && /^\d/.test(does.to)) return { is: 'go', to: shifted(does.to) };
    if (does.is !== 'return') return does;
    const value = does.value ?? constant('None');
    return into ? set(into, value, type ?? callee.returns) : { is: 'note' };
  };
  const moved = (line: Line): Line => {
    const number = shifted(line.number);
    return { ...line, number, does: inNewPlace(line.does), children: line.children.map(moved) };
  };
  const isReturning = callee.lines.at(-1)?.does.is === 'return';
  const after = into && !isReturning ? [setting('None', into, constant('None'))] : [];
  const lines = [...before, ...renamed(callee.lines, names, written).map(moved), ...after];
  const children = lines.map((line, order) => ({ ...line, number: numberOf(order + 1) }));
  return { ...head, does: { is: 'note' }, children };
}

const set = (to: Variable, value: Expression, type?: string): Does => ({
  ...{ is: 'set', to, value },
  ...(type !== undefined && { type }),
});

const constant = (code: string): Expression => ({ source: code, code, reads: [], calls: [] });

/** Lines with new names of variables, in their texts and blocks as well. */
function renamed(
  lines: readonly Line[],
  names: ReadonlyMap<string, string>,
  written: (key: string) => string,
): readonly Line[] {
  if (names.size === 0) return lines;
  const newNameOf = new Map([...names].map(([name, free]) => [written(name), free]));
  const words = [...newNameOf.keys()].map((word) => word.replace('$', '\\$')).join('|');
  const pattern = new RegExp(`(?<![\\p{XIDC}$.])(?:${words})(?!\\p{XIDC})`, 'gu');
  const newText = (text: string): string =>
    text.replace(pattern, (word) => `${word.startsWith('$') ? '$' : ''}${newNameOf.get(word)}`);
  const withNames = (value: unknown, key = ''): unknown => {
    if (typeof value === 'string')
      return key === 'text' || key === 'block' ? newText(value) : value;
    if (Array.isArray(value)) return value.map((item) => withNames(item));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([name, item]) => [name, withNames(item, name)]);
    const copy = Object.fromEntries(entries);
    if (copy.scope === 'local') copy.name = names.get(copy.name) ?? copy.name;
    return copy;
  };
  return lines.map((line) => withNames(line) as Line);
}
