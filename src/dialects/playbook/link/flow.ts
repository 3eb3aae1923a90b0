/** What lines read and set, and which variables the ways from a line on need. */
import { namePattern } from '../../../program/name.ts';
import {
  type CompiledPlaybook,
  type Does,
  type Expression,
  flatLines,
  isMachines,
  type Line,
  type Template,
  type Variable,
} from '../compiled.ts';
import type { Graph } from './graph.ts';

/** One name for a variable: `$x` is the agent's, `x` the call's. */
export const keyOf = ({ name, scope }: Variable): string => (scope === 'state' ? `$${name}` : name);

/** The expressions of a line that the machine computes. */
export function expressionsOf(does: Does): readonly Expression[] {
  switch (does.is) {
    case 'set':
      return listed(does.value);
    case 'call':
      return [...Object.values(does.args), does.value];
    case 'say':
    case 'ask':
      return placeholdersOf(does.text);
    case 'test':
      return listed(does.test);
    case 'each':
      return listed(does.of);
    case 'return':
      return listed(does.value);
    default:
      return [];
  }
}

const placeholdersOf = (text: Template = []): readonly Expression[] =>
  text.filter((part) => typeof part !== 'string');

const listed = <T>(value: T | undefined): readonly T[] => (value === undefined ? [] : [value]);

/** The variables that the machine reads at a line. A question is left out where all have values. */
export const readsOf = ({ does }: Pick<Line, 'does'>): readonly Variable[] => [
  ...expressionsOf(does).flatMap(({ reads }) => reads),
  ...(does.is === 'ask' ? does.wants : []),
];

/** The variables that have a value after the line. */
export function setsOf({ does }: Pick<Line, 'does'>): readonly Variable[] {
  switch (does.is) {
    case 'set':
      return [does.to];
    case 'call':
      return listed(does.into);
    case 'ask':
      return does.wants;
    case 'each':
      return listed(does.item);
    default:
      return [];
  }
}

/** The variables that may have another value after the line: a model may set what it names. */
export const mayBeSetBy = (line: Line): readonly Variable[] =>
  isMachines(line) ? setsOf(line) : [...setsOf(line), ...line.names];

/** Sets of variables, by `keyOf`, as the bits of numbers: a playbook may have thousands of them. */
export class Bits {
  readonly #keys: string[] = [];
  readonly #places = new Map<string, bigint>();

  of(variables: readonly Variable[]): bigint {
    let bits = 0n;
    for (const key of variables.map(keyOf)) {
      const bit = this.#places.get(key) ?? 1n << BigInt(this.#keys.length);
      if (!this.#places.has(key)) this.#keys.push(key);
      this.#places.set(key, bit);
      bits |= bit;
    }
    return bits;
  }

  keysIn(bits: bigint): string[] {
    return bits === 0n ? [] : this.#keys.filter((_, at) => (bits >> BigInt(at)) & 1n);
  }
}

/** What a line takes out of a set, and then adds to it. */
interface Change {
  readonly drops: bigint;
  readonly adds: bigint;
}

/**
 * The sets after each line, where those of all `neighbours` come together before it, until nothing
 * changes. Sets only grow, so it ends.
 */
export function spread(
  order: readonly string[],
  neighbours: ReadonlyMap<string, readonly string[]>,
  changes: ReadonlyMap<string, Change>,
): ReadonlyMap<string, bigint> {
  const results = new Map<string, bigint>();
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const number of order) {
      const { adds, drops } = changes.get(number) ?? { adds: 0n, drops: 0n };
      let result = 0n;
      for (const neighbour of neighbours.get(number) ?? []) result |= results.get(neighbour) ?? 0n;
      result = (result & ~drops) | adds;
      if (result === results.get(number)) continue;
      results.set(number, result);
      isChanged = true;
    }
  }
  return results;
}

/**
 * Variables, by `keyOf`, that some way from a line on needs. The words of a line that a model does
 * need whatever they name.
 */
export function liveIn({ lines, edges }: Graph): (number: string) => readonly string[] {
  const bits = new Bits();
  const changes = [...lines].map(([number, line]): [string, Change] => {
    const isDone = isMachines(line);
    const needed = isDone ? readsOf(line) : [...readsOf(line), ...line.names];
    return [number, { drops: isDone ? bits.of(setsOf(line)) : 0n, adds: bits.of(needed) }];
  });
  const targets = [...edges].map(([number, out]) => [number, out.map(({ to }) => to)] as const);
  const live = spread([...lines.keys()].toReversed(), new Map(targets), new Map(changes));
  return (number) => bits.keysIn(live.get(number) ?? 0n);
}

/** The lines from which each line is come to. */
export function sourcesOf(edges: Graph['edges']): ReadonlyMap<string, readonly string[]> {
  const sources = new Map<string, string[]>([...edges.keys()].map((number) => [number, []]));
  for (const [number, out] of edges) for (const { to } of out) sources.get(to)?.push(number);
  return sources;
}

/** The variables that a playbook names: its parameters, and those of its triggers and lines. */
export const variablesOf = ({
  about,
  parameters,
  triggers,
  lines,
}: CompiledPlaybook): readonly Variable[] => [
  ...parameters,
  ...placeholdersOf(about).flatMap(({ reads }) => reads),
  ...triggers.flatMap(({ names, condition }) => [...names, ...(condition?.reads ?? [])]),
  ...flatLines(lines).flatMap((line) => [...line.names, ...readsOf(line), ...setsOf(line)]),
];

const dollarName = new RegExp(`\\$${namePattern}`, 'gu');

/** As a playbook writes a variable of a key: its own may be a parameter `$x`. */
export function writtenIn({ lines }: Pick<CompiledPlaybook, 'lines'>): (key: string) => string {
  const texts = flatLines(lines).map(({ text }) => text);
  const dollars = new Set(texts.flatMap((text) => [...text.matchAll(dollarName)].map(String)));
  return (key) => (dollars.has(`$${key}`) ? `$${key}` : key);
}
