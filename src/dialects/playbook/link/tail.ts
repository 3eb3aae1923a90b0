/**
 * Calls that are the last thing that a playbook does: the callee's result is the caller's, so that
 * the caller need not come back.
 */
import {
  type CompiledAgent,
  type CompiledPlaybook,
  flatLines,
  type Variable,
} from '../compiled.ts';
import { keyOf } from './flow.ts';
import type { Graph } from './graph.ts';

/** The numbers of `Return F(x)`, and of `$r = F(x)` right before `Return $r`. */
export function tailCalls(
  { lines, edges }: Graph,
  caller: CompiledPlaybook,
  agent: CompiledAgent,
): readonly string[] {
  const isSameResult = (id: string): boolean => {
    const callee = agent.playbooks.find(({ name }) => id === `${agent.name}.${name}`);
    return callee !== undefined && [undefined, callee.returns].includes(caller.returns);
  };
  return [...lines.values()].flatMap(({ number, does }) => {
    if (does.is === 'return') {
      return does.call && isSameResult(does.call.callee.name) ? [number] : [];
    }
    if (does.is !== 'call' || !does.into || does.type !== undefined) return [];
    const [edge, ...others] = edges.get(number) ?? [];
    const last = others.length === 0 && edge ? lines.get(edge.to)?.does : undefined;
    const value = last?.is === 'return' ? last.value : undefined;
    const [read] = value?.reads ?? [];
    const isItsValue = read?.as === value?.code && read && keyOf(read) === keyOf(does.into);
    const isTail =
      isItsValue && isSameResult(does.callee.name) && !isNamedElsewhere(does.into, caller, agent);
    return isTail ? [number] : [];
  });
}

/** Whether another playbook, a trigger or a function may read what a playbook sets. */
function isNamedElsewhere(
  { name, scope }: Variable,
  caller: CompiledPlaybook,
  { code, playbooks }: CompiledAgent,
): boolean {
  const names = playbooks.flatMap((playbook) => [
    ...playbook.triggers.flatMap((trigger) => trigger.names),
    ...(playbook === caller ? [] : flatLines(playbook.lines).flatMap((line) => line.names)),
  ]);
  return (
    scope === 'state' &&
    (names.some((variable) => variable.name === name) ||
      code.some(({ text }) => text.includes(name)))
  );
}
