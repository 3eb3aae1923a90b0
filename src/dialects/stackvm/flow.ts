/**
 * Numbers, jumps and the way of control through a plan. The graph of control is a node for each
 * instruction, in the order of the code, and one more for its end. An instruction that sets
 * final_answer leads nowhere: it ends the run.
 */
import {
  answers,
  everyInstruction,
  type Instruction,
  listsIn,
  type Plan,
  type Target,
} from './plan.ts';
import { error, type Report, warn } from './report.ts';

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

// Where jumps lead. A number is looked up in the list that the jump stands in, then in the lists
// around it: a branch of stackvm-1 may number its instructions anew. No jump leads into a branch,
// and none out of a foreach.

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

// The targets of jumps and of on_error.

/** Whether the flow of control is known: every number, every jump and its targets. */
export function checkTargets(report: Report, plan: Plan, scopes: Scopes): boolean {
  let known = true;
  for (const instruction of everyInstruction(plan.instructions)) {
    const { kind, type, number } = instruction;
    if (number === undefined) known = false;
    if (kind === 'broken' && /^(jmp|jmp_if|condition|foreach|)$/.test(type)) known = false;
    for (const [key, target] of targetsOf(instruction)) {
      const found = scopes.find(instruction, target);
      if (typeof found === 'object') continue;
      known = false;
      const step = instruction.label;
      if (found === 'inside') {
        const message = `${key}: step ${target.number} stands in a branch of another step`;
        const hint = 'jump to a step outside of branches, or within the same branch';
        error(report, 'intoBranch', target, message, { step, hint });
      } else if (found === 'outside') {
        const message = `${key}: step ${target.number} stands outside of the foreach`;
        const hint = 'go on at a step of the same foreach: each item is gone through to the end';
        error(report, 'inForeach', target, message, { step, hint });
      } else {
        const message = `${key}: got ${target.number}, want the seq_no of a step`;
        error(report, 'noTarget', target, message, { step, hint: range(plan) });
      }
    }
  }
  return known;
}

function targetsOf(instruction: Instruction): (readonly [string, Target])[] {
  const targets: (readonly [string, Target])[] = [];
  if (instruction.kind === 'jump') {
    const { question, target, otherwise } = instruction;
    targets.push([question ? 'jump_if_true' : 'target_seq', target]);
    if (otherwise) targets.push(['jump_if_false', otherwise]);
  }
  if (instruction.onError) targets.push(['on_error', instruction.onError]);
  return targets;
}

function range({ instructions }: Plan): string | undefined {
  const numbers = instructions.flatMap(({ number }) => (number === undefined ? [] : [number]));
  const [first] = numbers;
  const last = numbers.at(-1);
  if (first === undefined) return undefined;
  return first === last ? `the only step is ${first}` : `steps are numbered ${first} to ${last}`;
}

// The numbers of a plan: each once, in the order of the text, none left out.

/** A branch of stackvm-1, and a foreach, may begin anew; otherwise no number repeats. */
export function checkSequence(report: Report, plan: Plan): void {
  checkList(report, plan, plan.instructions, new Map(), true);
}

function checkList(
  report: Report,
  plan: Plan,
  list: readonly Instruction[],
  taken: Map<number, Instruction>,
  whole: boolean,
): void {
  for (const instruction of list) {
    checkUnique(report, instruction, taken);
    const isAnew = plan.dialect === 'stackvm-1' || instruction.kind === 'foreach';
    for (const branch of listsIn(instruction)) {
      const own = isAnew ? new Map<number, Instruction>() : taken;
      checkList(report, plan, branch, own, false);
    }
  }
  checkOrder(report, list);
  checkGaps(report, list, whole);
}

function checkUnique(
  report: Report,
  instruction: Instruction,
  taken: Map<number, Instruction>,
): void {
  const { number, label: step } = instruction;
  if (number === undefined) return;
  const first = taken.get(number);
  if (!first) {
    taken.set(number, instruction);
    return;
  }
  const { line, column } = first.head;
  error(report, 'duplicateNumber', instruction.head, `got seq_no ${number} a second time`, {
    step,
    notes: [{ message: `${first.type || 'the other one'} has it`, line, column }],
    hint: 'number the instructions 0, 1, 2, … and change the targets of jumps with them',
  });
}

function checkOrder(report: Report, list: readonly Instruction[]): void {
  const inText = list.toSorted((a, b) => a.position - b.position);
  for (const [i, instruction] of inText.entries()) {
    const before = inText[i - 1]?.number;
    const { number, label: step } = instruction;
    if (before === undefined || number === undefined || number >= before) continue;
    const message = `got seq_no ${number} after ${before}; steps run in the order of their numbers`;
    warn(report, 'unsorted', instruction.head, message, { step });
    return;
  }
}

function checkGaps(report: Report, list: readonly Instruction[], whole: boolean): void {
  const [first] = list;
  if (whole && first?.number !== undefined && first.number > 1) {
    const message = `the first seq_no is ${first.number}, want 0 or 1`;
    warn(report, 'gap', first.head, message, { step: first.label });
  }
  for (const [i, instruction] of list.entries()) {
    const before = list[i - 1];
    const { number, label: step } = instruction;
    if (before?.number === undefined || number === undefined) continue;
    const from = before.number;
    const inner = new Set(numbersIn(before).filter((one) => one > from && one < number));
    if (number - from - 1 <= inner.size) continue;
    warn(report, 'gap', instruction.head, `got seq_no ${number} after ${from}`, { step });
    return;
  }
}

/** Numbers of the lists within one, which may share the numbering of the list around it. */
function numbersIn(instruction: Instruction): number[] {
  return listsIn(instruction)
    .flat()
    .flatMap((one) =>
      one.number === undefined ? numbersIn(one) : [one.number, ...numbersIn(one)],
    );
}
