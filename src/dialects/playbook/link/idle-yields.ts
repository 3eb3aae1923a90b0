/**
 * Yields for calls that are left where small playbooks stand in the places of their calls: those
 * behind which nothing is waited for any more, and those that would wait for others too early.
 */
import type { CompiledAgent, CompiledPlaybook, Step } from '../compiled/compiled.ts';
import { callsBefore } from '../compiled/flow.ts';
import { type Graph, graphOf, isWithin } from '../compiled/graph.ts';
import { isPlaybook } from './callees.ts';

export function withoutIdleYields(
  playbook: CompiledPlaybook,
  agent: CompiledAgent,
): CompiledPlaybook {
  const graph = graphOf(playbook.steps);
  const isCall = ({ call, code, say }: Step): boolean =>
    code === 'QUE' && !say && call !== undefined;
  const calls = callsBefore(graph, isCall);
  const targets = new Set([...graph.steps.values()].map(({ jump }) => jump));
  const order = [...graph.steps.values()];
  const isIdle = (step: Step): boolean => {
    const { code, number, waits } = step;
    if (code !== 'YLD' || waits !== 'call' || targets.has(number)) return false;
    const queued = [...(calls.get(number) ?? [])].flatMap((one) => graph.steps.get(one) ?? []);
    if (queued.length === 0) return true;
    const before = inlinedBefore(order, order.indexOf(step));
    const isOfOthers =
      before !== undefined && queued.every((one) => !isWithin(one.number, before.number));
    return isOfOthers && !isUsed(queued, number, graph, agent);
  };
  const without = (steps: readonly Step[]): Step[] =>
    steps
      .filter((step) => !isIdle(step))
      .map((step) => ({ ...step, children: without(step.children) }));
  return { ...playbook, steps: without(playbook.steps) };
}

/** The playbook that stands right before a step: it had waited for what that gives. */
function inlinedBefore(order: readonly Step[], at: number): Step | undefined {
  const { number = '' } = order[at] ?? {};
  const block = number.split('.').length;
  const before = order.slice(0, at).findLast((one) => one.number.split('.').length <= block);
  return before && before.children.length > 0 && isHead(before) ? before : undefined;
}

const isHead = ({ code, text }: Step): boolean =>
  code === 'EXE' && text.endsWith(': its lines are here');

/** Whether a line may need what was queued, before anything else is waited for. */
function isUsed(
  queued: readonly Step[],
  from: string,
  { steps, edges }: Graph,
  agent: CompiledAgent,
): boolean {
  const names = new Set(queued.flatMap(({ call }) => call?.into ?? []));
  const isAnyone = queued.some(({ call }) => isPlaybook(agent, call?.callee));
  const isNeeded = (step: Step): boolean =>
    step.reads.some((name) => names.has(name) || (isAnyone && name.startsWith('$'))) ||
    !isPlain(step);
  const seen = new Set<string>();
  const open = (edges.get(from) ?? []).map(({ to }) => to);
  for (let number = open.pop(); number !== undefined; number = open.pop()) {
    const step = steps.get(number);
    if (!step || seen.has(number) || step.code === 'YLD') continue;
    seen.add(number);
    if (isNeeded(step)) return true;
    open.push(...(edges.get(number) ?? []).map(({ to }) => to));
  }
  return false;
}

/** Words for what has come before. */
const means = /\b(?:it|its|them|their|they|this|that|these|those|results?|answers?)\b/i;

const literal = /^\s*(?:-?\d[\d.]*|"[^"{]*"|True|False|None|\[\]|\{\})\s*$/;

/** Whether what a line needs is known: its variables, and nothing that its words may mean. */
function isPlain(step: Step): boolean {
  const { call, isAmbiguous, reads, say, text, value } = step;
  if (isAmbiguous) return false;
  if (isHead(step) || call || say?.isLiteral) return true;
  if (value !== undefined && literal.test(value)) return true;
  if (value !== undefined) return reads.length > 0 && !means.test(text);
  return step.code === 'CND' && reads.length > 0 && !means.test(text);
}
