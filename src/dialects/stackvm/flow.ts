/**
 * The control-flow graph of a plan: a node for each instruction, in the order of the code, and one
 * more for its end. An instruction that sets final_answer leads nowhere: it ends the run.
 */
import { answers, type Instruction, listsIn, type Plan, type Target } from './plan.ts';
import type { Scopes } from './scopes.ts';

export interface Flow {
  readonly nodes: readonly Node[];
  /** Number of the node that stands for the end of the plan. */
  readonly end: number;
  /** By node, the end included. */
  readonly reachable: readonly boolean[];
}

export interface Node {
  readonly instruction: Instruction;
  /** Where it goes on once it has succeeded. */
  readonly next: readonly number[];
  /** Where it goes on when it fails, before it has written anything. */
  readonly failed: readonly number[];
}

/** Only for a plan whose jumps all have a target. */
export function flowOf(plan: Plan, scopes: Scopes): Flow {
  const numbers = new Map<Instruction, number>();
  const order = (list: readonly Instruction[]): void => {
    for (const instruction of list) {
      numbers.set(instruction, numbers.size);
      for (const inner of listsIn(instruction)) order(inner);
    }
  };
  order(plan.instructions);
  const end = numbers.size;
  const nodes: Node[] = [];
  const numberOf = (instruction: Instruction | undefined, otherwise: number): number =>
    instruction === undefined ? otherwise : (numbers.get(instruction) ?? otherwise);
  const visit = (list: readonly Instruction[], after: number): void => {
    for (const [i, instruction] of list.entries()) {
      const following = numberOf(list[i + 1], after);
      const target = (to: Target): number => {
        const found = scopes.find(instruction, to);
        return typeof found === 'object' ? numberOf(found, following) : following;
      };
      const failed = instruction.onError ? [target(instruction.onError)] : [];
      const next = successors(instruction, following, target, numberOf);
      nodes[numberOf(instruction, end)] = { instruction, next, failed };
      // The last instruction of a pass leads back to the next item.
      const behind = instruction.kind === 'foreach' ? numberOf(instruction, end) : following;
      for (const inner of listsIn(instruction)) visit(inner, behind);
    }
  };
  visit(plan.instructions, end);
  return { nodes, end, reachable: reachableFrom(nodes, end) };
}

function successors(
  instruction: Instruction,
  following: number,
  target: (to: Target) => number,
  numberOf: (instruction: Instruction | undefined, otherwise: number) => number,
): readonly number[] {
  const behind = answers(instruction) ? [] : [following];
  switch (instruction.kind) {
    case 'jump':
      if (!instruction.question) return [target(instruction.target)];
      return [
        target(instruction.target),
        instruction.otherwise ? target(instruction.otherwise) : following,
      ];
    case 'condition':
      return [
        numberOf(instruction.whenTrue[0], following),
        numberOf(instruction.whenFalse[0], following),
      ];
    case 'foreach':
      return [numberOf(instruction.body[0], following), ...behind];
    case 'assign':
    case 'call':
    case 'reasoning':
    case 'broken':
      return behind;
  }
}

function reachableFrom(nodes: readonly Node[], end: number): boolean[] {
  const reachable: boolean[] = new Array(end + 1).fill(false);
  const open = [0];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (reachable[at]) continue;
    reachable[at] = true;
    const node = nodes[at];
    if (node) open.push(...node.next, ...node.failed);
  }
  return reachable;
}
