/** Whether a plan ends in an answer. */
import { nearest } from '../../program/diagnostic.ts';
import type { Flow } from './flow.ts';
import type { Names } from './names.ts';
import { answerName, answers, everyInstruction, type Instruction, type Plan } from './plan.ts';
import { type Report, warn } from './report.ts';

/** Without a flow of control that is known, only what holds for any. */
export function checkAnswers(
  report: Report,
  plan: Plan,
  names: Names,
  flow: Flow | undefined,
): void {
  const last = plan.instructions.findLast(({ kind }) => kind !== 'reasoning');
  if (!last) return;
  const step = last.label;
  let some = false;
  for (const instruction of everyInstruction(plan.instructions)) some ||= answers(instruction);
  if (!some) {
    const near = nearest(answerName, names.known);
    const meant = ['result', 'answer', 'final'].find((name) => names.known.has(name)) ?? near;
    warn(
      report,
      'noAnswer',
      last.head,
      `no step sets ${answerName}, so a run ends without an answer`,
      {
        step,
        hint: meant
          ? `a run does not end with ${meant}: rename it to ${answerName}`
          : `let the last step set ${answerName}`,
      },
    );
    return;
  }
  const runsOff = flow ? (flow.reachable[flow.end] ?? false) : true;
  if (alwaysAnswers(last) || (last.kind === 'jump' && !runsOff)) return;
  const message = `the last step does not set ${answerName}`;
  const hint = runsOff ? 'a run that gets past it fails without an answer' : undefined;
  warn(report, 'lastStep', last.head, message, { step, hint });
}

function alwaysAnswers(instruction: Instruction | undefined): boolean {
  if (!instruction) return false;
  if (instruction.kind !== 'condition') return answers(instruction);
  const { whenTrue, whenFalse } = instruction;
  return alwaysAnswers(whenTrue.at(-1)) && alwaysAnswers(whenFalse.at(-1));
}
