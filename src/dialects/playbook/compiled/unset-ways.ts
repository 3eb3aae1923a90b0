/**
 * Ways through the steps on which nothing sets a variable that another way sets: `$x = 1` under an
 * `If` alone, and `$x` read behind it. Only what is sure counts. The body of a loop is usual: a way
 * around it is none. What the reading asks for itself, or what may have to do with the condition,
 * is left to the author: `If $x is set`, a further condition around the reading, or one before it
 * from which a way leads elsewhere.
 */
import type { Step } from './compiled.ts';
import { sourcesOf } from './flow.ts';
import { type Graph, isWithin } from './graph.ts';
import type { EdgeKind } from './linked.ts';

export interface UnsetWay {
  /** The condition that decides, and whether it holds on that way. */
  readonly head: Step;
  readonly isHolding: boolean;
}

export interface Setting {
  readonly sets: (step: Step) => boolean;
  /** Whether nobody knows what is behind a step: it may set whatever it likes, or end it all. */
  readonly isOpen: (step: Step) => boolean;
}

/** By a step that reads the variable: the way to it on which that is not set. */
export function unsetWays(
  graph: Graph,
  name: string,
  { sets, isOpen }: Setting,
): (number: string) => UnsetWay | undefined {
  const setters = [...graph.steps.values()].filter(sets).map(({ number }) => number);
  const ways = waysFrom(graph, (step) => sets(step) || isOpen(step) || isAsking(step, name));
  const sources = sourcesOf(graph);
  return (number) => {
    if (!ways.get(number)) return undefined;
    const coming = comingTo(number, sources);
    const before = setters.filter((one) => one !== number && coming.has(one));
    for (let way = ways.get(number); way; way = way.before) {
      const { step } = way;
      const found = decided(way, before, graph);
      if (found) return isGuarded(number, step.number) ? undefined : found;
      const to = graph.edges.get(step.number) ?? [];
      if (to.some((edge) => !coming.has(edge.to) && edge.kind !== 'exit')) return undefined;
    }
    return undefined;
  };
}

/** A condition about the variable itself. */
const isAsking = ({ code, reads }: Step, name: string): boolean =>
  (code === 'CND' || code === 'ELS' || code === 'LOP') && reads.includes(name);

/** A step that a way comes through, and how it goes on. */
interface Way {
  readonly step: Step;
  readonly kind: EdgeKind;
  readonly before: Way | undefined;
}

/** How each step is come to while nothing is known of the variable. */
function waysFrom(
  { steps, edges, first }: Graph,
  isKnown: (step: Step) => boolean,
): ReadonlyMap<string, Way | undefined> {
  const ways = new Map<string, Way | undefined>([[first, undefined]]);
  const rounds = new Map<string, Way>();
  const open: [string, Way | undefined][] = [[first, undefined]];
  for (let next = open.shift(); next; next = open.shift()) {
    const [number, before] = next;
    const step = steps.get(number);
    if (!step || isKnown(step)) continue;
    for (const { to, kind } of edges.get(number) ?? []) {
      const way = { step, kind, before };
      // Out of a loop leads only what has come back to its head.
      if (kind === 'exit' && (!before || before !== rounds.get(number))) continue;
      const isRound = isWithin(number, to);
      if (isRound ? rounds.has(to) : ways.has(to)) continue;
      if (isRound) rounds.set(to, way);
      else ways.set(to, way);
      open.push([to, way]);
    }
  }
  return ways;
}

/** Steps of which some way comes to one, which is among them. */
function comingTo(
  number: string,
  sources: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const coming = new Set([number]);
  // What is added on the way is gone through, too.
  for (const one of coming) for (const from of sources.get(one) ?? []) coming.add(from);
  return coming;
}

/** Whether a step is what decides: under it, or under what else there is, the variable is set. */
function decided(
  { step, kind }: Way,
  setters: readonly string[],
  { steps }: Graph,
): UnsetWay | undefined {
  if (step.code !== 'CND' && step.code !== 'ELS') return undefined;
  const isUnder = (head: string): boolean => setters.some((one) => isWithin(one, head));
  if (kind === 'false') return isUnder(step.number) ? { head: step, isHolding: false } : undefined;
  for (let other = behind(step, steps); other?.code === 'ELS'; other = behind(other, steps)) {
    if (isUnder(other.number)) return { head: step, isHolding: true };
  }
  return undefined;
}

/** The next step in the same block. */
function behind({ number }: Step, steps: Graph['steps']): Step | undefined {
  const at = number.lastIndexOf('.') + 1;
  const next = String(Number(number.slice(at)) + 1).padStart(2, '0');
  return steps.get(`${number.slice(0, at)}${next}`);
}

/** Whether something further decides whether the variable is read. */
function isGuarded(number: string, head: string): boolean {
  const block = number.slice(0, Math.max(0, number.lastIndexOf('.')));
  return block !== '' && !isWithin(head, block);
}
