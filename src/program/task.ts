/**
 * A task of a plan as data: one call of a tool whose arguments may stand for results that are still
 * to come. Readers of plans make tasks, lowering turns them into code, control loops get them as
 * parts of a stream; all of them end in the library function `task`, which the machine performs.
 *
 * Arguments are a dict by parameter name in which *nodes* stand for what comes later. A node is a
 * tuple, which no JSON makes, so that no data can pass for one:
 *
 * - `("ref", i, key…)` is the result with index i, then its part: keys are text, positions are
 *   ints, negative from the end. `"*"` stands for every element.
 * - `("text", piece…)` joins pieces into one text; each is text or a ref.
 * - `("number", piece…)` is the number that the pieces come to, read as arithmetic.
 * - `("list", ref, texts)` is a list: the result if it is one, else a list of it alone; `texts`
 *   says whether its elements are wanted as text.
 */
import { functions, operators } from './arithmetic/numbers.ts';
import { type Tuple, tuple, type Value } from './value.ts';

/** Ids go on over the plans of one run: a second plan begins behind the first. */
export interface Task {
  /** `3`. */
  readonly id: string;
  readonly tool: string;
  /** A dict with nodes. */
  readonly args: Value;
  /** Ids of the tasks whose results the nodes name, by the indices of the nodes. */
  readonly needs: readonly string[];
  /** Empty where there is none. */
  readonly thought: string;
  /** Its canonical text: `3. search("x")`. */
  readonly source: string;
  readonly line: number;
  readonly column: number;
}

/** The dialects in which a program is a plan of tasks, whose variables hold what these gave. */
const plans: ReadonlySet<string> = new Set(['llmcompiler', 'react']);

export const isPlan = ({ dialect }: { readonly dialect: string }): boolean => plans.has(dialect);

/** Every element of a list: the task is performed once for each. */
export const everyElement = '*';

export type PathKey = string | number;

export const numberOperators: readonly string[] = [...operators];
export const numberFunctions: readonly string[] = [...functions.keys()];

/** `("ref", index, key…)`. */
export const refNode = (index: number, ...path: readonly PathKey[]): Tuple =>
  tuple(['ref', index, ...path]);

/** `("text", piece…)`: pieces are text or refs. */
export const textNode = (...pieces: readonly (string | Tuple)[]): Tuple =>
  tuple(['text', ...pieces]);

/** `("number", piece…)`: arithmetic, in which refs stand for numbers. */
export const numberNode = (...pieces: readonly (string | Tuple)[]): Tuple =>
  tuple(['number', ...pieces]);

/** `("list", ref, texts)`. */
export const listNode = (ref: Tuple, texts: boolean): Tuple => tuple(['list', ref, texts]);

export interface RefNode {
  readonly kind: 'ref';
  readonly index: number;
  readonly path: readonly PathKey[];
}

/** A node as its reader wants it. */
export type TaskNode =
  | RefNode
  | { readonly kind: 'text' | 'number'; readonly pieces: readonly (string | RefNode)[] }
  | { readonly kind: 'list'; readonly of: RefNode; readonly texts: boolean };

/** A tuple with the head of a node. */
export type NodeTuple = Tuple & {
  readonly items: readonly ['ref' | 'text' | 'number' | 'list', ...Value[]];
};

const nodeKinds: readonly Value[] = ['ref', 'text', 'number', 'list'];

/** Whether a value has the head of a node. */
export const isNode = (value: Value): value is NodeTuple =>
  typeof value === 'object' &&
  value !== null &&
  value.kind === 'tuple' &&
  nodeKinds.includes(value.items[0] ?? null);

/** Takes a node apart; undefined for what has the head of one and is none. */
export function readNode({ items }: Tuple): TaskNode | undefined {
  // References are by far the most, and each task has some.
  if (items[0] === 'ref') return readRef(items[1], items.length > 2 ? items.slice(2) : noPath);
  const [kind, first, ...rest] = items;
  switch (kind) {
    case 'text':
    case 'number':
      return readPieces(kind, items.slice(1));
    case 'list': {
      const [texts] = rest;
      const of = first === undefined ? undefined : refIn(first);
      const isWhole = of && rest.length === 1 && typeof texts === 'boolean';
      return isWhole ? { kind: 'list', of, texts } : undefined;
    }
    default:
      return undefined;
  }
}

const noPath: readonly Value[] = [];

function readRef(index: Value | undefined, path: readonly Value[]): RefNode | undefined {
  if (typeof index !== 'number' || index < 0) return undefined;
  return path.every(isPathKey) ? { kind: 'ref', index, path } : undefined;
}

const isPathKey = (key: Value): key is PathKey =>
  typeof key === 'string' || typeof key === 'number';

function readPieces(kind: 'text' | 'number', items: readonly Value[]): TaskNode | undefined {
  const pieces: (string | RefNode)[] = [];
  for (const item of items) {
    const piece = typeof item === 'string' ? item : refIn(item);
    // In arithmetic a dollar sign would be a reference of its own.
    const isStray = kind === 'number' && typeof piece === 'string' && piece.includes('$');
    if (piece === undefined || isStray) return undefined;
    pieces.push(piece);
  }
  return { kind, pieces };
}

function refIn(value: Value): RefNode | undefined {
  const node = isNode(value) ? readNode(value) : undefined;
  return node?.kind === 'ref' ? node : undefined;
}
