/**
 * Programs on a stack as programs of the machine: a step for each statement, one after the other.
 * What a statement pushes is kept in a variable of its number, `result_4`, so that it is seen, and
 * can be set, at every step. Calls of models and helpers give pending values; so statements that do
 * not need each other run side by side.
 */
import { ChunkBuilder, ProgramBuilder } from '../../program/builder.ts';
import { mandatory, type Site, type ToolSpec } from '../../program/effect.ts';
import type { Program } from '../../program/program.ts';
import type { Environment } from '../dialect.ts';
import { typesToFit } from '../stackvm/check.ts';
import { type Bound, type BoundArgument, bindArguments } from './arguments.ts';
import { codeByName } from './codes.ts';
import { addFunctions } from './library.ts';
import {
  appendEntries,
  at,
  type Entry,
  emptyLists,
  type Lists,
  type Lowering,
  type Many,
  manyOf,
  newLists,
  newLocal,
  pushEntrySource,
  pushEntryValue,
  pushFunction,
  pushLists,
  pushOrigin,
  pushPlace,
  pushTogether,
  takeEntries,
  takeTop,
  variable,
} from './lowering.ts';
import {
  type Action,
  everyAction,
  everyOperand,
  type Foreach,
  type HelperCall,
  literalOf,
  type ModelCall,
  type OnError,
  type Operand,
  type Setting,
  sourceOf,
  type Use,
} from './nodes.ts';
import { elementTool, helperIn, modelTool } from './tools.ts';
import { answersIn, namesSetIn, type StackTree } from './tree.ts';

export function lowerTree(tree: StackTree, environment: Environment): Program {
  const { statements, programs } = tree;
  const program = new ProgramBuilder('stack');
  const main = program.reserve();
  const chunk = new ChunkBuilder('main');
  const names = new Set([...environment.inputs, ...namesSetIn(tree)]);
  for (const name of environment.inputs) program.global(name);
  const base: Lowering = {
    ...{ program, chunk, environment, locals: [], wanted: new Set(), stack: [] },
    origins: originsOf(environment),
    programs,
    used: undefined,
    element: undefined,
  };
  for (const { label, action, syntax } of statements) {
    const { call, comment } = syntax;
    const { line, column, name: kind, source } = call;
    const step = { label, kind, source, line, column, ...(comment && { objective: comment }) };
    at(base, action).emit('STEP', program.step(step));
    lowerAction(base, action, freeName(names, `result_${label}`));
  }
  if (!answersIn(tree) && base.stack.length > 0) {
    pushTogether(base, takeEntries(base, 'all'));
    chunk.emit('ANSWER');
  }
  chunk.constant(null).emit('RETURN');
  program.fill(main, chunk.seal({ locals: base.locals }));
  addFunctions(program, base.wanted);
  return program.build();
}

const originsOf = ({ inputs }: Environment): Map<string, string> =>
  new Map(inputs.map((name) => [name, `the input ${name}`]));

/**
 * Another program in the place where it is used. It has a stack and variables of its own; its
 * answers, or what it leaves where it does not answer, are what it gives.
 */
function lowerUse(to: Lowering, { name, ...site }: Use): Many {
  const tree = to.programs.get(name)?.tree;
  if (!tree) throw new TypeError(`there is no program ${name}`);
  const lists = emptyLists(to, site);
  const prefix = `${to.used?.prefix ?? ''}${name.replace(/\.\w+$/, '')}.`;
  const inner: Lowering = {
    ...{ ...to, stack: [], origins: originsOf(to.environment), element: undefined },
    used: { site: to.used?.site ?? site, prefix, names: new Set(namesSetIn(tree)), ...lists },
  };
  for (const { label, action } of tree.statements) {
    lowerAction(inner, action, `${prefix}result_${label}`);
  }
  if (!answersIn(tree)) appendEntries(inner, lists, takeEntries(inner, 'all'));
  return manyOf(lists);
}

/** A name that the program itself does not use. */
const freeName = (names: ReadonlySet<string>, name: string): string =>
  names.has(name) ? freeName(names, `${name}_`) : name;

/** `result` is the variable for what the statement pushes; inside of a foreach there is none. */
function lowerAction(to: Lowering, action: Action, result: string): void {
  const { chunk } = to;
  switch (action.kind) {
    case 'push':
      if (to.element) lowerResult(to, action.value);
      else lowerPush(to, action.value, result);
      return;
    case 'answer':
      if (to.used) {
        appendEntries(to, to.used, [togetherOf(to, action.value)]);
        return;
      }
      pushValue(to, action.value);
      at(to, action).emit('ANSWER');
      return;
    case 'set':
      lowerSet(to, action);
      return;
    case 'give up':
      if (!action.reason) chunk.constant('the program gives no reason');
      else pushValue(to, action.reason);
      at(to, action).emit('TEMPLATE', 1);
      chunk.emit('FAIL', chunk.constantSlot(codeByName.gaveUp));
      return;
  }
}

/** What another program answers: one value, with where it came from. */
function togetherOf(to: Lowering, value: Operand): Entry {
  const entries = entriesOf(to, value);
  const [only, ...more] = entries;
  if (only?.kind === 'one' && more.length === 0) return only;
  const local = newLocal(to, 'answer');
  pushTogether(to, entries);
  to.chunk.emit('SETLOCAL', local);
  return { kind: 'one', value: { local }, source: sourceOf(value) };
}

/** Puts values on the stack. */
function lowerPush(to: Lowering, value: Operand, result: string): void {
  const { chunk, program, stack, origins } = to;
  if (value.kind === 'take') {
    // They are taken away, and that is all.
    takeEntries(to, value.count);
    return;
  }
  if (value.kind === 'get') {
    // What stays on the stack stays what it was, whatever the name is set to later.
    chunk.emit('GLOBAL', program.global(variable(to, value.name)));
    chunk.emit('SETGLOBAL', program.global(result));
    const source = origins.get(value.name) ?? '';
    stack.push({ kind: 'one', value: { global: result }, source });
    return;
  }
  if (value.kind === 'foreach' || value.kind === 'use') {
    const { values, sources } =
      value.kind === 'use' ? lowerUse(to, value) : lowerForeach(to, value);
    pushPlace(to, values).emit('SETGLOBAL', program.global(result));
    stack.push({ kind: 'many', values: { global: result }, sources });
    return;
  }
  pushValue(to, value);
  at(to, value).emit('SETGLOBAL', program.global(result));
  stack.push({ kind: 'one', value: { global: result }, source: sourceOf(value) });
}

/** Puts values to the results of a foreach. */
function lowerResult(to: Lowering, value: Operand): void {
  const { chunk, element, origins } = to;
  if (!element) return;
  const { values, sources } = element;
  if (value.kind === 'take' || value.kind === 'foreach' || value.kind === 'use') {
    appendEntries(to, element, entriesOf(to, value));
    return;
  }
  at(to, value).emit('LOCAL', values);
  pushValue(to, value);
  at(to, value).emit('APPEND', 1).emit('POP').emit('LOCAL', sources);
  if (value.kind === 'get') chunk.constant(origins.get(value.name) ?? '');
  else pushOrigin(to, sourceOf(value));
  chunk.emit('APPEND', 1).emit('POP');
}

function lowerSet(to: Lowering, { name, title, value, ...site }: Setting): void {
  const { chunk, program, origins } = to;
  let source = sourceOf(value);
  if (value.kind === 'take') {
    const entries = takeEntries(to, value.count);
    const [entry, ...more] = entries;
    if (entry?.kind === 'one' && more.length === 0 && typeof entry.source === 'string') {
      source = entry.source;
    }
    pushTogether(to, entries);
  } else pushValue(to, value);
  at(to, site);
  chunk.emit('SETGLOBAL', program.global(variable(to, name)));
  const titled = source === '' ? (title ?? '') : `${title}, from ${source}`;
  origins.set(name, title === undefined ? source : titled);
}

// Code for what gives values. An operand is one value, pushed as it is, or any number of them, kept
// in two lists: the values, and where each came from.

/** Pushes one value; several are a list of them. */
function pushValue(to: Lowering, operand: Operand): void {
  const chunk = at(to, operand);
  switch (operand.kind) {
    case 'literal':
      chunk.constant(operand.value);
      return;
    case 'hole':
      throw new TypeError(`${operand.text} stands for no value`);
    case 'list':
      for (const item of operand.items) pushValue(to, item);
      at(to, operand).emit('LIST', operand.items.length);
      return;
    case 'object':
      for (const { name, value } of operand.entries) {
        chunk.constant(name);
        pushValue(to, value);
      }
      at(to, operand).emit('DICT', operand.entries.length);
      return;
    case 'take':
      pushTogether(to, takeEntries(to, operand.count));
      return;
    case 'foreach':
      pushTogether(to, [lowerForeach(to, operand)]);
      return;
    case 'use':
      pushTogether(to, [lowerUse(to, operand)]);
      return;
    case 'get':
      chunk.emit('GLOBAL', to.program.global(variable(to, operand.name)));
      return;
    case 'model':
      pushModelCall(to, operand);
      return;
    case 'helper':
      pushHelperCall(to, operand);
      return;
    case 'data':
      pushData(to, operand.value);
      return;
  }
}

/** Values that data takes off the stack are a list, unless it is one by its number. */
function pushData(to: Lowering, value: Operand): void {
  const isOne = value.kind === 'take' && value.count === 1;
  const isMany = value.kind === 'foreach' || value.kind === 'use';
  if (isMany || (value.kind === 'take' && !isOne)) {
    pushLists(to, entriesOf(to, value), pushEntryValue);
  } else pushValue(to, value);
}

/** The values of an operand; one that is not on the stack is computed, and kept in a variable. */
function entriesOf(to: Lowering, operand: Operand): readonly Entry[] {
  if (operand.kind === 'take') return takeEntries(to, operand.count);
  if (operand.kind === 'foreach') return [lowerForeach(to, operand)];
  if (operand.kind === 'use') return [lowerUse(to, operand)];
  if (operand.kind === 'get') {
    const source = to.origins.get(operand.name) ?? '';
    return [{ kind: 'one', value: { global: variable(to, operand.name) }, source }];
  }
  const value = newLocal(to, 'value');
  pushValue(to, operand);
  at(to, operand).emit('SETLOCAL', value);
  const text = sourceOf(operand);
  if (!to.element || text === '') return [{ kind: 'one', value: { local: value }, source: text }];
  const source = newLocal(to, 'source');
  pushOrigin(to, text);
  to.chunk.emit('SETLOCAL', source);
  return [{ kind: 'one', value: { local: value }, source: { local: source } }];
}

/** Of a list that a program writes out for a model, each value is one of its own. */
const eachOf = (operand: Operand): readonly Operand[] =>
  operand.kind === 'list' ? operand.items.flatMap(eachOf) : [operand];

function pushModelCall(to: Lowering, call: ModelCall): void {
  const { chunk } = to;
  const operands = call.operands?.flatMap(eachOf);
  const entries = operands?.flatMap((one) => entriesOf(to, one)) ?? takeTop(to);
  at(to, call).tool(modelTool).constant('values');
  pushLists(to, entries, pushEntryValue);
  chunk.constant('instruction');
  pushValue(to, call.instruction);
  at(to, call).constant('sources');
  pushLists(to, entries, pushEntrySource);
  chunk.call(0, 3);
}

// Code for calls of helpers. What a call leaves open is bound as `llm_bind` does it: found by a
// model in the element of a foreach, or in the top of the stack, and else asked of a person.

function pushHelperCall(to: Lowering, call: HelperCall): void {
  const spec = helperIn(to.environment, call.name);
  if (!spec) throw new TypeError(`there is no helper ${call.name}`);
  const bound = bindArguments(call, spec, to.element !== undefined);
  if (bound.open.length > 0) {
    pushOpenCall(to, call, spec, bound);
    return;
  }
  at(to, call).tool(spec.name);
  pushGiven(to, bound.given, spec);
  at(to, call).call(0, bound.given.length);
}

function pushGiven(to: Lowering, given: readonly BoundArgument[], spec: ToolSpec): void {
  for (const { name, value } of given) {
    at(to, value).constant(name);
    pushArgument(to, name, value, spec);
  }
}

/** What a model or a helper gave may be what the parameter wants but for its notation. */
function pushArgument(to: Lowering, name: string, value: Operand, spec: ToolSpec): void {
  const types = typesToFit(name, literalOf(value), spec);
  if (types.length === 0) {
    pushValue(to, value);
    return;
  }
  at(to, value).builtin('conform');
  pushValue(to, value);
  at(to, value).constant(types.join(' ')).call(2);
}

/** A model finds what is open; the call has its place, and waits for that on its own. */
function pushOpenCall(to: Lowering, call: HelperCall, spec: ToolSpec, bound: Bound): void {
  const { given, open } = bound;
  const required = mandatory(spec);
  const others = open.filter((name) => !required.includes(name));
  const chunk = at(to, call).builtin('llm_bind').constant('helper');
  chunk.constant(`${spec.name}(${others.join(', ')})`).constant('given');
  pushGiven(to, given, spec);
  at(to, call).emit('DICT', given.length).constant('expr');
  // What is given is taken first; the element may be among that.
  const top = takeTop(to);
  if (to.element) chunk.emit('LOCAL', to.element.value);
  else pushTogether(to, top);
  chunk.constant('source');
  pushSource(to, top);
  chunk.constant('whole').constant(true).call(0, 5);
}

/** Where the element or the top of the stack came from. */
function pushSource(to: Lowering, [top]: readonly Entry[]): void {
  if (to.element) to.chunk.emit('LOCAL', to.element.source);
  else if (top?.kind === 'one') pushEntrySource(to, top);
  else to.chunk.constant('');
}

// Code for foreach: a loop over its elements, which executes its statement for each. No turn waits
// for what another one has asked for; the elements of a text a model finds.

/** The results for all elements, one after the other. */
function lowerForeach(to: Lowering, foreach: Foreach): Many {
  const { over, body, bodySource, onError, ...site } = foreach;
  const { chunk } = to;
  const elements = lowerElements(to, entriesOf(to, over), bodySource, site);
  if (onError) return lowerHandled(to, { ...foreach, onError }, elements);
  const lists = emptyLists(to, site);
  const [next, end] = [chunk.label(), chunk.label()];
  chunk.emit('LOCAL', elements).emit('ITER').place(next).jump('NEXT', end);
  lowerEach(to, body, lists);
  at(to, site).jump('JMP', next).place(end).emit('ENDITER');
  return manyOf(lists);
}

/** Executes a statement for the element with its source that is on top of the operand stack. */
function lowerEach(to: Lowering, body: Action, lists: Lists): void {
  const [element, source] = [newLocal(to, 'element'), newLocal(to, 'source')];
  to.chunk.emit('UNPACK', 2).emit('SETLOCAL', element).emit('SETLOCAL', source);
  const own: Entry = { kind: 'one', value: { local: element }, source: { local: source } };
  lowerAction({ ...to, stack: [own], element: { value: element, source, ...lists } }, body, '');
}

/**
 * Each element is tried by itself, all at the same time unless that changes the world. What has
 * failed at last is dealt with in the order of the elements.
 */
function lowerHandled(
  to: Lowering,
  { body, onError, ...site }: Foreach & { readonly onError: OnError },
  elements: number,
): Many {
  const { chunk } = to;
  const { retries, last } = onError;
  const lists = newLists(to);
  const own = lowerBody(to, body, site);
  // The last time that it may fail is no attempt: its failure is that of the run.
  const times = last === 'fail' ? retries : retries + 1;
  const tried = lowerTried(to, own, times, site);
  at(to, site);
  if (writes(to, body)) pushFunction(to, 'stack_try_all');
  else chunk.builtin('parallel');
  pushClosure(to, tried).emit('LOCAL', elements).call(2).emit('SETLOCAL', lists.values);
  pushFunction(to, 'stack_settled').emit('LOCAL', elements).emit('LOCAL', lists.values);
  if (last === 'skip') chunk.constant(null);
  else pushClosure(to, last === 'fail' ? own : lowerBody(to, last, site));
  chunk.call(3).emit('UNPACK', 2).emit('SETLOCAL', lists.values).emit('SETLOCAL', lists.sources);
  return manyOf(lists);
}

const pushClosure = ({ chunk }: Lowering, index: number): ChunkBuilder =>
  chunk.emit('TUPLE', 0).emit('FUNC', index);

/** A function of an element with its source, which gives the results and theirs. */
function lowerBody(to: Lowering, body: Action, site: Site): number {
  const chunk = new ChunkBuilder('foreach');
  const inner: Lowering = { ...to, chunk, locals: ['pair'] };
  const lists = emptyLists(inner, site);
  chunk.emit('LOCAL', 0);
  lowerEach(inner, body, lists);
  at(inner, site).emit('LOCAL', lists.values).emit('LOCAL', lists.sources);
  chunk.emit('TUPLE', 2).emit('RETURN');
  return addFunction(inner);
}

/** A function of an element that tells how it went. */
function lowerTried(to: Lowering, own: number, times: number, site: Site): number {
  const chunk = new ChunkBuilder('foreach');
  const inner: Lowering = { ...to, chunk, locals: ['pair'] };
  at(inner, site);
  pushFunction(inner, 'stack_try');
  pushClosure(inner, own).emit('LOCAL', 0).constant(times).call(3).emit('RETURN');
  return addFunction(inner);
}

const addFunction = ({ program, chunk, locals }: Lowering): number =>
  program.add(chunk.seal({ role: 'function', locals, parameters: ofOne }));

const ofOne = { positional: 1, named: 0, defaults: 0 };

/** Whether a statement calls a helper that changes the world. */
const writes = ({ environment }: Lowering, body: Action): boolean =>
  everyAction(body).some((action) => {
    const operand = action.kind === 'give up' ? action.reason : action.value;
    return (
      operand !== undefined &&
      everyOperand(operand).some(
        (one) => one.kind === 'helper' && helperIn(environment, one.name)?.effect === 'write',
      )
    );
  });

/** The list of the elements, each a tuple with where it came from. */
function lowerElements(
  to: Lowering,
  entries: readonly Entry[],
  statement: string,
  site: Site,
): number {
  const { chunk } = to;
  const elements = newLocal(to, 'elements');
  const [values, sources] = [newLocal(to, 'values'), newLocal(to, 'sources')];
  at(to, site);
  pushLists(to, entries, pushEntryValue);
  chunk.emit('SETLOCAL', values);
  pushLists(to, entries, pushEntrySource);
  chunk.emit('SETLOCAL', sources);
  pushFunction(to, 'stack_elements').emit('LOCAL', values).emit('LOCAL', sources).call(2);
  chunk.emit('SETLOCAL', elements);
  // Several values are the elements as they are.
  if (entries.length > 1 && entries.every(({ kind }) => kind === 'one')) return elements;
  const isList = chunk.label();
  chunk.emit('LOCAL', elements).constant(null).emit('EQ').jump('JF', isList);
  pushFunction(to, 'stack_elements').tool(elementTool).constant('expr');
  chunk.emit('LOCAL', values).constant(0).emit('INDEX');
  chunk.constant('instruction').constant(elementsAsked(statement)).call(0, 2);
  chunk.emit('LIST', 1).emit('LOCAL', sources).call(2).emit('SETLOCAL', elements).place(isList);
  return elements;
}

/** What the elements are that a model is to find. */
const elementsAsked = (statement: string): string =>
  `the elements for each of which this is to be done: ${statement}. Each is a text of its own ` +
  'that says all that the data says of it; none is left out, and none is added';
