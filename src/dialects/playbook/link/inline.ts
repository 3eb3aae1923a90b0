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
import { renamedLine, renaming } from './renaming.ts';

export interface Inlined {
  readonly file: CompiledFile;
  readonly inlining: readonly Inlining[];
  /** `Agent.Caller:03.02` to `Callee:02`. */
  readonly origins: ReadonlyMap<string, string>;
}

type Call = Extract<Does, { is: 'call' }>;

/** A playbook in which others are to stand. */
interface Site {
  readonly id: string;
  readonly linesMax: number;
  readonly model: string | undefined;
  readonly modelOf: (playbook: CompiledPlaybook) => string | undefined;
  /** Names of variables that mean something there, and of those of the agent. */
  readonly taken: Set<string>;
  readonly state: ReadonlySet<string>;
  /** Names of variables that triggers are about. */
  readonly triggering: ReadonlySet<string>;
  /** The playbooks of the agent, and those with what stands in them, by their ids. */
  readonly written: ReadonlyMap<string, CompiledPlaybook>;
  readonly done: ReadonlyMap<string, CompiledPlaybook>;
  readonly inlining: Inlining[];
  readonly origins: Map<string, string>;
}

export function inlined(
  file: CompiledFile,
  linesMax: number,
  models: SaidModels['named'],
): Inlined {
  const inlining: Inlining[] = [];
  const origins = new Map<string, string>();
  const triggers = file.agents.flatMap(({ playbooks }) => playbooks.flatMap((one) => one.triggers));
  const triggering = new Set(triggers.flatMap(({ names }) => names.map(nameOf)));
  const agents = file.agents.map((agent) => {
    const variables = agent.playbooks.flatMap(variablesOf);
    const state = new Set(variables.filter(({ scope }) => scope === 'state').map(nameOf));
    const written = new Map(agent.playbooks.map((one) => [playbookId(agent, one), one]));
    const modelOf: Site['modelOf'] = (playbook) => modelNamed(file, agent, playbook, models);
    const done = new Map<string, CompiledPlaybook>();
    const shared = { linesMax, modelOf, triggering, state, written, done, inlining, origins };
    const withCallees = (playbook: CompiledPlaybook): CompiledPlaybook => {
      const id = playbookId(agent, playbook);
      const taken = new Set(variablesOf(playbook).map(nameOf));
      const site = { ...shared, id, model: modelOf(playbook), taken };
      return { ...playbook, lines: playbook.lines.map((line) => expanded(line, site)) };
    };
    for (const playbook of calleesFirst(agent, written)) {
      done.set(playbookId(agent, playbook), withCallees(playbook));
    }
    const playbooks = agent.playbooks.map(
      (playbook) => done.get(playbookId(agent, playbook)) ?? withCallees(playbook),
    );
    return { ...agent, playbooks };
  });
  return { file: { ...file, agents }, inlining, origins };
}

const nameOf = ({ name }: Variable): string => name;

/** Without those that come to call themselves. */
function calleesFirst(agent: CompiledAgent, known: Site['written']): CompiledPlaybook[] {
  const callers = new Map<string, CompiledPlaybook[]>();
  const missing = new Map<CompiledPlaybook, number>();
  for (const playbook of agent.playbooks) {
    const called = flatLines(playbook.lines).flatMap(({ does }) => {
      const call = does.is === 'call' ? does : does.is === 'return' ? does.call : undefined;
      return call && known.has(call.callee.name) ? [call.callee.name] : [];
    });
    missing.set(playbook, called.length);
    for (const id of called) {
      const others = callers.get(id) ?? [];
      callers.set(id, others);
      others.push(playbook);
    }
  }
  const ordered = agent.playbooks.filter((playbook) => missing.get(playbook) === 0);
  // What is added while it is gone through is gone through as well.
  for (const playbook of ordered) {
    for (const caller of callers.get(playbookId(agent, playbook)) ?? []) {
      const left = (missing.get(caller) ?? 0) - 1;
      missing.set(caller, left);
      if (left === 0) ordered.push(caller);
    }
  }
  return ordered;
}

function expanded(line: Line, site: Site): Line {
  const { done, id, inlining, linesMax, written } = site;
  const { does } = line;
  const own = { ...line, children: line.children.map((child) => expanded(child, site)) };
  const callee = does.is === 'call' ? written.get(does.callee.name) : undefined;
  if (does.is !== 'call' || !callee) return own;
  const whole = done.get(does.callee.name);
  const against = whole ? reasonAgainst(does, callee, site) : 'it comes to call itself';
  // With what stands in it, it may be too large, and without that not.
  const chosen = whole && flatLines(whole.lines).length <= linesMax ? whole : callee;
  const lines = flatLines(chosen.lines).length;
  const why = against ?? `${counted(lines, 'line')}, at most ${linesMax}`;
  const at = `${id}:${line.number}`;
  inlining.push({ at, callee: callee.name, lines, isInlined: against === undefined, why });
  return against === undefined ? placed(line, does, chosen, site) : own;
}

/** Why a playbook does not stand in the place of a call; undefined where it does. */
function reasonAgainst(
  { args, into }: Call,
  callee: CompiledPlaybook,
  { linesMax, model, modelOf, triggering }: Site,
): string | undefined {
  const { description, lines, mode, notes, parameters } = callee;
  const all = flatLines(lines);
  if (mode !== 'steps' || all.length === 0) return 'it has no lines';
  if (all.length > linesMax) return `${counted(all.length, 'line')}, more than ${linesMax}`;
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
  const shared = parameters.filter(({ scope }) => scope === 'state');
  const fires = shared.find(({ name }) => triggering.has(name));
  if (fires) return `it sets $${fires.name}, which a trigger is about`;
  const read = Object.values(args).flatMap(({ reads }) => reads.map(({ name }) => name));
  if (shared.some(({ name }) => read.includes(name))) return 'its arguments change places';
  const needed = liveIn(graphOf(lines))(lines[0]?.number ?? '');
  const unset = needed.find((key) => !key.startsWith('$') && !names.has(key));
  return unset && `each call of it begins without ${unset}`;
}

const padded = (order: number): string => String(order).padStart(2, '0');

/** The call as the head of the callee's lines. */
function placed(
  head: Line,
  { args, into, type }: Call,
  callee: CompiledPlaybook,
  site: Site,
): Line {
  const { id, origins } = site;
  const from = `${id.slice(0, id.indexOf('.'))}.${callee.name}`;
  const rename = renaming(callee, site);
  const written = writtenIn(callee);
  const added = (text: string, does: Does): Line => ({
    ...{ number: '', code: does.is === 'go' ? 'JMP' : 'EXE', text, does, children: [] },
    ...{ place: head.place, names: does.is === 'set' ? [does.to] : [] },
  });
  const setting = callee.parameters.map((parameter) => {
    const { name, scope, default: unbound = 'None' } = parameter;
    const value = args[name] ?? constant(unbound);
    const target = rename.text(written(scope === 'state' ? `$${name}` : name));
    const to = rename.variable({ name, scope });
    return added(`${target} = ${value.source}`, { is: 'set', to, value, ...typed(parameter.type) });
  });
  const last = callee.lines.at(-1);
  const none =
    into && last?.does.is !== 'return' ? [added('None', set(into, constant('None')))] : [];
  const inside = (order: number): string => `${head.number}.${padded(order)}`;
  const end = inside(setting.length + callee.lines.length + none.length + 1);
  const shifted = (number: string): string => {
    const [top = '', ...rest] = number.split('.');
    return [inside(Number(top) + setting.length), ...rest].join('.');
  };
  let isLeft = false;
  function moved(line: Line): Line {
    const number = shifted(line.number);
    const origin = origins.get(`${from}:${line.number}`) ?? `${callee.name}:${line.number}`;
    origins.set(`${id}:${number}`, origin);
    const own = { ...renamedLine(line, rename), number, children: line.children.map(moved) };
    const { does } = own;
    if (does.is === 'go' && /^\d/.test(does.to)) {
      return { ...own, does: { is: 'go', to: shifted(does.to) } };
    }
    if (does.is !== 'return') return own;
    const value = does.value ?? constant('None');
    const sets: Does = into ? set(into, value, type ?? callee.returns) : { is: 'note' };
    if (line === last) return { ...own, does: sets };
    isLeft = true;
    const lines = [added(own.text, sets), added(end, { is: 'go', to: end })];
    const children = lines.map((one, at) => ({ ...one, number: `${number}.${padded(at + 1)}` }));
    return { ...own, does: { is: 'note' }, children };
  }
  const body = [...setting, ...callee.lines.map(moved), ...none];
  const lines = isLeft ? [...body, added(`The end of ${callee.written}`, { is: 'note' })] : body;
  const children = lines.map((line, at) => ({ ...line, number: inside(at + 1) }));
  return { ...head, does: { is: 'note' }, children };
}

const set = (to: NonNullable<Call['into']>, value: Expression, type?: string): Does => ({
  ...{ is: 'set', to, value },
  ...typed(type),
});

const typed = (type: string | undefined) => (type === undefined ? {} : { type });

const constant = (code: string): Expression => ({ source: code, code, reads: [], calls: [] });
