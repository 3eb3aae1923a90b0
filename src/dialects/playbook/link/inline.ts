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

type Call = Extract<Does, { is: 'call' }>;

/** What is the same for all calls of an agent. */
interface Calls {
  readonly linesMax: number;
  /** The playbooks of the agent by their ids. */
  readonly playbooks: ReadonlyMap<string, CompiledPlaybook>;
  readonly modelOf: (playbook: CompiledPlaybook) => string | undefined;
  /** The playbooks whose calls were looked at. */
  readonly done: Map<string, CompiledPlaybook>;
  readonly inlining: Inlining[];
}

export function inlined(
  file: CompiledFile,
  linesMax: number,
  models: SaidModels['named'],
): { readonly file: CompiledFile; readonly inlining: readonly Inlining[] } {
  const inlining: Inlining[] = [];
  const agents = file.agents.map((agent) => {
    const playbooks = new Map(agent.playbooks.map((one) => [playbookId(agent, one), one]));
    const modelOf = (playbook: CompiledPlaybook) => modelNamed(file, agent, playbook, models);
    const calls: Calls = { linesMax, playbooks, modelOf, done: new Map(), inlining };
    return { ...agent, playbooks: [...playbooks].map(([id, one]) => expanded(id, one, [], calls)) };
  });
  return { file: { ...file, agents }, inlining };
}

/** A playbook with others in the place of calls. `around` are those whose calls lead here. */
function expanded(
  id: string,
  playbook: CompiledPlaybook,
  around: readonly string[],
  calls: Calls,
): CompiledPlaybook {
  const known = calls.done.get(id);
  if (known) return known;
  const lineOf = (line: Line): Line => {
    const callee = line.does.is === 'call' && calls.playbooks.get(line.does.callee.name);
    if (line.does.is === 'call' && callee) {
      return expandedCall(line, line.does, callee, { playbook, ids: [...around, id], calls });
    }
    return { ...line, children: line.children.map(lineOf) };
  };
  const made = { ...playbook, lines: playbook.lines.map(lineOf) };
  calls.done.set(id, made);
  return made;
}

interface Caller {
  readonly playbook: CompiledPlaybook;
  /** Its id, after those of the playbooks whose calls lead to it. */
  readonly ids: readonly string[];
  readonly calls: Calls;
}

/** Calls within the callee are looked at first; it may be too large with those in their place. */
function expandedCall(line: Line, does: Call, callee: CompiledPlaybook, caller: Caller): Line {
  const { calls, ids } = caller;
  const { inlining, linesMax } = calls;
  const { name } = does.callee;
  const whole = ids.includes(name) ? callee : expanded(name, callee, ids, calls);
  const body = sizeOf(whole) <= linesMax ? whole : callee;
  const lines = sizeOf(body);
  const size = counted(lines, 'line');
  const against =
    lines > linesMax ? `${size}, more than ${linesMax}` : reasonAgainst(does, body, caller);
  const isInlined = against === undefined;
  const why = against ?? `${size}, at most ${linesMax}`;
  const at = `${ids.at(-1)}:${line.number}`;
  inlining.push({ at, callee: callee.name, lines, isInlined, why });
  return isInlined ? placed(line, does, body) : line;
}

const sizeOf = ({ lines }: CompiledPlaybook): number => flatLines(lines).length;

/** Why a playbook does not stand in the place of a call; undefined where it does. */
function reasonAgainst(
  { args, callee: { name }, into }: Call,
  callee: CompiledPlaybook,
  { calls, ids, playbook }: Caller,
): string | undefined {
  const { description, lines, notes, parameters } = callee;
  const all = flatLines(lines);
  const around = [...ids, name];
  const [first] = lines;
  if (!first) return 'it has no lines';
  if (ids.includes(name) || all.some((line) => around.includes(calledAt(line) ?? ''))) {
    return 'it comes to call itself';
  }
  if (meetingOf(callee)) return 'it is a meeting';
  if (notes.length > 0) return 'it has notes, which are for it alone';
  if (/\{[^}]/.test(description)) return 'its description is filled in when it starts';
  if (description.trim().includes('\n')) return 'its description has more than one line';
  if (calls.modelOf(callee) !== calls.modelOf(playbook))
    return 'it has another model than its caller';
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

/** The call as the head of the callee's lines. */
function placed(head: Line, { args, into, type }: Call, callee: CompiledPlaybook): Line {
  const locals = variablesOf(callee).filter(({ scope }) => scope === 'local');
  // A playbook sets its own variables before it reads them, so all calls of it may share them.
  const names = new Map(locals.map(({ name }) => [name, `${callee.name}__${name}`]));
  const written = writtenIn(callee);
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
    const inlinedFrom = line.inlinedFrom ?? `${callee.name}:${line.number}`;
    const does = inNewPlace(line.does);
    return { ...line, number, does, inlinedFrom, children: line.children.map(moved) };
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
