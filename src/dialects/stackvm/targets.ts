/** The targets of jumps and of on_error. */
import { everyInstruction, type Instruction, type Plan, type Target } from './plan.ts';
import { error, type Report } from './report.ts';
import type { Scopes } from './scopes.ts';

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
