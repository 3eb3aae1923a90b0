/**
 * Where jumps lead. A number is looked up in the list that the jump stands in, then in the lists
 * around it: a branch of stackvm-1 may number its instructions anew. No jump leads into a branch.
 */
import type { Instruction, Plan, Target } from './plan.ts';

export interface Scopes {
  /** The instruction a target names from where `from` stands; `inside`: only a branch has it. */
  find(from: Instruction, target: Target): Instruction | 'inside' | undefined;
}

interface Scope {
  readonly byNumber: ReadonlyMap<number, Instruction>;
  readonly around: Scope | undefined;
}

export function scopesOf(plan: Plan): Scopes {
  const homes = new Map<Instruction, Scope>();
  const all = new Set<number>();
  const visit = (list: readonly Instruction[], around: Scope | undefined): void => {
    const byNumber = new Map<number, Instruction>();
    const scope = { byNumber, around };
    for (const instruction of list) {
      const { number } = instruction;
      homes.set(instruction, scope);
      if (number !== undefined) {
        all.add(number);
        if (!byNumber.has(number)) byNumber.set(number, instruction);
      }
      if (instruction.kind !== 'condition') continue;
      visit(instruction.whenTrue, scope);
      visit(instruction.whenFalse, scope);
    }
  };
  visit(plan.instructions, undefined);
  return {
    find(from, { number }) {
      for (let scope = homes.get(from); scope; scope = scope.around) {
        const found = scope.byNumber.get(number);
        if (found) return found;
      }
      return all.has(number) ? 'inside' : undefined;
    },
  };
}
