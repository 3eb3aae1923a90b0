/**
 * The graph of the lines of a playbook: from each line to those that may come next. The end of a
 * block goes to the line after its head; of a loop, and of an open head, back to the head. Number
 * '' is the end of the playbook.
 */
import { flatLines, type Line } from '../compiled.ts';
import type { Edge, EdgeKind } from './linked.ts';

export interface Graph {
  /** In the order of the text. */
  readonly lines: ReadonlyMap<string, Line>;
  readonly edges: ReadonlyMap<string, readonly Edge[]>;
  /** Empty where there is no line. */
  readonly first: string;
}

export function graphOf(lines: readonly Line[]): Graph {
  const all = flatLines(lines);
  const edges = new Map<string, readonly Edge[]>(all.map(({ number }) => [number, []]));
  addBlock(lines, { to: '', kind: 'end' }, { edges, loops: [] });
  return {
    lines: new Map(all.map((line) => [line.number, line])),
    edges,
    first: lines[0]?.number ?? '',
  };
}

/** Whether the machine may leave the lines under a line out, or repeat them, as a model says. */
const isOpenHead = (line: Line): boolean => line.children.length > 0 && line.does.is === 'open';

export const isLoop = ({ does }: Pick<Line, 'does'>): boolean =>
  does.is === 'each' || (does.is === 'test' && loops.has(does.kind));

/** Whether a line is the other case of the one before it. */
export const isOtherCase = ({ does }: Pick<Line, 'does'>): boolean =>
  does.is === 'test' && (does.kind === 'elif' || does.kind === 'else');

const loops: ReadonlySet<string> = new Set(['while', 'until', 'times']);

interface Building {
  readonly edges: Map<string, readonly Edge[]>;
  /** The loops around, innermost last; an open head is one for what stands in no other. */
  readonly loops: readonly {
    readonly head: string;
    readonly after: Edge;
    readonly isOpen: boolean;
  }[];
}

/** `after` is where a block goes on when its last line is done. */
function addBlock(lines: readonly Line[], after: Edge, building: Building): void {
  let following: Line | undefined;
  let afterChain = after;
  for (const line of lines.toReversed()) {
    const isChained = following !== undefined && isOtherCase(following);
    if (!isChained) afterChain = following ? { to: following.number, kind: 'next' } : after;
    const otherwise = isChained && following ? following.number : afterChain.to;
    const isOpen = isOpenHead(line);
    const isRepeated = isLoop(line) || isOpen;
    const inside = isRepeated
      ? {
          ...building,
          loops: [...building.loops, { head: line.number, after: afterChain, isOpen }],
        }
      : building;
    building.edges.set(line.number, edgesFrom(line, afterChain, otherwise, building));
    addBlock(line.children, isRepeated ? { to: line.number, kind: 'loop' } : afterChain, inside);
    following = line;
  }
}

function edgesFrom(line: Line, after: Edge, otherwise: string, { edges, loops }: Building): Edge[] {
  const { does, number, children } = line;
  const edge = (to: string, kind: EdgeKind): Edge => ({ to, kind });
  const [first] = children;
  if (isLoop(line)) return [edge(first?.number ?? number, 'loop'), edge(after.to, 'exit')];
  const next = first ? edge(first.number, 'next') : after;
  switch (does.is) {
    case 'test':
      if (does.kind === 'else') return [next];
      return [edge(first?.number ?? after.to, 'true'), edge(otherwise, 'false')];
    case 'open':
      if (!first) return [next];
      return [edge(first.number, 'true'), edge(after.to, 'false')];
    case 'return':
      // In words, it may be something else that is returned: `Return what is damaged to the depot`.
      return does.inWords ? [edge('', 'return'), after] : [edge('', 'return')];
    case 'end':
      return [edge('', 'end')];
    case 'go':
      return [exitOf(does.to, edges, loops) ?? after];
    default:
      return [next];
  }
}

/** Where `break`, `continue` or a number goes; undefined where there is no such loop or line. */
function exitOf(
  target: string,
  edges: Building['edges'],
  loops: Building['loops'],
): Edge | undefined {
  if (target !== 'break' && target !== 'continue') {
    const isBack = loops.some(({ head }) => head === target);
    return edges.has(target) ? { to: target, kind: isBack ? 'loop' : 'jump' } : undefined;
  }
  const loop = loops.findLast(({ isOpen }) => !isOpen) ?? loops.at(-1);
  if (!loop) return undefined;
  return target === 'break' ? { to: loop.after.to, kind: 'exit' } : { to: loop.head, kind: 'loop' };
}

/** The numbers that `next` leads to from some numbers, step by step, and those themselves. */
export function walk(
  from: readonly string[],
  next: (number: string) => readonly string[],
): ReadonlySet<string> {
  const reached = new Set(from);
  // A set is gone through with what is added on the way.
  for (const number of reached) for (const to of next(number)) reached.add(to);
  return reached;
}

/** The lines, and '' for the end, that each line leads to. */
export const targetsIn =
  ({ edges }: Graph): ((number: string) => readonly string[]) =>
  (number) =>
    (edges.get(number) ?? []).map(({ to }) => to);

/** The lines that lead to each line. */
export function sourcesIn({ edges }: Graph): (number: string) => readonly string[] {
  const sources = new Map<string, string[]>([...edges.keys()].map((number) => [number, []]));
  for (const [number, out] of edges) for (const { to } of out) sources.get(to)?.push(number);
  return (number) => sources.get(number) ?? [];
}
