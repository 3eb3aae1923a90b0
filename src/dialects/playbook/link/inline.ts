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
} from '../compiled.ts';
import { meetingOf } from '../source/meeting.ts';
import { modelNamed } from '../source/models.ts';
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

interface Work {
  readonly agent: CompiledAgent;
  readonly linesMax: number;
  readonly modelOf: (playbook: CompiledPlaybook) => string | undefined;
  /** Names of variables that triggers are about. */
  readonly triggering: ReadonlySet<string>;
  readonly inlining: Inlining[];
  readonly origins: Map<string, string>;
  /** Playbooks with what stands in them, by name. */
  readonly done: Map<string, CompiledPlaybook>;
}

/** Where a callee is to stand. */
interface Site {
  readonly playbook: CompiledPlaybook;
  /** Names of variables there. */
  readonly taken: Set<string>;
  readonly work: Work;
}

export function inlined(
  file: CompiledFile,
  linesMax: number,
  models: SaidModels['named'],
): Inlined {
  const inlining: Inlining[] = [];
  const origins = new Map<string, string>();
  const triggers = file.agents.flatMap(({ playbooks }) => playbooks.flatMap((one) => one.triggers));
  const triggering = new Set(triggers.flatMap(({ names }) => names.map(({ name }) => name)));
  const agents = file.agents.map((agent) => {
    const modelOf: Work['modelOf'] = (playbook) => modelNamed(file, agent, playbook, models);
    const done = new Map<string, CompiledPlaybook>();
    const work = { agent, linesMax, modelOf, triggering, inlining, origins, done };
    return { ...agent, playbooks: agent.playbooks.map((playbook) => expanded(playbook, work)) };
  });
  return { file: { ...file, agents }, inlining, origins };
}

function expanded(playbook: CompiledPlaybook, work: Work): CompiledPlaybook {
  const known = work.done.get(playbook.name);
  if (known) return known;
  const taken = new Set(
    work.agent.playbooks.flatMap((one) =>
      variablesOf(one).flatMap(({ name, scope }) =>
        one === playbook || scope === 'state' ? [name] : [],
      ),
    ),
  );
  const site: Site = { playbook, taken, work };
  const done = { ...playbook, lines: playbook.lines.map((line) => expandedLine(line, site)) };
  work.done.set(playbook.name, done);
  return done;
}

function expandedLine(line: Line, site: Site): Line {
  const { agent, inlining, linesMax } = site.work;
  const { does } = line;
  const own = { ...line, children: line.children.map((child) => expandedLine(child, site)) };
  const callee = does.is === 'call' ? playbookIn(agent, does.callee.name) : undefined;
  if (does.is !== 'call' || !callee) return own;
  const against = reasonAgainst(line, does, callee, site);
  const whole = against === undefined ? expanded(callee, site.work) : callee;
  // With what stands in it, it may be too large, and without that not.
  const chosen = flatLines(whole.lines).length <= linesMax ? whole : callee;
  const lines = flatLines(chosen.lines).length;
  const why = against ?? `${counted(lines, 'line')}, at most ${linesMax}`;
  const at = `${agent.name}.${site.playbook.name}:${line.number}`;
  inlining.push({ at, callee: callee.name, lines, isInlined: against === undefined, why });
  return against === undefined ? placed(line, does, chosen, site) : own;
}

const playbookIn = ({ name, playbooks }: CompiledAgent, id: string): CompiledPlaybook | undefined =>
  playbooks.find((playbook) => id === `${name}.${playbook.name}`);

/** Why a playbook does not stand in the place of a call; undefined where it does. */
function reasonAgainst(
  { children }: Line,
  { args, into }: Call,
  callee: CompiledPlaybook,
  { playbook, work: { agent, linesMax, modelOf, triggering } }: Site,
): string | undefined {
  const { description, lines, mode, notes, parameters } = callee;
  const all = flatLines(lines);
  if (mode !== 'steps' || all.length === 0) return 'it has no lines';
  if (all.length > linesMax) return `${counted(all.length, 'line')}, more than ${linesMax}`;
  if (isRecursive(callee, agent)) return 'it calls itself';
  if (meetingOf(callee)) return 'it is a meeting';
  if (notes.length > 0) return 'it has notes, which are for it alone';
  if (/\{[^}]/.test(description)) return 'its description is filled in when it starts';
  if (description.trim().includes('\n')) return 'its description has more than one line';
  if (modelOf(callee) !== modelOf(playbook)) return 'it has another model than its caller';
  if (children.length > 0) return 'other lines stand under its call';
  if (all.some(({ does }) => does.is === 'return' && does.inWords)) return 'it returns words';
  const returnsCall = all.some(({ does }) => does.is === 'return' && does.value?.calls.length);
  if (returnsCall && !into) return 'it returns what another call gives, and no variable takes it';
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
  const needed = liveIn(graphOf(lines)).get(lines[0]?.number ?? '') ?? [];
  const unset = [...needed].find((key) => !key.startsWith('$') && !names.has(key));
  return unset && `each call of it begins without ${unset}`;
}

function isRecursive({ name }: CompiledPlaybook, agent: CompiledAgent): boolean {
  const own = `${agent.name}.${name}`;
  const seen = new Set<string>();
  const waiting = [own];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    for (const { does } of flatLines(playbookIn(agent, id)?.lines ?? [])) {
      const callee = does.is === 'call' ? does.callee : does.is === 'return' && does.call?.callee;
      if (!callee || seen.has(callee.name)) continue;
      seen.add(callee.name);
      waiting.push(callee.name);
    }
  }
  return seen.has(own);
}

const padded = (order: number): string => String(order).padStart(2, '0');

/** The call as the head of the callee's lines. */
function placed(head: Line, call: Call, callee: CompiledPlaybook, { playbook, taken, work }: Site) {
  const { agent, origins } = work;
  const { into } = call;
  const type = call.type ?? callee.returns;
  const rename = renaming(callee, taken);
  const written = writtenIn(callee);
  const added = (text: string, does: Does): Line => ({
    ...{ number: '', code: does.is === 'go' ? 'JMP' : 'EXE', text, does, children: [] },
    ...{ place: head.place, names: does.is === 'set' ? [does.to] : [] },
  });
  const setting = callee.parameters.map((parameter) => {
    const { name, scope, default: unbound = 'None' } = parameter;
    const value = call.args[name] ?? constant(unbound);
    const text = rename.text(`${written(scope === 'state' ? `$${name}` : name)} = ${value.source}`);
    const to = rename.variable({ name, scope });
    return added(text, { is: 'set', to, value, ...typed(parameter.type) });
  });
  const last = callee.lines.at(-1);
  const isNoneSet = into !== undefined && last?.does.is !== 'return';
  const inside = (order: number): string => `${head.number}.${padded(order)}`;
  const end = inside(setting.length + callee.lines.length + (isNoneSet ? 2 : 1));
  const shifted = (number: string): string => {
    const [top = '', ...rest] = number.split('.');
    return [inside(Number(top) + setting.length), ...rest].join('.');
  };
  let isLeft = false;
  function moved(line: Line): Line {
    const number = shifted(line.number);
    const source = `${callee.name}:${line.number}`;
    const origin = origins.get(`${agent.name}.${source}`) ?? source;
    origins.set(`${agent.name}.${playbook.name}:${number}`, origin);
    const own = { ...renamedLine(line, rename), number, children: line.children.map(moved) };
    const { does } = own;
    if (does.is === 'go' && /^\d/.test(does.to)) {
      return { ...own, does: { is: 'go', to: shifted(does.to) } };
    }
    if (does.is !== 'return') return own;
    const value = does.value ?? constant('None');
    const sets: Does = into ? { is: 'set', to: into, value, ...typed(type) } : { is: 'note' };
    if (line === last) return { ...own, does: sets };
    isLeft = true;
    const lines = [added(own.text, sets), added(end, { is: 'go', to: end })];
    const children = lines.map((one, at) => ({ ...one, number: `${number}.${padded(at + 1)}` }));
    return { ...own, does: { is: 'note' }, children };
  }
  const body = callee.lines.map(moved);
  const none = into && added('None', { is: 'set', to: into, value: constant('None') });
  const children = [
    ...setting,
    ...body,
    ...(none && isNoneSet ? [none] : []),
    ...(isLeft ? [added(`The end of ${callee.written}`, { is: 'note' })] : []),
  ].map((line, at) => ({ ...line, number: inside(at + 1) }));
  return { ...head, does: { is: 'note' }, children } as const;
}

const typed = (type: string | undefined) => (type === undefined ? {} : { type });

const constant = (code: string): Expression => ({ source: code, code, reads: [], calls: [] });
