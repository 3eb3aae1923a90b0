/** The numbers of a plan: each once, in the order of the text, none left out. */
import { type Instruction, listsIn, type Plan } from './plan.ts';
import { error, type Report, warn } from './report.ts';

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
