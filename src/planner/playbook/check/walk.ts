/**
 * Where a playbook is, and how it gets from there to another line. Every way is one of the step
 * graph; of several the one that leaves out least is taken. Which condition holds is the model's
 * to say: both of its ways are open.
 */
import type { LinkedLine } from '../../../dialects/playbook/compiled/linked.ts';

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
}

const costs: Readonly<Record<Passing, number>> = { free: 0, odd: 1, wrong: 10_000 };

/** Undefined where no way leads there. */
export function wayTo(
  lines: ReadonlyMap<string, LinkedLine>,
  from: Position,
  target: string,
  passing: (line: string) => Passing,
): Way | undefined {
  if (from.line === target && (!from.isDone || target === theEnd))
    return { skipped: [], unreported: [] };
  const best = new Map<string, { readonly cost: number; readonly by: readonly string[] }>();
  const open: { readonly line: string; readonly cost: number; readonly by: readonly string[] }[] =
    [];
  const reach = (line: string, cost: number, by: readonly string[]): void => {
    const known = best.get(line);
    if (known && known.cost <= cost) return;
    best.set(line, { cost, by });
    if (line !== theEnd) open.push({ line, cost, by });
  };
  const leave = (line: string, cost: number, by: readonly string[]): void => {
    for (const { to } of lines.get(line)?.edges ?? []) reach(to, cost, by);
  };
  if (from.isDone) leave(from.line, 0, []);
  else open.push({ line: from.line, cost: 0, by: [] });
  for (let next = cheapest(open); next; next = cheapest(open)) {
    const { line, cost, by } = next;
    if (line === target && (from.isDone || line !== from.line)) break;
    leave(line, cost + costs[passing(line)], [...by, line]);
  }
  const found = best.get(target);
  if (!found) return undefined;
  return {
    skipped: found.by.filter((line) => passing(line) === 'wrong'),
    unreported: found.by.filter((line) => passing(line) === 'odd'),
  };
}

/** Takes the entry out. Playbooks are short: nothing quicker is needed. */
function cheapest<T extends { readonly cost: number }>(open: T[]): T | undefined {
  let at = 0;
  for (let i = 1; i < open.length; i++) {
    if ((open[i]?.cost ?? 0) < (open[at]?.cost ?? 0)) at = i;
  }
  return open.splice(at, 1)[0];
}

/** Lines that can be reached without passing one that has to be done, nearest first. */
export function* linesAhead(
  lines: ReadonlyMap<string, LinkedLine>,
  from: Position,
  passing: (line: string) => Passing,
): Generator<string> {
  const seen = new Set<string>();
  const open = from.isDone ? followers(lines, from.line) : [from.line];
  for (const line of open) {
    if (line === theEnd || seen.has(line)) continue;
    seen.add(line);
    yield line;
    if (passing(line) !== 'wrong') open.push(...followers(lines, line));
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
