/**
 * Yields for calls where small playbooks stand in the places of their calls: those that are left
 * though nothing is waited for behind them any more, or others too early, and those that are
 * missing before lines which need what was called before them.
 */
import type { CompiledAgent, CompiledPlaybook, Step } from '../compiled/compiled.ts';
import { callsBefore } from '../compiled/flow.ts';
import { type Graph, graphOf, isWithin } from '../compiled/graph.ts';
import { isEnd, isHead } from '../compiled/standing.ts';
import { functionEffects } from '../source/code.ts';
import { isPlaybook } from './callees.ts';

export function withoutIdleYields(
  playbook: CompiledPlaybook,
  agent: CompiledAgent,
): CompiledPlaybook {
  const graph = graphOf(playbook.steps);
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
    const given = queued.flatMap((one) => givenBy(one, agent));
    const mayUse = (one: Step): boolean => isReading(one, given) || !isPlain(one);
    return isOfOthers && !comesTo(mayUse, number, graph);
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

const isCall = ({ call, code, say }: Step): boolean => code === 'QUE' && !say && call !== undefined;

/**
 * With yields, numbered `.00`, before what stands in the place of a call and needs what is on its
 * way there: a playbook by itself begins with a reply that has it.
 */
export function withNeededYields(
  playbook: CompiledPlaybook,
  agent: CompiledAgent,
): CompiledPlaybook {
  const graph = graphOf(playbook.steps);
  const calls = callsBefore(graph, isCall);
  const head = [...graph.steps.values()].filter(isHead).find(({ number }) =>
    [...(calls.get(number) ?? [])].some((queued) => {
      const step = graph.steps.get(queued);
      const given = step ? givenBy(step, agent) : [];
      const needs = (one: Step): boolean =>
        isWithin(one.number, number) && (isReading(one, given) || mayMean(one));
      // What is called anew is what is read from there on.
      const isAnew = ({ writes }: Step): boolean =>
        given.length > 0 && given.every((name) => writes.includes(name));
      return comesTo(needs, number, graph, isAnew);
    }),
  );
  if (!head) return playbook;
  const { number, place } = head;
  const first: Step = {
    ...{ number: `${number}.00`, code: 'YLD', text: 'for call', children: [], place },
    ...{ writes: [], reads: [], waits: 'call' },
  };
  const within = (steps: readonly Step[]): Step[] =>
    steps.map((step) => {
      const children = within(step.children);
      return { ...step, children: step === head ? [first, ...children] : children };
    });
  return withNeededYields({ ...playbook, steps: within(playbook.steps) }, agent);
}

/** What a call gives, and what it sets of its agent: `*` where that may be anything. */
function givenBy({ call, reads }: Step, agent: CompiledAgent): readonly string[] {
  const { changes = [], sets = [] } = functionEffects(agent.code).get(call?.callee ?? '') ?? {};
  const given = [...(call?.into ? [call.into] : []), ...sets, ...(changes.length > 0 ? reads : [])];
  const isAny = isPlaybook(agent, call?.callee) || mayCallBack(agent, call?.callee ?? '');
  return isAny ? [...given, '*'] : given;
}

/** Whether it is called of another agent, to which its own one offers something. */
const mayCallBack = ({ name, playbooks }: CompiledAgent, callee: string): boolean =>
  callee.includes('.') &&
  !callee.startsWith(`${name}.`) &&
  playbooks.some(({ isPublic }) => isPublic);

/** Whether a line needs something of that, and does not only end with it. */
function isReading(step: Step, given: readonly string[]): boolean {
  const isAny = given.includes('*');
  const isRead = step.reads.some((name) => given.includes(name) || (isAny && name.startsWith('$')));
  return isRead && !isEnd(step);
}

/** Whether some way comes to such a line, before anything is waited for. */
function comesTo(
  isWanted: (step: Step) => boolean,
  from: string,
  { steps, edges }: Pick<Graph, 'steps' | 'edges'>,
  isEnd: (step: Step) => boolean = () => false,
): boolean {
  const seen = new Set<string>();
  const open = (edges.get(from) ?? []).map(({ to }) => to);
  for (let number = open.pop(); number !== undefined; number = open.pop()) {
    const step = steps.get(number);
    if (!step || seen.has(number) || step.code === 'YLD') continue;
    seen.add(number);
    if (isWanted(step)) return true;
    if (!isEnd(step)) open.push(...(edges.get(number) ?? []).map(({ to }) => to));
  }
  return false;
}

/** Whether the words of a line may mean what has come of calls. */
const mayMean = ({ call, isAmbiguous, say, text }: Step): boolean =>
  isAmbiguous === true || (!call && !say?.isLiteral && means.test(text));

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
