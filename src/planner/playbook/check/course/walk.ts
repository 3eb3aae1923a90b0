/**
 * Where a playbook is, and how it gets from there to another line. Every way is one of the step
 * graph; of several the one that leaves out least is taken. Which condition holds is the model's
 * to say, where it cannot be computed: both of its ways are open.
 */
import type { Edge, LinkedLine } from '../../../../dialects/playbook/compiled/linked.ts';

/** The end of a playbook, as a line. */
export const theEnd = '';

export interface Position {
  /** A line, or the end. */
  readonly line: string;
  /** Whether it is over, so that what comes next is behind it. */
  readonly isDone: boolean;
}

/**
 * What it means to pass a line without a word: nothing; something that may be let pass, such as a
 * step that is only not reported; or something that has to be done.
 */
export type Passing = 'free' | 'odd' | 'wrong';

export interface Way {
  /** Lines that are passed although they have to be done, in their order. */
  readonly skipped: readonly string[];
  readonly unreported: readonly string[];
  /** Lines whose condition says otherwise. */
  readonly against: readonly string[];
}

/** Whether the condition of a line says that an edge is not the one; `by`: the lines before it. */
export type IsAgainst = (line: string, edge: Edge, by: readonly string[]) => boolean;

const nothing: Way = { skipped: [], unreported: [], against: [] };

/** Less than any line that is left out: where a condition holds, all of its lines may be. */
const againstCost = 0.5;

const costs: Readonly<Record<Passing, number>> = { free: 0, odd: 1, wrong: 10_000 };

/** Undefined where no way leads there. */
export function wayTo(
  lines: ReadonlyMap<string, LinkedLine>,
  from: Position,
  target: string,
  passing: (line: string) => Passing,
  isAgainst: IsAgainst,
): Way | undefined {
  if (from.line === target && (!from.isDone || target === theEnd)) return nothing;
  const best = new Map<string, Reached>();
  const open: Reached[] = [];
  const reach = (one: Reached): void => {
    const known = best.get(one.line);
    if (known && known.cost <= one.cost) return;
    best.set(one.line, one);
    if (one.line !== theEnd) open.push(one);
  };
  const leave = ({ line, cost, by, against }: Reached): void => {
    for (const edge of lines.get(line)?.edges ?? []) {
      const isOff = isAgainst(line, edge, by);
      const off = isOff ? [...against, line] : against;
      reach({ line: edge.to, cost: cost + (isOff ? againstCost : 0), by, against: off });
    }
  };
  const start: Reached = { line: from.line, cost: 0, by: [], against: [] };
  if (from.isDone) leave(start);
  else open.push(start);
  for (let next = cheapest(open); next; next = cheapest(open)) {
    const { line, cost, by } = next;
    if (line === target && (from.isDone || line !== from.line)) break;
    leave({ ...next, cost: cost + costs[passing(line)], by: [...by, line] });
  }
  const found = best.get(target);
  if (!found) return undefined;
  return {
    skipped: found.by.filter((line) => passing(line) === 'wrong'),
    unreported: found.by.filter((line) => passing(line) === 'odd'),
    against: found.against,
  };
}

/** A line that a way has come to, `by` those before it. */
interface Reached {
  readonly line: string;
  readonly cost: number;
  readonly by: readonly string[];
  readonly against: readonly string[];
}

/** Takes the entry out. Playbooks are short: nothing quicker is needed. */
function cheapest<T extends { readonly cost: number }>(open: T[]): T | undefined {
  let at = 0;
  for (let i = 1; i < open.length; i++) {
    if ((open[i]?.cost ?? 0) < (open[at]?.cost ?? 0)) at = i;
  }
  return open.splice(at, 1)[0];
}

/**
 * Lines that can be reached without passing one that has to be done, nearest first; behind them
 * those that a condition is against.
 */
export function* linesAhead(
  lines: ReadonlyMap<string, LinkedLine>,
  from: Position,
  passing: (line: string) => Passing,
  isAgainst: IsAgainst,
): Generator<string> {
  const seen = new Set<string>();
  const later: string[] = [];
  const follow = (line: string, by: readonly string[]): string[] =>
    (lines.get(line)?.edges ?? []).flatMap((edge) => {
      if (!isAgainst(line, edge, by)) return [edge.to];
      later.push(edge.to);
      return [];
    });
  const open = from.isDone ? follow(from.line, []) : [from.line];
  for (;;) {
    const line = open.shift() ?? later.shift();
    if (line === undefined) return;
    if (line === theEnd || seen.has(line)) continue;
    const by = [...seen];
    seen.add(line);
    yield line;
    if (passing(line) !== 'wrong') open.push(...follow(line, by));
  }
}

const followers = (lines: ReadonlyMap<string, LinkedLine>, line: string): string[] =>
  (lines.get(line)?.edges ?? []).map(({ to }) => to);

/** Where to go on behind a position: one line that follows, or the same where several do. */
export function goOnFrom(
  lines: ReadonlyMap<string, LinkedLine>,
  { line, isDone }: Position,
): string {
  if (!isDone) return line;
  const next = new Set(followers(lines, line));
  const [only] = next;
  return next.size === 1 && only !== undefined ? only : line;
}
