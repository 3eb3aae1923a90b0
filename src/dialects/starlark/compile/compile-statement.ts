/** Code for statements: each leaves the operand stack as it was. */
import type { AugmentedAssign, For, If, Statement, While } from '../parse/syntax.ts';
import { assignTo, closure, expression, operation } from './compile-expression.ts';
import { at, type Emitter, load, store } from './emitter.ts';

export function statements(to: Emitter, list: readonly Statement[]): void {
  for (const node of list) statement(to, node);
}

export function statement(to: Emitter, node: Statement): void {
  const { chunk } = to;
  switch (node.kind) {
    case 'expression':
      expression(to, node.value);
      chunk.emit('POP');
      return;
    case 'assign':
      expression(to, node.value);
      at(to, node.operatorAt);
      assignTo(to, node.target);
      return;
    case 'augmented':
      augmented(to, node);
      return;
    case 'if':
      conditional(to, node);
      return;
    case 'for':
      forLoop(to, node);
      return;
    case 'while':
      whileLoop(to, node);
      return;
    case 'pass':
      return;
    case 'break':
    case 'continue': {
      const loop = to.loops.at(-1);
      if (loop) at(to, node.at).jump('JMP', node.kind === 'break' ? loop.end : loop.next);
      return;
    }
    case 'return':
      if (node.value) expression(to, node.value);
      else at(to, node.at).constant(null);
      at(to, node.at);
      for (let open = to.iterators; open > 0; open--) chunk.emit('EXCH').emit('ENDITER');
      chunk.emit('RETURN');
      return;
    case 'def':
      closure(to, node.function);
      store(to, node.name);
      return;
    case 'load':
      to.module.load?.(to, node);
      return;
  }
}

function augmented(to: Emitter, node: AugmentedAssign): void {
  const { target, operator, operatorAt, value } = node;
  const { chunk } = to;
  const combine = (): void => {
    expression(to, value);
    if (operator === '+') at(to, operatorAt).emit('IADD');
    else if (operator === '|') at(to, operatorAt).emit('IOR');
    else operation(to, operator, operatorAt);
  };
  const isPower = operator === '**';
  if (target.kind === 'name') {
    if (isPower) chunk.builtin('pow');
    load(to, target);
    combine();
    store(to, target);
    return;
  }
  if (target.kind === 'index') {
    expression(to, target.object);
    expression(to, target.index);
    chunk.emit('DUP2');
    at(to, target.operatorAt).emit('INDEX');
    if (isPower) chunk.builtin('pow').emit('EXCH');
    combine();
    at(to, target.operatorAt).emit('SETINDEX');
    return;
  }
  if (target.kind !== 'attribute') throw new TypeError(`a ${target.kind} is no target`);
  expression(to, target.object);
  const name = chunk.constantSlot(target.name);
  chunk.emit('DUP');
  at(to, target.operatorAt).emit('ATTR', name);
  if (isPower) chunk.builtin('pow').emit('EXCH');
  combine();
  at(to, target.operatorAt).emit('SETFIELD', name);
}

function conditional(to: Emitter, { condition, body, orElse }: If): void {
  const { chunk } = to;
  const [otherwise, end] = [chunk.label(), chunk.label()];
  expression(to, condition);
  chunk.jump('JF', otherwise);
  statements(to, body);
  if (orElse.length > 0) chunk.jump('JMP', end);
  chunk.place(otherwise);
  statements(to, orElse);
  chunk.place(end);
}

function forLoop(to: Emitter, { target, iterable, body, at: place }: For): void {
  const { chunk } = to;
  const [next, end] = [chunk.label(), chunk.label()];
  expression(to, iterable);
  at(to, place).emit('ITER').place(next).jump('NEXT', end);
  to.iterators++;
  to.loops.push({ next, end });
  assignTo(to, target);
  statements(to, body);
  to.loops.pop();
  to.iterators--;
  chunk.jump('JMP', next).place(end).emit('ENDITER');
}

function whileLoop(to: Emitter, { condition, body }: While): void {
  const { chunk } = to;
  const [next, end] = [chunk.label(), chunk.label()];
  chunk.place(next);
  expression(to, condition);
  chunk.jump('JF', end);
  to.loops.push({ next, end });
  statements(to, body);
  to.loops.pop();
  chunk.jump('JMP', next).place(end);
}
