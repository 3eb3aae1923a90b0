/**
 * Whether a variable can have a value where it is read: written on every path, on some, on none.
 *
 * Most plans write a variable before the first branch, and reading them in order settles that. For
 * the rest, 32 variables at a time travel through the graph as the bits of two integers per node:
 * written on some path, written on every path. A node is visited again only when a bit of it has
 * changed, so the work is bounded by 64 visits per node and batch.
 */
import type { Flow, Node } from './flow.ts';
import { type Names, staysText } from './names.ts';
import {
  type DialectName,
  type Expression,
  expressionsOf,
  type Instruction,
  type Plan,
  type Reference,
  referencesIn,
  writesOf,
} from './plan.ts';

/** A read that does not find a value on every path. */
export interface Unset {
  readonly reference: Reference;
  readonly instruction: Instruction;
  /** Whether there is a path on which it does find one. */
  readonly sometimes: boolean;
}

interface Read {
  readonly node: number;
  readonly reference: Reference;
}

/** The references of an instruction that it does not itself write before, one for each name. */
function readsOf(
  instruction: Instruction,
  dialect: DialectName,
  names: Names,
): readonly Reference[] {
  const found = new Map<string, Reference>();
  const own = new Set<string>();
  const look = (expression: Expression): void => {
    for (const reference of referencesIn(expression)) {
      if (staysText(reference, dialect, names)) continue;
      if (!own.has(reference.name) && !found.has(reference.name)) {
        found.set(reference.name, reference);
      }
    }
  };
  if (instruction.kind === 'assign') {
    for (const { name, value } of instruction.entries) {
      look(value);
      own.add(name);
    }
  } else expressionsOf(instruction).forEach(look);
  return [...found.values()];
}

export function unsetReads(
  flow: Flow,
  inputs: readonly string[],
  { dialect }: Pick<Plan, 'dialect'>,
  names: Names,
): Unset[] {
  const certain = new Set(inputs);
  const doubtful: Read[] = [];
  let straight = true;
  for (const [at, node] of flow.nodes.entries()) {
    for (const reference of readsOf(node.instruction, dialect, names)) {
      if (!names.known.has(reference.name) || !flow.reachable[at]) continue;
      if (!certain.has(reference.name)) doubtful.push({ node: at, reference });
    }
    straight &&= node.next.length === 1 && node.next[0] === at + 1 && node.failed.length === 0;
    if (straight) for (const { name } of writesOf(node.instruction)) certain.add(name);
  }
  const found: Unset[] = [];
  const variables = [...new Set(doubtful.map(({ reference }) => reference.name))];
  const byName = Map.groupBy(doubtful, ({ reference }) => reference.name);
  for (let from = 0; from < variables.length; from += 32) {
    const batch = variables.slice(from, from + 32);
    const { some, every } = spread(flow, batch);
    for (const [bit, name] of batch.entries()) {
      for (const { node, reference } of byName.get(name) ?? []) {
        const { instruction } = flow.nodes[node] as Node;
        if (((every[node] ?? 0) >>> bit) & 1) continue;
        found.push({ reference, instruction, sometimes: (((some[node] ?? 0) >>> bit) & 1) === 1 });
      }
    }
  }
  return found;
}

/** For each node, as bits by the order of `variables`: what is written when it is entered. */
function spread(flow: Flow, variables: readonly string[]): { some: Int32Array; every: Int32Array } {
  const size = flow.nodes.length + 1;
  const bits = new Map(variables.map((name, i) => [name, 1 << i]));
  const writes = new Int32Array(size);
  for (const [at, { instruction }] of flow.nodes.entries()) {
    for (const { name } of writesOf(instruction)) {
      writes[at] = bitsAt(writes, at) | (bits.get(name) ?? 0);
    }
  }
  const some = new Int32Array(size);
  const every = new Int32Array(size).fill(-1);
  every[0] = 0;
  const queue = [0];
  const queued = new Set(queue);
  const seen = new Set<number>();
  const enter = (to: number, maybe: number, surely: number): void => {
    const more = bitsAt(some, to) | maybe;
    const less = bitsAt(every, to) & surely;
    const changed = more !== some[to] || less !== every[to] || !seen.has(to);
    some[to] = more;
    every[to] = less;
    if (!changed || queued.has(to)) return;
    queued.add(to);
    queue.push(to);
  };
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    queued.delete(at);
    seen.add(at);
    const node = flow.nodes[at];
    if (!node) continue;
    const before = bitsAt(some, at);
    const surely = bitsAt(every, at);
    for (const to of node.next) enter(to, before | bitsAt(writes, at), surely | bitsAt(writes, at));
    for (const to of node.failed) enter(to, before, surely);
  }
  return { some, every };
}

const bitsAt = (array: Int32Array, index: number): number => array[index] ?? 0;
