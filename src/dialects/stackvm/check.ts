/** Everything that can be said about a plan before it runs. */
import { type Diagnostic, nearest } from '../../program/diagnostic.ts';
import { mandatory, type Site, type ToolSpec } from '../../program/effect.ts';
import { namedMax } from '../../program/opcodes.ts';
import {
  findTool,
  parameterName,
  toolHint,
  unknownToolHint,
  withChoice,
} from '../../program/tool-names.ts';
import type { Environment } from '../dialect.ts';
import { allows, checkValue, isMended, typeOf } from '../schema-check.ts';
import { signatureOf, typesOf } from '../signature.ts';
import { arithmeticOf } from './expression.ts';
import { checkSequence, checkTargets, type Flow, flowOf, scopesOf } from './flow.ts';
import { rowsOf } from './instructions.ts';
import {
  answerName,
  answers,
  type Call,
  conditionTool,
  type DialectName,
  type Entry,
  type Expression,
  everyInstruction,
  type Foreach,
  formOf,
  type Instruction,
  type Named,
  type Plan,
  type Question,
  referencesIn,
  writesOf,
} from './plan.ts';
import {
  checkReads,
  checkReferences,
  checkSuspects,
  type Names,
  namesOf,
  staysText,
} from './references.ts';
import { error, found, report as newReport, type Report, warn } from './report.ts';
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

// Whether a plan ends in an answer.

/**
 * A plan of stackvm-2 must set final_answer, or it is refused; one of stackvm-1 that does not
 * answers with its last output. Without a flow of control that is known, only what holds for any.
 */
function checkAnswers(report: Report, plan: Plan, flow: Flow | undefined): void {
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

// Holds calls against the tools of the environment: names, parameters, values that are literal.

/** What a call hands over: a parameter that is null and not required is the same as none. */
export function argumentsOf(call: Call, spec: ToolSpec | undefined): readonly Entry[] {
  const required = spec ? mandatory(spec) : [];
  const isNull = ({ value }: Entry): boolean => value.kind === 'literal' && value.value === null;
  const named = (entry: Entry): Entry => {
    const name = spec ? parameterName(spec.parameters, entry.name) : entry.name;
    return name === entry.name ? entry : { ...entry, name };
  };
  return call.arguments
    .map(named)
    .filter((entry) => !isNull(entry) || required.includes(entry.name));
}

/**
 * The keys that a model is told to answer with. One alone only where the plan wants JSON anyway:
 * plans mean by a list of one the key as well as all of an answer that is no object.
 */
export function keysToTell(call: Call, spec: ToolSpec | undefined): readonly Named[] {
  const { outputs } = call;
  const formats = spec?.parameters.properties?.response_format !== undefined;
  if (outputs.kind !== 'keys' || spec?.kind !== 'model' || !formats) return [];
  const format = formatOf(call)?.value;
  const isText = format === undefined || (format.kind === 'literal' && format.value === 'text');
  return outputs.names.length === 1 && isText ? [] : outputs.names;
}

/** The format that the plan itself gives; null is none. */
export const formatOf = (call: Call): Entry | undefined =>
  call.arguments.find(
    ({ name, value }) =>
      name === 'response_format' && !(value.kind === 'literal' && value.value === null),
  );

function checkCall(
  report: Report,
  call: Call,
  dialect: DialectName,
  environment: Environment,
): void {
  const spec = findTool(environment.tools, call.tool.name);
  if (!spec) {
    unknownTool(report, call, dialect, environment);
    return;
  }
  checkArguments(report, argumentsOf(call, spec), call, spec);
  const keys = keysToTell(call, spec);
  if (keys.length === 0) return;
  const format = formatOf(call)?.value;
  if (format?.kind !== 'literal' || format.value !== 'text') return;
  const names = keys.map(({ name }) => name).join(', ');
  warn(report, 'formatConflict', format, `the keys ${names} want JSON, response_format is text`, {
    hint: 'write "json", or leave response_format out',
  });
}

/**
 * The types that the value of a parameter is brought to when the step runs; none where it has one
 * of them already, or may have any.
 */
export function typesToFit(
  name: string,
  value: Expression | undefined,
  spec: ToolSpec | undefined,
): readonly string[] {
  const { properties = {} } = spec?.parameters ?? {};
  const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
  const types = schema && typesOf(schema);
  if (!types || types.length === 0) return [];
  const given = value && typeOf(value);
  return given !== undefined && allows(types, given) ? [] : types;
}

/** The names of the tools a plan can call, without those that instructions call by themselves. */
export const toolNames = ({ tools }: Environment): string[] =>
  [...tools.keys()].filter((name) => name !== conditionTool);

function unknownTool(
  report: Report,
  call: Call,
  dialect: DialectName,
  environment: Environment,
): void {
  const { name } = call.tool;
  const tools = toolNames(environment);
  const specs = new Map([...environment.tools].filter(([tool]) => tools.includes(tool)));
  if (call.by === 'calling' || call.by === 'own') {
    const hint = (): string => unknownToolHint(environment.tools, name, specs);
    error(report, 'unknownTool', call.tool, `there is no tool ${name}`, { hint, unknown: name });
    return;
  }
  const types = rowsOf(dialect).map(({ type }) => type);
  const all = `the instructions are ${types.join(', ')}`;
  const near = nearest(name, [...types, ...tools]);
  error(report, 'unknownType', call.tool, `got the type ${name}, want an instruction`, {
    hint: () => {
      const hint = near && `did you mean ${near}?`;
      return withChoice(hint ?? toolHint(environment.tools, name), all);
    },
    ...(!isSlip(name, near) && { unknown: name }),
  });
}

/** Whether what is there was plainly meant: `asign`, which nobody has to declare. */
const isSlip = (name: string, near: string | undefined): boolean =>
  near !== undefined && Math.abs(name.length - near.length) <= 2;

function checkArguments(report: Report, given: readonly Entry[], call: Call, spec: ToolSpec): void {
  const { properties = {}, additionalProperties } = spec.parameters;
  if (given.length > namedMax) {
    const message = `got ${given.length} parameters, want at most ${namedMax}`;
    error(report, 'tooManyArguments', call.head, message);
  }
  const names = new Set(given.map(({ name }) => name));
  const lacking = mandatory(spec).filter((name) => !names.has(name));
  for (const name of lacking) {
    const message = `${spec.name} lacks the parameter ${name}`;
    error(report, 'missingArgument', call.tool, message, { hint: signatureOf(spec) });
  }
  // A tool that declares no parameters at all may have left its schema out.
  const open = Object.keys(properties).length === 0 && additionalProperties === undefined;
  for (const entry of given) {
    const schema = Object.hasOwn(properties, entry.name) ? properties[entry.name] : undefined;
    if (schema) {
      const say = isMended(entry.value, schema) ? warn : error;
      for (const { site, message, hint } of checkValue(entry.name, entry.value, schema)) {
        say(report, 'wrongArgument', site, message, { hint });
      }
    } else if (!open && (additionalProperties ?? false) === false) {
      const near = (): string | undefined => nearest(entry.name, Object.keys(properties));
      const hint = (): string => {
        const meant = near();
        return meant ? `did you mean ${meant}?` : signatureOf(spec);
      };
      // What is close to one that is missing is what was to be that.
      const isMissing = lacking.length > 0 && lacking.includes(near() ?? '');
      const say = isMissing || additionalProperties === false ? error : warn;
      const message = `${spec.name} has no parameter ${entry.name}`;
      say(report, 'unknownArgument', entry, message, { hint });
    }
  }
}
