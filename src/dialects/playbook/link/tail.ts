/**
 * Calls that are the last thing that a playbook does: the callee's result is the caller's, so that
 * the caller need not come back.
 */
import type { CompiledAgent, CompiledPlaybook, Line } from '../compiled.ts';
import { flatLines } from '../compiled.ts';
import { keyOf } from './flow.ts';
import type { Graph } from './graph.ts';

/** The numbers of `Return F(x)`, and of `$r = F(x)` right before `Return $r`. */
export function tailCalls(
  { lines, edges }: Graph,
  caller: CompiledPlaybook,
  agent: CompiledAgent,
): readonly string[] {
  const calleeOf = (name: string): CompiledPlaybook | undefined =>
    agent.playbooks.find((playbook) =>
      [playbook.name, `${agent.name}.${playbook.name}`].includes(name),
    );
  const isSameResult = (callee: CompiledPlaybook | undefined): boolean =>
    callee !== undefined && (caller.returns === undefined || caller.returns === callee.returns);
  const nextOf = (number: string): Line | undefined => {
    const [edge, ...others] = edges.get(number) ?? [];
    return edge && others.length === 0 ? lines.get(edge.to) : undefined;
  };
  return [...lines.values()].flatMap(({ number, does }) => {
    if (does.is === 'return') {
      const { calls: [name] = [], code = '' } = does.value ?? {};
      return name !== undefined && isCallAlone(code, name) && isSameResult(calleeOf(name))
        ? [number]
        : [];
    }
    if (does.is !== 'call' || does.callee.kind !== 'playbook' || does.type !== undefined) return [];
    const last = nextOf(number)?.does;
    const { into } = does;
    if (!into || last?.is !== 'return' || last.inWords) return [];
    const isItsValue =
      last.value !== undefined &&
      last.value.reads.length === 1 &&
      last.value.reads.every((read) => keyOf(read) === keyOf(into) && read.as === last.value?.code);
    const isNeededElsewhere = into.scope === 'state' && isNamedElsewhere(into.name, caller, agent);
    return isItsValue && !isNeededElsewhere && isSameResult(calleeOf(does.callee.name))
      ? [number]
      : [];
  });
}

/** Whether code is nothing but one call: `F(g(x), 2)`, and not `F(1) + F(2)`. */
function isCallAlone(code: string, name: string): boolean {
  const plain = code.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '');
  if (!plain.startsWith(`${name}(`)) return false;
  let depth = 0;
  for (const [at, character] of [...plain].entries()) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth === 0 && at >= name.length) return at === plain.length - 1;
  }
  return false;
}

/** Whether another playbook, a trigger or a function may read a variable of the agent. */
function isNamedElsewhere(name: string, caller: CompiledPlaybook, agent: CompiledAgent): boolean {
  const isIt = (variable: { readonly name: string }): boolean => variable.name === name;
  return (
    agent.code.some(({ text }) => text.includes(name)) ||
    agent.playbooks.some(
      (playbook) =>
        playbook.triggers.some(({ names }) => names.some(isIt)) ||
        (playbook.name !== caller.name &&
          flatLines(playbook.lines).some(({ names }) => names.some(isIt))),
    )
  );
}
