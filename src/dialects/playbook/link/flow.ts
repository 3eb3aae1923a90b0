/** What lines read and set, and which variables the ways from a line on need. */
import { namePattern } from '../../../program/name.ts';
import {
  type CompiledPlaybook,
  type Expression,
  flatLines,
  isMachines,
  type Line,
  type Variable,
} from '../compiled.ts';
import { type Graph, sourcesIn, walk } from './graph.ts';

/** One name for a variable: `$x` is the agent's, `x` the call's. */
export const keyOf = ({ name, scope }: Variable): string => (scope === 'state' ? `$${name}` : name);

/** The expressions in what a line does, or in a text, wherever they stand. */
export function expressionsIn(value: unknown): readonly Expression[] {
  if (typeof value !== 'object' || value === null) return [];
  return 'reads' in value ? [value as Expression] : Object.values(value).flatMap(expressionsIn);
}

const variablesRead = (value: unknown): readonly Variable[] =>
  expressionsIn(value).flatMap(({ reads }) => reads);

/** The variables that the machine reads at a line. A question is left out where all have values. */
export const readsOf = ({ does }: Pick<Line, 'does'>): readonly Variable[] => [
  ...variablesRead(does),
  ...(does.is === 'ask' ? does.wants : []),
];

/** The variables that have a value after the line. */
export function setsOf({ does }: Pick<Line, 'does'>): readonly Variable[] {
  const listed = (variable: Variable | undefined) => (variable ? [variable] : []);
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

/** The most variables of a playbook that are followed on all its ways: each takes time. */
export const followedMax = 200;

/** The numbers of the lines that have each variable, by `keyOf`. */
export function linesBy(
  { lines }: Graph,
  variablesAt: (line: Line) => readonly Variable[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const numbers = new Map<string, Set<string>>();
  for (const line of lines.values()) {
    for (const key of variablesAt(line).map(keyOf)) {
      numbers.set(key, (numbers.get(key) ?? new Set()).add(line.number));
    }
  }
  return numbers;
}

/**
 * The variables, by `keyOf`, that some way from each line on needs; undefined where there are too
 * many to follow. The words of a line that a model does need whatever they name.
 */
export function liveIn(graph: Graph): ReadonlyMap<string, readonly string[]> | undefined {
  const sources = sourcesIn(graph);
  const setters = linesBy(graph, (line) => (isMachines(line) ? setsOf(line) : []));
  const readers = linesBy(graph, (line) =>
    isMachines(line) ? readsOf(line) : [...readsOf(line), ...line.names],
  );
  if (readers.size > followedMax) return undefined;
  const live = new Map<string, string[]>([...graph.lines.keys()].map((number) => [number, []]));
  for (const [key, numbers] of readers) {
    const setting = setters.get(key);
    const before = (number: string) => sources(number).filter((source) => !setting?.has(source));
    for (const number of walk([...numbers], before)) live.get(number)?.push(key);
  }
  return live;
}

/** The variables that a playbook names: its parameters, and those of its triggers and lines. */
export const variablesOf = ({
  about,
  parameters,
  triggers,
  lines,
}: CompiledPlaybook): readonly Variable[] => [
  ...parameters.map(({ name }): Variable => ({ name, scope: 'local' })),
  ...variablesRead(about),
  ...triggers.flatMap(({ names, condition }) => [...names, ...variablesRead(condition)]),
  ...flatLines(lines).flatMap((line) => [...line.names, ...readsOf(line), ...setsOf(line)]),
];

const dollarName = new RegExp(`\\$${namePattern}`, 'gu');

/** As lines write a variable of a key: one of the call may be a parameter `$x`. */
export function writtenIn(lines: Iterable<Pick<Line, 'text'>>): (key: string) => string {
  const texts = [...lines].map(({ text }) => text);
  const dollars = new Set(texts.flatMap((text) => text.match(dollarName) ?? []));
  return (key) => (dollars.has(`$${key}`) ? `$${key}` : key);
}
