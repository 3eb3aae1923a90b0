/** Whether a plan ends in an answer. */
import { nearest } from '../../program/diagnostic.ts';
import type { Flow } from './flow.ts';
import {
  answerName,
  answers,
  everyInstruction,
  type Instruction,
  type Plan,
  writesOf,
} from './plan.ts';
import { error, type Report, warn } from './report.ts';

/**
 * A plan of stackvm-2 must set final_answer, or it is refused; one of stackvm-1 that does not
 * answers with its last output. Without a flow of control that is known, only what holds for any.
 */
export function checkAnswers(report: Report, plan: Plan, flow: Flow | undefined): void {
  const last =
    plan.instructions.findLast(({ kind }) => kind !== 'reasoning') ?? plan.instructions.at(-1);
  if (!last) return;
  const step = last.label;
  const isOptional = plan.dialect === 'stackvm-1';
  const all = [...everyInstruction(plan.instructions)];
  // What could not be read may have set it.
  if (all.some((one) => one.kind === 'broken' && one.writes.length === 0)) return;
  if (!all.some(answers)) {
    const outputs = all.flatMap(writesOf).map(({ name }) => name);
    const say = isOptional ? warn : error;
    const then = isOptional ? withoutAnswer(outputs) : 'as the last one must';
    const message = `no step sets ${answerName}, ${then}`;
    say(report, 'noAnswer', last.head, message, { step, hint: hintFor(outputs) });
    return;
  }
  const runsOff = flow ? (flow.reachable[flow.end] ?? false) : true;
  if (alwaysAnswers(last) || (last.kind === 'jump' && !runsOff)) return;
  const message = `the last step does not set ${answerName}`;
  const ends = isOptional ? 'answers with its last output' : 'fails without an answer';
  const hint = runsOff ? `a run that gets past it ${ends}` : undefined;
  warn(report, 'lastStep', last.head, message, { step, hint });
}

const withoutAnswer = (outputs: readonly string[]): string =>
  outputs.length > 0 ? 'so the last output is the answer' : 'and none has an output to answer with';

/** Names the output that was meant: by its name, or else the last one. */
function hintFor(outputs: readonly string[]): string {
  const others = new Set(outputs.filter((name) => name !== answerName));
  const meant =
    ['result', 'answer', 'final'].find((name) => others.has(name)) ??
    nearest(answerName, others) ??
    outputs.findLast((name) => name !== answerName);
  return meant
    ? `rename the output ${meant} to ${answerName}`
    : `let the last step set ${answerName}`;
}

function alwaysAnswers(instruction: Instruction | undefined): boolean {
  if (!instruction) return false;
  if (instruction.kind !== 'condition') return answers(instruction);
  const { whenTrue, whenFalse } = instruction;
  return alwaysAnswers(whenTrue.at(-1)) && alwaysAnswers(whenFalse.at(-1));
}
