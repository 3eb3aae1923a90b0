/**
 * Where the ways that part in a chunk meet again: a branch decides about what lies between, and so
 * about which values there are behind it. A handler is a branch, too: a failure takes it.
 *
 * Ways that end a program on the side, by a RETURN before its last or by FAIL, meet nothing again:
 * behind them there is only one way left, which nobody has to choose.
 */
import { opcodeAt, operandOf } from '../program/opcodes.ts';
import type { Chunk, Handler } from '../program/program.ts';

export interface Branches {
  /** Where the ways from an address meet; undefined where they never do. */
  join(at: number): number | undefined;
  /** The same for what a handler guards and what it does. */
  joinOf(handler: Handler): number | undefined;
  /** What may be executed behind an address before `join` is; ends at it. */
  between(starts: readonly number[], join: number | undefined): readonly number[];
  /** Addresses that control goes on at, failures apart. */
  next(at: number): readonly number[];
}

const unreached = -1;

export function branchesOf(chunk: Chunk): Branches {
  const { code } = chunk;
  const exit = code.length;
  const next = (at: number): readonly number[] => successors(chunk, at);
  const parents = postDominators(exit, next);
  const joinAt = (found: number | undefined): number | undefined =>
    found === undefined || found === unreached || found === exit ? undefined : found;
  return {
    next,
    join: (at) => joinAt(parents[at]),
    joinOf: ({ end, target }) => joinAt(common(parents, exit, Math.min(end, exit), target)),
    between(starts, join) {
      const found = new Set<number>();
      const queue = [...starts];
      for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
        if (at === join || at >= exit || found.has(at)) continue;
        found.add(at);
        queue.push(...next(at));
      }
      return [...found];
    },
  };
}

/** The end of the code stands for wherever control goes on outside it. */
function successors({ code, role }: Chunk, at: number): readonly number[] {
  const word = code[at] ?? 0;
  const row = opcodeAt(word);
  if (row?.name === 'FAIL') return [];
  if (row?.name === 'JMP') return [operandOf(word)];
  if (row?.name === 'MORE') return [code.length];
  if (row?.name === 'RETURN') {
    return role === 'main' && at !== lastReturn(code) ? [] : [code.length];
  }
  return row?.operand === 'address' ? [at + 1, operandOf(word)] : [at + 1];
}

const returns = new WeakMap<readonly number[], number>();

function lastReturn(code: readonly number[]): number {
  const known = returns.get(code);
  if (known !== undefined) return known;
  const found = code.findLastIndex((word) => opcodeAt(word)?.name === 'RETURN');
  returns.set(code, found);
  return found;
}

/** The next address that all ways to the end lead through, for each (Cooper, Harvey, Kennedy). */
function postDominators(exit: number, next: (at: number) => readonly number[]): Int32Array {
  const before: number[][] = Array.from({ length: exit + 1 }, () => []);
  for (let at = 0; at < exit; at++) for (const to of next(at)) before[to]?.push(at);
  const order = endsFirst(exit, before);
  const rank = new Int32Array(exit + 1).fill(unreached);
  order.forEach((at, i) => {
    rank[at] = i;
  });
  const parents = new Int32Array(exit + 1).fill(unreached);
  parents[exit] = exit;
  const meet = (one: number, other: number): number => {
    let [a, b] = [one, other];
    while (a !== b) {
      if ((rank[a] ?? 0) > (rank[b] ?? 0)) a = parents[a] ?? exit;
      else b = parents[b] ?? exit;
    }
    return a;
  };
  for (let changed = true; changed; ) {
    changed = false;
    for (const at of order.slice(1)) {
      const known = next(at).filter((to) => parents[to] !== unreached);
      const [first = exit, ...others] = known;
      const found = others.reduce(meet, first);
      if (parents[at] === found) continue;
      parents[at] = found;
      changed = true;
    }
  }
  return parents;
}

/** What leads to the end, each address behind one of those that it leads to. */
function endsFirst(exit: number, before: readonly (readonly number[])[]): readonly number[] {
  const seen = new Set([exit]);
  const done: number[] = [];
  const stack = [{ at: exit, i: 0 }];
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const from = before[top.at]?.[top.i++];
    if (from === undefined) {
      done.push(top.at);
      stack.pop();
    } else if (!seen.has(from)) {
      seen.add(from);
      stack.push({ at: from, i: 0 });
    }
  }
  return done.reverse();
}

function common(parents: Int32Array, exit: number, one: number, other: number): number | undefined {
  const chain = new Set<number>();
  for (let at = one; at !== unreached; at = parents[at] ?? unreached) {
    chain.add(at);
    if (at === exit) break;
  }
  for (let at = other; at !== unreached; at = parents[at] ?? unreached) {
    if (chain.has(at)) return at;
    if (at === exit) break;
  }
  return undefined;
}
