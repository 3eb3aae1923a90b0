/**
 * Where jumps lead. A number is looked up in the list that the jump stands in, then in the lists
 * around it: a branch of stackvm-1 may number its instructions anew. No jump leads into a branch,
 * and none out of a foreach.
 */
import { type Instruction, listsIn, type Plan, type Target } from './plan.ts';

export interface Scopes {
  /**
   * The instruction a target names from where `from` stands; `inside`: only a branch has it;
   * `outside`: it stands around the foreach of `from`.
   */
  find(from: Instruction, target: Target): Instruction | 'inside' | 'outside' | undefined;
}

interface Scope {
  readonly byNumber: ReadonlyMap<number, Instruction>;
  readonly around: Scope | undefined;
  readonly isPass: boolean;
}

export function scopesOf(plan: Plan): Scopes {
  const homes = new Map<Instruction, Scope>();
  const all = new Set<number>();
  const visit = (
    list: readonly Instruction[],
    around: Scope | undefined,
    isPass: boolean,
  ): void => {
    const byNumber = new Map<number, Instruction>();
    const scope = { byNumber, around, isPass };
    for (const instruction of list) {
      const { number } = instruction;
      homes.set(instruction, scope);
      if (number !== undefined) {
        all.add(number);
        if (!byNumber.has(number)) byNumber.set(number, instruction);
      }
      for (const inner of listsIn(instruction)) {
        visit(inner, scope, instruction.kind === 'foreach');
      }
    }
  };
  visit(plan.instructions, undefined, false);
  return {
    find(from, { number }) {
      let isOutside = false;
      for (let scope = homes.get(from); scope; scope = scope.around) {
        const found = scope.byNumber.get(number);
        if (found) return isOutside ? 'outside' : found;
        isOutside ||= scope.isPass;
      }
      return all.has(number) ? 'inside' : undefined;
    },
  };
}
