/** Compiled playbooks made ready to run: inlined, with their graphs and what follows from them. */
import { namePattern } from '../../../program/name.ts';
import type { SaidModels } from '../../dialect.ts';
import { withFirstAsks } from '../compiled/asks.ts';
import type { CompiledAgent, CompiledFile, CompiledPlaybook, Step } from '../compiled/compiled.ts';
import { declaredTypes, givenType, isSameType, typeOf } from '../compiled/declared-types.ts';
import { liveIn, type Sets } from '../compiled/flow.ts';
import { flatSteps, type Graph, graphOf } from '../compiled/graph.ts';
import type { LinkedFile, LinkedLine, LinkedPlaybook } from '../compiled/linked.ts';
import { mannerDefaults } from '../source/manner.ts';
import { stateNames } from '../text/variables.ts';
import { bodiesIn } from './bodies.ts';
import { isPlaybook, playbookOf } from './callees.ts';
import { inlined } from './inline.ts';
import { withNeededYields, withoutIdleYields } from './inlined-yields.ts';
import { firingOf } from './may-fire.ts';
import { neededIn } from './needed.ts';
import { type Quiet, quietIn } from './quiet.ts';
import { settersIn } from './setters.ts';

export interface LinkOptions {
  /** The most steps that a playbook may have to stand in the place of its calls; 0 for none. */
  readonly inlineSteps?: number;
  /** By agent or playbook, as whoever runs it has named them: they play no lines of others. */
  readonly models?: SaidModels['named'];
  /** Whether a tool changes the world, or may. */
  readonly isWrite?: (tool: string) => boolean;
}

export function link(file: CompiledFile, options: LinkOptions = {}): LinkedFile {
  const { inlineSteps = mannerDefaults.inline, models = {}, isWrite = () => true } = options;
  const asking = withAsks(file);
  const bodies = bodiesIn(asking.agents);
  const { file: whole, inlining, origins } = inlined(asking, bodies, inlineSteps, models);
  return {
    ...whole,
    agents: whole.agents.map((agent) => {
      const quiet = quietIn(agent, isWrite);
      const needed = neededIn(agent, spokenOf(agent));
      const firing = firingOf(agent, whole.agents);
      const isFiring = (name: string): boolean => firing.names.has(name);
      const changed = new Set(
        inlining.flatMap(({ at, isInlined }) => (isInlined ? [at.split(':')[0]] : [])),
      );
      return {
        ...agent,
        quiet: quiet.functions,
        ...settersIn(agent, whole.agents, bodies),
        playbooks: agent.playbooks.map((playbook) =>
          linked(
            changed.has(`${agent.name}.${playbook.name}`)
              ? withoutIdleYields(withNeededYields(playbook, agent), agent)
              : playbook,
            ...([agent, { quiet, needed, origins, isFiring }] as const),
          ),
        ),
      };
    }),
    ...{ inlining, bodies },
  };
}

/** What was found of an agent as a whole. */
interface Found {
  readonly quiet: Quiet;
  readonly needed: ReturnType<typeof neededIn>;
  readonly origins: ReadonlyMap<string, string>;
  /** Whether a trigger is about a variable. */
  readonly isFiring: (name: string) => boolean;
}

/** Of several that are asked for at once, those that are known are not asked for. */
const askedBeside = ({ asks = [] }: Step): readonly string[] => (asks.length > 1 ? asks : []);

function linked(
  playbook: CompiledPlaybook,
  agent: CompiledAgent,
  { quiet, needed, origins, isFiring }: Found,
): LinkedPlaybook {
  const id = `${agent.name}.${playbook.name}`;
  const spoken = spokenOf(agent);
  const graph = graphOf(playbook.steps);
  const live = liveIn(graph, (step) => [...spoken(step), ...askedBeside(step)]);
  const lines = new Map(
    [...graph.steps].map(([number, step]) => [number, line(step, graph, live)]),
  );
  for (const [number, one] of lines) {
    const from = origins.get(`${id}:${number}`);
    if (from !== undefined) lines.set(number, { ...one, inlinedFrom: from });
  }
  for (const number of tailCalls(graph, agent, { ...playbook, lines }, isFiring)) {
    const one = lines.get(number);
    if (one) lines.set(number, { ...one, tail: true });
  }
  const needs = needed.get(playbook.name) ?? new Set();
  const isQuiet = quiet.playbooks.has(playbook.name);
  return { ...playbook, id, lines, first: graph.first, needs, ...(isQuiet && { isQuiet }) };
}

/** What is left out is what a playbook by itself says, wherever it stands then. */
const withAsks = (file: CompiledFile): CompiledFile => ({
  ...file,
  agents: file.agents.map((agent) => {
    const spoken = spokenOf(agent);
    return { ...agent, playbooks: agent.playbooks.map((one) => withFirstAsks(one, spoken)) };
  }),
});

const plainName = new RegExp(`(?<![\\p{XIDC}$])${namePattern}`, 'gu');

/** What the words of a step may mean of all that the agent has. */
function spokenOf({ playbooks }: CompiledAgent): (step: Step) => string[] {
  const written = playbooks.flatMap(({ parameters, steps }) => [
    ...parameters.flatMap(({ name, scope }) => (scope === 'state' ? [`$${name}`] : [])),
    ...flatSteps(steps).flatMap(({ reads, writes }) => [...reads, ...writes]),
  ]);
  const names = new Map(
    written.flatMap((name) =>
      name.startsWith('$') ? [[name.slice(1).toLowerCase(), name] as const] : [],
    ),
  );
  const known = new Set(names.values());
  return ({ block = '', call, say, text, value, writes }) => {
    const shown = stateNames(block).filter((name) => known.has(name));
    if (call || value !== undefined || say?.isLiteral) return shown;
    const words = text.toLowerCase().match(plainName) ?? [];
    const found = [...words.flatMap((word) => names.get(word) ?? []), ...shown];
    return found.filter((name) => !writes.includes(name));
  };
}

const line = (step: Step, { edges }: Graph, live: Sets): LinkedLine => ({
  step,
  edges: edges.get(step.number) ?? [],
  live: [...(live.get(step.number) ?? [])],
});

/**
 * `RET F(x)`, or `$r = F(x)`, a yield for it, and `RET $r`: the result is the caller's own, unless
 * it is held to a type that the caller says, and the callee does not, or `$r` sets something off.
 */
function tailCalls(
  { edges, steps }: Graph,
  agent: CompiledAgent,
  caller: Pick<LinkedPlaybook, 'lines' | 'parameters' | 'returns'>,
  isFiring: (name: string) => boolean,
): string[] {
  const types = declaredTypes(caller);
  const wanted = givenType(caller);
  const isHeld = (callee: string): boolean => {
    if (wanted === undefined) return false;
    const given = givenType(playbookOf(agent, callee) ?? {});
    return given === undefined || !isSameType(given, wanted);
  };
  const next = (number: string): Step | undefined => {
    const [edge, ...others] = edges.get(number) ?? [];
    return others.length === 0 && edge ? steps.get(edge.to) : undefined;
  };
  return [...steps.values()].flatMap(({ call, code, number }) => {
    if (!call || !isPlaybook(agent, call.callee) || isHeld(call.callee)) return [];
    if (code === 'RET') return [number];
    if (code !== 'QUE' || call.into === undefined) return [];
    if (typeOf(types, call.into) || isFiring(call.into)) return [];
    const first = next(number);
    const last = first?.code === 'YLD' && first.waits === 'call' ? next(first.number) : first;
    return last?.code === 'RET' && last.value?.trim() === call.into.trim() ? [number] : [];
  });
}
