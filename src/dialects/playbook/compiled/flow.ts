/** What holds at each step of a graph on some way: which variables are needed, set, queued. */
import type { Step } from './compiled.ts';
import type { Graph } from './graph.ts';
import { lastResult } from './last-result.ts';

export type Sets = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Variables that are read on some way that begins with a step. `spoken` gives those that a step
 * names in words, without their dollars: `While the pin is too short`.
 */
export function liveIn({ steps, edges }: Graph, spoken: (step: Step) => Iterable<string>): Sets {
  const after = new Map([...edges].map(([number, to]) => [number, to.map((edge) => edge.to)]));
  return fixpoint(after, [...steps.keys()].toReversed(), (number, out) => {
    const step = steps.get(number);
    const live = new Set(out);
    if (!step) return live;
    // Which item of a loop comes next is told by the one that it has.
    const counts = step.code === 'LOP' ? step.writes : [];
    for (const name of step.writes) live.delete(name);
    if (step.call) live.delete(lastResult);
    for (const name of [...step.reads, ...counts, ...spoken(step)]) live.add(name);
    return live;
  });
}

/** Variables that some way to a step sets; not what the step itself does. */
export function setBefore(
  { steps, edges }: Pick<Graph, 'steps' | 'edges'>,
  sets: (step: Step) => Iterable<string>,
): Sets {
  return forward({ steps, edges }, (step, known) => new Set([...known, ...sets(step)]));
}

/** Results that some way to a step has queued and not waited for. */
export function queuedBefore({ steps, edges }: Graph): Sets {
  return forward({ steps, edges }, (step, queued) => {
    if (step.code === 'YLD') return new Set();
    const into = step.code === 'QUE' ? step.call?.into : undefined;
    const still = new Set(queued);
    for (const name of step.writes) still.delete(name);
    if (into !== undefined) still.add(into);
    if (step.code === 'QUE' && step.call) still.add(lastResult);
    return still;
  });
}

/** Calls that some way to a step has queued and not waited for, by the numbers of their steps. */
export function callsBefore({ steps, edges }: Graph, isCall: (step: Step) => boolean): Sets {
  return forward({ steps, edges }, (step, calls) => {
    if (step.code === 'YLD') return new Set();
    return isCall(step) ? new Set([...calls, step.number]) : calls;
  });
}

/** Variables that other steps on some way to a step read or set. */
export function namedBefore({ steps, edges }: Graph): (number: string) => ReadonlySet<string> {
  const before = sourcesOf({ steps, edges });
  return (number) => {
    const names = new Set<string>();
    const seen = new Set([number]);
    const open = [...(before.get(number) ?? [])];
    for (let one = open.pop(); one !== undefined; one = open.pop()) {
      if (seen.has(one)) continue;
      seen.add(one);
      const { reads = [], writes = [] } = steps.get(one) ?? {};
      for (const name of [...reads, ...writes]) names.add(name);
      open.push(...(before.get(one) ?? []));
    }
    return names;
  };
}

/** From which steps each is come to. */
export function sourcesOf({
  steps,
  edges,
}: Pick<Graph, 'steps' | 'edges'>): ReadonlyMap<string, readonly string[]> {
  const before = new Map<string, string[]>([...steps.keys()].map((number) => [number, []]));
  for (const [number, to] of edges) for (const edge of to) before.get(edge.to)?.push(number);
  return before;
}

function forward(
  { steps, edges }: Pick<Graph, 'steps' | 'edges'>,
  through: (step: Step, known: ReadonlySet<string>) => ReadonlySet<string>,
): Sets {
  const before = sourcesOf({ steps, edges });
  const out = fixpoint(before, [...steps.keys()], (number, known) => {
    const step = steps.get(number);
    return step ? through(step, known) : known;
  });
  return new Map(
    [...before].map(([number, from]) => [
      number,
      new Set(from.flatMap((one) => [...(out.get(one) ?? [])])),
    ]),
  );
}

/** Unions over neighbours until nothing changes; sets only grow, so it ends. */
function fixpoint(
  neighbours: ReadonlyMap<string, readonly string[]>,
  order: readonly string[],
  through: (number: string, known: ReadonlySet<string>) => ReadonlySet<string>,
): Map<string, ReadonlySet<string>> {
  const results = new Map<string, ReadonlySet<string>>();
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const number of order) {
      const known = new Set<string>();
      for (const other of neighbours.get(number) ?? []) {
        for (const name of results.get(other) ?? []) known.add(name);
      }
      const made = through(number, known);
      if (made.size === (results.get(number)?.size ?? 0)) continue;
      results.set(number, made);
      isChanged = true;
    }
  }
  return results;
}
