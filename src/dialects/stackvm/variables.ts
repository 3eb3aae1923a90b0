/**
 * Whether a variable can have a value where it is read: written on every path, on some, on none.
 *
 * Most plans write a variable before the first branch, and reading them in order settles that. For
 * the rest, paths without a write are followed from the start, 32 variables at a time as the bits
 * of one integer per node; where such a path ends in a read, a search goes back for a write that
 * reaches it on another.
 */
import type { Flow } from './flow.ts';
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
  const doubtful = doubtfulReads(flow, inputs, dialect, names);
  const byName = Map.groupBy(doubtful, ({ reference }) => reference.name);
  const variables = [...byName.keys()];
  const writers = writersOf(flow, byName);
  const sources = sourcesOf(flow);
  const found: Unset[] = [];
  for (let from = 0; from < variables.length; from += 32) {
    const batch = variables.slice(from, from + 32);
    const unwritten = flood(flow, batch, writers);
    for (const [bit, name] of batch.entries()) {
      const written = writers.get(name) ?? new Set();
      for (const { node, reference } of byName.get(name) ?? []) {
        if ((((unwritten[node] ?? 0) >>> bit) & 1) === 0) continue;
        const instruction = flow.nodes[node]?.instruction;
        const sometimes = isReached(sources, written, node);
        if (instruction) found.push({ reference, instruction, sometimes });
      }
    }
  }
  return found;
}

/** Reads that a write before the first branch does not settle. */
function doubtfulReads(
  flow: Flow,
  inputs: readonly string[],
  dialect: DialectName,
  names: Names,
): Read[] {
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
  return doubtful;
}

/** The nodes that write each of the variables. */
function writersOf(
  { nodes }: Flow,
  variables: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, ReadonlySet<number>> {
  const writers = new Map<string, Set<number>>();
  for (const [at, { instruction }] of nodes.entries()) {
    for (const { name } of writesOf(instruction)) {
      if (!variables.has(name)) continue;
      const known = writers.get(name);
      if (known) known.add(at);
      else writers.set(name, new Set([at]));
    }
  }
  return writers;
}

/** Bit i of a node: it can be entered before variable i has been written. */
function flood(
  { nodes, end }: Flow,
  variables: readonly string[],
  writers: ReadonlyMap<string, ReadonlySet<number>>,
): Int32Array {
  const writes = new Int32Array(end + 1);
  for (const [bit, name] of variables.entries()) {
    for (const at of writers.get(name) ?? []) writes[at] = (writes[at] ?? 0) | (1 << bit);
  }
  const unwritten = new Int32Array(end + 1);
  unwritten[0] = -1;
  const queue = [0];
  const enter = (to: number, bits: number): void => {
    const before = unwritten[to] ?? 0;
    if ((before | bits) === before) return;
    unwritten[to] = before | bits;
    queue.push(to);
  };
  for (let head = 0; head < queue.length; head++) {
    const at = queue[head] ?? end;
    const bits = unwritten[at] ?? 0;
    for (const to of nodes[at]?.next ?? []) enter(to, bits & ~(writes[at] ?? 0));
    for (const to of nodes[at]?.failed ?? []) enter(to, bits);
  }
  return unwritten;
}

interface Source {
  readonly from: number;
  /** Whether what `from` writes has been written. */
  readonly written: boolean;
}

/** For each node, the reachable nodes that lead to it. */
function sourcesOf({ nodes, end, reachable }: Flow): readonly (readonly Source[])[] {
  const sources: Source[][] = Array.from({ length: end + 1 }, () => []);
  for (const [from, { next, failed }] of nodes.entries()) {
    if (!reachable[from]) continue;
    for (const to of next) sources[to]?.push({ from, written: true });
    for (const to of failed) sources[to]?.push({ from, written: false });
  }
  return sources;
}

/** Whether a path leads from one of the writers to the node. */
function isReached(
  sources: readonly (readonly Source[])[],
  writers: ReadonlySet<number>,
  node: number,
): boolean {
  const seen = new Set([node]);
  // The iteration goes on over what is added on the way.
  for (const at of seen) {
    for (const { from, written } of sources[at] ?? []) {
      if (written && writers.has(from)) return true;
      seen.add(from);
    }
  }
  return false;
}
