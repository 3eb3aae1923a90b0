/**
 * From the tree of a plan to a program: one main chunk, the instructions in their order, each of
 * them a step. Variables are globals; a call does not wait for its result, so calls that do not
 * need each other run side by side.
 */
import { ChunkBuilder, type Label, ProgramBuilder } from '../../program/builder.ts';
import type { Site, ToolSpec } from '../../program/effect.ts';
import type { Program } from '../../program/program.ts';
import { findTool } from '../../program/tool-names.ts';
import type { Environment } from '../dialect.ts';
import { argumentsOf, formatOf, keysToTell, typesToFit } from './check.ts';
import { codeByName } from './codes.ts';
import { arithmeticOf } from './expression.ts';
import { flowOf, type Scopes, scopesOf } from './flow.ts';
import {
  type Assign,
  answerName,
  answers,
  type Call,
  type Condition,
  conditionTool,
  type Entry,
  type Expression,
  everyInstruction,
  type Foreach,
  type Instruction,
  type Jump,
  type Named,
  type Plan,
  type Question,
  type Reference,
  type Target,
} from './plan.ts';
import { type Names, namesOf, staysText } from './references.ts';
import type { Path } from './template.ts';

/** What is known while code is made. */
interface Lowering extends Emitter {
  readonly environment: Environment;
  readonly scopes: Scopes;
  /** Where the code of an instruction begins. */
  readonly labels: ReadonlyMap<Instruction, Label>;
  readonly handlers: HandledRegion[];
  /** Names of the main chunk's local variables, by slot. */
  readonly locals: string[];
  /** The slot of the last output, where it is the answer of a run or the result of a pass. */
  readonly lastOutput: number | undefined;
  /** How many iterators lie on the stack. */
  readonly depth: number;
}

interface HandledRegion {
  readonly start: number;
  readonly end: number;
  readonly target: Label;
  readonly site: Site;
  readonly depth: number;
}

/** Only for a plan without errors; its size is the verifier's to judge. */
export function lowerPlan(plan: Plan, environment: Environment): Program {
  const program = new ProgramBuilder(plan.dialect);
  const chunk = new ChunkBuilder('main');
  const names = namesOf(plan, environment);
  for (const name of environment.inputs) program.global(name);
  const labels = new Map<Instruction, Label>();
  for (const instruction of everyInstruction(plan.instructions)) {
    labels.set(instruction, chunk.label());
  }
  const scopes = scopesOf(plan);
  const { end, reachable } = flowOf(plan, scopes);
  const keepsLast = plan.dialect === 'stackvm-1' && reachable[end] === true;
  const lowering: Lowering = {
    plan,
    program,
    chunk,
    names,
    environment,
    scopes,
    labels,
    handlers: [],
    locals: keepsLast ? ['last_output'] : [],
    lastOutput: keepsLast ? 0 : undefined,
    depth: 0,
  };
  lowerList(lowering, plan.instructions);
  lowerEnd(lowering, plan);
  lowerHandlers(lowering);
  program.add(chunk.seal({ locals: lowering.locals }));
  return program.build();
}

function lowerList(lowering: Lowering, list: readonly Instruction[]): void {
  for (const instruction of list) lowerInstruction(lowering, instruction);
}

function lowerInstruction(lowering: Lowering, instruction: Instruction): void {
  const { chunk, program, labels } = lowering;
  const { label, type: kind, objective, source, line, column } = instruction;
  const start = labels.get(instruction);
  if (start) chunk.place(start);
  const index = program.step({
    ...{ label, kind, source, line, column },
    ...(objective !== undefined && { objective }),
    ...(instruction.kind === 'reasoning' &&
      instruction.thoughts !== undefined && { reasoning: instruction.thoughts }),
  });
  chunk.at(line, column).emit('STEP', index);
  switch (instruction.kind) {
    case 'assign':
      guarded(lowering, instruction, () => lowerAssign(lowering, instruction));
      break;
    case 'call':
      guarded(lowering, instruction, () => lowerCall(lowering, instruction));
      break;
    case 'jump':
      lowerJump(lowering, instruction);
      break;
    case 'condition':
      lowerCondition(lowering, instruction);
      break;
    case 'foreach':
      lowerForeach(lowering, instruction);
      break;
    case 'reasoning':
    case 'broken':
      break;
  }
  if (answers(instruction)) lowerAnswer(lowering, instruction);
}

/** Code whose failure goes to the step that `on_error` names. */
function guarded(lowering: Lowering, instruction: Instruction, body: () => void): void {
  const { chunk, depth } = lowering;
  const { onError } = instruction;
  const target = onError && labelOf(lowering, instruction, onError);
  if (!onError || !target) {
    body();
    return;
  }
  const start = chunk.address;
  body();
  chunk.emit('BARRIER');
  lowering.handlers.push({ start, end: chunk.address, target, site: onError, depth });
}

function lowerAssign(lowering: Lowering, { entries, onError }: Assign): void {
  const { chunk } = lowering;
  if (onError) {
    lowerAtOnce(lowering, entries);
    return;
  }
  for (const { name, value, line, column } of entries) {
    lowerValue(lowering, value);
    chunk.at(line, column);
    setVariable(lowering, name, undefined);
  }
}

/** Computes all values before it sets the first variable: a failure leaves all as they were. */
function lowerAtOnce(lowering: Lowering, entries: readonly Entry[]): void {
  const { chunk } = lowering;
  const computed = new Map<string, number>();
  const slots = entries.map(({ name, value, line, column }) => {
    lowerValue({ ...lowering, computed }, value);
    const slot = newLocal(lowering, name);
    chunk.at(line, column).emit('BARRIER').emit('SETLOCAL', slot);
    computed.set(name, slot);
    return slot;
  });
  for (const [i, { name, line, column }] of entries.entries()) {
    chunk.at(line, column).emit('LOCAL', slots[i]);
    setVariable(lowering, name, undefined);
  }
}

function newLocal({ locals }: Lowering, name: string): number {
  return locals.push(`${name}_${locals.length}`) - 1;
}

function lowerValue(lowering: Lowering, value: Expression): void {
  const { chunk, plan } = lowering;
  const sum = plan.arithmetic && value.kind === 'template' ? arithmeticOf(value) : undefined;
  if (!sum) {
    emit(lowering, value);
    return;
  }
  chunk.at(value.line, value.column).builtin('arithmetic').constant(sum.text);
  for (const operand of sum.operands) emit(lowering, operand);
  chunk.at(value.line, value.column).call(1 + sum.operands.length);
}

function lowerCall(lowering: Lowering, call: Call): void {
  const { chunk, environment } = lowering;
  const { tool } = call;
  const spec = findTool(environment.tools, tool.name);
  const keys = keysToTell(call, spec);
  const given = argumentsOf(call, spec);
  const format = formatOf(call);
  chunk.at(tool.line, tool.column).tool(spec?.name ?? tool.name);
  for (const entry of given) {
    if (keys.length > 0 && entry === format) continue;
    chunk.at(entry.line, entry.column).constant(entry.name);
    lowerArgument(lowering, entry, spec);
  }
  chunk.at(tool.line, tool.column);
  let count = given.length;
  if (keys.length > 0) {
    chunk.constant('response_format');
    lowerFormat(lowering, keys, format);
    count += format ? 0 : 1;
  }
  chunk.at(tool.line, tool.column).call(0, count);
  lowerOutputs(lowering, call);
}

/** What a model or a tool gave may be what the parameter wants but for its notation. */
function lowerArgument(
  lowering: Lowering,
  { name, value }: Entry,
  spec: ToolSpec | undefined,
): void {
  const { chunk } = lowering;
  const types = typesToFit(name, value, spec);
  if (types.length === 0) {
    emit(lowering, value);
    return;
  }
  chunk.at(value.line, value.column).builtin('conform');
  emit(lowering, value);
  chunk.at(value.line, value.column).constant(types.join(' ')).call(2);
}

/** The plan's own format stays what it is; the keys come on top of it. */
function lowerFormat(lowering: Lowering, keys: readonly Named[], format: Entry | undefined): void {
  const { chunk } = lowering;
  chunk.constant('keys');
  for (const { name } of keys) chunk.constant(name);
  chunk.emit('LIST', keys.length);
  if (keys.length === 1) chunk.constant('whole').constant(true);
  if (format) {
    chunk.constant('schema');
    emit(lowering, format.value);
  }
  chunk.emit('DICT', 1 + (keys.length === 1 ? 1 : 0) + (format ? 1 : 0));
}

/**
 * A list of one name takes the whole result where it is no object with that key. Of several
 * variables all of the result is the last output.
 */
function lowerOutputs(lowering: Lowering, { outputs, onError }: Call): void {
  const { chunk, lastOutput } = lowering;
  switch (outputs.kind) {
    case 'none':
      chunk.emit('POP');
      return;
    case 'whole':
      setVariable(lowering, outputs.name.name, onError);
      return;
    case 'keys': {
      const isOne = outputs.names.length === 1;
      const pick = isOne ? 'pick_or_whole' : 'pick';
      for (const { name, line, column } of outputs.names) {
        lowering.program.global(name);
        chunk.at(line, column).emit('DUP').builtin(pick).emit('EXCH').constant(name).call(2);
        chunk.emit('EXCH');
      }
      if (isOne || lastOutput === undefined) chunk.emit('POP');
      else {
        if (onError) chunk.emit('BARRIER');
        chunk.emit('SETLOCAL', lastOutput);
      }
      // All keys are there before the first variable is set; the last one lies on top.
      for (const { name, line, column } of outputs.names.toReversed()) {
        chunk.at(line, column);
        setVariable(isOne ? lowering : { ...lowering, lastOutput: undefined }, name, onError);
      }
      return;
    }
  }
}

function lowerJump(lowering: Lowering, jump: Jump): void {
  const { chunk } = lowering;
  const { question, target, otherwise } = jump;
  const to = labelOf(lowering, jump, target);
  if (question) guarded(lowering, jump, () => lowerQuestion(lowering, question));
  if (to) chunk.at(target.line, target.column).jump(question ? 'JT' : 'JMP', to);
  const falls = otherwise && labelOf(lowering, jump, otherwise);
  if (falls) chunk.at(otherwise.line, otherwise.column).jump('JMP', falls);
}

function lowerCondition(lowering: Lowering, condition: Condition): void {
  const { chunk } = lowering;
  const { question, whenTrue, whenFalse } = condition;
  const otherwise = chunk.label();
  const done = chunk.label();
  guarded(lowering, condition, () => lowerQuestion(lowering, question));
  chunk.jump('JF', whenFalse.length > 0 ? otherwise : done);
  lowerList(lowering, whenTrue);
  if (whenFalse.length > 0) {
    chunk.at(condition.line, condition.column).jump('JMP', done);
    chunk.place(otherwise);
    lowerList(lowering, whenFalse);
  }
  chunk.place(done);
}

/** No pass waits for what another one has asked for; the passes share all variables. */
function lowerForeach(lowering: Lowering, foreach: Foreach): void {
  const { chunk, depth } = lowering;
  const { items, item, index, body, output, ...site } = foreach;
  const at = (): ChunkBuilder => chunk.at(site.line, site.column);
  const [next, end] = [chunk.label(), chunk.label()];
  const results = output && newLocal(lowering, output.name);
  const last = output && newLocal(lowering, 'last');
  const position = index && newLocal(lowering, index.name);
  guarded(lowering, foreach, () => {
    at().builtin('conform');
    emit(lowering, items);
    at().constant('array').call(2);
  });
  if (results !== undefined) chunk.emit('LIST', 0).emit('SETLOCAL', results);
  if (position !== undefined) chunk.constant(-1).emit('SETLOCAL', position);
  chunk.emit('ITER').place(next).jump('NEXT', end);
  const pass = { ...lowering, depth: depth + 1 };
  setVariable({ ...pass, lastOutput: undefined }, item.name, undefined);
  if (index && position !== undefined) {
    chunk.emit('LOCAL', position).constant(1).emit('ADD').emit('DUP').emit('SETLOCAL', position);
    setVariable({ ...pass, lastOutput: undefined }, index.name, undefined);
  }
  if (last !== undefined) chunk.constant(null).emit('SETLOCAL', last);
  lowerList({ ...pass, lastOutput: last ?? lowering.lastOutput }, body);
  at();
  if (results !== undefined) {
    chunk.emit('LOCAL', results).emit('LOCAL', last).emit('APPEND', 1).emit('POP');
  }
  chunk.jump('JMP', next).place(end).emit('ENDITER');
  if (!output) return;
  chunk.emit('LOCAL', results);
  setVariable(lowering, output.name, undefined);
}

/** Leaves true or false on the stack. */
function lowerQuestion(lowering: Lowering, { prompt, context, ...site }: Question): void {
  const { chunk } = lowering;
  chunk.at(site.line, site.column).builtin('truth').tool(conditionTool).constant('prompt');
  emit(lowering, prompt);
  if (context) {
    chunk.at(context.line, context.column).constant('context');
    emit(lowering, context);
  }
  chunk
    .at(site.line, site.column)
    .call(0, context ? 2 : 1)
    .call(1);
}

function lowerAnswer(lowering: Lowering, { line, column }: Instruction): void {
  const { chunk } = lowering;
  chunk.at(line, column);
  getVariable(lowering, answerName);
  chunk.emit('ANSWER').constant(null).emit('RETURN');
}

/** What is left of a plan that has not answered when its last step is done. */
function lowerEnd(lowering: Lowering, { instructions }: Plan): void {
  const { chunk, lastOutput } = lowering;
  const last = instructions.at(-1);
  const without =
    lastOutput === undefined
      ? `setting ${answerName}: let the last step set it`
      : `any output: let the last step set ${answerName}`;
  const at = last ? `, step ${last.label},` : '';
  const message = `the plan has run to its end${at} without ${without}`;
  chunk.at(last?.line ?? 1, last?.column ?? 1);
  if (lastOutput !== undefined) {
    const start = chunk.address;
    chunk.emit('LOCAL', lastOutput).emit('BARRIER');
    const end = chunk.address;
    chunk.emit('ANSWER').constant(null).emit('RETURN');
    // No step on the way has set it.
    chunk.handler({ start, end, target: chunk.address, depth: 0 });
    chunk.emit('POP');
  }
  chunk.constant(message).emit('FAIL', chunk.constantSlot(codeByName.ranOffTheEnd));
}

/** Handlers drop the error and go on at their step. */
function lowerHandlers({ chunk, handlers }: Lowering): void {
  for (const { start, end, target, site, depth } of handlers) {
    chunk.handler({ start, end, target: chunk.address, depth });
    chunk.at(site.line, site.column).emit('POP').jump('JMP', target);
  }
}

/**
 * Where a failure is handled, a variable is set only when its value is there: one that failed later
 * would leave the variable without a value for the steps that take over.
 */
function setVariable(lowering: Lowering, name: string, onError: Target | undefined): void {
  const { chunk, program, lastOutput } = lowering;
  if (onError) chunk.emit('BARRIER');
  if (lastOutput !== undefined) chunk.emit('DUP').emit('SETLOCAL', lastOutput);
  chunk.emit('SETGLOBAL', program.global(name));
}

function labelOf(lowering: Lowering, from: Instruction, target: Target): Label | undefined {
  const found = lowering.scopes.find(from, target);
  return typeof found === 'object' ? lowering.labels.get(found) : undefined;
}

// Code for values: literals, references, templates, lists and objects.

interface Emitter {
  readonly plan: Plan;
  readonly program: ProgramBuilder;
  readonly chunk: ChunkBuilder;
  readonly names: Names;
  /** Slots of variables that the instruction has computed and not set yet. */
  readonly computed?: ReadonlyMap<string, number>;
}

/** Pushes the value of an expression. */
function emit(to: Emitter, expression: Expression): void {
  const { chunk } = to;
  chunk.at(expression.line, expression.column);
  switch (expression.kind) {
    case 'literal':
      chunk.constant(expression.value);
      return;
    case 'reference':
      emitReference(to, expression);
      return;
    case 'template':
      for (const part of expression.parts) {
        if (typeof part !== 'string') emitReference(to, part);
        else chunk.at(expression.line, expression.column).constant(part);
      }
      chunk.at(expression.line, expression.column).emit('TEMPLATE', expression.parts.length);
      return;
    case 'list':
      for (const item of expression.items) emit(to, item);
      chunk.at(expression.line, expression.column).emit('LIST', expression.items.length);
      return;
    case 'object':
      for (const { name, value } of expression.entries) {
        chunk.constant(name);
        emit(to, value);
      }
      chunk.at(expression.line, expression.column).emit('DICT', expression.entries.length);
      return;
  }
}

/** FIELD reaches into objects, lists and texts that hold JSON, by key or by number. */
function emitReference(to: Emitter, reference: Reference): void {
  const { chunk } = to;
  chunk.at(reference.line, reference.column);
  if (staysText(reference, to.plan.dialect, to.names)) {
    if (reference.form !== 'object') chunk.constant(reference.text);
    else chunk.constant('var').constant(reference.text).emit('DICT', 1);
    return;
  }
  emitPath(to, reference);
}

function emitPath(to: Emitter, { name, path }: Path): void {
  const { chunk } = to;
  getVariable(to, name);
  for (const key of path) {
    if (typeof key !== 'object') {
      chunk.emit('FIELD', chunk.constantSlot(String(key)));
      continue;
    }
    chunk.builtin('pick').emit('EXCH');
    emitPath(to, key);
    chunk.call(2);
  }
}

function getVariable({ chunk, program, computed }: Emitter, name: string): void {
  const slot = computed?.get(name);
  if (slot === undefined) chunk.emit('GLOBAL', program.global(name));
  else chunk.emit('LOCAL', slot);
}
