/** Which variables of its agent a playbook needs as it begins: what is read before it is set. */
import type { CompiledAgent, CompiledPlaybook, Step } from '../compiled/compiled.ts';
import { liveIn } from '../compiled/flow.ts';
import { graphOf } from '../compiled/graph.ts';
import { lastResult } from '../compiled/last-result.ts';
import { stateNames, writtenName } from '../text/variables.ts';
import { playbookOf } from './callees.ts';

/**
 * By the names of playbooks: what they read on some way, or playbooks that they call do. `spoken`
 * gives the variables that the words of a step may mean.
 */
export function neededIn(
  agent: CompiledAgent,
  spoken: (step: Step) => readonly string[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const needs = new Map<string, ReadonlySet<string>>();
  const read = (step: Step): readonly string[] => {
    const callee = playbookOf(agent, step.call?.callee);
    return [...spoken(step), ...(needs.get(callee?.name ?? '') ?? [])];
  };
  const own = agent.playbooks.map((playbook) => ({ playbook, graph: graphOf(playbook.steps) }));
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const { playbook, graph } of own) {
      const lines = liveIn(graph, read).get(graph.first) ?? [];
      const found = new Set([...lines, ...ofHead(playbook)].filter(isOfAgent));
      for (const name of playbook.parameters.map(writtenName)) found.delete(name);
      isChanged ||= found.size !== (needs.get(playbook.name)?.size ?? 0);
      needs.set(playbook.name, found);
    }
  }
  return needs;
}

/** A description is filled in; that of a function is for whoever reads it. */
const ofHead = ({ description, mode }: CompiledPlaybook): readonly string[] =>
  mode === 'code' ? [] : stateNames(description);

const isOfAgent = (name: string): boolean => name.startsWith('$') && name !== lastResult;
