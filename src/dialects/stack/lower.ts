/**
 * Programs on a stack as programs of the machine: a step for each statement, one after the other.
 * The stack is a list in a global variable, so that it is seen, and can be set, at every step.
 * Calls of models and helpers give pending values, which lie on the stack like any other; so
 * statements that do not need each other run side by side.
 */
import { ChunkBuilder, ProgramBuilder } from '../../program/builder.ts';
import type { Program } from '../../program/program.ts';
import type { Environment } from '../dialect.ts';
import { codeByName } from './codes.ts';
import { canTake, emptyStack, push } from './depth.ts';
import { addFunctions } from './library.ts';
import { pushItem, pushItems, pushValue } from './lower-operand.ts';
import { at, type Lowering, newLocal, pushFunction, pushStack, pushTaken } from './lowering.ts';
import { type Action, isMany, type Operand, type Setting, stackName } from './nodes.ts';
import type { StackTree } from './tree.ts';

export function lowerTree({ statements }: StackTree, environment: Environment): Program {
  const program = new ProgramBuilder('stack');
  const chunk = new ChunkBuilder('main');
  const to: Lowering = {
    program,
    chunk,
    environment,
    locals: [],
    wanted: new Set(),
    origins: new Map(environment.inputs.map((name) => [name, `the input ${name}`])),
    depth: emptyStack(),
    element: undefined,
    act: lowerAction,
  };
  for (const name of environment.inputs) program.global(name);
  chunk.emit('LIST', 0).emit('SETGLOBAL', program.global(stackName));
  for (const { label, action, syntax } of statements) {
    const { call, comment } = syntax;
    const { line, column, name: kind, source } = call;
    const step = { label, kind, source, line, column, ...(comment && { objective: comment }) };
    at(to, action).emit('STEP', program.step(step));
    lowerAction(to, action);
  }
  if (!statements.some(({ action }) => answers(action) || action.kind === 'give up')) {
    answerWithRest(to);
  }
  chunk.constant(null).emit('RETURN');
  program.add(chunk.seal({ locals: to.locals }));
  addFunctions(program, to.wanted);
  return program.build();
}

/** Whether a statement answers, or one inside of it. */
function answers(action: Action): boolean {
  if (action.kind === 'answer') return true;
  return action.kind === 'push' && action.value.kind === 'foreach' && answers(action.value.body);
}

/** Without a statement that answers, what is left on the stack is the answer. */
function answerWithRest(to: Lowering): void {
  const { chunk, depth } = to;
  const end = chunk.label();
  if (canTake(depth, 1) === false) return;
  chunk.builtin('len');
  pushStack(to).call(1).constant(0).emit('GT').jump('JF', end);
  pushFunction(to, 'stack_value');
  pushFunction(to, 'stack_take');
  pushStack(to).constant(null).call(2).call(1).emit('ANSWER');
  chunk.place(end);
}

function lowerAction(to: Lowering, action: Action): void {
  const { chunk } = to;
  switch (action.kind) {
    case 'push':
      lowerPush(to, action.value);
      return;
    case 'answer':
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

/** Puts values on the stack, or to the results of a foreach. */
function lowerPush(to: Lowering, value: Operand): void {
  const { chunk, element, depth } = to;
  const pushTarget = (): void => {
    if (element) chunk.emit('LOCAL', element.results);
    else pushStack(to);
  };
  if (value.kind === 'take' && !element) {
    // They are taken away, and that is all.
    pushTaken(to, value);
    chunk.emit('POP');
  } else if (isMany(value)) {
    pushFunction(to, 'stack_push');
    pushTarget();
    pushItems(to, value);
    at(to, value).call(2).emit('POP');
    push(depth, undefined);
  } else {
    at(to, value);
    pushTarget();
    pushItem(to, value);
    at(to, value).emit('APPEND', 1).emit('POP');
    push(depth, 1);
  }
}

/** Where the value came from is kept beside it, for whoever reads the variable. */
function lowerSet(to: Lowering, { name, title, value, ...site }: Setting): void {
  const { chunk, program, origins, element } = to;
  const known = origins.get(name);
  const origin = typeof known === 'number' ? known : newLocal(to, 'origin');
  pushItem(to, value);
  at(to, site).emit('DUP').constant('value').emit('INDEX');
  chunk.emit('SETGLOBAL', program.global(name)).constant('source').emit('INDEX');
  if (title !== undefined) {
    chunk.constant(`${title}, from `).emit('EXCH').emit('TEMPLATE', 2);
  }
  chunk.emit('SETLOCAL', origin);
  if (!element) origins.set(name, origin);
  else if (known === undefined) origins.set(name, '');
}
