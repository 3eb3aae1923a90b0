/** Compiled playbooks made ready to run: inlined, with their graphs and what follows from them. */
import type { SaidModels } from '../../dialect.ts';
import type { CompiledAgent, CompiledFile, CompiledPlaybook, Line } from '../compiled.ts';
import { playbookId } from '../source/models.ts';
import { keyOf, liveIn, variablesOf, writtenIn } from './flow.ts';
import { type Graph, graphOf } from './graph.ts';
import { calledAt, inlined } from './inline.ts';
import type { LinkedFile, LinkedLine, LinkedPlaybook } from './linked.ts';

export interface LinkOptions {
  /** The most lines that a playbook may have to stand in the place of its calls; 0 for none. */
  readonly inlineSteps?: number;
  /** By agent or playbook, as whoever runs it has named them. */
  readonly models?: SaidModels['named'];
}

export function link(file: CompiledFile, options: LinkOptions = {}): LinkedFile {
  const { inlineSteps = 8, models = {} } = options;
  const { file: whole, inlining } = inlined(file, inlineSteps, models);
  return {
    ...whole,
    agents: whole.agents.map((agent) => {
      const linking: Linking = {
        returns: new Map(agent.playbooks.map((one) => [playbookId(agent, one), one.returns])),
        namedOften: namedOften(agent),
      };
      const playbooks = agent.playbooks.map((playbook) =>
        linkedPlaybook(playbook, playbookId(agent, playbook), linking),
      );
      return { ...agent, state: stateOf(agent), playbooks };
    }),
    inlining,
  };
}

/** The names of the variables that the playbooks of an agent share. */
const stateOf = ({ playbooks }: CompiledAgent): string[] => [
  ...new Set(
    playbooks.flatMap(variablesOf).flatMap(({ name, scope }) => (scope === 'state' ? [name] : [])),
  ),
];

/** What the playbooks of an agent have in common. */
interface Linking {
  /** The types of what they return, by their ids. */
  readonly returns: ReadonlyMap<string, string | undefined>;
  readonly namedOften: ReadonlySet<string>;
}

/** The names of variables that several playbooks name, or a trigger, or code. */
function namedOften({ code, playbooks }: CompiledAgent): ReadonlySet<string> {
  const often = new Set(code.flatMap(({ text }) => text.match(/[\p{XIDC}]+/gu) ?? []));
  const seen = new Set<string>();
  for (const playbook of playbooks) {
    const own = new Set(variablesOf(playbook).map(({ name }) => name));
    const inTriggers = playbook.triggers.flatMap(({ names }) => names.map(({ name }) => name));
    for (const name of [...own, ...inTriggers]) (seen.has(name) ? often : seen).add(name);
  }
  return often;
}

function linkedPlaybook(playbook: CompiledPlaybook, id: string, linking: Linking): LinkedPlaybook {
  const graph = graphOf(playbook.lines);
  const live = liveIn(graph);
  const written = writtenIn(graph.lines.values());
  const lines = [...graph.lines].map(([number, line]): [string, LinkedLine] => {
    const { children, ...own } = line;
    const linked: LinkedLine = {
      ...own,
      edges: graph.edges.get(number) ?? [],
      isHead: children.length > 0,
      ...(live && { live: live.get(number)?.map(written) ?? [] }),
      ...(isTailCall(line, graph, playbook, linking) && { tail: true }),
    };
    return [number, linked];
  });
  return { ...playbook, id, lines: new Map(lines), first: graph.first };
}

/** `Return F(x)`, or `$r = F(x)` right before `Return $r`: the callee's result is the caller's. */
function isTailCall(
  line: Line,
  { edges, lines }: Graph,
  { returns }: CompiledPlaybook,
  linking: Linking,
): boolean {
  const { does, number } = line;
  const callee = calledAt(line) ?? '';
  if (!linking.returns.has(callee)) return false;
  if (returns !== undefined && returns !== linking.returns.get(callee)) return false;
  if (does.is !== 'call') return true;
  const { into, type } = does;
  const [edge, ...others] = edges.get(number) ?? [];
  const next = lines.get(edge?.to ?? '')?.does;
  const value = next?.is === 'return' ? next.value : undefined;
  const [read] = value?.reads ?? [];
  if (!into || type !== undefined || others.length > 0 || !read) return false;
  const isReturned = read.as === value?.code && keyOf(read) === keyOf(into);
  return isReturned && (into.scope === 'local' || !linking.namedOften.has(into.name));
}
