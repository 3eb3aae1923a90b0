/** Compiled playbooks made ready to run: inlined, with their graphs and what follows from them. */
import type { SaidModels } from '../../dialect.ts';
import type { CompiledAgent, CompiledFile, CompiledPlaybook } from '../compiled.ts';
import { liveIn, variablesOf, writtenIn } from './flow.ts';
import { graphOf } from './graph.ts';
import { type Inlined, inlined } from './inline.ts';
import type { LinkedFile, LinkedLine, LinkedPlaybook } from './linked.ts';
import { tailCalls } from './tail.ts';

export interface LinkOptions {
  /** The most lines that a playbook may have to stand in the place of its calls; 0 for none. */
  readonly inlineSteps?: number;
  /** By agent or playbook, as whoever runs it has named them. */
  readonly models?: SaidModels['named'];
}

export function link(file: CompiledFile, options: LinkOptions = {}): LinkedFile {
  const { inlineSteps = 8, models = {} } = options;
  const { file: whole, inlining, origins } = inlined(file, inlineSteps, models);
  return {
    ...whole,
    agents: whole.agents.map((agent) => ({
      ...agent,
      state: stateOf(agent),
      playbooks: agent.playbooks.map((playbook) => linkedPlaybook(playbook, agent, origins)),
    })),
    inlining,
  };
}

function linkedPlaybook(
  playbook: CompiledPlaybook,
  agent: CompiledAgent,
  origins: Inlined['origins'],
): LinkedPlaybook {
  const id = `${agent.name}.${playbook.name}`;
  const graph = graphOf(playbook.lines);
  const live = liveIn(graph);
  const tails = new Set(tailCalls(graph, playbook, agent));
  const written = writtenIn(playbook);
  const lines = [...graph.lines].map(([number, line]): [string, LinkedLine] => {
    const { children, ...own } = line;
    const inlinedFrom = origins.get(`${id}:${number}`);
    const linked: LinkedLine = {
      ...own,
      edges: graph.edges.get(number) ?? [],
      isHead: children.length > 0,
      live: live(number).map(written),
      ...(tails.has(number) && { tail: true }),
      ...(inlinedFrom !== undefined && { inlinedFrom }),
    };
    return [number, linked];
  });
  return { ...playbook, id, lines: new Map(lines), first: graph.first };
}

/** The names of the variables that the playbooks of an agent share. */
const stateOf = ({ playbooks }: CompiledAgent): string[] => [
  ...new Set(
    playbooks.flatMap(variablesOf).flatMap(({ name, scope }) => (scope === 'state' ? [name] : [])),
  ),
];
