/**
 * The graph of the steps of a playbook: from each to what may come behind it. Conditions have an
 * edge for either outcome, loops one into the body and one out, jumps one to where they go; blocks
 * may be nested and empty. What falls out of the last step comes to the end.
 */
import { choosing, deciding, perhapsRepeating, repeating, toEach } from '../text/list-heads.ts';
import { conditionWord, elseCondition, elseWord, loopWord } from '../text/words.ts';
import type { Step } from './compiled.ts';
import type { Edge } from './linked.ts';

export interface Graph {
  /** In the order of the text. */
  readonly steps: ReadonlyMap<string, Step>;
  readonly edges: ReadonlyMap<string, readonly Edge[]>;
  /** Empty where there is no step. */
  readonly first: string;
}

export function graphOf(steps: readonly Step[]): Graph {
  const all = new Map(flatSteps(steps).map((step) => [step.number, step] as const));
  const edges = new Map<string, readonly Edge[]>();
  const building: Building = { all, edges, loops: [] };
  block(steps, { to: '', kind: 'end' }, building);
  const inOrder = new Map([...all.keys()].map((number) => [number, edges.get(number) ?? []]));
  return { steps: all, edges: inOrder, first: steps[0]?.number ?? '' };
}

/** Whether the step of a number stands under that of another one. */
export const isWithin = (number: string, head: string): boolean => number.startsWith(`${head}.`);

export const flatSteps = (steps: readonly Step[]): Step[] =>
  steps.flatMap((step) => [step, ...flatSteps(step.children)]);

interface Building {
  readonly all: ReadonlyMap<string, Step>;
  readonly edges: Map<string, readonly Edge[]>;
  /** Heads of the loops around, innermost last. */
  readonly loops: readonly string[];
}

function block(steps: readonly Step[], after: Edge, building: Building): void {
  steps.forEach((step, at) => {
    const next = steps.slice(at + 1).find(({ code }) => code !== 'ELS');
    const behind: Edge = next ? { to: next.number, kind: 'next' } : after;
    const follower = steps[at + 1];
    const otherwise: Edge =
      follower?.code === 'ELS'
        ? { to: follower.number, kind: 'false' }
        : { ...behind, kind: 'false' };
    const isLoop = step.code === 'LOP' || mayRepeat(step);
    const inside = isLoop ? { ...building, loops: [...building.loops, step.number] } : building;
    building.edges.set(step.number, edgesFrom(step, behind, otherwise, inside));
    block(step.children, isLoop ? { to: step.number, kind: 'loop' } : behind, inside);
  });
}

function edgesFrom(step: Step, behind: Edge, otherwise: Edge, building: Building): Edge[] {
  const [child] = step.children;
  const into = child ? child.number : behind.to;
  switch (step.code) {
    case 'CND':
      return [{ to: into, kind: 'true' }, otherwise];
    case 'ELS':
      if (elseCondition.test(step.text)) return [{ to: into, kind: 'true' }, otherwise];
      return [child ? { to: into, kind: 'next' } : behind];
    case 'LOP':
      return [
        { to: child ? child.number : step.number, kind: 'loop' },
        { to: behind.to, kind: 'exit' },
      ];
    case 'JMP': {
      const to = step.jump ?? '';
      if (!building.all.has(to)) return [behind];
      return [{ to, kind: building.loops.includes(to) ? 'loop' : 'jump' }];
    }
    case 'RET':
      return [{ to: '', kind: 'return' }];
    case 'YLD':
      if (step.waits === 'exit') return [{ to: '', kind: 'end' }];
      return step.waits === 'return' ? [{ to: '', kind: 'return' }] : [behind];
    default: {
      const into: Edge = child ? { to: child.number, kind: 'next' } : behind;
      return child && (mayDecide(step) || mayRepeat(step)) ? [into, behind] : [into];
    }
  }
}

/** Whether it may be a condition of what stands under it, as only a model can say. */
export const mayDecide = ({ isAmbiguous, text }: Pick<Step, 'isAmbiguous' | 'text'>): boolean =>
  isAmbiguous === true &&
  [conditionWord, elseWord, loopWord, choosing, deciding].some((form) => form.test(text));

/** Whether what stands under it may be done more than once, as only a model can say. */
export const mayRepeat = ({
  children,
  isAmbiguous,
  text,
}: Pick<Step, 'isAmbiguous' | 'text'> & { readonly children: readonly unknown[] }): boolean =>
  isAmbiguous === true &&
  children.length > 0 &&
  [repeating, perhapsRepeating, toEach].some((form) => form.test(text));

/** The steps that some way from the first one comes to, and whether one comes to the end. */
export function reachedIn({ edges, first }: Pick<Graph, 'edges' | 'first'>): {
  readonly steps: ReadonlySet<string>;
  readonly isEnding: boolean;
} {
  const steps = new Set<string>();
  const open = [first];
  let isEnding = first === '';
  for (let number = open.pop(); number !== undefined; number = open.pop()) {
    if (number === '' || steps.has(number)) continue;
    steps.add(number);
    for (const { to } of edges.get(number) ?? []) {
      if (to === '') isEnding = true;
      else open.push(to);
    }
  }
  return { steps, isEnding };
}
