/** Everything that can be said about a plan before it runs. */
import type { Diagnostic } from '../../program/diagnostic.ts';
import type { Site } from '../../program/effect.ts';
import { findTool } from '../../program/tool-names.ts';
import type { Environment } from '../dialect.ts';
import { checkAnswers } from './answers.ts';
import { checkCall } from './arguments.ts';
import { arithmeticOf } from './arithmetic.ts';
import { type Flow, flowOf } from './flow.ts';
import { type Names, namesOf, staysText } from './names.ts';
import {
  answerName,
  conditionTool,
  everyInstruction,
  type Foreach,
  formOf,
  type Instruction,
  type Plan,
  type Question,
  referencesIn,
  writesOf,
} from './plan.ts';
import { checkReads, checkReferences, checkSuspects } from './references.ts';
import { error, found, report as newReport, type Report, warn } from './report.ts';
import { scopesOf } from './scopes.ts';
import { checkSequence } from './sequence.ts';
import { checkTargets } from './targets.ts';
import { written } from './template.ts';

export function checkPlan(plan: Plan, environment: Environment): Diagnostic[] {
  const report = newReport();
  const names = namesOf(plan, environment);
  const scopes = scopesOf(plan);
  checkSequence(report, plan);
  for (const instruction of everyInstruction(plan.instructions)) {
    report.step = instruction.label;
    checkInstruction(report, plan, instruction, environment, names);
  }
  checkObjectives(report, plan);
  checkDecider(report, plan, environment);
  checkSuspects(report, plan, names);
  checkReferences(report, plan, names);
  const flow = checkTargets(report, plan, scopes) ? flowOf(plan, scopes) : undefined;
  if (flow) {
    checkReads(report, plan, flow, environment, names);
    checkReachable(report, flow);
  }
  checkAnswers(report, plan, flow);
  return found(report);
}

function checkInstruction(
  report: Report,
  plan: Plan,
  instruction: Instruction,
  environment: Environment,
  names: Names,
): void {
  switch (instruction.kind) {
    case 'call': {
      checkCall(report, instruction, plan.dialect, environment);
      const known = findTool(environment.tools, instruction.tool.name) !== undefined;
      if (instruction.by !== 'type' || plan.dialect === 'stackvm-1' || !known) return;
      const message = `${instruction.type} is a tool, taken as a call of it`;
      const hint = `the type is calling, and its parameter tool is ${instruction.type}`;
      warn(report, 'toolAsType', instruction.tool, message, { hint });
      return;
    }
    case 'assign':
      if (plan.arithmetic) return;
      for (const { value } of instruction.entries) {
        if (value.kind !== 'template' || !arithmeticOf(value)) continue;
        const hint = environment.tools.has('calculate') ? 'call the tool calculate' : undefined;
        warn(report, 'textArithmetic', value, 'this stays text, nothing is computed', { hint });
      }
      return;
    case 'foreach':
      checkForeach(report, instruction);
      return;
    case 'condition':
    case 'jump':
      if (instruction.question) checkQuestion(report, plan, instruction.question, names);
      return;
    case 'reasoning':
    case 'broken':
      return;
  }
}

/** A pass is calls and assignments, which never wait for those of another pass. */
function checkForeach(report: Report, foreach: Foreach): void {
  const { body, item, index, output } = foreach;
  const wrong = (at: Site, step: string, message: string, hint: string): void =>
    error(report, 'inForeach', at, message, { step, hint });
  for (const { kind, type, head, label } of body) {
    if (kind !== 'jump' && kind !== 'condition') continue;
    const hint = 'it holds calling, assign, reasoning and foreach: let a model decide in a prompt';
    wrong(head, label, `${type} cannot stand in a foreach`, hint);
  }
  const inner = body.flatMap((one) => writesOf(one).map((name) => ({ ...name, step: one.label })));
  const own = [item, index].flatMap((name) => (name ? [{ ...name, step: foreach.label }] : []));
  for (const { name, step, ...at } of [...own, ...inner]) {
    if (name !== answerName) continue;
    const hint = `let output_vars collect the outputs, and set ${answerName} after the foreach`;
    wrong(at, step, `${answerName} is set for each item: the first would end the run`, hint);
  }
  if (!output || inner.length > 0 || body.some(({ kind }) => kind === 'broken')) return;
  const hint = 'give its last instruction an output';
  wrong(output, foreach.label, `no instruction for an item has an output for ${output.name}`, hint);
}

/** The model sees the prompt and the context, no variable beside them. */
function checkQuestion(report: Report, plan: Plan, question: Question, names: Names): void {
  const { prompt, context } = question;
  const empty = context?.kind === 'literal' && context.value === '';
  if (context && !empty) return;
  for (const reference of referencesIn(prompt)) {
    if (!staysText(reference, plan.dialect, names)) return;
  }
  warn(report, 'blindCondition', question, 'the condition shows the model no data', {
    hint: `refer to a variable as ${written(formOf(plan.dialect), 'name')}, or give a context`,
  });
}

function checkDecider(report: Report, plan: Plan, { tools }: Environment): void {
  if (tools.has(conditionTool)) return;
  for (const instruction of everyInstruction(plan.instructions)) {
    if (instruction.kind !== 'condition' && instruction.kind !== 'jump') continue;
    if (!instruction.question) continue;
    const message = `there is no tool ${conditionTool}, which decides conditions`;
    error(report, 'unknownTool', instruction.question, message, {
      ...{ step: instruction.label, unknown: conditionTool },
    });
    return;
  }
}

/** Said once where nobody wrote any. */
function checkObjectives(report: Report, plan: Plan): void {
  if (plan.dialect === 'stackvm-1') return;
  const wanted = [...everyInstruction(plan.instructions)].filter(
    ({ kind, type }) => kind !== 'reasoning' && type !== 'reasoning',
  );
  const lacking = wanted.filter(({ objective }) => objective === undefined);
  const none = lacking.length === wanted.length && lacking.length > 1;
  for (const instruction of none ? lacking.slice(0, 1) : lacking) {
    const who = none ? 'no instruction' : `${instruction.type} ${instruction.label}`.trim();
    const message = `${who} has ${none ? 'an' : 'no'} execution_objective`;
    warn(report, 'noObjective', instruction.head, message, { step: instruction.label });
  }
}

/** One warning for each run of steps that nothing leads to; thoughts may stand anywhere. */
function checkReachable(report: Report, { nodes, reachable }: Flow): void {
  for (const [at, { instruction }] of nodes.entries()) {
    if (reachable[at] || (at > 0 && !reachable[at - 1])) continue;
    let last = at;
    while (last + 1 < nodes.length && !reachable[last + 1]) last++;
    const run = nodes.slice(at, last + 1);
    if (run.every((node) => node.instruction.kind === 'reasoning')) continue;
    const to = nodes[last]?.instruction.label;
    const steps = last === at ? `step ${instruction.label}` : `steps ${instruction.label} to ${to}`;
    const message = `no path leads to ${steps}`;
    warn(report, 'unreachable', instruction.head, message, { step: instruction.label });
  }
}
