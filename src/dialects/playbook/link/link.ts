/** Compiled playbooks made ready to run: inlined, with their graphs and what follows from them. */
import { namePattern } from '../../../program/name.ts';
import type { SaidModels } from '../../dialect.ts';
import {
  type CompiledAgent,
  type CompiledFile,
  type CompiledPlaybook,
  flatLines,
  type Line,
  type Variable,
} from '../compiled.ts';
import { expressionsOf, liveIn } from './flow.ts';
import { graphOf } from './graph.ts';
import type { LinkedFile, LinkedLine, LinkedPlaybook } from './linked.ts';
import { tailCalls } from './tail.ts';

export interface LinkOptions {
  /** The most lines that a playbook may have to stand in the place of its calls; 0 for none. */
  readonly inlineSteps?: number;
  /** By agent or playbook, as whoever runs it has named them. */
  readonly models?: SaidModels['named'];
}

export function link(file: CompiledFile, _options: LinkOptions = {}): LinkedFile {
  return {
    ...file,
    agents: file.agents.map((agent) => ({
      ...agent,
      state: stateOf(agent),
      playbooks: agent.playbooks.map((playbook) => linkedPlaybook(playbook, agent)),
    })),
    inlining: [],
  };
}

function linkedPlaybook(playbook: CompiledPlaybook, agent: CompiledAgent): LinkedPlaybook {
  const graph = graphOf(playbook.lines);
  const live = liveIn(graph);
  const tails = new Set(tailCalls(graph, playbook, agent));
  const written = writtenIn(playbook);
  const lines = [...graph.lines.values()].map(({ children, ...line }): [string, LinkedLine] => [
    line.number,
    {
      ...line,
      edges: graph.edges.get(line.number) ?? [],
      isHead: children.length > 0,
      live: [...(live.get(line.number) ?? [])].map(written),
      ...(tails.has(line.number) && { tail: true }),
    },
  ]);
  return {
    ...playbook,
    id: `${agent.name}.${playbook.name}`,
    lines: new Map(lines),
    first: graph.first,
  };
}

/** As a playbook writes a variable: its own may be a parameter that is written with a dollar. */
function writtenIn({ parameters, lines }: CompiledPlaybook): (key: string) => string {
  const dollars = new Set(
    parameters.flatMap(({ name, scope }) => (scope === 'state' ? [name] : [])),
  );
  for (const { text } of flatLines(lines)) {
    for (const [, name = ''] of text.matchAll(dollarName)) dollars.add(name);
  }
  return (key) => (dollars.has(key) ? `$${key}` : key);
}

const dollarName = new RegExp(`\\$(${namePattern})`, 'gu');

/** The names of the variables that the playbooks of an agent share. */
function stateOf({ playbooks }: CompiledAgent): string[] {
  const named = playbooks.flatMap((playbook): readonly Variable[] => [
    ...playbook.parameters,
    ...playbook.triggers.flatMap(({ names, condition }) => [...names, ...(condition?.reads ?? [])]),
    ...flatLines(playbook.lines).flatMap(variablesOf),
  ]);
  return [...new Set(named.flatMap(({ name, scope }) => (scope === 'state' ? [name] : [])))];
}

const variablesOf = ({ names, does }: Line): readonly Variable[] => [
  ...names,
  ...expressionsOf(does).flatMap(({ reads }) => reads),
];
