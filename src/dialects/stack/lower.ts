/**
 * Programs on a stack as programs of the machine: a step for each statement, one after the other.
 * What a statement pushes is kept in a variable of its number, `result_4`, so that it is seen, and
 * can be set, at every step. Calls of models and helpers give pending values; so statements that do
 * not need each other run side by side.
 */
import { ChunkBuilder, ProgramBuilder } from '../../program/builder.ts';
import type { Program } from '../../program/program.ts';
import type { Environment } from '../dialect.ts';
import { codeByName } from './codes.ts';
import { addFunctions } from './library.ts';
import { lowerForeach } from './lower-foreach.ts';
import { entriesOf, pushValue, sourceOf } from './lower-operand.ts';
import {
  appendEntries,
  at,
  type Entry,
  type Lowering,
  type Many,
  newLocal,
  pushOrigin,
  pushPlace,
  pushTogether,
  takeEntries,
  variable,
} from './lowering.ts';
import { type Action, everyAction, type Operand, type Setting, type Use } from './nodes.ts';
import type { StackTree } from './tree.ts';

export function lowerTree(tree: StackTree, environment: Environment): Program {
  const { statements, programs } = tree;
  const program = new ProgramBuilder('stack');
  const main = program.reserve();
  const chunk = new ChunkBuilder('main');
  const names = new Set([...environment.inputs, ...setIn(tree)]);
  for (const name of environment.inputs) program.global(name);
  const base: Lowering = {
    ...{ program, chunk, environment, locals: [], wanted: new Set(), stack: [] },
    origins: originsOf(environment),
    programs,
    used: undefined,
    element: undefined,
    make: {
      act: (to, action) => lowerAction(to, action, ''),
      push: pushValue,
      entries: entriesOf,
      use: lowerUse,
    },
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

const actionsOf = ({ statements }: StackTree): Action[] =>
  statements.flatMap(({ action }) => everyAction(action));

const setIn = (tree: StackTree): string[] =>
  actionsOf(tree).flatMap((action) => (action.kind === 'set' ? [action.name] : []));

/** Whether a program itself says what its answers are, or that it has none. */
const answersIn = (tree: StackTree): boolean =>
  actionsOf(tree).some(({ kind }) => kind === 'answer' || kind === 'give up');

/**
 * Another program in the place where it is used. It has a stack and variables of its own; its
 * answers, or what it leaves where it does not answer, are what it gives.
 */
function lowerUse(to: Lowering, { name, ...site }: Use): Many {
  const tree = to.programs.get(name)?.tree;
  if (!tree) throw new TypeError(`there is no program ${name}`);
  const [values, sources] = [newLocal(to, 'values'), newLocal(to, 'sources')];
  const chunk = at(to, site).emit('LIST', 0).emit('SETLOCAL', values);
  chunk.emit('LIST', 0).emit('SETLOCAL', sources);
  const prefix = `${to.used?.prefix ?? ''}${name.replace(/\.\w+$/, '')}.`;
  const lists = { values, sources };
  const inner: Lowering = {
    ...{ ...to, stack: [], origins: originsOf(to.environment), element: undefined },
    used: { site: to.used?.site ?? site, prefix, names: new Set(setIn(tree)), ...lists },
  };
  for (const { label, action } of tree.statements) {
    lowerAction(inner, action, `${prefix}result_${label}`);
  }
  if (!answersIn(tree)) appendEntries(inner, lists, takeEntries(inner, 'all'));
  return { kind: 'many', values: { local: values }, sources: { local: sources } };
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
